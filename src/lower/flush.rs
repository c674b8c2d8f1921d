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
use super::copy::transfers;
use super::ranges::single;
use super::state::{Predicates, Ranges, View, Walk};
use super::walker::Mode;
use crate::affine::{Atom, Poly, Sense};
use crate::kernel::ids::is_speculatable;
use crate::kernel::{BlockId, Dim};
use crate::llvm::ir::Value;
use crate::plan::{ActiveSet, Region};
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
        let (all, some) = (self.new_block("mesi.all"), self.new_block("mesi.some"));
        let done = self.new_block("mesi.done");
        self.b.cond_br(whole, all, some);
        self.b.at_end(all);
        let open = self.place_tiles(&region.tiles, view);
        self.open(&open, view);
        let nobody_out = Predicates(vec![None; self.replicas.count()].into());
        self.emit_as(region.node, &mut Straight::of_all(&nobody_out));
        self.close(&open);
        self.emit_barrier();
        let walks = region.tiles.iter().map(|t| self.whole_walks(t, view));
        let walks: Vec<Vec<Walk>> = walks.collect();
        let transfers = transfers(&open, walks.iter().map(|w| &w[..]));
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
