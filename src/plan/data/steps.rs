//! Versions in which a few blocks do the work of the whole grid, in steps: what those who do not know why they do must
//! know of them.

use crate::access::{AccessId, Accesses, ArrayId};
use std::any::Any;
use std::fmt::Debug;

/// How a few blocks, the *leaders*, do the work of all in steps, and what they do besides: the home of a transformation
/// has the type.
pub trait GridSteps: Any + Debug + Send + Sync {
    /// Whether it is the same as another one.
    fn equals(&self, other: &dyn GridSteps) -> bool;

    /// As lines of a dump.
    fn dump(&self, accesses: &Accesses) -> String;

    /// The arrays of which leaders hold cells in shared memory.
    fn held(&self) -> Vec<Held>;

    /// The atomic updates that are made in steps.
    fn updates(&self) -> Updates;

    /// Blocks along x, at most, that a kernel of its own is launched in, whatever the launch is; `None`: as many as the
    /// launch has.
    fn most_blocks(&self) -> Option<u32>;
}

impl PartialEq for dyn GridSteps {
    fn eq(&self, other: &dyn GridSteps) -> bool {
        self.equals(other)
    }
}

/// An array of which each leader has cells of its own.
pub struct Held {
    /// The array.
    pub array: ArrayId,
    /// The first access that means a leader's own cells.
    pub access: AccessId,
    /// How many there are.
    pub cells: u32,
}

/// Atomic updates that leaders make in shared memory, and what they give to global memory.
pub struct Updates {
    /// Those that steps make.
    pub by_steps: Vec<AccessId>,
    /// How many a leader makes in global memory.
    pub by_leader: u32,
    /// Whether data may say others, which every thread makes there.
    pub may_be_others: bool,
    /// Threads of all leaders, at most.
    pub resident: u32,
    /// Threads of the grid per leader, at least.
    pub share: u32,
}
