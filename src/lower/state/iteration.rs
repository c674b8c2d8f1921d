//! Which iteration of a loop code is emitted for.

use super::{PipelineShape, Slot};

/// How the number of the current iteration of a loop is kept.
#[derive(Clone, Copy)]
pub enum Iteration {
    /// A counter of either width.
    Counter(Slot),
    /// In an unrolled run of iterations: the run's first one (32 bits), and how many further.
    Run {
        /// The run's first iteration.
        base: Slot,
        /// Iterations past it.
        ahead: i64,
    },
    /// In strips: where the strip begins (64 bits), and the iteration within it (32 bits).
    Strip {
        /// First iteration of the strip.
        base: Slot,
        /// Iteration within it.
        within: Slot,
        /// The strips, where several are in flight.
        shape: Option<PipelineShape>,
    },
}
