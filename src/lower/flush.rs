//! Store tiles that merged blocks fill together.
//!
//! ```text
//! if (all threads of all blocks store)   loads of all replicas; stores to the tile; barrier; tile to memory
//! else if (the grid has all blocks)      the same for those that are here; what the bounds leave of the tile to memory
//! else                                   for every replica that is here: the original's loads, then its stores
//! ```
//! Which way is decided once for the block, by the tile's bounds: a store tile's elements are exactly
//! known, so where its box is whole every replica of every thread came here. Nothing needs a guard then,
//! and replicas' loads are under way together. Where the box has bounds on single thread indices, it has the cells of
//! the threads that came here, and no other ones. Replicas are blocks, which have no order, so that loads of one
//! may come before another's stores.

use super::Lower;
use super::copy::transfers;
use super::ranges::single;
use super::state::{Predicates, Ranges, View, Walk};
use super::walker::Mode;
use crate::affine::{Atom, Poly, Sense};
use crate::kernel::ids::is_speculatable;
use crate::kernel::{BlockId, Dim};
use crate::llvm::ir::Value;
use crate::plan::{ActiveSet, Region, Tile};
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
        let whole = self.is_all_written(region, view);
        let (all, not_all) = (self.new_block("mesi.all"), self.new_block("mesi.notall"));
        let done = self.new_block("mesi.done");
        self.b.cond_br(whole, all, not_all);
        self.b.at_end(all);
        let nobody_out = Predicates(vec![None; self.replicas.count()].into());
        let mode = &mut Straight::of_all(&nobody_out);
        self.emit_through_tiles(region, view, mode, |l, t| l.whole_walks(t, view));
        self.b.br(done);
        self.b.at_end(not_all);
        self.emit_flush_of_some(region, view, pred);
        self.b.br(done);
        self.b.at_end(done);
    }

    /// Emits it where the tiles' boxes are not whole: through the tiles, too, if the grid has all of the merged blocks
    /// and bounds on single thread indices say which cells are written.
    fn emit_flush_of_some(&mut self, region: &Region, view: View, pred: &Predicates) {
        let mut tiles = region.tiles.iter();
        if tiles.all(|t| t.is_bounded_by_threads()) {
            let (part, some) = (self.new_block("mesi.part"), self.new_block("mesi.some"));
            let done = self.new_block("mesi.parted");
            let tests = self.tests_of_blocks();
            let there = self.b.all(tests).unwrap_or(self.b.i1().constant(1));
            self.b.cond_br(there, part, some);
            self.b.at_end(part);
            let mode = &mut Straight::of_some(pred);
            self.emit_through_tiles(region, view, mode, |l, t| l.walks_within(t, view));
            self.b.br(done);
            self.b.at_end(some);
            self.emit_without_tiles(region, pred);
            self.b.br(done);
            return self.b.at_end(done);
        }
        self.emit_without_tiles(region, pred);
    }

    /// Emits a region whose stores go to its tiles, which are written back by `walks`.
    fn emit_through_tiles(
        &mut self,
        region: &Region,
        view: View,
        mode: &mut Straight,
        walks: impl Fn(&mut Self, &Tile) -> Vec<Walk>,
    ) {
        let open = self.place_tiles(&region.tiles, view);
        self.open(&open, view);
        self.emit_as(region.node, mode);
        self.close(&open);
        self.emit_barrier();
        let walks: Vec<Vec<Walk>> = region.tiles.iter().map(|t| walks(self, t)).collect();
        let transfers = transfers(&open, walks.iter().map(|w| &w[..]));
        self.emit_copies(&transfers, true);
    }

    /// Emits what each replica that is here does by itself.
    fn emit_without_tiles(&mut self, region: &Region, pred: &Predicates) {
        let (first, before) = (self.b.block(), self.blocks.len());
        self.emit_as(region.node, &mut Straight::of_some(pred));
        self.copies.push(first);
        self.copies.extend(&self.blocks[before..]);
    }

    /// Whether every cell of the tiles is written back.
    fn is_all_written(&mut self, region: &Region, view: View) -> Value {
        let mut tests = Vec::new();
        for tile in &region.tiles {
            for set in tile.write_back.chunks(1) {
                match self.tests_of_bounds(&set[0], view) {
                    Some(all) => tests.extend(all),
                    None => self.fills_tile(tile, view, set, &mut tests),
                }
            }
        }
        tests.extend(self.tests_of_blocks());
        self.b.all(tests).unwrap_or(self.b.i1().constant(1))
    }

    /// What says that the grid has all of the merged blocks.
    fn tests_of_blocks(&mut self) -> Vec<Value> {
        let merge = self.replicas.merge;
        let merged = Dim::ALL.into_iter();
        let merged = merged.filter(|d| !merge.led && merge.along(*d) > 1);
        let merged: Vec<Dim> = merged.collect();
        let mut tests = Vec::new();
        for d in merged {
            let (leader, n) = (self.leader(d), self.register32("nctaid", d));
            let last = self.b.int(i64::from(self.replicas.merge.along(d)) - 1);
            tests.push(self.b.below(self.b.plus(leader, last), n));
        }
        tests
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
