//! Transformations, each in a folder: idea and soundness in `mod.rs`, then `legality.rs`, `plan.rs`, `emit.rs`.

pub mod trim;
