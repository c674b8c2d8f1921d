//! Emits an outermost loop twice: without its clamps for warps that are clear of them, and as it is.
//!
//! ```text
//! first = i - r;  last = i - r + n-1
//! clear = first <= last && first >= 0 && last <= w - 1
//! if (all threads of the warp that are here are clear)  loop without clamps
//! else                                                  loop as the original has it
//! ```
//! Why that is sound is said in `plan/clear.rs`.

use super::Lower;
use crate::llvm::ir::{Op, Pred, Value};
use crate::plan::{Clear, Facets, clear_start, count};

impl Lower<'_> {
    /// Emits the loop both ways; its entry edge has set the header's phis. `emit` emits the loop.
    pub(super) fn emit_clear(&mut self, c: &Clear, mut emit: impl FnMut(&mut Self)) {
        let clear = self.is_warp_clear(c);
        let (plain, each) = (self.new_block("mesi.clear"), self.new_block("mesi.clamped"));
        let join = self.new_block("mesi.join");
        self.b.cond_br(clear, plain, each);
        for (block, is_clear) in [(plain, true), (each, false)] {
            self.b.at_end(block);
            self.note_clear(c, is_clear);
            emit(self);
            self.b.br(join);
        }
        self.b.at_end(join);
    }

    fn note_clear(&mut self, c: &Clear, is_clear: bool) {
        self.is_clear = is_clear;
        self.unclamped.clear();
        self.never_wraps.clear();
        for u in c.clamps.iter().filter(|_| is_clear) {
            let v = self.kernel.value(u.value);
            self.unclamped.insert(v, v.operand(1 - u.limit));
            self.never_wraps.extend(u.sum.map(|s| self.kernel.value(s)));
        }
    }

    /// Whether all threads of this warp that are here, and all their lanes, are clear.
    fn is_warp_clear(&mut self, c: &Clear) -> Value {
        let mut tests = Vec::new();
        for lane in 0..self.lanes.count() {
            self.lane = lane;
            for u in &c.clamps {
                let mask = self.lanes.mask(self.kernel.value(u.value));
                if self.lanes.representative(lane, mask) != lane {
                    continue;
                }
                let moving = self.kernel.value(u.value).operand(1 - u.limit);
                let (first, last) = (self.end(c, moving, false), self.end(c, moving, true));
                let (low, high) = if u.down { (last, first) } else { (first, last) };
                tests.push(self.b.icmp(Pred::LLVMIntSLE, low, high));
                let limit = self.kernel.value(u.value).operand(u.limit);
                let limit = self.read(limit, self.tree.loop_(c.loop_).header);
                tests.push(match u.is_min {
                    true => self.b.icmp(Pred::LLVMIntSLE, high, limit),
                    false => self.b.icmp(Pred::LLVMIntSGE, low, limit),
                });
            }
        }
        self.lane = 0;
        // A test may mean nothing where the loop that counts is not come to; then its clamp is not, either.
        let tests = tests.into_iter().map(|t| self.b.freeze(t)).collect();
        let mine = self.b.all(tests).expect("there are clamps");
        self.b.locate_nowhere();
        let here = self.module.intrinsic("llvm.nvvm.activemask", &[]);
        let here = self.b.call(here, &[]);
        let vote = self.module.intrinsic("llvm.nvvm.vote.all.sync", &[]);
        self.b.call(vote, &[here, mine])
    }

    /// What `v` is in the first iteration of the loops whose counters move it, or in their last.
    fn end(&mut self, c: &Clear, v: Value, last: bool) -> Value {
        let f = self.facets();
        let header = self.tree.loop_(c.loop_).header;
        if crate::plan::is_fixed(&f, c.loop_, v) {
            return self.read(v, header);
        }
        let known = c.clamps.iter().find(|u| self.kernel.value(u.value) == v);
        if let Some(u) = known {
            return self.end(c, v.operand(1 - u.limit), last);
        }
        if v.is(Op::LLVMPHI) {
            return self.end_of_counter(v, last);
        }
        let (a, b) = (
            self.end(c, v.operand(0), last),
            self.end(c, v.operand(1), last),
        );
        match v.is(Op::LLVMSub) {
            true => self.b.minus(a, b),
            false => self.b.plus(a, b),
        }
    }

    fn end_of_counter(&mut self, phi: Value, last: bool) -> Value {
        let l = self.phi_loops[&phi];
        let first = clear_start(&self.facets(), l, phi).expect("the plan found where it begins");
        let first = phi.ty().constant(first);
        if !last {
            return first;
        }
        let c = count(self.kernel, self.tree, l).expect("the plan found how the loop counts");
        let bound = self.read(c.bound, self.tree.loop_(l).header);
        let more = self.more_iterations(&c, first, bound);
        let more = self.b.trunc(more, phi.ty());
        self.b.plus(first, more)
    }

    fn facets(&self) -> Facets<'_> {
        Facets {
            kernel: self.kernel,
            tree: self.tree,
            accesses: self.accesses,
            affine: self.affine,
        }
    }

    /// What stands for an instruction where clamps change nothing.
    pub(super) fn without_clamp(&mut self, i: Value, site: &super::rewrite::Site) -> Option<Value> {
        if let Some(v) = self.unclamped.get(&i).copied() {
            return Some(self.operand(v, site));
        }
        self.never_wraps.contains(&i).then(|| {
            let (a, b) = (
                self.operand(i.operand(0), site),
                self.operand(i.operand(1), site),
            );
            self.b.add_nsw(a, b)
        })
    }
}
