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
mod alias;
mod candidate;
mod choose;
mod conditions;
mod dump;
mod extent;
mod facts;
mod first;
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
mod profit;
mod promote;
mod rounds;
mod shape;
mod slide;
mod stores;
mod stretch;
mod tally;
mod tile;
mod unstaged;
mod versions;
mod wide;
mod windows;

use crate::access::{AccessId, ArrayId};
use crate::affine::{Atom, Poly, Sense};
use crate::kernel::{Dim, ValueId, id};
use crate::missed::Missed;
use crate::tree::{LoopId, NodeId};

pub use abreast::{Abreast, NoAbreast};
pub use dump::{dump, foretold};
pub use inside::{Planned, inside};
pub use legality::Facets;
pub use make::{MOST_PRESSURE, make};
pub use merge::NoMerge;
pub use nest::{advance, moving};
pub use overlap::{Alone, Flight};
pub use rounds::{Count, NoRounds, Rounds, count};
pub use slide::Slide;
pub use tally::{Tallied, Tally};
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
    /// What the entry tests, cheapest first; the original body runs unless all hold.
    pub facts: Vec<Fact>,
    /// What the entry tests before them: whether the launch is one that gains. Nothing rests on it.
    pub gates: Vec<Fact>,
    /// What the entry tests first of all, for all versions: a launch that does not meet it runs the original at
    /// once. None: every launch is looked at. The alternatives have none.
    pub first: Vec<Fact>,
    /// Whether that leaves the original the launches in which its loops are short.
    pub short_trips: bool,
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
    /// Why there are none, though that was tried.
    pub no_rounds: Option<NoRounds>,
    /// Other plans for the same kernel, tried in order where this one's facts do not hold. They
    /// have no alternatives of their own.
    pub alternatives: Vec<Plan>,
}

impl Plan {
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

/// How strips grow where blocks are small, see `stretch.rs`. The region's `strip` says how they are cut
/// for the largest block served; its slots lie where the block's way puts them.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// Best first; the last always fits, as a fact says. The entry of the region takes the first that
    /// fits with all behind it. Lengths are the strip's times powers of two, no longer from way to way.
    pub ways: Vec<Way>,
    /// Bytes of all slots, and of the store tiles behind them.
    pub area: u32,
}

/// One way to cut and fetch strips.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// Iterations of a strip.
    pub length: u32,
    /// Slots of each tile.
    pub depth: u32,
    /// Bytes of a slot, a multiple of 16, as a function of the launch.
    pub slot: Poly,
    /// Bytes of the store tiles, which lie behind the slots.
    pub stores: Poly,
}

impl Way {
    /// Bytes of all slots and store tiles.
    pub fn bytes(&self) -> Poly {
        let slots = self.slot.times_constant(i64::from(self.depth));
        slots.plus(&self.stores)
    }
}

/// A shared-memory copy of the elements that a group of accesses touches.
///
/// Cell `(c_0, …)` holds the `unit` bytes at
/// `base + rest + Σ_g stride_g · (Σ_v m_v·first(v) + low_g + c_g)`, where `first(v)` is the least
/// value of `v` in the region (or strip) if `m_v > 0`, else its greatest. It lies at cell number
/// `Σ_g c_g · pitch_g` of the tile.
#[derive(Debug, Clone, PartialEq)]
pub struct Tile {
    /// Its id.
    pub id: TileId,
    /// The array.
    pub array: ArrayId,
    /// The array's base pointer, computable at entry.
    pub base: ValueId,
    /// Bytes of one cell: 1, 2, 4, 8 or 16.
    pub unit: u32,
    /// The part of the byte index that does not vary inside the region.
    pub rest: Poly,
    /// Dimensions, outermost (largest pitch) first. At least one; a single cell has one dimension
    /// without terms.
    pub dims: Vec<TileDim>,
    /// Loads and stores served by the tile.
    pub members: Vec<Member>,
    /// When and over which elements the members surely execute; the copy is their union's hull.
    /// None: a *store tile*, whose members only store; nothing is copied in.
    pub active: Vec<ActiveSet>,
    /// Whether cells that no active set reads are filled with zeros, because threads read them
    /// whose results nobody uses (`Plan::merge`).
    pub zero_fill: bool,
    /// Whether only elements between the lowest and highest address that an active set reads may
    /// be copied (the hull of a cross-shaped stencil has corners outside).
    pub clip_linear: bool,
    /// The elements that stores surely overwrite, to be written back, as boxes that do not overlap;
    /// none: read only.
    pub write_back: Vec<ActiveSet>,
    /// Cells reserved.
    pub cells: u32,
    /// Byte offset in the kernel's buffer, a multiple of 16; the first byte after the tiles of known
    /// size, for one whose `after` is set.
    pub offset: u32,
    /// For a store tile of strips in flight that lies in the slots of another tile: that one's place in
    /// `Region::tiles`. A thread reads a cell there before it stores to it, and no other thread reads it.
    pub over: Option<usize>,
    /// For a tile whose size is known only at run time (a `Runtime` pitch, or an outermost extent
    /// that grows with a trip count): the tile of the same region, also of run-time size, that it
    /// follows; it starts at that one's end rounded up to 16 bytes. The first such tile has
    /// `Some(its own id)`. `None`: the size is known and `offset` is exact.
    pub after: Option<TileId>,
    /// Bytes that one copy may move at once where the entry of the region finds them aligned, most
    /// first; each more than `unit`. Elements are copied one by one otherwise.
    pub widths: Vec<u32>,
}

impl Tile {
    /// Whether it has one slot where strips are in flight: a store tile that has cells of its own.
    pub fn has_one_slot(&self) -> bool {
        self.active.is_empty() && self.over.is_none()
    }
}

/// One dimension of a tile.
#[derive(Debug, Clone, PartialEq)]
pub struct TileDim {
    /// Bytes per step in global memory; block-uniform.
    pub stride: Poly,
    /// The varying atoms (`Tid`, `Clamp`, `Iter` of loops inside the region) and multipliers.
    pub terms: Vec<(Atom, i64)>,
    /// Least constant offset of a member, in steps.
    pub low: i64,
    /// Greatest constant offset of a member, in steps.
    pub high: i64,
    /// Cells between neighbours in this dimension.
    pub pitch: Pitch,
    /// Upper bound of the extent, in steps, as a function of launch and trip counts:
    /// `Σ |m_v|·(span of v) + high - low + 1`.
    pub extent: Poly,
}

/// Cells between neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pitch {
    /// Known now.
    Const(u32),
    /// The next inner dimension's extent times its pitch, plus `pad`, computed at entry.
    Runtime {
        /// Cells of padding.
        pad: u32,
        /// Cells that it is rounded up to a multiple of, a power of two.
        align: u32,
    },
}

/// An access served by a tile.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// The access.
    pub access: AccessId,
    /// Its constant offset in each dimension, in steps; `low <= offset <= high`.
    pub offsets: Vec<i64>,
    /// Bytes past the start of its cell (a byte of a word).
    pub byte: u32,
    /// Whether it is a store.
    pub is_store: bool,
    /// How merged blocks share its reads from one iteration of a loop to the next.
    pub slide: Option<Slide>,
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
