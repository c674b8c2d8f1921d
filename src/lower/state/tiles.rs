//! Tiles of open regions, and the ways of threads through them.

use super::{Extent, Predicates, Slot};
use crate::affine::Atom;
use crate::kernel::BlockId;
use crate::llvm::ir::{Type, Value};
use crate::map::HashMap;
use crate::plan::{Strip, Tile};
use std::rc::Rc;

/// The tiles of a region, and where each lies while it is open.
pub struct OpenRegion<'p> {
    pub tiles: &'p [Tile],
    pub frames: Vec<Frame>,
}

impl OpenRegion<'_> {
    /// Each tile, and where it lies.
    pub fn each(&self) -> impl Iterator<Item = (&Tile, &Frame)> {
        self.tiles.iter().zip(&self.frames)
    }
}

/// What is the same for a tile during a whole region, strips included; `origin` apart.
#[derive(Clone)]
pub struct Frame {
    /// The tile's first cell.
    pub first: Value,
    /// The first cell of this thread, for each replica.
    pub start: Vec<Value>,
    /// The type of a cell.
    pub cell: Type,
    /// Cells between neighbours, per dimension, 32 bits.
    pub pitches: Vec<Value>,
    /// Bytes between neighbours in global memory, per dimension, 64 bits.
    pub strides: Vec<Value>,
    /// Alignment of a cell in global memory.
    pub align: u32,
    /// Global address of the first cell; depends on the strip.
    pub origin: Value,
    /// Byte offset of the slot in use, where the tile has several.
    pub slot: Option<Value>,
}

/// A tile of an open region as its members address it.
pub struct Window {
    /// Bytes of a cell, and a type of that size.
    pub unit: u32,
    pub cell: Type,
    /// First cell of this thread, for each replica: the tile's start plus the terms in thread indices.
    pub start: Vec<Value>,
    /// Per dimension, 32 bits.
    pub pitches: Vec<Value>,
    /// Terms that change inside the region.
    pub parts: Vec<TileTerm>,
}

/// One term of a tile coordinate.
pub struct TileTerm {
    pub atom: Atom,
    pub multiplier: i64,
    pub dim: usize,
    /// The atom's range over the region or strip.
    pub range: Extent,
    /// Whether the atom is the iteration within the strip that the tile holds.
    pub in_strip: bool,
}

/// How a tile serves one access.
#[derive(Clone)]
pub struct ServedBy {
    pub window: Rc<Window>,
    /// Cells past the tile's least constant offset, per dimension.
    pub offsets: Vec<i64>,
    /// Bytes past the start of the cell.
    pub byte: u32,
}

/// The block being cloned, and the clones made so far.
pub struct Site {
    pub block: BlockId,
    pub local: HashMap<Value, Value>,
}

/// The threads of a block in linear order, in 32 bits.
#[derive(Clone, Copy)]
pub struct Threads {
    /// This thread's number.
    pub linear: Value,
    /// How many there are.
    pub count: Value,
    /// The number of this thread's row of `blockDim.x` threads.
    pub row: Value,
    /// Rows.
    pub rows: Value,
    /// Place in the row.
    pub column: Value,
}

/// A box of cells, and this thread's way through it. All in 32 bits, `clip` apart.
pub struct Walk {
    /// Greatest coordinate per dimension; the first is -1 for an empty box.
    pub hi: Vec<Value>,
    /// This thread's first cell; beyond the box in the first dimension if it has none.
    pub start: Vec<Value>,
    /// By how much each coordinate moves on; absent for the fastest one of a walk in columns.
    pub step: Vec<Value>,
    /// Cells per dimension.
    pub width: Vec<Value>,
    /// Byte offsets from the tile's origin between which cells may be touched.
    pub clip: Option<(Value, Value)>,
    /// Where the box is all of the tile, to be zero-filled: the cells that are copied, as least
    /// and greatest coordinates, and whether there are any.
    pub copied: Option<(Vec<Value>, Vec<Value>, Option<Value>)>,
    /// For a box of at most one cell per thread, whether this thread has one; `None`: there may be
    /// more.
    pub once: Option<Value>,
    /// A dimension, and the coordinate in it behind which nothing is copied: of a box that is a part of
    /// the one walked.
    pub cut: Option<(usize, Value)>,
    /// Cells from `start`, per dimension, to the one that is copied; none: that one.
    pub ahead: Vec<Value>,
}

impl Walk {
    /// That of a thread with one cell at most, and whether it has that.
    pub fn once(start: Vec<Value>, once: Option<Value>) -> Walk {
        Walk {
            hi: Vec::new(),
            start,
            step: Vec::new(),
            width: Vec::new(),
            clip: None,
            copied: None,
            once,
            cut: None,
            ahead: Vec::new(),
        }
    }
}

/// The hull of several sets in cells, 64 bits.
pub struct Hull {
    /// `None`: surely not empty.
    pub nonempty: Option<Value>,
    /// Least coordinates.
    pub lo: Vec<Value>,
    /// Greatest coordinates.
    pub hi: Vec<Value>,
    pub clip: (Value, Value),
}

/// The strips of one region. All in 32 bits, the same for all threads of the block.
#[derive(Clone, Copy)]
pub struct PipelineShape {
    /// Iterations of a full strip.
    pub length: Value,
    /// Slots of each tile.
    pub depth: Value,
    /// Bytes from slot to slot.
    pub slot: Value,
    /// Bytes of all slots; store tiles lie behind them.
    pub end: Value,
    /// The most that `length` may be.
    pub longest: u32,
    /// What power of two `length` is, if it is one.
    pub log: Option<Value>,
}

/// How many iterations a strip has.
#[derive(Clone, Copy)]
pub enum Length {
    /// All of them.
    Full,
    /// A number in 64 bits.
    Remainder(Value),
}

/// A loop being run in strips.
pub struct Strips<'p> {
    /// The region's number.
    pub region: usize,
    /// How it is cut.
    pub strip: Strip,
    /// Who runs the members' code.
    pub pred: Predicates,
    /// The strip's first iteration.
    pub base: Slot,
    /// The iteration within it.
    pub within: Slot,
    /// Walks of the full strips that are the same for all of them, by tile: in, out.
    pub walks: Vec<Option<Walks>>,
    /// The region's tiles.
    pub open: OpenRegion<'p>,
}

impl Strips<'_> {
    /// Whether the barrier behind the next strip's copies serves also as the one behind this
    /// strip's write-back: some tiles are copied in, others written back, none both. The barrier
    /// before the write-back stands between the members' reads and the next copies.
    pub fn copies_meet(&self) -> bool {
        let reads = |t: &Tile| !t.footprint.active.is_empty();
        let writes = |t: &Tile| !t.write_back.is_empty();
        let tiles = self.open.tiles;
        tiles.iter().any(reads)
            && tiles.iter().any(writes)
            && !tiles.iter().any(|t| reads(t) && writes(t))
    }
}

/// A tile's ways in and out.
pub struct Walks {
    /// `None`: a store tile.
    pub copy_in: Option<Walk>,
    pub write_back: Vec<Walk>,
}
