//! Which iteration of a loop code is emitted for.

use super::{PipelineShape, Slot};

impl Iteration {
    /// The one that a counter says.
    pub fn counted(counter: Slot) -> Self {
        Self::Counted {
            counter,
            ahead: None,
        }
    }
}

/// How the number of the current iteration of a loop is kept.
#[derive(Clone, Copy)]
pub enum Iteration {
    /// By a counter.
    Counted {
        /// The counter, of either width.
        counter: Slot,
        /// In an unrolled run of iterations, the first of which is counted (32 bits): iterations past it.
        ahead: Option<i64>,
    },
    /// In a round of jammed iterations: its first one (64 bits), which is replica 0's.
    Jammed {
        /// The iteration of replica 0.
        first: Slot,
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
