//! See `plan.rs`.

mod ahead;
mod emit;
mod plan;

pub(crate) use emit::words;
pub(crate) use plan::{choose, short, unclamped};
