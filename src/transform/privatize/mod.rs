//! See `plan.rs`.

mod emit;
mod emit_elements;
mod plan;
mod stride;

pub use plan::choose;
