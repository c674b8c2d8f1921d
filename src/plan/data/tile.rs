//! A tile: the cells of shared memory that serve accesses of one array.

use super::{ActiveSet, Bound, Footprint, Reuse, Steps, TileId};
use crate::access::AccessId;
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::tree::LoopId;

/// A shared-memory copy of the elements that a group of accesses touches.
///
/// Cell `(c_0, …)` holds the `size` bytes of the footprint at
/// `base + rest + Σ_g stride_g · (Σ_v m_v·first(v) + low_g + c_g)`, where `first(v)` is the least
/// value of `v` in the region (or strip) if `m_v > 0`, else its greatest. It lies at cell number
/// `Σ_g c_g · pitch_g` of the tile.
#[derive(Debug, Clone, PartialEq)]
pub struct Tile {
    /// Its id.
    pub id: TileId,
    /// What its members touch, in cells of 1, 2, 4, 8 or 16 bytes; dimensions with the largest pitch first. The copy is
    /// the hull of the active sets. None: a *store tile*, whose members only store; nothing is copied in.
    pub footprint: Footprint<TileDim>,
    /// Loads and stores served by the tile.
    pub members: Vec<Member>,
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
    /// Where it lies in the kernel's buffer.
    pub place: TilePlace,
    /// Bytes that one copy may move at once where the entry of the region finds them aligned, most
    /// first; each more than a cell's. Elements are copied one by one otherwise.
    pub widths: Vec<u32>,
}

/// Where a tile lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TilePlace {
    /// At this byte of the kernel's buffer, a multiple of 16: its size is known.
    At(u32),
    /// Among those whose size is known only at run time: with a `Runtime` pitch, with an outermost extent that grows
    /// with a trip count, or in strips that grow.
    Behind {
        /// The tile of the same region, also of run-time size, at whose end, rounded up to 16 bytes, it begins. The
        /// first such tile follows itself.
        after: TileId,
        /// The first byte after the tiles of known size, where the first one begins.
        area: u32,
        /// For a store tile of strips in flight that lies in the slots of another tile: that one's place in
        /// `Region::tiles`. A thread reads a cell there before it stores to it, and no other thread reads it.
        over: Option<usize>,
    },
}

impl TilePlace {
    /// Its byte of the buffer, or that of the first tile of run-time size.
    pub fn offset(self) -> u32 {
        match self {
            TilePlace::At(offset) => offset,
            TilePlace::Behind { area, .. } => area,
        }
    }

    /// The tile that it follows, where its size is known only at run time.
    pub fn after(self) -> Option<TileId> {
        match self {
            TilePlace::At(_) => None,
            TilePlace::Behind { after, .. } => Some(after),
        }
    }

    /// The tile in whose slots it lies.
    pub fn over(self) -> Option<usize> {
        match self {
            TilePlace::At(_) => None,
            TilePlace::Behind { over, .. } => over,
        }
    }
}

impl Tile {
    /// Whether loops carry reuse of some of its reads.
    pub fn is_reused(&self) -> bool {
        self.members.iter().any(|m| m.reuse.is_some())
    }
    /// Whether it is a store tile: nothing is copied in.
    pub fn only_stores(&self) -> bool {
        self.footprint.active.is_empty()
    }
    /// Whether the fastest dimension is `threadIdx.x` itself, so that every thread has its column.
    pub fn is_column_wise(&self) -> bool {
        let dims = &self.footprint.dims;
        let own = |d: &TileDim| d.low == d.high && d.terms == [(Atom::Tid(Dim::X), 1)];
        dims.len() > 1 && dims.last().is_some_and(own)
    }
    /// Whether each cell is one thread's: every dimension is a thread index of its own, without halo, of
    /// one block.
    pub fn has_cell_per_thread(&self) -> bool {
        let mut seen: Vec<Dim> = Vec::new();
        let mut own = self.footprint.dims.iter();
        !self.zero_fill
            && own.all(|d| match d.terms[..] {
                [] => d.low == d.high,
                [(Atom::Tid(x), 1 | -1)] => {
                    let new = !seen.contains(&x);
                    seen.push(x);
                    new && d.low == d.high
                }
                _ => false,
            })
    }
    /// Whether what stores surely overwrite are the cells of all threads within bounds on their indices.
    pub fn is_bounded_by_threads(&self) -> bool {
        let is_bounded = |s: &ActiveSet| {
            s.within.is_empty() && s.bounds.iter().all(|b| self.bounded_by(b).is_some())
        };
        let [set] = &self.write_back[..] else {
            return false;
        };
        self.has_cell_per_thread() && is_bounded(set)
    }
    /// The dimension whose cells are counted by the thread index that `bound` is on, upwards.
    pub fn bounded_by(&self, bound: &Bound) -> Option<usize> {
        let d = counted_by(&bound.terms)?;
        let mut dims = self.footprint.dims.iter();
        dims.position(|dim| dim.thread() == Some(d))
    }
    /// Of a tile in strips of a loop: the dimension in which iterations count, and how far each moves.
    pub fn along(&self, l: LoopId) -> (usize, i64) {
        let mut dims = self.footprint.dims.iter().enumerate();
        let found = dims.find_map(|(g, d)| {
            let mine = d.terms.iter().find(|(a, _)| *a == Atom::Iter(l));
            mine.map(|(_, m)| (g, *m))
        });
        found.expect("a tile of strips moves with them")
    }
    /// Whether it has one slot where strips are in flight: a store tile that has cells of its own.
    pub fn has_one_slot(&self) -> bool {
        self.only_stores() && self.place.over().is_none()
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

impl TileDim {
    /// The thread index that its cells are counted by, upwards.
    pub fn thread(&self) -> Option<Dim> {
        counted_by(&self.terms)
    }
}

/// The thread index that a sum is.
fn counted_by(terms: &[(Atom, i64)]) -> Option<Dim> {
    match terms[..] {
        [(Atom::Tid(d), 1)] => Some(d),
        _ => None,
    }
}

impl Steps for TileDim {
    fn stride(&self) -> &Poly {
        &self.stride
    }
    fn terms(&self) -> &[(Atom, i64)] {
        &self.terms
    }
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
    /// How replicas and iterations of a loop share what it reads; `None`: each reads by itself.
    pub reuse: Option<Reuse>,
}
