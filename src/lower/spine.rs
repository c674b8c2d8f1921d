//! Emits the ancestors of regions convergently: all threads of the block walk the same way, each
//! with a predicate that says whether the original would have brought it here.
//!
//! ```text
//! if (c) { A; L; B }      if (c) A;   L, with c as predicate inside;   if (c) B
//! ```
//! A loop around a region runs as often as the threads that share its trip count run it; where
//! threads differ, until the last of the block is done (`red.or` counts as a barrier too).

use super::Lower;
use super::state::{Iteration, KEEP, Predicates, Slot};
use super::walker::Mode;
use crate::kernel::BlockId;
use crate::llvm::ir::Value;
use crate::tree::{Edge, ExitAt, LoopId, NodeId};

/// All threads of the block, at a node that holds regions.
struct Convergent<'p> {
    pred: &'p Predicates,
}

impl Mode for Convergent<'_> {
    fn sequence(&mut self, l: &mut Lower, children: &[NodeId]) {
        l.emit_sequence(children, self.pred);
    }

    fn branch(&mut self, l: &mut Lower, _: NodeId, at: BlockId, [then, otherwise]: [NodeId; 2]) {
        let sides = l.split(at, self.pred);
        l.emit_convergent(then, &sides.0);
        l.emit_convergent(otherwise, &sides.1);
    }

    fn repeat(&mut self, l: &mut Lower, id: LoopId) {
        match l.from.affine.uniform_trip(id) {
            Some(_) => l.emit_uniform_loop(id, self.pred),
            None => l.emit_divergent_loop(id, self.pred),
        }
    }
}

impl Lower<'_> {
    /// Emits `node` for all threads of the block.
    pub(crate) fn emit_convergent(&mut self, node: NodeId, pred: &Predicates) {
        if !self.is_on_spine(node) {
            return self.emit_off_spine(&[node], pred);
        }
        let mut here: Vec<usize> = (0..self.from.plan.regions.len())
            .filter(|r| self.from.plan.regions[*r].node == node)
            .collect();
        // Strips drive the loop themselves, so they are the innermost of a node's regions.
        crate::order::sort_by_key(&mut here, |r| self.from.plan.regions[*r].strip.is_some());
        self.emit_regions(&here, node, pred);
    }

    /// Emits a node of the spine whose regions are open.
    pub(crate) fn emit_spine(&mut self, node: NodeId, pred: &Predicates) {
        if !self.holds_region(node) {
            return self.emit_off_spine(&[node], pred);
        }
        self.emit_as(node, &mut Convergent { pred });
    }

    /// Whether a node is a region or holds one: then it is emitted convergently.
    fn is_on_spine(&self, node: NodeId) -> bool {
        let mut regions = self.from.plan.regions.iter();
        regions.any(|r| self.from.tree.contains(node, r.node))
    }

    /// Whether a region lies strictly inside `node`.
    pub(crate) fn holds_region(&self, node: NodeId) -> bool {
        self.from
            .plan
            .regions
            .iter()
            .any(|r| r.node != node && self.from.tree.contains(node, r.node))
    }

    /// Runs of children off the spine share one branch on the predicate.
    fn emit_sequence(&mut self, children: &[NodeId], pred: &Predicates) {
        let mut rest = children;
        while let Some(first) = rest.first() {
            if self.is_on_spine(*first) {
                self.emit_convergent(*first, pred);
                rest = &rest[1..];
                continue;
            }
            let n = rest.iter().take_while(|c| !self.is_on_spine(**c)).count();
            let (run, after) = rest.split_at(n);
            self.emit_off_spine(run, pred);
            rest = after;
        }
    }

    /// Emits code for the threads whose predicate holds, replica by replica.
    pub(crate) fn under(&mut self, pred: &Predicates, mut emit: impl FnMut(&mut Self)) {
        for replica in 0..self.replicas.count() {
            self.replica = replica;
            let cond = pred.0[replica].map(|p| self.get(p));
            self.when(cond, &mut emit);
        }
        self.replica = 0;
    }

    /// Emits code for the threads for which `cond` holds.
    pub(crate) fn when(&mut self, cond: Option<Value>, emit: impl FnOnce(&mut Self)) {
        let Some(cond) = cond else { return emit(self) };
        let (before, on) = (self.b.block(), self.new_block("mesi.on"));
        self.b.at_end(on);
        emit(self);
        if self.b.block() == on && on.instructions().is_empty() {
            self.blocks.retain(|b| *b != on);
            on.delete();
            return self.b.at_end(before);
        }
        let join = self.new_block("mesi.join");
        self.b.br(join);
        self.b.at_end(before);
        self.b.cond_br(cond, on, join);
        self.b.at_end(join);
    }

    /// Emits code that runs where `cond` holds, and code that runs where it does not, in blocks of these names.
    pub(crate) fn either(
        &mut self,
        (cond, names): (Value, [&str; 2]),
        emit: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let [on, off] = names.map(|n| self.new_block(n));
        let join = self.new_block("mesi.join");
        self.b.cond_br(cond, on, off);
        self.b.at_end(on);
        emit(self);
        self.b.br(join);
        self.b.at_end(off);
        otherwise(self);
        self.b.br(join);
        self.b.at_end(join);
    }

    /// The predicates of the two sides of the branch of `at`.
    fn split(&mut self, at: BlockId, pred: &Predicates) -> (Predicates, Predicates) {
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        for replica in 0..self.replicas.count() {
            self.replica = replica;
            let c = self.condition_of(at);
            let not = self.b.xor(c, self.b.i1().constant(1));
            yes.push(Some(self.conjunction(pred.0[replica], c)));
            no.push(Some(self.conjunction(pred.0[replica], not)));
        }
        self.replica = 0;
        (Predicates(yes.into()), Predicates(no.into()))
    }

    /// `pred && c`, where `c` means nothing unless `pred` holds: hence a select and not an `and`,
    /// which would spread poison.
    fn conjunction(&mut self, pred: Option<Slot>, c: Value) -> Slot {
        let s = self.new_slot(self.b.i1());
        let v = match pred {
            Some(p) => self.b.select(self.get(p), c, self.b.i1().constant(0)),
            None => c,
        };
        self.set(s, v);
        s
    }

    /// A loop whose trip count all threads share: all run all iterations.
    fn emit_uniform_loop(&mut self, l: LoopId, pred: &Predicates) {
        let trip = self.eval(&crate::affine::Poly::atom(crate::affine::Atom::Trip(l)));
        let lp = self.from.tree.loop_(l);
        self.under(pred, |s| s.begin_scalars(l));
        let counter = self.new_slot(self.b.i64());
        self.set(counter, self.b.long(0));
        self.iterations.insert(l, Iteration::counted(counter));
        let again = self.fall_into("mesi.loop");
        let done = self.new_block("mesi.done");
        if lp.exit_at == ExitAt::Header {
            let body = self.new_block("mesi.body");
            self.b
                .cond_br(self.b.below(self.get(counter), trip), body, done);
            self.b.at_end(body);
        }
        self.emit_spine_iteration(l, pred);
        let branch = if lp.exit_at == ExitAt::Header {
            self.b.br(again)
        } else {
            self.b
                .cond_br(self.b.below(self.get(counter), trip), again, done)
        };
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
        self.emit_last_header(l, pred);
        self.iterations.remove(&l);
        self.under(pred, |s| s.end_scalars(l));
    }

    /// One iteration with regions in it, up to the moves along the back edge.
    pub(crate) fn emit_spine_iteration(&mut self, l: LoopId, pred: &Predicates) {
        let lp = self.from.tree.loop_(l);
        self.under(pred, |s| {
            s.note_last(l);
            s.enter_scalars(l);
            if lp.exit_at == ExitAt::Header {
                s.emit_block(lp.header);
            }
        });
        self.emit_convergent(lp.body, pred);
        // The counter moves for all threads, the phis only where the predicate holds.
        let back = Edge {
            from: lp.latch,
            to: lp.header,
        };
        self.emit_edge_under(back, pred);
        if let Some(Iteration::Counted { counter: c, .. }) = self.iterations.get(&l).copied() {
            self.count_up(c);
        }
    }

    /// A loop tested before its body runs its header once more than the rest.
    pub(crate) fn emit_last_header(&mut self, l: LoopId, pred: &Predicates) {
        let lp = self.from.tree.loop_(l);
        if lp.exit_at == ExitAt::Header {
            self.under(pred, |s| s.emit_block(lp.header));
        }
    }

    /// A loop that threads leave at different times: it runs until no thread is left, and those
    /// that have left only take part in copies and barriers.
    fn emit_divergent_loop(&mut self, l: LoopId, pred: &Predicates) {
        let lp = self.from.tree.loop_(l);
        self.under(pred, |s| s.begin_scalars(l));
        let all = self.b.i1().constant(1);
        assert_eq!(self.replicas.count(), 1, "divergent loops are not merged");
        let live = self.new_slot(self.b.i1());
        let start = pred.0[0].map_or(all, |p| self.get(p));
        self.set(live, start);
        let alive = Predicates([Some(live)].into());
        let counter = self.new_slot(self.b.i64());
        self.set(counter, self.b.long(0));
        self.iterations.insert(l, Iteration::counted(counter));
        let again = self.fall_into("mesi.loop");
        let done = self.new_block("mesi.done");
        let from = if lp.exit_at == ExitAt::Latch {
            lp.latch
        } else {
            lp.header
        };
        let stays = !self.goes_first(from, lp.exit.to);
        let branch = match lp.exit_at {
            ExitAt::Latch => {
                // Asked before the body although the original asks after it: the loop may be
                // reached with no thread of the block under the predicate, and then the copies in
                // it would read what nobody reads.
                let any = self.emit_any(live);
                let body = self.new_block("mesi.body");
                self.b.cond_br(any, body, done);
                self.b.at_end(body);
                self.under(&alive, |s| {
                    s.note_last(l);
                    s.enter_scalars(l);
                });
                self.emit_convergent(lp.body, &alive);
                self.keep_if(live, from, stays);
                self.under(&alive, |s| s.emit_edge(lp.latch, lp.header));
                self.count_up(counter);
                self.b.br(again)
            }
            ExitAt::Header => {
                self.under(&alive, |s| s.emit_block(lp.header));
                self.keep_if(live, from, stays);
                let any = self.emit_any(live);
                let body = self.new_block("mesi.body");
                self.b.cond_br(any, body, done);
                self.b.at_end(body);
                self.under(&alive, |s| s.enter_scalars(l));
                self.emit_convergent(lp.body, &alive);
                self.under(&alive, |s| s.emit_edge(lp.latch, lp.header));
                self.count_up(counter);
                self.b.br(again)
            }
        };
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
        self.iterations.remove(&l);
        self.under(pred, |s| s.end_scalars(l));
    }

    fn count_up(&mut self, counter: Slot) {
        let next = self.b.add_nsw(self.get(counter), counter.ty.constant(1));
        self.set(counter, next);
    }

    /// `live = live && (condition of from's branch is wanted)`.
    fn keep_if(&mut self, live: Slot, from: BlockId, wanted: bool) {
        let c = self.condition_of(from);
        let c = if wanted {
            c
        } else {
            self.b.xor(c, self.b.i1().constant(1))
        };
        let v = self.b.select(self.get(live), c, self.b.i1().constant(0));
        self.set(live, v);
    }

    /// Whether the predicate of any thread of the block holds.
    fn emit_any(&mut self, live: Slot) -> Value {
        self.b.locate_nowhere();
        let v = self.get(live);
        let name = "llvm.nvvm.barrier.cta.red.or.aligned.all";
        let call = self.b.intrinsic(name, &[], &[self.b.int(0), v]);
        self.number_barrier(call);
        call
    }
}
