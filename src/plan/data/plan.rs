//! One version of a kernel.

use super::{
    Fact, LockstepPlan, Merge, Region, ScalarReplacement, Steps, UnclampedLoop, Unroll, UnrollJam,
    WideStore,
};
use std::any::Any;
use std::sync::Arc;

/// One version of a kernel: what its body does in another way. It is idle by default.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// Regions, outer before inner, in tree order. Regions are disjoint or nested. A loop may be
    /// the node of two: a whole region and, inside it, the strips.
    pub regions: Vec<Region>,
    /// Accumulators kept in registers while a loop of a region runs.
    pub scalars: Vec<ScalarReplacement>,
    /// What must hold for each launch, cheapest first; the original body runs unless all of it does.
    pub facts: Vec<Fact>,
    /// What a launch meets of which the model is sure that it gains: the entry tests it first in a kernel that holds
    /// its version itself, and the run-time part asks before anything is measured. Nothing rests on it.
    pub pays: Vec<Fact>,
    /// Registers of a thread, if a kernel of its own is to have others than are usual for what it does: it serves no
    /// larger blocks than they allow.
    pub registers: Option<u32>,
    /// Whether merged blocks read their ids again behind passes also where their replicas' cells lie side by side.
    pub remat_ids: bool,
    /// Whether real numbers that are the same for all threads are rematerialized behind passes.
    pub remat_floats: bool,
    /// Bytes of the buffer that all tiles carve.
    pub shared_bytes: u32,
    /// How many neighbouring blocks one block does the work of.
    pub merge: Merge,
    /// Whether the grid's first blocks lead: then facts are about the whole grid, along merged dimensions.
    pub compacted: bool,
    /// Stores that several replicas do at once.
    pub wide: Vec<WideStore>,
    /// How replicas run where blocks are merged and there is no region.
    pub lockstep: Option<LockstepPlan>,
    /// The steps in which a few blocks do the work of all: then the whole grid is merged, [`Plan::merge`] says how many
    /// steps a thread takes at a time, and facts are about the whole grid.
    pub steps: Option<Arc<dyn Steps>>,
    /// Iterations of an outer loop that a thread runs together, where nothing is staged.
    pub unroll_jam: Option<UnrollJam>,
    /// Whether the replaced scalars are all there is: nothing is staged, merged or jammed.
    pub scalars_only: bool,
    /// Loops that are unrolled, where nothing else is done.
    pub unrolled: Vec<Unroll>,
    /// The loop that runs without its clamps where they change nothing, where nothing is staged.
    pub unclamped: Option<UnclampedLoop>,
}

impl Plan {
    /// Whether windows slide over some tile.
    pub fn has_windows(&self) -> bool {
        (self.regions.iter()).any(|r| r.tiles.iter().any(super::Tile::has_windows))
    }

    /// Whether there are tiles, and windows slide over all reads of them.
    pub fn reads_only_windows(&self) -> bool {
        let tiles = self.regions.iter().flat_map(|r| &r.tiles);
        let mut members = tiles.flat_map(|t| &t.members);
        !self.regions.is_empty() && members.all(|m| m.register_window.is_some())
    }

    /// Blocks along x, at most, that a kernel of its own with this plan is launched in, whatever the launch is; `None`:
    /// as many as the launch has. It is right in any number of them, if all that it rests on was asked of the launch as
    /// it was: it must not test that itself.
    pub fn most_blocks(&self) -> Option<u32> {
        self.steps.as_ref()?.most_blocks()
    }

    /// The steps, if they are those of the transformation whose type this is.
    pub fn steps_as<T: Steps>(&self) -> Option<&T> {
        let steps: &dyn Any = &**self.steps.as_ref()?;
        steps.downcast_ref()
    }

    /// Whether shared memory holds something of what the kernel reads or updates.
    pub fn stages(&self) -> bool {
        !self.regions.is_empty() || self.steps.is_some()
    }

    /// Whether nothing is done: no version is made of it.
    pub fn is_idle(&self) -> bool {
        let whole = self.lockstep.is_none() && self.unroll_jam.is_none();
        self.regions.is_empty() && whole && !self.scalars_only && self.unrolled.is_empty()
    }
}
