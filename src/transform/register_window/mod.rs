//! See `plan.rs`.

mod emit;
mod emit_whole_async;
mod plan;

pub use plan::{Source, ahead, copies_whole_async, find, row_alignment};
