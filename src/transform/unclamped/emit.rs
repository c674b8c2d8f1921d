//! Emits an outermost loop twice: without its clamps for warps that are clear of them, and as it is.
//!
//! ```text
//! first = i - r;  last = i - r + n-1
//! clear = first <= last && first >= 0 && last <= w - 1
//! if (all threads of the warp that are here are clear)  loop without clamps
//! else                                                  loop as the original has it
//! ```
//! Why that is sound is said in `transform/unclamped/plan.rs`.

use crate::llvm::ir::{Pred, Value};
use crate::lower::Lower;
use crate::lower::state::Instead;
use crate::plan::{Count, Counter, Moving, UnclampedLoop};

impl Lower<'_> {
    /// Emits the loop both ways; its entry edge has set the header's phis. `emit` emits the loop.
    pub(crate) fn emit_unclamped(&mut self, c: &UnclampedLoop, mut emit: impl FnMut(&mut Self)) {
        let unclamped = self.is_warp_unclamped(c);
        let (free, each) = (self.new_block("mesi.clear"), self.new_block("mesi.clamped"));
        let join = self.new_block("mesi.join");
        self.b.cond_br(unclamped, free, each);
        for (block, is_unclamped) in [(free, true), (each, false)] {
            self.b.at_end(block);
            self.note_unclamped(c, is_unclamped);
            emit(self);
            self.b.br(join);
        }
        self.b.at_end(join);
    }

    fn note_unclamped(&mut self, c: &UnclampedLoop, is_unclamped: bool) {
        let of_unclamped = |s: &Instead| matches!(s, Instead::Unclamped(_) | Instead::NeverWraps);
        self.instead.retain(|_, s| !of_unclamped(s));
        for u in c.clamps.iter().filter(|_| is_unclamped) {
            let v = self.from.kernel.value(u.value);
            let clamped = Instead::Unclamped(v.operand(1 - u.limit));
            self.instead.insert(v, clamped);
            let sum = u.sum.map(|s| self.from.kernel.value(s));
            self.instead.extend(sum.map(|s| (s, Instead::NeverWraps)));
        }
    }

    /// Whether all threads of this warp that are here, and all their replicas, need no clamp.
    fn is_warp_unclamped(&mut self, c: &UnclampedLoop) -> Value {
        let mut tests = Vec::new();
        for replica in 0..self.replicas.count() {
            self.replica = replica;
            for u in &c.clamps {
                let mask = self.replicas.mask(self.from.kernel.value(u.value));
                if self.replicas.representative(replica, mask) != replica {
                    continue;
                }
                let (first, last) = (self.end(c, &u.moving, false), self.end(c, &u.moving, true));
                let (low, high) = if u.down { (last, first) } else { (first, last) };
                tests.push(self.b.icmp(Pred::LLVMIntSLE, low, high));
                let limit = self.from.kernel.value(u.value).operand(u.limit);
                let limit = self.read(limit, self.from.tree.loop_(c.loop_).header);
                tests.push(match u.is_min {
                    true => self.b.icmp(Pred::LLVMIntSLE, high, limit),
                    false => self.b.icmp(Pred::LLVMIntSGE, low, limit),
                });
            }
        }
        self.replica = 0;
        // A test may mean nothing where the loop that counts is not come to; then its clamp is not, either.
        let tests = tests.into_iter().map(|t| self.b.freeze(t)).collect();
        let mine = self.b.all(tests).expect("there are clamps");
        self.b.locate_nowhere();
        let here = self.b.intrinsic("llvm.nvvm.activemask", &[], &[]);
        self.b
            .intrinsic("llvm.nvvm.vote.all.sync", &[], &[here, mine])
    }

    /// What `m` is in the first iteration of the loops whose counters move it, or in their last.
    fn end(&mut self, c: &UnclampedLoop, m: &Moving, last: bool) -> Value {
        match m {
            Moving::Fixed(v) => {
                let header = self.from.tree.loop_(c.loop_).header;
                self.read(self.from.kernel.value(*v), header)
            }
            Moving::Clamped(n) => self.end(c, &c.clamps[*n].moving, last),
            Moving::Counter(counter) => self.end_of_counter(counter, last),
            Moving::Sum(parts) => {
                let [a, b] = [0, 1].map(|i| self.end(c, &parts[i], last));
                self.b.plus(a, b)
            }
            Moving::Difference(parts) => {
                let [a, b] = [0, 1].map(|i| self.end(c, &parts[i], last));
                self.b.minus(a, b)
            }
        }
    }

    fn end_of_counter(&mut self, c: &Counter, last: bool) -> Value {
        let (phi, bound) = (
            self.from.kernel.value(c.phi),
            self.from.kernel.value(c.bound),
        );
        let first = phi.ty().constant(c.first);
        if !last {
            return first;
        }
        let count = Count {
            phi,
            step: 1,
            by: None,
            flagged: false,
            moved: c.moved,
            bound,
            relation: c.relation,
        };
        let bound = self.read(bound, self.from.tree.loop_(c.loop_).header);
        let more = self.more_iterations(&count, first, bound);
        let more = self.b.trunc(more, phi.ty());
        self.b.plus(first, more)
    }
}
