//! See `plan.rs`.

mod emit;
mod plan;

pub use plan::{fact, may};
