//! Reductions that are dealt out, as plain data.

use super::accumulators::Accumulator;
use super::trip::{Counter, Trip};
use crate::kernel::ValueId;
use crate::tree::Loop;

/// How a kernel's reductions are dealt out.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// The loops, outer program order.
    pub(super) loops: Vec<Reduction>,
    /// The values that are a thread's id along x, and those that are how many threads the launch has.
    pub(super) ids: Vec<ValueId>,
    pub(super) strides: Vec<ValueId>,
    /// What lane 0 loads for all.
    pub(super) loads: Vec<ValueId>,
    /// What lane 0 does alone.
    pub(super) effects: Vec<Effect>,
}

/// A store or an update of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Effect {
    pub(super) value: ValueId,
    /// Whether a loop that is dealt out may read what it leaves.
    pub(super) is_read: bool,
}

/// A loop that is dealt out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reduction {
    pub(super) loop_: Loop,
    pub(super) counters: Vec<Counter>,
    pub(super) trip: Trip,
    pub(super) accumulators: Vec<Accumulator>,
}
