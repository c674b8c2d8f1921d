//! The pass that most strips of merged blocks take, with as few branches as it needs.
//!
//! ```text
//!   if (the next strip is full, and one is under way already) {                       one comparison
//!     wait; barrier
//!     if (first <= last) cp.async [to + slot], [from], 16                             for each tile
//!     if (some thread has more pieces) the others, four in a turn
//!     commit; goto full
//!   }
//!   the pass as it is elsewhere, which leads to full, to the short strip, or past both
//! full: T iterations, unrolled
//! ```
//! A strip of 16 iterations of 16 lanes is 288 instructions. What went on around them, mostly branches
//! that are decided once for all strips, were 55, and are 38 (product of 4096 on an H200, 16x16
//! blocks: x7.26 and x7.96).

use super::Lower;
use super::course::{Course, TURN};
use super::frame::Frame;
use super::pipeline::Fetch;
use super::region::{Length, Strips};
use super::slots::Slot;
use super::spine::KEEP;
use crate::llvm::ir::{Pred, Value};
use crate::plan::{Flight, Region};

/// What tells steady passes from others: both the same for all threads of the block.
pub(super) struct Steady {
    /// How many values of `left`, from a strip's length on, mean a steady pass.
    span: Value,
    /// Whether some thread has more than one piece of some tile.
    several: Value,
}

impl Lower<'_> {
    /// Whether a region's passes are told apart into steady and other ones.
    pub(super) fn has_steady_passes(&self, region: &Region, trip: Value) -> bool {
        let Some(strip) = region.strip else {
            return false;
        };
        let one_full = trip
            .const_int()
            .is_none_or(|n| n >= 2 * i64::from(strip.length));
        self.lanes.count() > 1
            && strip.flight == Flight::Async
            && region.stretch.is_none()
            // Strips that are written back end in a barrier and a copy of their own.
            && region.tiles.iter().all(|t| t.write_back.is_empty())
            && one_full
    }

    /// Works out which passes are steady.
    pub(super) fn steady(&mut self, f: &Fetch, begun: Value) -> Steady {
        let quick = self.all_quick(&f.courses);
        let b = &self.b;
        let values = b.plus(b.minus(begun, f.reach.length), b.int(1));
        let span = b.select(quick, b.greatest(values, b.int(0)), b.int(0));
        let several = f.courses.iter().filter(|c| !c.lean).map(|c| c.several);
        let several = several.reduce(|p, q| b.or(p, q));
        Steady {
            span,
            several: several.unwrap_or(b.i1().constant(0)),
        }
    }

    /// One pass, steady or not; `left` iterations are not yet fetched.
    pub(super) fn emit_steady_pass(
        &mut self,
        (s, frames): (&Strips, &mut [Frame]),
        f: &mut Fetch,
        (steady, begun): (&Steady, Value),
        trip: Value,
    ) {
        let left = self.get(f.left);
        let filled = self.get(f.slot);
        let used = self.next_slot(f.reach, filled);
        let ready = self.b.plus(left, f.ahead);
        let (mine, other) = (self.new_block("mesi.steady"), self.new_block("mesi.other"));
        let (full, done) = (self.new_block("mesi.full"), self.new_block("mesi.used"));
        let is_mine = {
            let beyond = self.b.minus(left, f.reach.length);
            self.b.icmp(Pred::LLVMIntULT, beyond, steady.span)
        };
        self.b.cond_br(is_mine, mine, other);
        self.b.at_end(mine);
        self.emit_wait(f, s);
        self.mark_copies(|l| l.emit_steady_copies(f, filled, steady));
        self.emit_advance_all(&f.courses);
        self.emit_commit(f);
        self.b.br(full);

        self.b.at_end(other);
        self.note_anew(left);
        let uses = self.b.at_most(left, begun);
        self.when(Some(uses), |l| l.emit_wait(f, s));
        self.emit_slow_fetch(f, filled);
        let (use_it, part) = (self.new_block("mesi.use"), self.new_block("mesi.rest"));
        self.b.cond_br(uses, use_it, done);
        self.b.at_end(use_it);
        let length = i64::from(s.strip.length);
        if trip.const_int().is_some_and(|n| n % length == 0) {
            self.b.br(full);
            self.blocks.retain(|b| *b != part);
            part.delete();
        } else {
            let is_full = self.b.at_most(f.reach.length, ready);
            self.b.cond_br(is_full, full, part);
            self.b.at_end(part);
            let rest = Length::Rest(self.b.sext(ready, self.b.i64()));
            self.emit_use(s, frames, used, rest);
            self.b.br(done);
        }
        self.b.at_end(full);
        self.emit_use(s, frames, used, Length::Full);
        self.b.br(done);
        self.b.at_end(done);
        self.set(f.slot, used);
    }

    /// The copies of a full strip, by the width that its pieces have.
    fn emit_steady_copies(&mut self, f: &Fetch, slot: Value, steady: &Steady) {
        let all = &f.courses;
        let levels = all[0].levels.clone();
        self.by_level(&levels, |l, level| {
            if !Self::copies_by_hand(all, level) {
                l.emit_steady_level(f, slot, (steady, level));
            }
        });
    }

    /// The first piece of each tile without a branch; the others are few, or elements.
    fn emit_steady_level(
        &mut self,
        f: &Fetch,
        slot: Value,
        (steady, level): (&Steady, Option<u32>),
    ) {
        let all = &f.courses;
        let wide = level == all[0].levels.first().map(|l| l.bytes);
        let to: Vec<Value> = all
            .iter()
            .map(|c| self.b.byte_offset(c.to, self.wide(slot)))
            .collect();
        for (c, to) in all.iter().zip(&to).filter(|(c, _)| wide || c.lean) {
            let there = self.b.at_most(c.first[0], c.hi[0]);
            let from = self.get(c.from);
            self.when(Some(there), |l| l.emit_async(c, from, *to, c.piece(level)));
        }
        if steady.several.const_int() == Some(0) {
            return;
        }
        let left = self.get(f.left);
        let others = |l: &mut Self| {
            for (c, to) in all.iter().zip(&to).filter(|(c, _)| !c.lean) {
                l.emit_turns(c, *to, (c.piece(level), wide), left);
            }
        };
        self.when(wide.then_some(steady.several), others);
    }

    /// All pieces of a thread's column, or all but the first: elements [`TURN`] at a time without a
    /// branch, as long as there are so many; then one by one.
    fn emit_turns(&mut self, c: &Course, to: Value, (bytes, wide): (u32, bool), left: Value) {
        let (global, shared) = self.piece_steps(c);
        let steps = [c.step[0], global, shared];
        let mut start = [c.first[0], self.get(c.from), to];
        if wide {
            // Few threads have a second piece: where it lies is worked out here, and not before all passes.
            let b = &self.b;
            let apart = b.renewed(b.trunc(shared, b.i32()), left);
            let apart = [b.renewed(c.step[0], left), global, self.wide(apart)];
            start = self.moved_on(start, apart);
        }
        let slots: [Slot; 3] = start.map(|v| self.new_slot(v.ty()));
        slots.iter().zip(start).for_each(|(s, v)| self.set(*s, v));
        let far = self.b.times(c.step[0], self.b.int(TURN - 1));
        let turns = [(TURN, far), (1, self.b.int(0))];
        for (copies, reach) in turns.into_iter().skip(usize::from(wide)) {
            let (again, done) = (self.new_block("mesi.turn"), self.new_block("mesi.copied"));
            let more = |l: &Self| {
                let last = l.b.plus(l.get(slots[0]), reach);
                l.b.at_most(last, c.hi[0])
            };
            let begins = more(self);
            self.b.cond_br(begins, again, done);
            self.b.at_end(again);
            let mut here = slots.map(|s| self.get(s));
            for _ in 0..copies {
                self.emit_async(c, here[1], here[2], bytes);
                here = self.moved_on(here, steps);
            }
            slots.iter().zip(here).for_each(|(s, v)| self.set(*s, v));
            let goes_on = more(self);
            let branch = self.b.cond_br(goes_on, again, done);
            self.b.loop_properties(branch, KEEP);
            self.b.at_end(done);
        }
    }

    /// A coordinate and two addresses, a step further.
    fn moved_on(&self, [now, from, to]: [Value; 3], steps: [Value; 3]) -> [Value; 3] {
        let b = &self.b;
        [
            b.add_nsw(now, steps[0]),
            b.byte_offset(from, steps[1]),
            b.byte_offset(to, steps[2]),
        ]
    }
}
