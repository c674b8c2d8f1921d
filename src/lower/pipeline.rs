//! Emits strips that are fetched while others are used.
//!
//! ```text
//! depth D, strips of T out of N iterations:
//!   for (p = 0; p < D-1; p++) { if (p*T < N) copy begins (strip p -> slot p); commit }
//!   for (s = 0; strip s is full; s++) {
//!     wait until at most D-2 copies are under way; barrier
//!     if ((s+D-1)*T < N) copy begins (strip s+D-1 -> slot (s+D-1) mod D); commit
//!     use slot s mod D                                         T iterations, unrolled
//!   }
//!   if (s*T < N) { wait for all; barrier; use slot s mod D }   the iterations left
//! ```
//! One barrier a strip: it says that everybody's part of strip `s` is there, and that everybody is
//! done with strip `s-1`, whose slot the next copy takes. Copies that begin and strips that are used
//! are counted by one number, the iterations not yet fetched; it is negative at the end. Every pass
//! commits a group, if only an empty one, so that counting groups counts strips.
//!
//! Chips without asynchronous copies load the next strip into registers before a strip is used and
//! store them behind it, with two slots and the same single barrier.

use super::course::Course;
use super::eval::Iteration;
use super::frame::Frame;
use super::region::{Length, Strips};
use super::slots::Slot;
use super::spine::{KEEP, Predicates};
use super::{Lower, ranges::View};
use crate::affine::{Atom, Poly};
use crate::llvm::ir::Value;
use crate::plan::{Flight, Region, Strip};

/// What moves on with the strips being fetched.
struct Fetch<'t> {
    strip: Strip,
    courses: Vec<Course<'t>>,
    /// Iterations not yet fetched, 32 bits.
    left: Slot,
    /// Byte offset of the slot to be filled next.
    slot: Slot,
    /// Iterations that must be left for the quick way: a strip, or more than there are.
    quick: Value,
    /// The same for the most common of the quick ways.
    usual: Value,
    /// Whether the next strip is in registers.
    held: Slot,
}

impl Lower<'_> {
    /// Runs the loop of a region in strips, several of them in flight.
    pub(super) fn emit_pipeline(&mut self, index: usize, strip: Strip, pred: &Predicates) {
        let plan = self.plan;
        let region: &Region = &plan.regions[index];
        let trip = self.eval(&Poly::atom(Atom::Trip(strip.loop_)));
        self.under(pred, |s| s.begin_promotions(strip.loop_));
        let (base, within) = (self.new_slot(self.b.i64()), self.new_slot(self.b.i32()));
        let zero = self.b.long(0);
        self.set(base, zero);
        let view = self.strip_view(region.node, strip, zero, Length::Full);
        let mut frames = self.frames(&region.tiles, view);
        self.emit_zeros(&region.tiles, view, strip);
        let mut fetch = self.fetch(region, &frames, view, strip, trip);
        self.iterations
            .insert(strip.loop_, Iteration::Strip { base, within });
        let strips = Strips {
            region: index,
            strip,
            pred: pred.clone(),
            base,
            within,
            walks: Vec::new(),
            tiles: &region.tiles,
        };
        self.emit_first_fetches(&mut fetch);
        self.emit_full_uses(&strips, &mut frames, &mut fetch, trip);
        self.emit_last_use(&strips, &mut frames, &fetch, trip);
        self.emit_last_header(strip.loop_, pred);
        self.iterations.remove(&strip.loop_);
        self.under(pred, |s| s.end_promotions(strip.loop_));
        if self.final_region != Some(index) {
            self.emit_barrier();
        }
    }

    fn fetch<'t>(
        &mut self,
        region: &'t Region,
        frames: &[Frame],
        view: View,
        strip: Strip,
        trip: Value,
    ) -> Fetch<'t> {
        let courses = self.courses(&region.tiles, frames, view, strip);
        let quick = self.all_quick(&courses);
        let length = self.b.int(i64::from(strip.length));
        let never = self.b.int(i64::from(i32::MAX));
        let usual = self.is_usual(&courses, quick);
        let usual = self.b.select(usual, length, never);
        let quick = self.b.select(quick, length, never);
        let int = self.b.i32();
        let (left, slot) = (self.new_slot(int), self.new_slot(int));
        let held = self.new_slot(self.b.i1());
        // Trip counts fit 31 bits, as the entry has tested.
        self.set(left, self.b.trunc(trip, int));
        self.set(slot, self.b.int(0));
        Fetch {
            strip,
            courses,
            left,
            slot,
            quick,
            usual,
            held,
        }
    }

    /// Fetches what must be under way before the first strip is used.
    fn emit_first_fetches(&mut self, f: &mut Fetch) {
        let count = i64::from(f.strip.depth) - 1;
        if count == 1 {
            self.emit_first_fetch(f);
            return;
        }
        let again = self.fall_into("mesi.ahead");
        self.emit_first_fetch(f);
        let ahead = self.b.int(count * i64::from(f.strip.slot));
        let more = self.b.below(self.get(f.slot), ahead);
        let done = self.new_block("mesi.fetched");
        let branch = self.b.cond_br(more, again, done);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
    }

    /// Fetches a strip the slow way, which serves every strip, and goes on to the next.
    fn emit_first_fetch(&mut self, f: &mut Fetch) {
        let slot = self.get(f.slot);
        let some = self.b.below(self.b.int(0), self.get(f.left));
        self.when(Some(some), |l| {
            l.mark_copies(|l| l.emit_any_fetch(f, slot));
            l.go_on(f);
        });
        self.emit_commit(f);
        let next = self.b.plus(slot, self.b.int(i64::from(f.strip.slot)));
        self.set(f.slot, next);
    }

    /// Fetches the next strip, if there is one, into the slot at `slot`.
    fn emit_next_fetch(&mut self, f: &mut Fetch, slot: Value) {
        let left = self.get(f.left);
        if f.strip.flight == Flight::Async {
            // The common case first: a full strip, copied by the widest pieces.
            let (usual, other) = (self.new_block("mesi.usual"), self.new_block("mesi.other"));
            let (moved, done) = (self.new_block("mesi.moved"), self.new_block("mesi.fetched"));
            self.b.cond_br(self.b.at_most(f.usual, left), usual, other);
            self.b.at_end(usual);
            self.mark_copies(|l| l.emit_usual(&f.courses, slot));
            self.b.br(moved);
            self.b.at_end(other);
            let some = self.new_block("mesi.some");
            self.b
                .cond_br(self.b.below(self.b.int(0), left), some, done);
            self.b.at_end(some);
            self.by_quick(f, left, |l, f| l.emit_unusual(&f.courses, slot), slot);
            self.b.br(moved);
            self.b.at_end(moved);
            self.go_on(f);
            self.b.br(done);
            self.b.at_end(done);
        } else {
            self.set(f.held, self.b.i1().constant(0));
            let some = self.b.below(self.b.int(0), left);
            self.when(Some(some), |l| {
                let quick = |l: &mut Self, f: &mut Fetch| {
                    for c in &mut f.courses {
                        l.emit_fetch(c);
                    }
                    l.set(f.held, l.b.i1().constant(1));
                };
                l.by_quick(f, left, quick, slot);
                l.go_on(f);
            });
        }
        self.emit_commit(f);
    }

    /// `emit` for a full strip that goes the quick way, else the odometer's code.
    fn by_quick<'t>(
        &mut self,
        f: &mut Fetch<'t>,
        left: Value,
        emit: impl FnOnce(&mut Self, &mut Fetch<'t>),
        slot: Value,
    ) {
        let (quick, slow) = (self.new_block("mesi.quick"), self.new_block("mesi.slow"));
        let done = self.new_block("mesi.sent");
        self.b.cond_br(self.b.at_most(f.quick, left), quick, slow);
        self.b.at_end(quick);
        self.mark_copies(|l| emit(l, f));
        self.b.br(done);
        self.b.at_end(slow);
        self.mark_copies(|l| l.emit_any_fetch(f, slot));
        self.b.br(done);
        self.b.at_end(done);
    }

    fn emit_any_fetch(&mut self, f: &Fetch, slot: Value) {
        let length = self.b.int(i64::from(f.strip.length));
        let short = self.b.minus(length, self.get(f.left));
        let missing = self.b.greatest(short, self.b.int(0));
        for c in &f.courses {
            self.emit_odometer(c, slot, missing, f.strip.flight);
        }
    }

    /// A strip has been fetched.
    fn go_on(&mut self, f: &Fetch) {
        for c in &f.courses {
            self.advance(c);
        }
    }

    /// Closes a group of copies, and counts the strip as fetched, there or not.
    fn emit_commit(&mut self, f: &Fetch) {
        if f.strip.flight == Flight::Async {
            let commit = self
                .module
                .intrinsic("llvm.nvvm.cp.async.commit.group", &[]);
            self.b.call(commit, &[]);
        }
        let length = self.b.int(i64::from(f.strip.length));
        let left = self.b.minus(self.get(f.left), length);
        self.set(f.left, left);
    }

    /// Waits until all copies but those of the newest `groups` strips are there; all threads meet.
    fn emit_wait(&mut self, f: &Fetch, groups: u32) {
        if f.strip.flight == Flight::Async {
            let wait = self.module.intrinsic("llvm.nvvm.cp.async.wait.group", &[]);
            self.b.call(wait, &[self.b.int(i64::from(groups))]);
        }
        self.emit_barrier();
    }

    /// The slot behind `slot`.
    fn next_slot(&self, strip: Strip, slot: Value) -> Value {
        let b = &self.b;
        let bytes = b.int(i64::from(strip.slot));
        let next = if strip.depth == 2 {
            b.minus(bytes, slot)
        } else {
            let next = b.add_nsw(slot, bytes);
            let end = b.int(i64::from(strip.slot * strip.depth));
            b.select(b.below(next, end), next, b.int(0))
        };
        // It is a multiple already; said here, LLVM sees it and reads the tiles by fours.
        b.and(next, b.int(-16))
    }

    /// Whether strip 0 of what is left is full, once `depth - 1` strips are counted as fetched.
    fn is_full(&self, f: &Fetch) -> Value {
        let (length, depth) = (i64::from(f.strip.length), i64::from(f.strip.depth));
        self.b
            .at_most(self.b.int((2 - depth) * length), self.get(f.left))
    }

    fn emit_full_uses(&mut self, s: &Strips, frames: &mut [Frame], f: &mut Fetch, trip: Value) {
        let length = i64::from(s.strip.length);
        if trip.const_int().is_some_and(|n| n < length) {
            return;
        }
        let (again, done) = (self.new_block("mesi.strip"), self.new_block("mesi.rest"));
        self.b.cond_br(self.is_full(f), again, done);
        self.b.at_end(again);
        self.emit_wait(f, s.strip.depth - 2);
        let filled = self.get(f.slot);
        self.emit_next_fetch(f, filled);
        let used = self.next_slot(s.strip, filled);
        self.emit_use(s, frames, used, Length::Full);
        if f.strip.flight == Flight::Registers {
            let held = self.get(f.held);
            self.when(Some(held), |l| {
                l.mark_copies(|l| {
                    for c in &f.courses {
                        l.emit_deliver(c, filled);
                    }
                });
            });
        }
        self.set(f.slot, used);
        let next = self.b.add_nsw(self.get(s.base), self.b.long(length));
        self.set(s.base, next);
        let branch = self.b.cond_br(self.is_full(f), again, done);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
    }

    fn emit_last_use(&mut self, s: &Strips, frames: &mut [Frame], f: &Fetch, trip: Value) {
        let length = i64::from(s.strip.length);
        if trip.const_int().is_some_and(|n| n % length == 0) {
            return;
        }
        let (some, done) = (self.new_block("mesi.strip"), self.new_block("mesi.done"));
        let ahead = self.b.int((i64::from(s.strip.depth) - 1) * length);
        let left = self.b.plus(self.get(f.left), ahead);
        self.b
            .cond_br(self.b.below(self.b.int(0), left), some, done);
        self.b.at_end(some);
        self.emit_wait(f, 0);
        let used = self.next_slot(s.strip, self.get(f.slot));
        let left = self.b.sext(left, self.b.i64());
        self.emit_use(s, frames, used, Length::Rest(left));
        self.b.br(done);
        self.b.at_end(done);
    }

    /// The iterations of the strip in the slot at `slot`.
    fn emit_use(&mut self, s: &Strips, frames: &mut [Frame], slot: Value, length: Length) {
        let node = self.plan.regions[s.region].node;
        let base = self.get(s.base);
        let view = self.strip_view(node, s.strip, base, length);
        for frame in frames.iter_mut() {
            frame.slot = Some(slot);
        }
        self.open(s.tiles, frames, view);
        self.emit_run(s, length);
        self.close(s.tiles);
    }

    /// Notes the blocks that `emit` makes, and the one it begins in if that is new, as copies.
    fn mark_copies(&mut self, emit: impl FnOnce(&mut Self)) {
        let first = self.blocks.len();
        emit(self);
        let here = self.b.block();
        let made = self.blocks[first..].iter().filter(|b| **b != here);
        self.copies.extend(made);
    }
}
