//! Sums in memory that live in a register while their loop runs, where nothing is staged.
//!
//! ```text
//! for (k) y[i] += a[k*n + i] * x[k];     y may be a or x: each iteration stores, and waits to load again
//! ```
//! Behind a test that what the loop touches otherwise is apart, one store after the loop does, and loads of
//! several iterations are under way at once. Nothing else changes: no tile, no barrier, threads as they were.
//!
//! Left alone are sums that LLVM keeps in a register itself, because nothing else in the loop may be the same
//! memory.

mod emit;
mod legality;
mod plan;

pub use plan::choose;
