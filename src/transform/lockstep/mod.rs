//! See `plan.rs`.

mod carried_loads;
mod emit;
mod plan;
pub mod untiled_windows;

pub(crate) use plan::{Order, choose, stores_are_disjoint, version, version_of};
