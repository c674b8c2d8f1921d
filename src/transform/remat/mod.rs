//! See `plan.rs`.

mod emit;
mod emit_cost;
mod emit_scope;
mod plan;

pub use plan::choose;
