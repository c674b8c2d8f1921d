//! Emits a body that a few blocks run for the whole grid, in steps, and the cells that each of them
//! updates by itself.
//!
//! ```text
//! cells = identity                                   all threads, all copies
//! barrier
//! for (step = own number; step < steps; step += leaders)   body, atomics on the block's cells
//! barrier
//! if (cell != identity)  atomic on the array         all threads, cell by cell, what its copies make together
//! ```
//! Copies of a cell lie side by side, and threads that are neighbours use neighbouring ones: a warp's updates go to as
//! many banks, wherever the data leads them.

use super::data::{CELL, Over, Privatization, PrivatizedArray};
use crate::kernel::{Dim, ids};
use crate::llvm::ir::{Op, Pred, Rmw, Value};
use crate::lower::Lower;
use crate::lower::state::{Hoisted, Instead, KEEP, Led, Site};
use crate::lower::steps::EmitSteps;
use crate::machine::tuning::privatize::{AT_ONCE, MANY_BLOCKS};
use crate::plan::LockstepPlan;

/// How the grid is dealt out, in 32 bits.
pub(crate) struct Distribution {
    /// This block's number.
    pub(crate) own: Value,
    /// Blocks that work.
    pub(crate) leaders: Value,
    /// Steps in all.
    pub(crate) steps: Value,
    /// Steps along x.
    pub(crate) across: Value,
}

impl EmitSteps for Privatization {
    fn dismiss(&self, l: &mut Lower) {
        if let Some(may) = l.may_lead(self) {
            l.dismiss_unless(may);
        }
        let leads = l.leads(self);
        l.dismiss_unless(leads);
    }

    fn emit(&self, l: &mut Lower, lockstep: &LockstepPlan) {
        l.emit_by_steps(self, lockstep);
    }

    fn replace(&self, l: &mut Lower, i: Value, site: &Site) -> Option<Option<Value>> {
        if let Some(value) = l.ahead_of(i) {
            return Some(Some(l.emit_ahead_load(i, (self, value), site)));
        }
        if l.is_looked_up(self, i) {
            return Some(Some(l.emit_looked_up(i, self, site)));
        }
        let t = l.privatized_array(self, i)?;
        l.emit_update(i, (self, t), site);
        Some(None)
    }

    fn id(&self, l: &mut Lower, i: Value) -> Option<Option<Value>> {
        let stride = self.stride.as_ref()?;
        Some(l.element_id(i, stride))
    }
}

impl Lower<'_> {
    /// Whether this block may be one of those that work: there are no more of them than the chip holds, whatever the
    /// launch is. Of a large grid nearly all blocks end here, and that is all that they cost (64 Mi threads are 2
    /// million warps: 40 instructions of each are 90 us of an H100).
    fn may_lead(&mut self, p: &Privatization) -> Option<Value> {
        let own = (p.dimensions == 1).then(|| self.register32("ctaid", Dim::X))?;
        let h = &self.hoist;
        Some(h.below(own, h.int(p.blocks.into())))
    }

    /// Whether this block works.
    fn leads(&mut self, p: &Privatization) -> Value {
        let dist = self.distribute(p);
        self.hoist.below(dist.own, dist.leaders)
    }

    /// Emits the body in steps, between the filling of the cells and giving them to their arrays.
    fn emit_by_steps(&mut self, p: &Privatization, lockstep: &LockstepPlan) {
        let dist = self.distribute(p);
        self.note_ids();
        for t in &p.arrays {
            let none = self.b.int(t.op.identity());
            self.for_cells(t.cells * p.copies, |l, word| {
                let at = l.private_word(p, t, word);
                l.b.store(none, at, 4);
            });
        }
        self.emit_barrier();
        self.find_own_copy(p);
        if let Some(Over::Loop { loop_, .. }) = p.stride.map(|s| s.over) {
            let node = self.from.tree.loop_(loop_).node;
            for n in self.way_to(self.from.tree.root, node) {
                self.emit_structured(n);
            }
        }
        let slot = self.new_slot(self.b.i32());
        self.set(slot, dist.own);
        let again = self.fall_into("mesi.turn");
        let step = self.get(slot);
        match (&p.stride, &p.ahead) {
            (Some(stride), _) => self.emit_elements(stride, lockstep, step),
            (None, Some(ahead)) => {
                let first = self.first_block(p, &dist, step);
                self.led = Led::Group(first.map(Some));
                self.emit_own_elements(p, ahead, first[0]);
            }
            (None, None) => {
                self.led = Led::Group(self.first_block(p, &dist, step).map(Some));
                self.emit_lockstep(lockstep);
            }
        }
        self.led = Led::Grid;
        self.b.locate_nowhere();
        let next = self.b.add_nsw(step, dist.leaders);
        self.set(slot, next);
        let done = self.new_block("mesi.done");
        let branch = self.b.cond_br(self.b.below(next, dist.steps), again, done);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
        self.emit_barrier();
        for t in &p.arrays {
            self.give(p, t);
        }
    }

    /// Notes that global ids do not overflow, as facts say of the whole grid.
    fn note_ids(&mut self) {
        let all = self
            .from
            .kernel
            .blocks
            .iter()
            .flat_map(|b| b.instructions());
        let ids = all.filter(|i| ids::is_global_id(*i));
        self.instead.extend(ids.map(|i| (i, Instead::NeverWraps)));
    }

    /// Works out where the thread's copies of the cells begin.
    fn find_own_copy(&mut self, p: &Privatization) {
        let linear = self.threads().linear;
        let h = &self.hoist;
        let copy = h.and(linear, h.int(i64::from(p.copies) - 1));
        let byte = h.cells_times(copy, h.int(4));
        let first = h.byte_offset(self.from.buffer, h.zext_nneg(byte, h.i64()));
        self.hoisted.insert(Hoisted::Value(self.from.buffer), first);
    }

    /// The privatized array that an atomic updates.
    fn privatized_array<'p>(&self, p: &'p Privatization, i: Value) -> Option<&'p PrivatizedArray> {
        let p = Some(p).filter(|_| i.is(Op::LLVMAtomicRMW))?;
        let of = |t: &&PrivatizedArray| {
            let mut all = t.updates.iter().map(|a| self.from.accesses.get(*a).value);
            all.any(|v| self.from.kernel.value(v) == i)
        };
        p.arrays.iter().find(of)
    }

    /// Emits an atomic on the block's own cell; on one that is not privatized, the original's.
    fn emit_update(&mut self, i: Value, (p, t): (&Privatization, &PrivatizedArray), site: &Site) {
        let pointer = self.operand(i.operand(0), site);
        let value = self.operand(i.operand(1), site);
        let base = self.at_entry(t.base);
        let b = &self.b;
        let from = b.minus(b.ptrtoint(pointer, b.i64()), b.ptrtoint(base, b.i64()));
        let own = |l: &mut Self| l.emit_own_update(i, (p, t), from, value);
        if !t.beyond {
            return own(self);
        }
        let bytes = b.long(i64::from(t.cells * CELL));
        let is_own = b.icmp(Pred::LLVMIntULT, b.minus(from, b.long(t.low)), bytes);
        self.either((is_own, ["mesi.on", "mesi.off"]), own, |l| {
            l.update(i, pointer, value);
            l.note_update(i);
        });
    }

    /// Emits an atomic on the block's own cell, so many bytes from the array's base.
    fn emit_own_update(
        &mut self,
        i: Value,
        (p, t): (&Privatization, &PrivatizedArray),
        from: Value,
        value: Value,
    ) {
        let b = &self.b;
        let byte = b.minus(b.trunc(from, b.i32()), b.int(t.low));
        let place = b.cells_times(byte, b.int(p.copies.into()));
        let first = self.hoisted[&Hoisted::Value(self.from.buffer)];
        let cell = b.byte_offset(first, b.zext_nneg(place, b.i64()));
        let own = b.byte_offset(cell, b.long(i64::from(t.offset) * i64::from(p.copies)));
        let new = self.update(i, own, value);
        // Nobody else sees the cells before the barrier.
        new.set_relaxed();
    }

    /// Another atomic like `i`, on a cell of its own: of this one it is not known that it lies at a multiple of more
    /// than its bytes, as it may be of the one that `i` updates.
    fn update(&mut self, i: Value, at: Value, value: Value) -> Value {
        let new = i.clone_instruction();
        new.set_alignment(CELL);
        new.set_operand(0, at);
        new.set_operand(1, value);
        self.b.insert(new);
        new
    }

    /// Gives the block's cells to their array: those that were added to, so that no others are touched.
    fn give(&mut self, p: &Privatization, t: &PrivatizedArray) {
        let like = self.from.instruction(t.updates[0]);
        let base = self.at_entry(t.base);
        let first = self.b.byte_offset(base, self.b.long(t.low));
        self.for_cells(t.cells, |l, cell| {
            let sum = l.sum_of_copies(p, t, cell);
            let none = l.b.int(t.op.identity());
            let some = l.b.icmp(Pred::LLVMIntNE, sum, none);
            l.when(Some(some), |l| {
                let cell = l.b.zext_nneg(cell, l.b.i64());
                let to = l.b.element(l.b.i32(), first, cell);
                l.update(like, to, sum);
            });
        });
    }

    /// What the copies of a cell make together. Threads that are neighbours begin with copies that are, so that they
    /// meet in no bank.
    pub(super) fn sum_of_copies(
        &mut self,
        p: &Privatization,
        t: &PrivatizedArray,
        cell: Value,
    ) -> Value {
        let copies = p.copies;
        let first = self.b.cells_times(cell, self.b.int(copies.into()));
        if copies == 1 {
            return self.b.load(self.b.i32(), self.private_word(p, t, first), 4);
        }
        let (sum, step) = (self.new_slot(self.b.i32()), self.new_slot(self.b.i32()));
        self.set(sum, self.b.int(t.op.identity()));
        self.set(step, self.b.int(0));
        let again = self.fall_into("mesi.copies");
        let now = self.get(step);
        let most = copies.min(AT_ONCE);
        for k in 0..most {
            let b = &self.b;
            let copy = b.plus(b.plus(now, cell), b.int(k.into()));
            let copy = b.and(copy, b.int(i64::from(copies) - 1));
            let at = self.private_word(p, t, b.cells_plus(first, copy));
            let next = self.combined(t.op, self.get(sum), self.b.load(self.b.i32(), at, 4));
            self.set(sum, next);
        }
        let next = self.b.add_nsw(now, self.b.int(most.into()));
        self.set(step, next);
        let done = self.new_block("mesi.sum");
        let more = self.b.below(next, self.b.int(copies.into()));
        let branch = self.b.cond_br(more, again, done);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
        self.get(sum)
    }

    /// What an operation makes of two values, as its atomic form does.
    pub(super) fn combined(&self, op: Rmw, x: Value, y: Value) -> Value {
        let b = &self.b;
        let pick = |p: Pred| b.select(b.icmp(p, x, y), x, y);
        match op {
            Rmw::Add => b.plus(x, y),
            Rmw::And => b.and(x, y),
            Rmw::Or => b.or(x, y),
            Rmw::Xor => b.xor(x, y),
            Rmw::Max => pick(Pred::LLVMIntSGT),
            Rmw::Min => pick(Pred::LLVMIntSLT),
            Rmw::Umax => pick(Pred::LLVMIntUGT),
            Rmw::Umin => pick(Pred::LLVMIntULT),
        }
    }

    /// The address of one of the words that are the cells of an array, all copies of one after the other.
    fn private_word(&self, p: &Privatization, t: &PrivatizedArray, word: Value) -> Value {
        let offset = i64::from(t.offset) * i64::from(p.copies);
        let first = self.b.byte_offset(self.from.buffer, self.b.int(offset));
        self.b.element(self.b.i32(), first, word)
    }

    /// Emits code for each of so many cells or words, dealt out among the block's threads.
    fn for_cells(&mut self, cells: u32, emit: impl FnOnce(&mut Self, Value)) {
        let threads = self.threads();
        let slot = self.new_slot(self.b.i32());
        self.b.locate_nowhere();
        self.set(slot, threads.linear);
        let again = self.fall_into("mesi.cells");
        let cell = self.get(slot);
        let (body, done) = (self.new_block("mesi.cell"), self.new_block("mesi.done"));
        let count = self.b.int(i64::from(cells));
        self.b.cond_br(self.b.below(cell, count), body, done);
        self.b.at_end(body);
        emit(self, cell);
        self.set(slot, self.b.add_nsw(cell, threads.count));
        let branch = self.b.br(again);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
    }

    /// Who takes which steps: as many leaders as the chip holds, or fewer where each would have so little
    /// to do that giving its cells away costs more.
    fn distribute(&mut self, p: &Privatization) -> Distribution {
        if let Some(stride) = &p.stride {
            return self.distribute_ids(p, stride);
        }
        let blocks = Dim::ALL.map(|d| self.register32("nctaid", d));
        let ids = Dim::ALL.map(|d| self.register32("ctaid", d));
        let threads = self.threads().count;
        let replicas = i64::from(self.replicas.merge.factor[0]);
        let h = &self.hoist;
        let log = h.int(i64::from(replicas.trailing_zeros()));
        let across = h.lshr(h.cells_plus(blocks[0], h.int(replicas - 1)), log);
        let (mut own, mut steps) = (ids[0], across);
        // They fit 30 bits, as a fact says.
        let mut all = blocks[0];
        if p.dimensions > 1 {
            let (mut rows, mut row) = (blocks[1], ids[1]);
            if p.dimensions > 2 {
                row = h.cells_plus(h.cells_times(ids[2], blocks[1]), ids[1]);
                rows = h.cells_times(blocks[1], blocks[2]);
            }
            own = h.cells_plus(h.cells_times(row, blocks[0]), ids[0]);
            steps = h.cells_times(across, rows);
            all = h.cells_times(all, rows);
        }
        // All blocks do this, and most of them nothing else: where steps are short, a division proper costs a
        // fifth (`histogram`). Where they are not, ptxas keeps what comes of it in uniform registers, which are free.
        let resident = h.int(i64::from(p.resident));
        let by_chip = match self.from.tree.loops.is_empty() {
            true => h.short_quotient(resident, threads),
            false => h.udiv(resident, threads),
        };
        // More blocks than that are as many as all: their threads fit 32 bits.
        let counted = h.mul(h.least(all, h.int(MANY_BLOCKS)), threads);
        let share = h.int(i64::from(p.share.trailing_zeros()));
        let by_work = h.lshr(counted, share);
        let by_chip = h.least(by_chip, h.int(i64::from(p.blocks)));
        let leaders = h.least(h.least(by_chip, by_work), steps);
        Distribution {
            own,
            leaders: h.greatest(leaders, h.int(1)),
            steps,
            across,
        }
    }

    /// The first block of a step: steps count along x, then y, then z.
    fn first_block(&mut self, p: &Privatization, dist: &Distribution, step: Value) -> [Value; 3] {
        let high = self.register32("nctaid", Dim::Y);
        let b = &self.b;
        let replicas = b.int(i64::from(self.replicas.merge.factor[0]));
        if p.dimensions == 1 {
            return [b.cells_times(step, replicas), b.int(0), b.int(0)];
        }
        let row = b.udiv(step, dist.across);
        let x = b.minus(step, b.cells_times(row, dist.across));
        if p.dimensions == 2 {
            return [b.cells_times(x, replicas), row, b.int(0)];
        }
        let z = b.udiv(row, high);
        let y = b.minus(row, b.cells_times(z, high));
        [b.cells_times(x, replicas), y, z]
    }
}
