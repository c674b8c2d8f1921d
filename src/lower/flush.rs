//! Store tiles that merged blocks fill together.
//!
//! ```text
//! if (all threads of all blocks store)   loads of all replicas; stores to the tile; barrier; tile to memory
//! else                                   for every replica that is here: the original's loads, then its stores
//! ```
//! Which way is decided once for the block, by the tile's bounds: a store tile's elements are exactly
//! known, so where its box is whole every replica of every thread came here. Nothing needs a guard then,
//! and replicas' loads are under way together. Replicas are blocks, which have no order, so that loads of one
//! may come before another's stores.

use super::Lower;
use super::copy::Transfer;
use super::ranges::single;
use super::state::{Predicates, Ranges, View, Walk};
use super::walk::has_cell_per_thread;
use super::walker::Mode;
use crate::affine::{Atom, Poly, Sense};
use crate::kernel::ids::is_speculatable;
use crate::kernel::{BlockId, Dim};
use crate::llvm::ir::Value;
use crate::plan::{ActiveSet, Tile};
use crate::tree::Edge;

/// All replicas of a thread, at a node without branches, block by block.
struct Straight<'p> {
    pred: &'p Predicates,
    /// Whether what may fault or be seen is only for those whose predicate holds.
    guarded: bool,
}

impl<'p> Straight<'p> {
    /// All replicas are here.
    fn of_all(pred: &'p Predicates) -> Straight<'p> {
        Straight {
            pred,
            guarded: false,
        }
    }

    /// Those are whose predicate holds.
    fn of_some(pred: &'p Predicates) -> Straight<'p> {
        Straight {
            pred,
            guarded: true,
        }
    }
}

impl Mode for Straight<'_> {
    fn block(&mut self, l: &mut Lower, b: BlockId) {
        match self.guarded {
            true => l.emit_block_guarded(b, self.pred),
            false => l.emit_block_in_lockstep(b, self.pred),
        }
        l.replica = 0;
    }

    fn edge(&mut self, l: &mut Lower, e: Edge) {
        l.emit_edge_under(e, self.pred);
    }
}

impl Lower<'_> {
    /// Whether a region is emitted so.
    pub(crate) fn flushes(&self, region: usize) -> bool {
        self.replicas.count() > 1 && self.from.plan.regions[region].only_stores()
    }

    /// Emits such a region, the barrier behind it left out.
    pub(crate) fn emit_flush(&mut self, region: usize, pred: &Predicates) {
        let plan = self.from.plan;
        let region = &plan.regions[region];
        let view = View::Region {
            node: region.node,
            strip: None,
        };
        let whole = self.is_whole(&region.tiles, view);
        let (all, some) = (self.new_block("mesi.all"), self.new_block("mesi.some"));
        let done = self.new_block("mesi.done");
        self.b.cond_br(whole, all, some);
        self.b.at_end(all);
        let frames = self.frames(&region.tiles, view);
        self.open(&region.tiles, &frames, view);
        let nobody_out = Predicates(vec![None; self.replicas.count()].into());
        self.emit_as(region.node, &mut Straight::of_all(&nobody_out));
        self.close(&region.tiles);
        self.emit_barrier();
        let mut walks = Vec::new();
        for (k, tile) in region.tiles.iter().enumerate() {
            for w in self.whole_walks(tile, view) {
                walks.push((k, w));
            }
        }
        let mut transfers = Vec::new();
        for (k, walk) in &walks {
            let (tile, frame) = (&region.tiles[*k], &frames[*k]);
            transfers.push(Transfer { tile, frame, walk });
        }
        self.emit_copies(&transfers, true);
        self.b.br(done);
        self.b.at_end(some);
        let before = self.blocks.len();
        self.emit_as(region.node, &mut Straight::of_some(pred));
        self.copies.push(some);
        self.copies.extend(&self.blocks[before..]);
        self.b.br(done);
        self.b.at_end(done);
    }

    /// Whether every cell of the tiles is written back.
    fn is_whole(&mut self, tiles: &[Tile], view: View) -> Value {
        let mut tests = Vec::new();
        for tile in tiles {
            for set in &tile.write_back {
                match self.tests_of_bounds(set, view) {
                    Some(all) => tests.extend(all),
                    None => self.tests_of_hull(tile, set, view, &mut tests),
                }
            }
        }
        for d in Dim::ALL {
            if self.replicas.merge.along(d) == 1 {
                continue;
            }
            let (leader, n) = (self.leader(d), self.register32("nctaid", d));
            let last = self.b.int(i64::from(self.replicas.merge.along(d)) - 1);
            tests.push(self.b.below(self.b.plus(leader, last), n));
        }
        self.b.all(tests).unwrap_or(self.b.i1().constant(1))
    }

    /// What says that a set has all of the merged blocks' threads, where its bounds are on single
    /// thread indices.
    fn tests_of_bounds(&mut self, set: &ActiveSet, view: View) -> Option<Vec<Value>> {
        let mut tests = Vec::new();
        for bound in &set.bounds {
            let (atom, bound) = single(bound)?;
            let Atom::Tid(d) = atom else { return None };
            if !self.is_fixed(&bound.limit) {
                return None;
            }
            let threads = i64::from(self.replicas.merge.along(d));
            let last = Poly::atom(Atom::Ntid(d)).times_constant(threads);
            let last = last.minus(&Poly::constant(1));
            let room = match bound.sense {
                Sense::AtMost => bound.limit.minus(&last),
                Sense::AtLeast => bound.limit.times_constant(-1),
            };
            tests.extend(self.not_negative(&room)?);
        }
        for w in &set.when {
            tests.push(self.holds(&Ranges::of(view), w));
        }
        Some(tests)
    }

    /// The same for any set.
    fn tests_of_hull(&mut self, tile: &Tile, set: &ActiveSet, view: View, tests: &mut Vec<Value>) {
        let hull = self.hull(tile, view, std::slice::from_ref(set));
        tests.extend(hull.nonempty);
        for g in 0..tile.footprint.dims.len() {
            let cells = self.extent(tile, g, view);
            let last = self.b.minus(cells, self.b.int(1));
            let last = self.b.zext_nneg(last, self.b.i64());
            tests.push(self.b.at_most(hull.lo[g], self.b.long(0)));
            tests.push(self.b.at_most(last, hull.hi[g]));
        }
    }

    /// The walks over a tile that is written back whole. Where each cell is one thread's, a thread copies
    /// that cell of each merged block's part, and tests nothing.
    fn whole_walks(&mut self, tile: &Tile, view: View) -> Vec<Walk> {
        if !has_cell_per_thread(tile) {
            let sets: &[ActiveSet] = &tile.write_back;
            let of = |s| self.walk(tile, view, std::slice::from_ref(s));
            return sets.iter().map(of).collect();
        }
        let mut extents = Vec::new();
        for d in &tile.footprint.dims {
            extents.push(match d.terms[..] {
                [(Atom::Tid(d), _)] => self.register32("ntid", d),
                _ => self.b.int(1),
            });
        }
        let (start, is_cell) = self.own_cell(tile, &extents);
        let mut walks = Vec::new();
        for place in self.replicas.places.clone() {
            if let Some(ahead) = self.part_of(tile, &extents, place) {
                walks.push(Walk {
                    hi: Vec::new(),
                    start: start.clone(),
                    step: Vec::new(),
                    width: Vec::new(),
                    clip: None,
                    copied: None,
                    once: Some(is_cell),
                    cut: None,
                    ahead,
                });
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

    /// Whether any of the replicas is here that are like the current one in the dimensions of `mask`: what they
    /// share is made once for all of them, and the first of them may be beyond an edge. `None`: all are.
    fn is_any_here(&mut self, pred: &Predicates, mask: u8) -> Option<Value> {
        let alike = |l: &Self, x: usize| l.replicas.representative(x, mask) == l.replica;
        let mut any = None;
        for replica in (0..self.replicas.count()).filter(|x| alike(self, *x)) {
            let here = self.get(pred.0[replica]?);
            any = Some(match any {
                Some(others) => self.b.or(others, here),
                None => here,
            });
        }
        any
    }

    fn emit_block_guarded(&mut self, id: BlockId, pred: &Predicates) {
        let mut sites = self.sites_of_replicas(id);
        for i in self.cloned_in(id) {
            if is_speculatable(i) {
                let mask = self.replicas.mask(i);
                self.emit_for_replicas(i, mask, &mut sites, |l, s| l.emit_instruction(i, s));
                continue;
            }
            let has_value = i.ty().has_values();
            let mask = if has_value {
                self.replicas.mask(i)
            } else {
                u8::MAX
            };
            self.emit_for_replicas(i, mask, &mut sites, |l, s| {
                let here = l.is_any_here(pred, mask);
                let result = has_value.then(|| l.new_slot(i.ty()));
                // Nobody looks at what a replica that is not here has: what it would make of it, it does not store.
                if let Some(r) = result {
                    l.set(r, i.ty().undef());
                }
                l.when(here, |l| {
                    if let (Some(v), Some(r)) = (l.emit_instruction(i, s), result) {
                        l.set(r, v);
                    }
                });
                result.map(|r| l.get(r))
            });
        }
        self.b.locate_nowhere();
    }
}
