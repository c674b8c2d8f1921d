//! In which order threads take the cells of a tile that merged blocks filled together.
//!
//! ```text
//! cells [tid.x][tid.y of four blocks]    of each block's part a thread takes cell [t / ntid.y][t % ntid.y]
//!                                        of all in blocks of 32x8: [t / 32][t % 32], eight rows on, and so on
//! ```
//! Either way each cell of a thread's lies as far from its first one as every other thread's does, so there is one
//! division. Where the block's threads are known, rows are those of the whole tile: a warp then stores a row of the
//! memory in one piece, and no two of its threads read from one bank.

use super::Lower;
use super::state::{Ranges, View, Walk};
use crate::affine::{Atom, Sense};
use crate::kernel::Dim;
use crate::llvm::ir::Value;
use crate::plan::{ActiveSet, Tile, TileDim};

impl Lower<'_> {
    /// The walks over a tile that is written back whole. Where each cell is one thread's, a thread copies
    /// that cell of each merged block's part, and tests nothing.
    pub(crate) fn whole_walks(&mut self, tile: &Tile, view: View) -> Vec<Walk> {
        if !tile.has_cell_per_thread() {
            let sets: &[ActiveSet] = &tile.write_back;
            let of = |s| self.walk(tile, view, std::slice::from_ref(s));
            return sets.iter().map(of).collect();
        }
        if let Some(walks) = self.walks_over_rows(tile) {
            return walks;
        }
        let extents = self.own_extents(tile);
        let (start, is_cell) = self.own_cell(tile, &extents);
        let mut walks = Vec::new();
        for place in self.replicas.places.clone() {
            if let Some(ahead) = self.part_of(tile, &extents, place) {
                let once = Walk::once(start.clone(), Some(is_cell));
                walks.push(Walk { ahead, ..once });
            }
        }
        walks
    }

    /// The cell of one block's part that this thread copies, and whether there is one. Threads that
    /// differ in a dimension which the tile does not know store the same: they copy the same.
    fn own_cell(&mut self, tile: &Tile, extents: &[Value]) -> (Vec<Value>, Value) {
        let threads = self.threads();
        let names = |d: Dim| {
            let mut terms = tile.footprint.dims.iter().flat_map(|t| &t.terms);
            terms.any(|(a, _)| *a == Atom::Tid(d))
        };
        if Dim::ALL.map(names) == [true, true, false] {
            let [x, y] = [Dim::X, Dim::Y].map(|d| self.register32("tid", d));
            let nx = self.register32("ntid", Dim::X);
            let number = self.b.cells_plus(self.b.cells_times(y, nx), x);
            return (self.digits(number, extents), self.b.i1().constant(1));
        }
        let start = self.digits(threads.linear, extents);
        let is_cell = self.b.below(start[0], extents[0]);
        (start, is_cell)
    }

    /// How far the part of the merged block at `place` lies from the tile's start, in cells. `None`: it is
    /// the part of an earlier one too.
    fn part_of(&self, tile: &Tile, extents: &[Value], place: [u32; 3]) -> Option<Vec<Value>> {
        let mut ahead = Vec::new();
        let mut seen = [false; 3];
        for (dim, extent) in tile.footprint.dims.iter().zip(extents) {
            let here = match dim.terms[..] {
                [(Atom::Tid(d), _)] => {
                    seen[d.index()] = true;
                    place[d.index()]
                }
                _ => 0,
            };
            let blocks = self.b.int(i64::from(here));
            ahead.push(self.b.cells_times(*extent, blocks));
        }
        let new = (0..3).all(|d| seen[d] || place[d] == 0);
        new.then_some(ahead)
    }

    /// The walks over the rows of a whole tile in two dimensions, of which the inner one is that of merged blocks.
    /// `None`: the block's threads are not known, or are not whole rows of such a tile.
    fn walks_over_rows(&mut self, tile: &Tile) -> Option<Vec<Walk>> {
        let threads = self.from.kernel.threads?;
        let merge = self.replicas.merge;
        let dims: Option<Vec<Dim>> = tile.footprint.dims.iter().map(TileDim::thread).collect();
        let [across, along] = dims?[..] else {
            return None;
        };
        let count: u32 = threads.iter().product();
        let width = threads[along.index()] * merge.along(along);
        let rows = threads[across.index()];
        let is_whole = merge.replicas() == merge.along(along)
            && count == rows * threads[along.index()]
            && count.is_multiple_of(width)
            && (rows * width).is_multiple_of(count);
        if !is_whole {
            return None;
        }
        let [x, y] = [Dim::X, Dim::Y].map(|d| self.register32("tid", d));
        let (b, rows_of_all) = (&self.b, count / width);
        let number = b.cells_plus(b.cells_times(y, b.int(threads[0].into())), x);
        let extents = [rows, width].map(|n| b.int(n.into()));
        let start = self.digits(number, &extents);
        let walk = |k: u32| Walk {
            ahead: [k * rows_of_all, 0].map(|n| self.b.int(n.into())).to_vec(),
            ..Walk::once(start.clone(), Some(self.b.i1().constant(1)))
        };
        Some((0..rows * width / count).map(walk).collect())
    }

    /// The same walks over what its bounds leave of a tile that is bounded by threads.
    pub(crate) fn walks_within(&mut self, tile: &Tile, view: View) -> Vec<Walk> {
        let full = Ranges::of(view);
        let mut tests = Vec::new();
        for set in &tile.write_back {
            for w in &set.when {
                let here = self.holds(&full, w);
                tests.push((None, here));
            }
            for bound in &set.bounds {
                let (lo, hi) = self.interval(&full, &bound.limit);
                let (g, sense) = (tile.bounded_by(bound), bound.sense);
                let limit = match sense {
                    Sense::AtLeast => lo,
                    Sense::AtMost => hi,
                };
                tests.push((g.map(|g| (g, sense)), limit));
            }
        }
        let mut walks = self.whole_walks(tile, view);
        for walk in &mut walks {
            let mut all: Vec<Value> = walk.once.into_iter().collect();
            for (of, v) in &tests {
                let Some((g, sense)) = *of else {
                    all.push(*v);
                    continue;
                };
                let cell = self.b.cells_plus(walk.start[g], walk.ahead[g]);
                let thread = self.b.zext_nneg(cell, self.b.i64());
                all.push(match sense {
                    Sense::AtLeast => self.b.at_most(*v, thread),
                    Sense::AtMost => self.b.at_most(thread, *v),
                });
            }
            // Without a test it is a walk of one cell all the same.
            walk.once = Some(self.b.all(all).unwrap_or(self.b.i1().constant(1)));
        }
        walks
    }
}
