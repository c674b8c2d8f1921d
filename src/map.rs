//! Hash maps and sets whose hash is one multiplication.
//!
//! Keys are values of the module and small numbers, which nobody makes up to collide: the standard library's hash,
//! which is proof against that, took a tenth of the plug-in's own time. Nothing hangs on the order of iteration.

pub use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
