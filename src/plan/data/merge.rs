//! Blocks that one block does the work of.

use crate::kernel::Dim;
use std::fmt;

/// Neighbouring blocks done by one, the *leader*: those whose `ctaid` agree when divided by the
/// factor. Each of them is a *replica* of the leader's threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Merge {
    /// Blocks merged along each dimension; 1: none.
    pub factor: [u32; 3],
    /// Where a thread's replicas own consecutive global ids (`tid * factor + replica`) and not ids a
    /// block apart.
    pub consecutive: [bool; 3],
    /// Replicas in a row that own consecutive ids, where some do: a divisor of the factor. The next
    /// ones lie `run * ntid` further on, so that neighbouring threads read side by side.
    pub run: [u32; 3],
    /// Whether a warp works on [`crate::machine::tuning::merge::WARP_TILE`] threads instead of a row of the block,
    /// where the block divides into such: what its threads read of two tiles is then least.
    pub square: bool,
    /// Whether the grid's first blocks lead, and not the first of each group: then facts are about the whole grid,
    /// along merged dimensions.
    pub compacted: bool,
    /// Whether none but leaders is launched: a launched block reads the numbers of the first block of its group, and
    /// the grid has whole groups.
    pub led: bool,
}

impl Default for Merge {
    fn default() -> Self {
        Merge {
            factor: [1; 3],
            consecutive: [false; 3],
            run: [1; 3],
            square: false,
            compacted: false,
            led: false,
        }
    }
}

impl Merge {
    /// Replicas in all.
    pub fn replicas(self) -> u32 {
        self.factor.iter().product()
    }
    /// The factor in one dimension.
    pub fn along(self, d: Dim) -> u32 {
        self.factor[d.index()]
    }
    /// The place of each replica, in the order of replicas; the first is the leader's own.
    pub fn places(self) -> Vec<[u32; 3]> {
        let [x, y, z] = self.factor;
        (0..z)
            .flat_map(|k| (0..y).flat_map(move |j| (0..x).map(move |i| [i, j, k])))
            .collect()
    }
    /// Which dimensions are merged.
    pub fn dims(self) -> [bool; 3] {
        self.factor.map(|r| r > 1)
    }
}

/// Why blocks are not merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoMerge {
    /// Barriers, atomics, shuffles, volatile accesses, calls, clusters: somebody may wait or look.
    Communicates,
    /// The kernel has shared or private arrays of its own.
    OwnArrays,
    /// Where a thread is may be asked in ways that replicas do not see: other registers, inline assembly, functions.
    AsksElsewhere,
    /// A tile is written that is not a store tile of a whole region without branches, or not all are such.
    Region,
    /// A loop around a region, or in it, runs a number of times that differs between the blocks.
    Trip,
    /// Along this dimension ids occur in other ways than as the global id.
    NotGlobalId(Dim),
    /// The tiles do not fit.
    OverBudget,
    /// A barrier stands where blocks may go different ways, or is one of a kind that waits for more than its block.
    OwnBarrier,
    /// Dynamic shared memory is aligned to more than the parts of it that merged blocks have.
    Aligned,
    /// A shared array's address is part of a constant that is no address.
    Numbers,
    /// A loop carries a product into a sum, or shares products between iterations: unrolling decides what is fused.
    Fuses,
    /// More is in all replicas' registers than a thread has, where threads wait for each other or in a loop.
    Registers,
}

impl fmt::Display for NoMerge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoMerge::Communicates => f.write_str("threads or blocks may communicate"),
            NoMerge::OwnArrays => f.write_str("the kernel has shared or private arrays"),
            NoMerge::AsksElsewhere => {
                f.write_str("where a thread is may be asked in a function or by another register")
            }
            NoMerge::Region => f.write_str("a tile is written"),
            NoMerge::Trip => f.write_str("a loop's length differs between blocks"),
            NoMerge::NotGlobalId(d) => {
                write!(f, "ids along {} are not used as the global id", d.letter())
            }
            NoMerge::OwnBarrier => f.write_str("blocks may come to a barrier on different ways"),
            NoMerge::Aligned => {
                f.write_str("dynamic shared memory is aligned to more than 16 bytes")
            }
            NoMerge::Numbers => f.write_str("a shared array's address is used as a number"),
            NoMerge::OverBudget => f.write_str("the tiles do not fit"),
            NoMerge::Fuses => f.write_str("a loop carries a product into a sum"),
            NoMerge::Registers => {
                f.write_str("a thread's registers would not hold all blocks' values")
            }
        }
    }
}
