//! A tile: the cells of shared memory that serve accesses of one array.

use super::{ActiveSet, RegisterWindow, TileId};
use crate::access::{AccessId, ArrayId};
use crate::affine::{Atom, Poly};
use crate::kernel::ValueId;

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
    /// Whether windows slide over some of its reads.
    pub fn has_windows(&self) -> bool {
        self.members.iter().any(|m| m.register_window.is_some())
    }
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
        /// Whether it is an odd number of such multiples.
        odd: bool,
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
    pub register_window: Option<RegisterWindow>,
}
