//! Copies a strip by a thread's cursor, asynchronously or by way of registers.
//!
//! ```text
//! quick      while (some tile has more) for each tile: if (there is one) cp.async [to + slot], [from], 16
//!            elements: several of them in an iteration
//! otherwise  for (c = first; c in the box; c = next(c)) cp.async …, 16, or elements at a row's end
//! ```
//! Which of them a strip takes is decided by `pipeline`, the same for all threads.

use super::Lower;
use super::cursor::{Cursor, Level, NOWHERE};
use super::pipeline::Fetch;
use super::state::{KEEP, Slot};
use crate::llvm::ir::Value;
use crate::machine::tuning::cursor::IN_REGISTERS;
use crate::plan::PipelineMode;

/// A thread's transactions of one strip, all in its column.
#[derive(Clone, Copy)]
pub(crate) struct Part<'c> {
    pub cursor: &'c Cursor<'c>,
    /// The first transaction's coordinate in the first dimension, and the greatest one.
    pub first: Value,
    pub hi: Value,
    /// Where the first transaction lies, and where it belongs in slot 0, or in its slot.
    pub from: Value,
    pub to: Value,
}

impl<'c> Part<'c> {
    /// With `first`, `hi` and `from`.
    pub fn new(cursor: &'c Cursor<'c>, [first, hi, from]: [Value; 3]) -> Part<'c> {
        Part {
            cursor,
            first,
            hi,
            from,
            to: cursor.to,
        }
    }

    /// As [`Part::new`] takes them.
    pub fn values(&self) -> [Value; 3] {
        [self.first, self.hi, self.from]
    }
}

impl Lower<'_> {
    /// Goes on to the next strip.
    pub(crate) fn advance(&mut self, c: &Cursor) {
        let next = self.b.byte_offset(self.get(c.from), c.advance);
        self.set(c.from, next);
    }

    /// Emits code for every width of transactions, and for elements.
    pub(crate) fn by_level(
        &mut self,
        levels: &[Level],
        mut emit: impl FnMut(&mut Self, Option<u32>),
    ) {
        let done = self.new_block("mesi.copied");
        for l in levels {
            let (yes, no) = (self.new_block("mesi.wide"), self.new_block("mesi.narrow"));
            self.b.cond_br(l.on, yes, no);
            self.b.at_end(yes);
            emit(self, Some(l.bytes));
            self.b.br(done);
            self.b.at_end(no);
        }
        emit(self, None);
        self.b.br(done);
        self.b.at_end(done);
    }

    /// Copies a strip whose transactions are whole into the slot at `slot` bytes. Each width has code of
    /// its own: a copy that is not wanted takes its time even if its predicate is false.
    pub(crate) fn emit_quick(&mut self, all: &[Part], slot: Value) {
        let all: Vec<Part> = all.iter().map(|p| self.in_slot(p, slot)).collect();
        let levels = all[0].cursor.levels.clone();
        self.by_level(&levels, |l, level| l.emit_quick_level(&all, level));
    }

    /// The same transactions in the slot at `slot` bytes.
    pub(crate) fn in_slot<'c>(&self, p: &Part<'c>, slot: Value) -> Part<'c> {
        let to = self.b.byte_offset(p.to, self.wide(slot));
        Part { to, ..*p }
    }

    /// A thread's transactions of a full strip.
    pub(crate) fn whole<'c>(&self, c: &'c Cursor<'c>) -> Part<'c> {
        Part::new(c, [c.first[0], c.hi[0], self.get(c.from)])
    }

    /// The same of a strip that lacks `missing` iterations. A thread stays in its column: either that is one of those
    /// that lack, or its transactions end earlier.
    pub(crate) fn part<'c>(&self, c: &'c Cursor<'c>, missing: Value) -> Part<'c> {
        let (along, m) = c.along;
        let b = &self.b;
        let cut = b.cells_times(missing, b.int(m.saturating_abs()));
        let hi = b.minus(c.hi[along], cut);
        let mut part = self.whole(c);
        if along == 0 {
            part.hi = hi;
        } else {
            let there = b.at_most(c.first[along], hi);
            part.first = b.select(there, part.first, b.int(NOWHERE));
        }
        if m < 0 {
            // Walked backwards, the short strip begins where its last iteration lies.
            let skipped = b.times(b.sext(cut, b.i64()), c.frame.strides[along]);
            part.from = b.byte_offset(part.from, skipped);
        }
        part
    }

    /// Whether elements are too small for an asynchronous copy: the quick way is not taken for them.
    pub(crate) fn copies_by_hand(&self, all: &[Part], level: Option<u32>) -> bool {
        let by_hand =
            |c: &Cursor| c.transaction(level) == c.tile.footprint.size && !c.has_async_elements();
        all.iter().any(|p| by_hand(p.cursor))
    }

    fn emit_quick_level(&mut self, all: &[Part], level: Option<u32>) {
        if self.copies_by_hand(all, level) {
            return;
        }
        for p in all.iter().filter(|p| p.cursor.lean) {
            self.emit_first_transaction(p, level);
        }
        let others: Vec<Part> = all.iter().filter(|p| !p.cursor.lean).copied().collect();
        self.emit_copy_loops(&others, level, false);
    }

    /// A thread's first transaction, if it has one.
    pub(crate) fn emit_first_transaction(&mut self, p: &Part, level: Option<u32>) {
        let there = self.b.at_most(p.first, p.hi);
        let bytes = p.cursor.transaction(level);
        self.when(Some(there), |l| l.emit_async(p.cursor, p.from, p.to, bytes));
    }

    /// Bytes from transaction to transaction in a column, in global and in shared memory.
    pub(crate) fn transaction_steps(&self, c: &Cursor) -> (Value, Value) {
        let b = &self.b;
        let global = self.global_step(c, c.step[0]);
        let cells = b.cells_times(c.step[0], c.frame.pitches[0]);
        let shared = b.cells_times(cells, b.int(i64::from(c.tile.footprint.size)));
        (global, self.wide(shared))
    }

    /// How far apart transactions lie in global memory whose first coordinates are `step` apart.
    pub(crate) fn global_step(&self, c: &Cursor, step: Value) -> Value {
        self.b.times(self.wide(step), c.frame.strides[0])
    }

    /// Copies a strip of which `missing` iterations are not there, whatever its shape, on one of the cursors of `f`.
    pub(crate) fn emit_mixed_radix(&mut self, f: &Fetch, c: &Cursor, slot: Value, missing: Value) {
        let (along, m) = c.along;
        let b = &self.b;
        let cut = b.times(missing, b.int(m.saturating_abs()));
        let mut hi = c.hi.clone();
        hi[along] = b.minus(hi[along], cut);
        let mut from = self.get(c.from);
        if m < 0 {
            // Walked backwards, the short strip begins where its last iteration lies.
            let skipped = b.times(b.sext(cut, b.i64()), c.frame.strides[along]);
            from = b.byte_offset(from, skipped);
        }
        let to = b.byte_offset(c.to, self.wide(slot));
        let now: Vec<Slot> = c.first.iter().map(|v| self.new_slot(v.ty())).collect();
        for (s, v) in now.iter().zip(&c.first) {
            self.set(*s, *v);
        }
        let (again, done) = (self.new_block("mesi.copy"), self.new_block("mesi.copied"));
        self.b
            .cond_br(self.b.at_most(c.first[0], hi[0]), again, done);
        self.b.at_end(again);
        let at: Vec<Value> = now.iter().map(|s| self.get(*s)).collect();
        let fills = |g: usize| {
            let row = [c.lo[g], c.hi[g], c.width[g]].map(|v| v.const_int());
            g != along && matches!(row, [Some(l), Some(h), Some(w)] if h - l + 1 == w)
        };
        let inner = (1..at.len()).filter(|g| !fills(*g));
        let in_bounds = inner.map(|g| self.b.at_most(at[g], hi[g])).collect();
        let in_bounds = self.b.all(in_bounds);
        self.when(in_bounds, |l| {
            let (from, to) = l.transaction_at(c, &at, from, to);
            l.emit_transaction(f, c, (from, to), (at[at.len() - 1], hi[hi.len() - 1]));
        });
        let next = self.next_transaction(c, &at);
        for (s, v) in now.iter().zip(&next) {
            self.set(*s, *v);
        }
        let branch = self.b.cond_br(self.b.at_most(next[0], hi[0]), again, done);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
    }

    /// The addresses of the transaction at `at`, from those of the first one.
    fn transaction_at(&self, c: &Cursor, at: &[Value], from: Value, to: Value) -> (Value, Value) {
        let b = &self.b;
        let (mut offset, mut cell) = (b.long(0), b.int(0));
        for (g, now) in at.iter().enumerate() {
            let moved = b.minus(*now, c.first[g]);
            offset = b.plus(offset, b.times(b.sext(moved, b.i64()), c.frame.strides[g]));
            cell = b.plus(cell, b.times(moved, c.frame.pitches[g]));
        }
        let bytes = b.times(cell, b.int(i64::from(c.tile.footprint.size)));
        (
            b.byte_offset(from, offset),
            b.byte_offset(to, b.sext(bytes, b.i64())),
        )
    }

    /// The coordinates after `now`.
    fn next_transaction(&self, c: &Cursor, now: &[Value]) -> Vec<Value> {
        let b = &self.b;
        let over = |g: usize, n| b.at_most(c.width[g], b.minus(n, c.lo[g]));
        self.next_digits(now, &c.step, &c.width, &over)
    }

    /// One transaction of any width, which begins at coordinate `at` of a row that ends with `hi`; or the elements of
    /// it that the row still has. One loop over elements serves cut transactions and those that are one element.
    ///
    /// Not by the copy that is told how many bytes to read: ptxas 13 writes that number into the low
    /// bits of the source address, and compute-sanitizer then reports a read past the array.
    fn emit_transaction(
        &mut self,
        f: &Fetch,
        c: &Cursor,
        (from, to): (Value, Value),
        (at, hi): (Value, Value),
    ) {
        let pipeline = f.strip.pipeline;
        let async_elements = c.has_async_elements();
        let wide =
            (c.levels.iter()).filter(|l| c.transaction(Some(l.bytes)) > c.tile.footprint.size);
        let wide: Vec<&Level> = wide.collect();
        if wide.is_empty() {
            return self.emit_element(c, from, to, pipeline);
        }
        // A few elements, and seldom: not worth code of their own. (With three tiles it tips ptxas over into
        // making do with 40 registers: mv_two, n odd, x5.2 to x2.7, as more blocks share the L1 cache.)
        let by_cells = c.lean && async_elements && f.cursors.len() <= 2;
        let left = self.b.minus(hi, at);
        let (mut last, mut any) = (self.b.int(0), self.b.i1().constant(0));
        let done = self.new_block("mesi.copied");
        for l in wide {
            let cells = self.b.int(i64::from(l.bytes / c.tile.footprint.size) - 1);
            any = self.b.or(any, l.on);
            last = self.b.select(l.on, left, last);
            if by_cells {
                last = self.b.least(last, cells);
                continue;
            }
            let whole = self.b.and(l.on, self.b.at_most(cells, left));
            let (all, other) = (self.new_block("mesi.whole"), self.new_block("mesi.other"));
            self.b.cond_br(whole, all, other);
            self.b.at_end(all);
            self.emit_async(c, from, to, l.bytes);
            self.b.br(done);
            self.b.at_end(other);
        }
        if !async_elements {
            // Such elements are all copied here, so they do without the loop.
            let (cut, one) = (self.new_block("mesi.cut"), self.new_block("mesi.narrow"));
            self.b.cond_br(any, cut, one);
            self.b.at_end(one);
            self.emit_element(c, from, to, pipeline);
            self.b.br(done);
            self.b.at_end(cut);
            last = left;
        }
        self.emit_cells(c, [from, to], last, pipeline);
        self.b.br(done);
        self.b.at_end(done);
    }

    /// Elements 0 to `last` of a transaction.
    fn emit_cells(&mut self, c: &Cursor, [from, to]: [Value; 2], last: Value, mode: PipelineMode) {
        let k = self.new_slot(self.b.i32());
        self.set(k, self.b.int(0));
        let again = self.fall_into("mesi.cell");
        let now = self.get(k);
        let offset = self.wide(
            self.b
                .cells_times(now, self.b.int(i64::from(c.tile.footprint.size))),
        );
        let (one, to) = (
            self.b.byte_offset(from, offset),
            self.b.byte_offset(to, offset),
        );
        self.emit_element(c, one, to, mode);
        let next = self.b.add_nsw(now, self.b.int(1));
        self.set(k, next);
        let end = self.new_block("mesi.last");
        let branch = self.b.cond_br(self.b.at_most(next, last), again, end);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(end);
    }

    fn emit_element(&mut self, c: &Cursor, from: Value, to: Value, pipeline: PipelineMode) {
        if pipeline == PipelineMode::Async && c.has_async_elements() {
            self.emit_async(c, from, to, c.tile.footprint.size);
        } else {
            let v = self.load_element(c, from);
            self.store_element(c, v, to);
        }
    }

    /// `bytes` on their way to shared memory.
    pub(crate) fn emit_async(&mut self, c: &Cursor, from: Value, to: Value, bytes: u32) {
        // An element may be less aligned than it is wide: it goes in parts.
        let part = if bytes > c.tile.footprint.size {
            bytes
        } else {
            bytes.min(c.frame.align)
        };
        for k in 0..bytes / part {
            let at = self.b.long(i64::from(k * part));
            let (to, from) = (self.b.byte_offset(to, at), self.b.byte_offset(from, at));
            self.emit_async_copy(from, to, part);
        }
    }

    /// 4, 8 or 16 bytes on their way to shared memory; both addresses are aligned for it.
    pub(crate) fn emit_async_copy(&self, from: Value, to: Value, bytes: u32) {
        self.b.intrinsic(&asynchronous(bytes), &[], &[to, from]);
    }

    fn load_element(&mut self, c: &Cursor, from: Value) -> Value {
        let serves = self.from.accesses.get(c.tile.members[0].access).value;
        self.b.locate_as(self.from.kernel.value(serves));
        let v = self.b.load(c.frame.cell, from, c.frame.align);
        self.b.locate_nowhere();
        v
    }

    fn store_element(&mut self, c: &Cursor, v: Value, to: Value) {
        self.b.store(v, to, c.tile.footprint.size);
    }

    /// Loads a full strip into registers, if all is quick: into those `carried`, which are made where there are none.
    pub(crate) fn emit_fetch(&mut self, c: &Cursor, carried: &mut Vec<Slot>) {
        let (global, _) = self.transaction_steps(c);
        let (mut now, mut from) = (c.first[0], self.get(c.from));
        for k in 0..IN_REGISTERS as usize {
            if carried.len() <= k {
                carried.push(self.new_slot(c.frame.cell));
            }
            let wanted = self.b.at_most(now, c.hi[0]);
            self.when(Some(wanted), |l| {
                let v = l.load_element(c, from);
                l.set(carried[k], v);
            });
            now = self.b.add_nsw(now, c.step[0]);
            from = self.b.byte_offset(from, global);
        }
    }

    /// Stores what [`Lower::emit_fetch`] loaded.
    pub(crate) fn emit_deliver(&mut self, c: &Cursor, carried: &[Slot], slot: Value) {
        let (_, shared) = self.transaction_steps(c);
        let mut now = c.first[0];
        let mut to = self.b.byte_offset(c.to, self.wide(slot));
        for s in carried {
            let wanted = self.b.at_most(now, c.hi[0]);
            self.when(Some(wanted), |l| {
                let v = l.get(*s);
                l.store_element(c, v, to);
            });
            now = self.b.add_nsw(now, c.step[0]);
            to = self.b.byte_offset(to, shared);
        }
    }

    /// A byte offset inside the buffer, in 64 bits.
    pub(crate) fn wide(&self, bytes: Value) -> Value {
        self.b.zext_nneg(bytes, self.b.i64())
    }
}

/// The intrinsic that copies `bytes` bytes asynchronously. 16 bytes go past the first-level cache.
fn asynchronous(bytes: u32) -> String {
    let cache = if bytes == 16 { "cg" } else { "ca" };
    format!("llvm.nvvm.cp.async.{cache}.shared.global.{bytes}")
}
