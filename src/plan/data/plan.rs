//! What is done with one kernel.

use super::{
    Abreast, Clear, Fact, Merge, NoAbreast, NoMerge, NoRounds, Over, Promotion, Region, Rounds,
    Stride, Tally, Together, WideStore,
};
use crate::access::{AccessId, ArrayId};
use crate::missed::Missed;
use crate::plan::Regroup;

/// What is to be done with one kernel.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Plan {
    /// Regions, outer before inner, in tree order. Regions are disjoint or nested. A loop may be
    /// the node of two: a whole region and, inside it, the strips.
    pub regions: Vec<Region>,
    /// Accumulators kept in registers while a loop of a region runs.
    pub promotions: Vec<Promotion>,
    /// What must hold for each launch, cheapest first; the original body runs unless all of it does.
    pub facts: Vec<Fact>,
    /// What a launch meets of which the model is sure that it gains: the entry tests it first in a kernel that holds
    /// its version itself, and the run-time part asks before anything is measured. Nothing rests on it.
    pub pays: Vec<Fact>,
    /// Blocks of other sizes that the host launches it in. The alternatives have none.
    pub regroup: Regroup,
    /// Other plans of which nothing is staged, about the kernel as a whole, also where this one is about blocks inside:
    /// for kernels of their own. The alternatives have none.
    pub whole: Vec<Plan>,
    /// Registers of a thread, if a kernel of its own is to have others than are usual for what it does: it serves no
    /// larger blocks than they allow.
    pub registers: Option<u32>,
    /// Whether merged blocks read their ids again behind passes also where their lanes' cells lie side by side.
    pub ids_anew: bool,
    /// Whether real numbers that are the same for all threads are made anew behind passes.
    pub reals_anew: bool,
    /// Arrays left alone, with the reason. An array has at most one entry here, and none if any
    /// of its groups is staged.
    pub missed: Vec<(ArrayId, Missed)>,
    /// Bytes of the buffer that all tiles carve.
    pub shared_bytes: u32,
    /// Accesses that belong to no array, with the reason.
    pub missed_accesses: Vec<(AccessId, Missed)>,
    /// A reason that holds for the whole kernel.
    pub kernel_missed: Option<Missed>,
    /// How many neighbouring blocks one block does the work of.
    pub merge: Merge,
    /// Whether the grid's first blocks lead: then facts are about the whole grid, along merged dimensions.
    pub heads: bool,
    /// Stores that several lanes do at once.
    pub wide: Vec<WideStore>,
    /// Why no blocks are merged though that was tried.
    pub no_merge: Option<NoMerge>,
    /// How lanes run where blocks are merged and there is no region.
    pub together: Option<Together>,
    /// Cells that blocks add to by themselves, and the turns in which a few blocks do the work of all:
    /// then the whole grid is merged, [`Plan::merge`] says how many turns a thread takes at a time, and
    /// facts are about the whole grid.
    pub tally: Option<Tally>,
    /// Iterations of an outer loop that a thread runs together, where nothing is staged.
    pub abreast: Option<Abreast>,
    /// Why there are none, though that was tried.
    pub no_abreast: Option<NoAbreast>,
    /// Whether the promotions are all there is: nothing is staged, merged or run abreast.
    pub lifted: bool,
    /// Loops whose iterations run in rounds, where nothing else is done.
    pub rounds: Vec<Rounds>,
    /// The loop that runs without its clamps where they change nothing, where nothing is staged.
    pub clear: Option<Clear>,
    /// Why there are none, though that was tried.
    pub no_rounds: Option<NoRounds>,
    /// Other plans for the same kernel, for kernels of their own, in the order in which the model prefers them. They
    /// have no alternatives of their own.
    pub alternatives: Vec<Plan>,
}

impl Plan {
    /// Blocks along x, at most, that a kernel of its own with this plan is launched in, whatever the launch is; `None`:
    /// as many as the launch has. It is right in any number of them, if all that it rests on was asked of the launch as
    /// it was: it must not test that itself.
    pub fn most_blocks(&self) -> Option<u32> {
        let tally = self.tally.as_ref()?;
        let by_ids = |s: &Stride| matches!(s.over, Over::Ids { .. });
        tally
            .stride
            .as_ref()
            .filter(|s| by_ids(s))
            .map(|_| tally.blocks)
    }

    /// Whether the kernel is to stay as it is.
    pub fn is_idle(&self) -> bool {
        let whole = self.together.is_none() && self.abreast.is_none();
        self.regions.is_empty() && whole && !self.lifted && self.rounds.is_empty()
    }
}
