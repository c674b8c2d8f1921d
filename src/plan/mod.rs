//! The plan: which arrays are staged, where, in what tiles, under which facts. Plain data.
//!
//! ```text
//! region0: loop0 in strips of 32
//!   tile0: array0, unit 4, cells 32x36, at byte 0
//!     dim stride 4*s0: 1*tid.y, offsets 0..0, pitch 36
//!     dim stride 4: 1*iter(loop0), offsets 0..0, pitch 1
//! facts: 1 <= ntid.y <= 32; array0 disjoint from access3
//! ```
//! `lower` executes a plan and asks nothing. Everything here is built from `tree`, `access` and
//! `affine` results and from `Options`; no LLVM handle occurs, so plans are tested as text.

mod abreast;
mod ahead;
mod alias;
mod apart;
mod candidate;
mod choose;
mod clear;
mod columns;
mod conditions;
mod count;
mod cuts;
mod deal;
mod dump;
mod extent;
mod facts;
mod grid;
mod heads;
mod hull;
mod inside;
mod layout;
mod legality;
mod lift;
mod make;
mod merge;
pub mod model;
mod nest;
mod overlap;
mod prior;
mod profit;
mod promote;
mod reached;
mod reasons;
mod regroup;
mod rounds;
mod shape;
mod slide;
mod stores;
mod stretch;
mod stride;
mod tally;
mod tile;
mod unstaged;
mod unsure;
mod versions;
mod whole;
mod wide;
mod windows;

use crate::access::{AccessId, ArrayId};
use crate::affine::{Atom, Poly, Sense};
use crate::kernel::{Dim, ValueId, id};
use crate::missed::Missed;
use crate::tree::{LoopId, NodeId};

pub use abreast::{Abreast, NoAbreast};
pub use alias::{add_access_facts, disjoint};
pub use clear::{Clear, Counter, Moving};
pub use columns::Sliding;
pub use count::{Count, count_any};
pub use deal::{MOST_THREADS, MOST_WASTE, Regroup, Rows, Rule, Wide};
pub use dump::{dump, foretold};
pub use facts::{Facts as FactList, facts_of, number};
pub use grid::{Along, over_grid};
pub use inside::{Planned, Whole, plan};
pub use legality::Facets;
pub use make::{Candidates, MOST_PRESSURE, make};
pub use merge::NoMerge;
pub use nest::{advance, moving};
pub use overlap::{Alone, Flight};
pub use prior::large;
pub use reached::{Reached, reach_of};
pub use regroup::is_free;
pub use rounds::{NoRounds, Rest, Rounds};
pub use slide::Slide;
pub use stretch::{Stretch, Way};
pub use stride::{Over, Stride};
pub use tally::{Tallied, Tally};
pub use tile::{Member, Pitch, Tile, TileDim};
pub use unstaged::{Together, lane_address, registers as unstaged_registers};
pub use wide::WideStore;
pub use windows::leaders_turn;

id!(/// A staged region, in tree order.
    RegionId, "region");
id!(/// A tile, in order of planning.
    TileId, "tile");

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
    /// What a launch meets of which the model is sure that it gains: the entry tests it first in a kernel that holds its version itself, and the
    /// run-time part asks before anything is measured. Nothing rests on it.
    pub pays: Vec<Fact>,
    /// Blocks of other sizes that the host launches it in. The alternatives have none.
    pub regroup: Regroup,
    /// Other plans of which nothing is staged, about the kernel as a whole, also where this one is about blocks inside: for kernels of their
    /// own. The alternatives have none.
    pub whole: Vec<Plan>,
    /// Registers of a thread, if a kernel of its own is to have more than blocks of 1024 threads leave it: then it serves no larger blocks than
    /// they do.
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
    /// Blocks along x, at most, that a kernel of its own with this plan is launched in, whatever the launch is; `None`: as many as the launch has.
    /// It is right in any number of them, if all that it rests on was asked of the launch as it was: it must not test that itself.
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

/// Neighbouring blocks done by one, the *leader*: those whose `ctaid` agree when divided by the
/// factor. Each of them is a *lane* of the leader's threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Merge {
    /// Blocks merged along each dimension; 1: none.
    pub factor: [u32; 3],
    /// Where a thread's lanes own consecutive global ids (`tid * factor + lane`) and not ids a
    /// block apart.
    pub consecutive: [bool; 3],
    /// Lanes in a row that own consecutive ids, where some do: a divisor of the factor. The next
    /// ones lie `run * ntid` further on, so that neighbouring threads read side by side.
    pub run: [u32; 3],
    /// Whether a warp works on [`WARP_TILE`] threads instead of a row of the block, where the block
    /// divides into such: what its threads read of two tiles is then least.
    pub square: bool,
}

/// Threads along x and y that a warp works on where [`Merge::square`].
pub const WARP_TILE: [u32; 2] = [8, 4];

impl Default for Merge {
    fn default() -> Self {
        Merge {
            factor: [1; 3],
            consecutive: [false; 3],
            run: [1; 3],
            square: false,
        }
    }
}

impl Merge {
    /// Lanes in all.
    pub fn lanes(self) -> u32 {
        self.factor.iter().product()
    }
    /// The factor in one dimension.
    pub fn along(self, d: Dim) -> u32 {
        self.factor[d.index()]
    }
    /// The place of each lane, in the order of lanes; the first is the leader's own.
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

/// A part of the tree during which tiles live.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// A `Loop` node when `strip` is given; else a `Loop` or `Seq`, whose whole execution the
    /// tiles serve.
    pub node: NodeId,
    /// Strip-mining of the loop at `node`.
    pub strip: Option<Strip>,
    /// Longer strips, and more of them, that smaller blocks are served with.
    pub stretch: Option<Stretch>,
    /// The tiles filled before the region, or before each strip. Where strips are in flight, store tiles,
    /// which have one slot, come behind all others.
    pub tiles: Vec<Tile>,
    /// Whether a barrier must stand before the first copy: some thread of the block may store to
    /// a staged array outside the region, and other threads' copies must see it.
    pub barrier_before: bool,
    /// Whether a barrier must stand behind the last write-back even if nothing is staged after it:
    /// a thread may touch the array again, and others wrote its elements back.
    pub barrier_after: bool,
    /// Whether the tiles, filled whole, are copied by asynchronous pieces of up to 16 bytes.
    pub bulk: bool,
}

impl Region {
    /// Whether it is not cut into strips and has store tiles only.
    pub fn only_stores(&self) -> bool {
        self.strip.is_none() && self.tiles.iter().all(|t| t.active.is_empty())
    }
}

/// A loop cut into runs of `length` iterations, with a shorter run at the end.
/// `depth` 1: copy, barrier, use, barrier. With more, each tile has `depth` slots, and while one is
/// used the strips after it are on their way to the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strip {
    /// The loop.
    pub loop_: LoopId,
    /// Iterations per strip.
    pub length: u32,
    /// Slots of each tile.
    pub depth: u32,
    /// Bytes from one slot to the next, the same for all tiles of the region; a multiple of 16. 0
    /// where there is one slot, or the block decides (`Region::stretch`).
    pub slot: u32,
    /// How strips are fetched.
    pub flight: Flight,
}

/// A set of elements that is a box in the tile's dimensions: those that accesses with equal
/// guards touch, when every thread and iteration within the bounds executes them.
#[derive(Debug, Clone, PartialEq)]
pub struct ActiveSet {
    /// Bounds on varying atoms or on sums of them.
    pub bounds: Vec<Bound>,
    /// Block-uniform conditions; if one fails the set is empty.
    pub when: Vec<When>,
    /// The distinct offset vectors of its accesses.
    pub offsets: Vec<Vec<i64>>,
}

/// `Σ multiplier·atom >= limit` or `<= limit`. With one term of multiplier 1 it bounds a variable;
/// otherwise it bounds the coordinate of the dimension with exactly these terms.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound {
    /// Sorted by atom.
    pub terms: Vec<(Atom, i64)>,
    /// The side.
    pub sense: Sense,
    /// Block-uniform at the region.
    pub limit: Poly,
}

/// A block-uniform condition.
#[derive(Debug, Clone, PartialEq)]
pub enum When {
    /// An `i1` the entry can compute has this outcome.
    Is {
        /// The value in the original body.
        value: ValueId,
        /// The outcome.
        wanted: bool,
    },
    /// `poly >= 0`, at the region.
    NotNegative(Poly),
}

/// A location that a loop updates in every iteration, kept in a register instead: all accesses
/// have the same address, which does not change in the loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Promotion {
    /// The loop.
    pub loop_: LoopId,
    /// Its loads and stores, all in blocks that every iteration executes.
    pub accesses: Vec<AccessId>,
    /// Whether the first access is a load, so the register starts with the memory's value.
    pub loads_first: bool,
}

/// Something the kernel's entry tests, the same for all threads of a block.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// The exact value is in range for every thread and iteration of this block.
    InRange {
        /// The value.
        poly: Poly,
        /// Least.
        lo: i64,
        /// Greatest.
        hi: i64,
    },
    /// The bytes this block touches through `a` and through `b` do not overlap.
    Disjoint {
        /// What is staged.
        a: Reach,
        /// What is written.
        b: Reach,
    },
    /// The bytes this block touches from the lowest to the highest of `a`, and those of `b`, do not
    /// overlap.
    Apart {
        /// What is read early; of one array.
        a: Vec<Reach>,
        /// What is written; of one array.
        b: Vec<Reach>,
    },
    /// A gate: the value is a multiple.
    Multiple {
        /// The value, the same for the whole launch.
        poly: Poly,
        /// Of what: a power of two below 2^31.
        of: i64,
    },
}

impl Fact {
    /// `poly` is at least `least`.
    pub fn at_least(poly: Poly, least: i64) -> Fact {
        Fact::InRange {
            poly,
            lo: least,
            hi: i64::MAX,
        }
    }
}

/// The bytes that an access, or several with equal dimensions, may touch in this block.
#[derive(Debug, Clone, PartialEq)]
pub struct Reach {
    /// Shown in the plan.
    pub array: ArrayId,
    /// Base pointer.
    pub base: ValueId,
    /// Non-varying part of the byte index.
    pub rest: Poly,
    /// `(stride in bytes, terms)` of each dimension.
    pub dims: Vec<(Poly, Vec<(Atom, i64)>)>,
    /// Who touches what.
    pub active: Vec<ActiveSet>,
    /// Bytes of one access past its address.
    pub size: u32,
}
