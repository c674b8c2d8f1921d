//! Emits strips that are fetched while others are used.
//!
//! ```text
//! depth D, strips of T out of N iterations; pass p begins strip p and uses strip p - (D-1):
//!   for (p = 0; p < D-1 or iterations are left to use; p++) {
//!     if (p >= D-1) { wait until at most D-2 copies are under way; barrier }
//!     if (p*T < N) copy begins (strip p -> slot p mod D); commit
//!     if (p >= D-1) use slot (p+1) mod D         T iterations, unrolled, or the rest, rolled
//!   }
//! ```
//! One barrier a strip: it says that everybody's part of strip `s` is there, and that everybody is
//! done with strip `s-1`, whose slot the next copy takes. Copies that begin and strips that are used
//! are counted by one number, the iterations not yet fetched; it is negative at the end. Every pass
//! commits a group, if only an empty one, so that counting groups counts strips.
//!
//! A strip's store tiles have one slot, or lie in the slots of what is read. They are written back behind
//! its use, a barrier before it; the next one's keeps the next strip's stores, and the copies to the slot
//! just written back, from coming early.
//!
//! Chips without asynchronous copies load the next strip into registers before a strip is used and
//! store them behind it, with two slots and the same single barrier.

use super::Lower;
use super::copy::Transfer;
use super::cursor::Cursor;
use super::state::{
    Iteration, KEEP, Length, OpenRegion, PipelineShape, Predicates, Slot, Strips, View, Walk,
};
use crate::llvm::ir::{Type, Value};
use crate::plan::{PipelineMode, Region, Strip};

/// What moves on with the strips being fetched.
pub(crate) struct Fetch<'t> {
    pub strip: Strip,
    pub shape: PipelineShape,
    pub cursors: Vec<Cursor<'t>>,
    /// Iterations of all strips but one that are in flight.
    pub ahead: Value,
    /// Iterations not yet fetched, 32 bits.
    pub left: Slot,
    /// Byte offset of the slot to be filled next.
    pub slot: Slot,
    /// Iterations that must be left for the quick way: a strip, or more than there are.
    pub quick: Value,
    /// See [`Lower::remainder`].
    pub remainder: Value,
    /// Whether the next strip is in registers.
    pub held: Slot,
    /// Elements on their way through registers, by cursor.
    pub carried: Vec<Vec<Slot>>,
    /// Store tiles, and the ways back of full strips.
    backs: Vec<(usize, Walk)>,
}

impl Lower<'_> {
    /// Runs the loop of a region in strips, several of them in flight.
    pub(crate) fn emit_pipeline(&mut self, index: usize, strip: Strip, pred: &Predicates) {
        let plan = self.from.plan;
        let region: &Region = &plan.regions[index];
        let (trip, base, within) = self.begin_strips(strip.loop_, pred);
        let zero = self.b.long(0);
        let shape = self.pipeline_shape(region, strip);
        let iteration = Iteration::Strip {
            base,
            within,
            shape: Some(shape),
        };
        self.iterations.insert(strip.loop_, iteration);
        let full = Length::Remainder(self.b.zext_nneg(shape.length, self.b.i64()));
        let view = self.strip_view(region.node, strip, zero, full);
        let open = self.place_tiles(&region.tiles, view);
        self.emit_zeros(region, view, strip);
        let wanted = self.wanted(region, view, strip, trip);
        let mut fetch = self.begin_fetch(&open, view, (strip, shape), wanted);
        fetch.backs = self.strip_backs(region, view, strip);
        let mut strips = Strips {
            region: index,
            strip,
            pred: pred.clone(),
            base,
            within,
            walks: Vec::new(),
            open,
        };
        self.emit_passes(&mut strips, &mut fetch, (trip, wanted));
        self.end_strips(strip.loop_, pred);
        if self.is_followed(index) {
            self.emit_barrier();
        }
    }

    /// The ways back of a region's store tiles, which are the same for all full strips.
    fn strip_backs(&mut self, region: &Region, view: View, strip: Strip) -> Vec<(usize, Walk)> {
        let mut out = Vec::new();
        for (k, tile) in region.tiles.iter().enumerate() {
            let (along, _) = tile.along(strip.loop_);
            for set in &tile.write_back {
                let mut walk = self.walk(tile, view, std::slice::from_ref(set));
                walk.cut = Some((along, self.b.int(0)));
                out.push((k, walk));
            }
        }
        out
    }

    /// Writes back the strip that was used last, which began at iteration `base` and of which `here`
    /// iterations were run.
    fn emit_strip_back(
        &mut self,
        s: &mut Strips,
        backs: &mut [(usize, Walk)],
        (base, here, slot): (Value, Value, Value),
    ) {
        let last = self.b.minus(here, self.b.int(1));
        let firsts: Vec<Value> = s.open.frames.iter().map(|f| f.first).collect();
        for (k, walk) in backs.iter_mut() {
            let node = self.from.plan.regions[s.region].node;
            let count = Length::Remainder(self.b.sext(here, self.b.i64()));
            let view = self.strip_view(node, s.strip, base, count);
            let (tile, frame) = (&s.open.tiles[*k], &mut s.open.frames[*k]);
            frame.origin = self.origin(tile, view, &frame.strides);
            walk.cut = walk.cut.map(|(g, _)| (g, last));
            if !tile.has_one_slot() {
                let byte = Type::int(self.module(), 8);
                frame.first = self.cell_at(byte, firsts[*k], slot);
            }
        }
        let mut transfers = Vec::new();
        for (k, walk) in backs.iter() {
            let (tile, frame) = (&s.open.tiles[*k], &s.open.frames[*k]);
            transfers.push(Transfer { tile, frame, walk });
        }
        self.emit_barrier();
        self.emit_copies(&transfers, true);
        for (frame, first) in s.open.frames.iter_mut().zip(firsts) {
            frame.first = first;
        }
    }

    /// Before the first strip.
    fn begin_fetch<'t>(
        &mut self,
        open: &OpenRegion<'t>,
        view: View,
        (strip, shape): (Strip, PipelineShape),
        trip: Value,
    ) -> Fetch<'t> {
        let fetched = open.tiles.iter().take_while(|t| !t.only_stores());
        let fetched = &open.tiles[..fetched.count()];
        let cursors = self.cursors(fetched, &open.frames, view, (strip, shape));
        let quick = self.all_quick(&cursors);
        let one = self.b.int(1);
        let ahead = self
            .b
            .cells_times(self.b.minus(shape.depth, one), shape.length);
        let never = self.b.int(i64::from(i32::MAX));
        let quick = self.b.select(quick, shape.length, never);
        let remainder = self.remainder(&cursors);
        let int = self.b.i32();
        let (left, slot) = (self.new_slot(int), self.new_slot(int));
        let held = self.new_slot(self.b.i1());
        // Trip counts fit 31 bits, as the entry has tested.
        self.set(left, self.b.trunc(trip, int));
        self.set(slot, self.b.int(0));
        Fetch {
            strip,
            shape,
            carried: vec![Vec::new(); cursors.len()],
            cursors,
            ahead,
            left,
            slot,
            quick,
            remainder,
            held,
            backs: Vec::new(),
        }
    }

    /// The passes: the first ones only fetch. Of the loop's iterations `wanted` are run, all or none.
    fn emit_passes(&mut self, s: &mut Strips, f: &mut Fetch, (trip, wanted): (Value, Value)) {
        let b = &self.b;
        // Behind the first passes, at most so many iterations are not yet fetched.
        let begun = b.minus(b.trunc(wanted, b.i32()), f.ahead);
        let fast_pass = self
            .has_fast_passes(&self.from.plan.regions[s.region], trip)
            .then(|| self.fast_pass(f, begun));
        let (before, first) = (self.b.block(), self.blocks.len());
        let again = self.fall_into("mesi.strip");
        match &fast_pass {
            Some(fast_pass) => self.emit_fast_pass(s, f, (fast_pass, begun), trip),
            None => self.emit_pass(s, f, (begun, wanted), trip),
        }
        let done = self.new_block("mesi.done");
        let unused = self.b.plus(self.get(f.left), f.ahead);
        let more = self.b.below(self.b.int(0), unused);
        let branch = self.b.cond_br(more, again, done);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
        self.note_remat_behind(unused, first, before);
    }

    /// One pass: where `begun` iterations or fewer of the `wanted` ones are not yet fetched, it uses a strip.
    fn emit_pass(
        &mut self,
        s: &mut Strips,
        f: &mut Fetch,
        (begun, wanted): (Value, Value),
        trip: Value,
    ) {
        let left = self.get(f.left);
        let uses = self.b.at_most(left, begun);
        self.when(Some(uses), |l| l.emit_wait(f, s));
        let filled = self.get(f.slot);
        let used = self.next_slot(f.shape, filled);
        let ready = self.b.plus(left, f.ahead);
        self.emit_next_fetch(f, filled);
        let mut backs = std::mem::take(&mut f.backs);
        self.when(Some(uses), |l| {
            l.emit_ready(s, f, (used, ready), trip);
            if !backs.is_empty() {
                // Threads under no predicate do not count iterations.
                let before = l.b.minus(l.b.trunc(wanted, l.b.i32()), ready);
                let base = l.b.sext(before, l.b.i64());
                let here = l.b.least(ready, f.shape.length);
                l.emit_strip_back(s, &mut backs, (base, here, used));
            }
        });
        if f.strip.pipeline == PipelineMode::Registers {
            let held = self.get(f.held);
            self.when(Some(held), |l| {
                l.mark_copies(|l| {
                    for (c, carried) in f.cursors.iter().zip(&f.carried) {
                        l.emit_deliver(c, carried, filled);
                    }
                });
            });
        }
        self.set(f.slot, used);
    }

    /// Uses the strip in the slot at `slot`; `ready` iterations are left, it included.
    fn emit_ready(
        &mut self,
        s: &mut Strips,
        f: &Fetch,
        (slot, ready): (Value, Value),
        trip: Value,
    ) {
        if self.from.plan.regions[s.region].stretch.is_some() {
            return self.emit_runs(s, f.shape.length, (slot, ready));
        }
        let length = i64::from(s.strip.length);
        let known = trip.const_int();
        let has_full = known.is_none_or(|n| n >= length);
        let has_rest = known.is_none_or(|n| n % length != 0);
        let rest = Length::Remainder(self.b.sext(ready, self.b.i64()));
        if !(has_full && has_rest) {
            let length = if has_full { Length::Full } else { rest };
            return self.emit_use(s, slot, length);
        }
        let (whole, part) = (self.new_block("mesi.full"), self.new_block("mesi.rest"));
        let done = self.new_block("mesi.used");
        let is_full = self.b.at_most(self.b.int(length), ready);
        self.b.cond_br(is_full, whole, part);
        self.b.at_end(whole);
        self.emit_use(s, slot, Length::Full);
        self.b.br(done);
        self.b.at_end(part);
        self.emit_use(s, slot, rest);
        self.b.br(done);
        self.b.at_end(done);
    }

    /// Waits until the strip to be used is there; all threads meet.
    pub(crate) fn emit_wait(&mut self, f: &Fetch, s: &Strips) {
        if f.strip.pipeline == PipelineMode::Async {
            let depths = self.depths(&self.from.plan.regions[s.region]);
            self.emit_wait_group(f, &depths);
        }
        self.emit_barrier();
    }

    /// The instruction has the number of groups in it: one for every depth there is.
    fn emit_wait_group(&mut self, f: &Fetch, depths: &[u32]) {
        let Some((first, others)) = depths.split_first() else {
            return;
        };
        let groups = self.b.int(i64::from(*first) - 2);
        let module = self.module();
        let wait = module.intrinsic("llvm.nvvm.cp.async.wait.group", &[]);
        if others.is_empty() {
            self.b.call(wait, &[groups]);
            return;
        }
        let (mine, other) = (self.new_block("mesi.wait"), self.new_block("mesi.other"));
        let done = self.new_block("mesi.there");
        let is_mine = self.b.at_most(f.shape.depth, self.b.int(i64::from(*first)));
        self.b.cond_br(is_mine, mine, other);
        self.b.at_end(mine);
        self.b.call(wait, &[groups]);
        self.b.br(done);
        self.b.at_end(other);
        self.emit_wait_group(f, others);
        self.b.br(done);
        self.b.at_end(done);
    }

    /// The slot behind `slot`.
    pub(crate) fn next_slot(&self, shape: PipelineShape, slot: Value) -> Value {
        let b = &self.b;
        let next = if shape.depth.const_int() == Some(2) {
            b.minus(shape.slot, slot)
        } else {
            let next = b.add_nsw(slot, shape.slot);
            b.select(b.below(next, shape.end), next, b.int(0))
        };
        // It is a multiple already; said here, LLVM sees it and reads the tiles by fours.
        b.and(next, b.int(-16))
    }

    /// The iterations of the strip in the slot at `slot`, and moves on.
    pub(crate) fn emit_use(&mut self, s: &mut Strips, slot: Value, length: Length) {
        let node = self.from.plan.regions[s.region].node;
        let base = self.get(s.base);
        let view = self.strip_view(node, s.strip, base, length);
        for (tile, frame) in s.open.tiles.iter().zip(&mut s.open.frames) {
            frame.slot = (!tile.has_one_slot()).then_some(slot);
        }
        self.emit_iterations(s, length, view);
    }

    /// The same where every frame has its slot.
    pub(crate) fn emit_iterations(&mut self, s: &Strips, length: Length, view: View) {
        self.open(&s.open, view);
        self.emit_run(s, length);
        self.close(&s.open);
        if matches!(length, Length::Full) {
            let length = self.b.long(i64::from(s.strip.length));
            let next = self.b.add_nsw(self.get(s.base), length);
            self.set(s.base, next);
        }
    }

    /// Notes the blocks that `emit` makes, and the one it begins in if that is new, as copies.
    pub(crate) fn mark_copies(&mut self, emit: impl FnOnce(&mut Self)) {
        let first = self.blocks.len();
        emit(self);
        let here = self.b.block();
        let made = self.blocks[first..].iter().filter(|b| **b != here);
        self.copies.extend(made);
    }
}
