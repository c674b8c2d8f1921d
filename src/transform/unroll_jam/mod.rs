//! See `plan.rs`.

mod emit;
mod nest;
mod plan;

pub use plan::choose;
