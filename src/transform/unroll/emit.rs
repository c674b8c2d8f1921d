//! Emits an unrolled loop.
//!
//! ```text
//! left = how many iterations there are, 1 or more
//! if (left / 16)
//!   if (all first addresses aligned)  do { 16 iterations, loads side by side as one } while (another round)
//!   else                              do { 16 iterations } while (another round)
//! if (left & 8) 8 iterations;   if (left & 4) 4;   if (left & 2) 2;   if (left & 1) 1
//! ```
//! Where a round's loads come first ([`crate::plan`], `ahead.rs`), those of all its iterations stand before the first
//! one. A loop whose counter moves on by a number that only the run tells runs as it did where that number is not
//! positive, or the counter may wrap around.
//!
//! Short loops run rounds of four, and what is left over as `if (left & 3) { one; if more than one { one; … } }`. Loops
//! that are unrolled only if aligned run as they did otherwise. No iteration is run that the original would not have
//! run, and none out of order. LLVM joins loads side by side once it knows that the first is aligned.

use super::ahead::{condition, guards};
use crate::access::{AccessId, Accesses};
use crate::kernel::BlockId;
use crate::llvm::ir::{Op, Pred, Value};
use crate::lower::Lower;
use crate::lower::state::{Instead, KEEP, Site};
use crate::machine::tuning::emit_unroll::{ONE_ARRAY, WIDE};
use crate::map::HashMap;
use crate::plan::{Count, Plan, Remainder, Unroll, count_any};
use crate::tree::{LoopId, Tree};

/// Blocks of loads at once, and of loads one by one.
const WAYS: [&str; 2] = ["mesi.wide", "mesi.each"];

/// Words that a round's wide loads bring and that are to have registers of their own, in the loop that has most of
/// them.
pub(crate) fn words(plan: &Plan, tree: &Tree, accesses: &Accesses) -> u32 {
    let of = |r: &Unroll| {
        let each = r.wide.iter().map(|a| accesses.get(*a).size);
        let words = each.sum::<u32>() * r.length / 4;
        let enclosing = tree.enclosing_loops(tree.loop_(r.loop_).node);
        match enclosing.len() {
            1 if words <= ONE_ARRAY => 0,
            _ => words,
        }
    };
    plan.unrolled().map(of).max().unwrap_or(0)
}

impl Lower<'_> {
    /// Emits the loop; its entry edge has set the header's phis.
    pub(crate) fn emit_unrolled(&mut self, r: &Unroll) {
        let l = r.loop_;
        let c = count_any(self.from.kernel, self.from.tree, l)
            .expect("the plan found how the loop counts");
        match self.counts(l, &c) {
            None => self.emit_known(r, &c),
            Some(counts) => self.either(
                (counts, WAYS),
                |s| s.emit_known(r, &c),
                |s| {
                    s.emit_loop_as_is(l);
                },
            ),
        }
    }

    /// Emits a loop whose number of iterations is known where it begins.
    fn emit_known(&mut self, r: &Unroll, c: &Count) {
        let l = r.loop_;
        let left = self.iterations_left(l, c);
        let ty = left.ty();
        if r.rest != Remainder::PowersOfTwo {
            return self.emit_short(r, c, left);
        }
        let whole = self
            .b
            .lshr(left, ty.constant(i64::from(r.length.trailing_zeros())));
        let goes = self.b.icmp(Pred::LLVMIntNE, whole, ty.constant(0));
        let aligned = (!r.wide.is_empty()).then(|| self.begins_aligned(r));
        match aligned {
            None => self.when(Some(goes), |s| s.emit_whole(r, c, whole, false)),
            Some(aligned) if r.always => self.when(Some(goes), |s| {
                s.either(
                    (aligned, WAYS),
                    |s| s.emit_whole(r, c, whole, true),
                    |s| s.emit_whole(r, c, whole, false),
                );
            }),
            Some(aligned) => {
                let goes = self.b.and(goes, aligned);
                return self.either(
                    (goes, WAYS),
                    |s| {
                        s.emit_whole(r, c, whole, true);
                        // Often nothing is, and in an inner loop four tests more cost 5%.
                        let rest = s.b.and(left, ty.constant(i64::from(r.length) - 1));
                        let some = s.b.icmp(Pred::LLVMIntNE, rest, ty.constant(0));
                        s.when(Some(some), |s| s.emit_left_over(r, c, left));
                    },
                    |s| {
                        s.emit_loop_as_is(l);
                    },
                );
            }
        }
        self.emit_left_over(r, c, left);
    }

    /// Rounds, counted in no more bits than the loop's own counter has, and what is left over one by one.
    fn emit_short(&mut self, r: &Unroll, c: &Count, left: Value) {
        let ty = c.phi.ty();
        let log = i64::from(r.length.trailing_zeros());
        // A count of 2^32 is a multiple of a round, and there are fewer rounds.
        let whole = self.b.lshr(left, left.ty().constant(log));
        let (whole, rest) = (self.b.trunc(whole, ty), self.b.trunc(left, ty));
        let rest = self.b.and(rest, ty.constant(i64::from(r.length) - 1));
        if r.rest == Remainder::FirstOneByOne {
            self.emit_one_by_one(r, (rest, r.length), 0);
        }
        let goes = self.b.icmp(Pred::LLVMIntNE, whole, ty.constant(0));
        self.when(Some(goes), |s| s.emit_whole(r, c, whole, false));
        match r.rest {
            Remainder::OneByOne => self.emit_one_by_one(r, (rest, r.length), 0),
            Remainder::HalfOneByOne => self.emit_half_first(r, rest),
            Remainder::PowersOfTwo | Remainder::FirstOneByOne => {}
        }
    }

    /// `rest` iterations: half a round if there are as many, and the others one by one.
    fn emit_half_first(&mut self, r: &Unroll, rest: Value) {
        let half = r.length / 2;
        let bit = self.b.and(rest, rest.ty().constant(half.into()));
        let there = self.b.icmp(Pred::LLVMIntNE, bit, rest.ty().constant(0));
        self.when(Some(there), |s| s.emit_in_line(r.loop_, half));
        let others = self.b.and(rest, rest.ty().constant(i64::from(half) - 1));
        self.emit_one_by_one(r, (others, half), 0);
    }

    /// `rest` iterations, fewer than `most`, of which `done` are done, each inside the test of the one before.
    fn emit_one_by_one(&mut self, r: &Unroll, (rest, most): (Value, u32), done: u32) {
        if done + 1 == most {
            return;
        }
        let so_far = rest.ty().constant(i64::from(done));
        let another = self.b.icmp(Pred::LLVMIntNE, rest, so_far);
        self.when(Some(another), |s| {
            s.emit_in_line(r.loop_, 1);
            s.emit_one_by_one(r, (rest, most), done + 1);
        });
    }

    /// All `whole` rounds, one at least.
    fn emit_whole(&mut self, r: &Unroll, c: &Count, whole: Value, wide: bool) {
        let ty = whole.ty();
        let counter = self.new_slot(ty);
        self.set(counter, whole);
        let again = self.fall_into("mesi.round");
        let first = self.emit_ahead(r, c, r.length);
        for (k, first) in (0..).zip(first) {
            if wide {
                self.note_aligned(r, k);
            }
            self.note_loaded(first);
            self.emit_in_line(r.loop_, 1);
        }
        self.forget_loads();
        let rest = self.b.add(self.get(counter), ty.constant(-1));
        self.set(counter, rest);
        let more = self.b.icmp(Pred::LLVMIntNE, rest, ty.constant(0));
        let done = self.new_block("mesi.done");
        let branch = self.b.cond_br(more, again, done);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
    }

    /// What is left over: less than a round, in rounds of half the length, a quarter, and so on.
    fn emit_left_over(&mut self, r: &Unroll, c: &Count, left: Value) {
        let ty = left.ty();
        let mut count = r.length / 2;
        while count > 0 {
            let bit = self.b.and(left, ty.constant(i64::from(count)));
            let there = self.b.icmp(Pred::LLVMIntNE, bit, ty.constant(0));
            self.when(Some(there), |s| {
                for first in s.emit_ahead(r, c, count) {
                    s.note_loaded(first);
                    s.emit_in_line(r.loop_, 1);
                }
                s.forget_loads();
            });
            count /= 2;
        }
    }

    /// Loads what `n` iterations from here on load first: for each of them what stands for its loads. One load is made
    /// for all of them before the next, which may wait for it.
    fn emit_ahead(&mut self, r: &Unroll, c: &Count, n: u32) -> Vec<HashMap<Value, Value>> {
        let mut made = vec![HashMap::default(); n as usize];
        if r.ahead.is_empty() {
            return made;
        }
        let header = self.from.tree.loop_(r.loop_).header;
        let step = match c.by {
            Some(by) => self.read(by, header),
            None => c.phi.ty().constant(c.step),
        };
        let slot = self.slot_of(c.phi);
        let mut counter = self.get(slot);
        let mut sites = Vec::new();
        for k in 0..n {
            if k > 0 {
                counter = self.b.plus(counter, step);
            }
            sites.push(Site {
                block: header,
                local: HashMap::from_iter([(c.phi, counter)]),
            });
        }
        for a in &r.ahead {
            let load = self.from.instruction(*a);
            let at = self.from.accesses.get(*a).block;
            let branches = guards(self.from.tree, r.loop_, at);
            // LLVM would move a load that is made for some threads to where these look at it.
            let stays = !branches.is_empty() && matches!(self.from.accesses.get(*a).size, 4 | 8);
            let one_word = !load.ty().is_vector() && !load.ty().is_pointer();
            for (site, made) in sites.iter_mut().zip(&mut made) {
                let mut new = self.emit_early(r.loop_, load, &branches, site);
                if stays && one_word {
                    new = self.b.made_here(new);
                }
                site.local.insert(load, new);
                made.insert(load, new);
            }
        }
        made
    }

    /// Makes a load of an iteration that runs, if that comes to it: where these `branches` lead. Otherwise it is 0, and
    /// nobody looks at it.
    fn emit_early(
        &mut self,
        l: LoopId,
        load: Value,
        branches: &[(BlockId, bool)],
        site: &mut Site,
    ) -> Value {
        let mut is_made: Option<Value> = None;
        for (at, way) in branches {
            let condition = condition(self.from.kernel, *at);
            self.emit_before(l, condition, site);
            let mut holds = self.operand(condition, site);
            let bit = holds.ty();
            if !way {
                holds = self.b.xor(holds, bit.constant(1));
            }
            // What is asked further on means nothing where an earlier branch leads elsewhere.
            is_made = Some(is_made.map_or(holds, |w| self.b.select(w, holds, bit.constant(0))));
        }
        self.emit_before(l, load.operand(0), site);
        let value = "a load has a value";
        let Some(is_made) = is_made else {
            return self.emit_instruction(load, site).expect(value);
        };
        let slot = self.new_slot(load.ty());
        self.set(slot, load.ty().null());
        self.when(Some(is_made), |s| {
            let new = s.emit_instruction(load, site).expect(value);
            s.set(slot, new);
        });
        self.get(slot)
    }

    /// Notes what `loads` of the next iteration have given.
    fn note_loaded(&mut self, loads: HashMap<Value, Value>) {
        let loads = loads.into_iter();
        self.instead
            .extend(loads.map(|(i, v)| (i, Instead::Loaded([v].into()))));
    }

    /// From here on loads are those of the original again.
    fn forget_loads(&mut self) {
        let of_loads = |s: &Instead| matches!(s, Instead::Loaded(_) | Instead::Aligned(_));
        self.instead.retain(|_, s| !of_loads(s));
    }

    /// Notes how the wide loads of a round's iteration `k` are aligned, where the loop's first are to 16 bytes: also
    /// in later rounds, which may be shorter than that.
    fn note_aligned(&mut self, r: &Unroll, k: u32) {
        let of = |a: &AccessId| {
            let a = self.from.accesses.get(*a);
            let (at, round) = (k * a.size, r.length * a.size);
            let zeros = (at | round | WIDE).trailing_zeros();
            (
                self.from.kernel.value(a.value),
                Instead::Aligned(1 << zeros),
            )
        };
        self.instead.extend(r.wide.iter().map(of));
    }

    /// Whether all wide loads begin aligned to 16 bytes, and those of neighbouring threads do.
    fn begins_aligned(&mut self, r: &Unroll) -> Value {
        let header = self.from.tree.loop_(r.loop_).header;
        let mut site = Site {
            block: header,
            local: HashMap::default(),
        };
        let i32_ty = self.b.i32();
        let mut bits: Option<Value> = None;
        for a in &r.wide {
            let load = self.from.instruction(*a);
            self.emit_before(r.loop_, load.operand(0), &mut site);
            let at = self.operand(load.operand(0), &site);
            let at = self.b.ptrtoint(at, self.b.i64());
            let at = self.b.trunc(at, i32_ty);
            bits = Some(bits.map_or(at, |b| self.b.or(b, at)));
        }
        let mut bits = bits.expect("there are wide loads");
        for s in &r.strides {
            let s = self.eval(s);
            let s = self.b.trunc(s, i32_ty);
            bits = self.b.or(bits, s);
        }
        let low = self.b.and(bits, self.b.int(i64::from(WIDE) - 1));
        self.b.icmp(Pred::LLVMIntEQ, low, self.b.int(0))
    }

    /// Computes what an iteration that runs would compute for `v`. Loads in it are those that `site` knows.
    fn emit_before(&mut self, l: LoopId, v: Value, site: &mut Site) {
        let blocks = &self.from.tree.loop_(l).blocks;
        let at = v.block().filter(|_| v.is_instruction());
        let is_here = at.is_some_and(|b| blocks.contains(&self.from.kernel.block_id(b)));
        if !is_here || v.is(Op::LLVMPHI) || site.local.contains_key(&v) {
            return;
        }
        for o in v.operands() {
            self.emit_before(l, o, site);
        }
        if let Some(new) = self.emit_instruction(v, site) {
            site.local.insert(v, new);
        }
    }

    fn emit_in_line(&mut self, l: LoopId, n: u32) {
        for _ in 0..n {
            self.emit_iteration(l);
            self.emit_advance(l);
        }
    }

    /// How often the loop runs, in 64 bits: once, and again for each value of the counter for which it
    /// goes on. A distance is taken modulo the width: where the bound is not reached yet, that is exact.
    fn iterations_left(&mut self, l: LoopId, c: &Count) -> Value {
        let header = self.from.tree.loop_(l).header;
        let slot = self.slot_of(c.phi);
        let x = self.get(slot);
        let bound = self.read(c.bound, header);
        let more = self.more_iterations(c, x, bound);
        let one = more.ty().constant(1);
        self.b.add(more, one)
    }

    /// Whether the loop's counter, which moves on by a number that only the run tells, comes to its bound without
    /// wrapping around: the number is positive, and where no flag says so, neither the first next counter nor the
    /// last one is beyond the greatest. `None`: it does in any case.
    fn counts(&mut self, l: LoopId, c: &Count) -> Option<Value> {
        let by = c.by?;
        let header = self.from.tree.loop_(l).header;
        let (step, bound) = (self.read(by, header), self.read(c.bound, header));
        let ty = step.ty();
        let signed = is_signed(c);
        let (above, least) = match signed {
            true => (Pred::LLVMIntSGT, Pred::LLVMIntSLE),
            false => (Pred::LLVMIntUGT, Pred::LLVMIntULE),
        };
        let positive = self.b.icmp(above, step, ty.constant(0));
        if c.flagged {
            return Some(positive);
        }
        let width = ty.int_width().expect("a counter is a whole number");
        let greatest = match signed {
            true => i64::MAX >> (64 - width),
            false => -1,
        };
        let room = self.b.minus(ty.constant(greatest), step);
        let slot = self.slot_of(c.phi);
        let x = self.get(slot);
        let in_room = [x, bound].map(|v| self.b.icmp(least, v, room));
        let in_room = self.b.and(in_room[0], in_room[1]);
        Some(self.b.and(positive, in_room))
    }

    /// How often the loop runs after the iteration that its counter begins at `x`, in 64 bits.
    pub(crate) fn more_iterations(&mut self, c: &Count, mut x: Value, bound: Value) -> Value {
        let ty = x.ty();
        let by = c.by.map(|by| {
            let at = c.phi.block().expect("a counter is in a loop's first block");
            self.read(by, self.from.kernel.block_id(at))
        });
        if c.moved {
            x = self.b.plus(x, by.unwrap_or(ty.constant(c.step)));
        }
        let distance = if c.step > 0 || by.is_some() {
            self.b.minus(bound, x)
        } else {
            self.b.minus(x, bound)
        };
        let wide = self.b.i64();
        let one = wide.constant(1);
        if c.relation == Pred::LLVMIntNE {
            return self.b.zext(distance, wide);
        }
        use Pred::*;
        let inclusive = matches!(
            c.relation,
            LLVMIntSLE | LLVMIntULE | LLVMIntSGE | LLVMIntUGE
        );
        let upto = if inclusive {
            distance
        } else {
            self.b.minus(distance, ty.constant(1))
        };
        let shift = i64::from(c.step.unsigned_abs().trailing_zeros());
        let steps = match (by, shift) {
            // Where it is 0, rounds are not come to, but nothing is divided by it here either.
            (Some(by), _) => {
                let none = self.b.icmp(Pred::LLVMIntEQ, by, ty.constant(0));
                let by = self.b.select(none, ty.constant(1), by);
                self.b.udiv(upto, by)
            }
            (None, 0) => upto,
            (None, _) => self.b.lshr(upto, ty.constant(shift)),
        };
        let more = self.b.add(self.b.zext(steps, wide), one);
        let goes_on = self.b.icmp(c.relation, x, bound);
        self.b.select(goes_on, more, wide.constant(0))
    }
}

/// Whether a loop compares its counter as a signed number.
fn is_signed(c: &Count) -> bool {
    use Pred::*;
    matches!(
        c.relation,
        LLVMIntSLT | LLVMIntSLE | LLVMIntSGT | LLVMIntSGE
    )
}
