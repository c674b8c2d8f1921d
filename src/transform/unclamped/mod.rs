//! See `plan.rs`.

mod emit;
mod plan;

pub use plan::find;
