//! See `plan.rs`.

mod plan;

pub use plan::choose;
