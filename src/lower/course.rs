//! How a thread copies its part of a tile strip after strip, worked out once before the first.
//!
//! ```text
//! once:       first piece: coordinates, global address, shared address; step from piece to piece
//! per strip:  if (first <= last) copy(global, shared + slot);  further pieces, if there are any;
//!             global += advance
//! ```
//! A *piece* is what one copy moves: an element, or 16 bytes of a row where the rows of all tiles
//! lie aligned, which one test before the first strip decides. Full strips whose pieces are all
//! whole and whose threads stay in their columns take the quick way, with one comparison a piece.
//! The short strip at the end, and boxes that threads cannot share out evenly, take the other, an
//! odometer over the box. There a piece at the end of a row is filled up with zeros: nothing past
//! the box is read.

use super::Lower;
use super::frame::Frame;
use super::ranges::View;
use super::slots::Slot;
use super::spine::KEEP;
use super::walk::Hull;
use crate::affine::Atom;
use crate::llvm::ir::{Pred, Type, Value};
use crate::plan::{Flight, Strip, Tile};
use std::rc::Rc;

/// Beyond every box, and far from overflow.
const NOWHERE: i64 = 1 << 30;
/// Pieces per turn of the quick way's loop, and pieces held in registers.
const TURN: i64 = 4;
/// Address space of global memory.
const GLOBAL: u32 = 1;

/// A thread's way through all strips of a tile. Coordinates are in cells, 32 bits.
pub(super) struct Course<'t> {
    tile: &'t Tile,
    /// The thread's first piece; beyond the box in the first dimension if it has none.
    first: Vec<Value>,
    /// Greatest coordinates in a full strip; the first is negative for an empty box.
    hi: Vec<Value>,
    /// From piece to piece.
    step: Vec<Value>,
    /// What a coordinate is set back by when it has passed its greatest value.
    width: Vec<Value>,
    /// Cells between neighbours, and bytes between them in global memory.
    pitches: Vec<Value>,
    strides: Vec<Value>,
    /// The dimension in which the loop's iteration counts, and its multiplier.
    along: (usize, i64),
    /// Where the first piece of the next strip lies.
    from: Slot,
    /// Where it belongs in slot 0.
    to: Value,
    /// Bytes from strip to strip in global memory.
    advance: Value,
    /// Whether some thread has more pieces than one.
    several: Value,
    /// Whether full strips may go the quick way.
    quick: Value,
    /// The widths of pieces there are, see [`Lower::levels`].
    levels: Rc<Vec<Level>>,
    /// Alignment of an element in global memory.
    align: u32,
    /// Elements on their way through registers.
    carried: Vec<Slot>,
}

/// A width of pieces: bytes, and whether it is the one to use. At most one is; tiles that do not
/// have it, and all if none is, are copied by elements.
pub(super) struct Level {
    bytes: u32,
    on: Value,
}

impl Course<'_> {
    /// Bytes of a piece at the level of `bytes`; `None`: at no level.
    fn piece(&self, bytes: Option<u32>) -> u32 {
        let mine = bytes.filter(|b| self.tile.widths.contains(b));
        mine.unwrap_or(self.tile.unit)
    }
    /// Whether single elements can be copied asynchronously.
    fn has_async_elements(&self) -> bool {
        self.align.min(self.tile.unit) >= 4
    }
}

impl Lower<'_> {
    /// The courses of this thread through the strips of all tiles of a region; `view` is the first
    /// strip, taken to be full.
    pub(super) fn courses<'t>(
        &mut self,
        tiles: &'t [Tile],
        frames: &[Frame],
        view: View,
        strip: Strip,
    ) -> Vec<Course<'t>> {
        let hulls: Vec<Hull> = tiles
            .iter()
            .map(|t| self.hull(t, view, &t.active))
            .collect();
        let levels = Rc::new(self.levels(tiles, frames, &hulls, strip));
        let all = tiles.iter().zip(frames).zip(&hulls);
        all.map(|((t, f), h)| self.course((t, f, h), levels.clone(), strip))
            .collect()
    }

    fn course<'t>(
        &mut self,
        (tile, frame, hull): (&'t Tile, &Frame, &Hull),
        levels: Rc<Vec<Level>>,
        strip: Strip,
    ) -> Course<'t> {
        let along = along(tile, strip);
        let threads = self.threads();
        let narrow = |l: &Self, v: &[Value]| -> Vec<Value> {
            v.iter().map(|v| l.b.trunc(*v, l.b.i32())).collect()
        };
        let (lo, mut hi) = (narrow(self, &hull.lo), narrow(self, &hull.hi));
        let last = lo.len() - 1;
        let advance = self.strip_advance(tile, frame, strip);
        let b = &self.b;
        // A piece has 2^shift cells.
        let mine = levels.iter().filter(|l| tile.widths.contains(&l.bytes));
        let shift = mine.fold(b.int(0), |s, l| {
            let log = i64::from((l.bytes / tile.unit).trailing_zeros());
            b.select(l.on, b.int(log), s)
        });
        let one = b.int(1);
        let spans: Vec<Value> = (lo.iter().zip(&hi))
            .map(|(l, h)| b.plus(b.minus(*h, *l), one))
            .collect();
        let mut counts: Vec<Value> = spans.clone();
        if !tile.widths.is_empty() {
            let mask = b.minus(b.shl(one, shift), one);
            counts[last] = b.lshr(b.plus(counts[last], mask), shift);
        }
        // An empty box may have any width here; it only must not divide by zero.
        counts
            .iter_mut()
            .for_each(|w| *w = b.choose(hull.nonempty, *w, one));
        let from = self.digits(threads.linear, &counts);
        let step = self.digits(threads.count, &counts);
        let cells = |v: Vec<Value>| -> Vec<Value> {
            let mut v = v;
            if !tile.widths.is_empty() {
                v[last] = self.b.shl(v[last], shift);
            }
            v
        };
        let (from, step, width) = (cells(from), cells(step), cells(counts.clone()));
        let b = &self.b;
        let mut first: Vec<Value> = from.iter().zip(&lo).map(|(s, l)| b.plus(*s, *l)).collect();
        first[0] = b.choose(hull.nonempty, first[0], b.int(NOWHERE));
        hi[0] = b.choose(hull.nonempty, hi[0], b.int(-1));
        let pieces = counts
            .iter()
            .copied()
            .reduce(|p, q| b.cells_times(p, q))
            .expect("a tile has a dimension");
        let several = b.below(threads.count, pieces);
        let (from, to) = self.first_piece(frame, &first);
        let mut course = Course {
            tile,
            first,
            hi,
            step,
            width,
            pitches: frame.pitches.clone(),
            strides: frame.strides.clone(),
            along,
            from,
            to,
            advance,
            several,
            quick: several,
            levels,
            align: frame.align,
            carried: Vec::new(),
        };
        course.quick = self.is_quick(&course, strip.flight, spans[last], pieces);
        course
    }

    /// Bytes from strip to strip in global memory.
    fn strip_advance(&self, tile: &Tile, frame: &Frame, strip: Strip) -> Value {
        let (g, m) = along(tile, strip);
        let length = i64::from(strip.length);
        self.b.scaled(frame.strides[g], m * length)
    }

    /// The widths that the tiles' pieces may have, most first, each with whether all tiles that have
    /// it are aligned for it, in every row and every strip. The same for all threads of the block.
    fn levels(
        &mut self,
        tiles: &[Tile],
        frames: &[Frame],
        hulls: &[Hull],
        strip: Strip,
    ) -> Vec<Level> {
        let mut widths: Vec<u32> = tiles.iter().flat_map(|t| t.widths.clone()).collect();
        widths.sort_unstable_by_key(|w| std::cmp::Reverse(*w));
        widths.dedup();
        let mut before: Option<Value> = None;
        let mut out = Vec::new();
        for bytes in widths {
            let all = tiles.iter().zip(frames).zip(hulls);
            let mut bits = self.b.long(0);
            for ((t, f), h) in all.filter(|((t, _), _)| t.widths.contains(&bytes)) {
                let mine = self.alignment_bits(t, f, h, strip);
                bits = self.b.or(bits, mine);
            }
            let b = &self.b;
            let off = b.and(bits, b.long(i64::from(bytes - 1)));
            let fits = b.icmp(Pred::LLVMIntEQ, off, b.long(0));
            let on = before.map_or(fits, |p| b.and(fits, b.xor(p, b.i1().constant(1))));
            before = Some(before.map_or(fits, |p| b.or(p, fits)));
            out.push(Level { bytes, on });
        }
        out
    }

    /// A number as aligned as the least aligned row of the tile in global memory.
    fn alignment_bits(&self, tile: &Tile, frame: &Frame, hull: &Hull, strip: Strip) -> Value {
        let b = &self.b;
        let mut bits = b.ptrtoint(frame.origin, b.i64());
        for s in &frame.strides[..frame.strides.len() - 1] {
            bits = b.or(bits, *s);
        }
        bits = b.or(bits, self.strip_advance(tile, frame, strip));
        let last = hull.lo[hull.lo.len() - 1];
        b.or(bits, b.scaled(last, i64::from(tile.unit)))
    }

    /// Whether full strips need neither an odometer nor filling up. `row`: cells of a row.
    fn is_quick(&self, c: &Course, flight: Flight, row: Value, pieces: Value) -> Value {
        let b = &self.b;
        let zero = b.int(0);
        let turning = c.step[1..].iter().copied().reduce(|p, q| b.or(p, q));
        let mut quick = match turning {
            None => b.i1().constant(1),
            Some(t) => {
                let even = b.icmp(Pred::LLVMIntEQ, t, zero);
                b.or(even, b.xor(c.several, b.i1().constant(1)))
            }
        };
        let mut any = b.i1().constant(0);
        for l in c.levels.iter() {
            let piece = c.piece(Some(l.bytes));
            let mask = b.int(i64::from(piece / c.tile.unit - 1));
            let whole = b.icmp(Pred::LLVMIntEQ, b.and(row, mask), zero);
            quick = b.and(quick, b.or(whole, b.xor(l.on, b.i1().constant(1))));
            if piece > c.tile.unit {
                any = b.or(any, l.on);
            }
        }
        if flight == Flight::Async && !c.has_async_elements() {
            quick = b.and(quick, any);
        }
        if flight == Flight::Registers {
            let threads = self.threads.expect("counted before").count;
            let room = b.at_most(pieces, b.cells_times(threads, b.int(TURN)));
            quick = b.and(quick, room);
        }
        quick
    }

    /// Addresses of a thread's first piece, in global memory and in slot 0.
    fn first_piece(&mut self, frame: &Frame, first: &[Value]) -> (Slot, Value) {
        let b = &self.b;
        let space = Type::pointer(self.module, GLOBAL);
        let mut offset = b.long(0);
        let mut cell = b.int(0);
        for (g, c) in first.iter().enumerate() {
            offset = b.plus(offset, b.times(b.sext(*c, b.i64()), frame.strides[g]));
            cell = b.plus(cell, b.times(*c, frame.pitches[g]));
        }
        let global = b.addrspacecast(b.byte_offset(frame.origin, offset), space);
        let to = b.element(frame.cell, frame.first, b.sext(cell, b.i64()));
        let from = self.new_slot(space);
        self.set(from, global);
        (from, to)
    }

    /// Whether full strips may go the quick way in all tiles.
    pub(super) fn all_quick(&self, courses: &[Course]) -> Value {
        let all = courses.iter().map(|c| c.quick);
        all.reduce(|p, q| self.b.and(p, q))
            .expect("a region has a tile")
    }

    /// Goes on to the next strip.
    pub(super) fn advance(&mut self, c: &Course) {
        let next = self.b.byte_offset(self.get(c.from), c.advance);
        self.set(c.from, next);
    }

    /// Whether the quick way is the one that [`Lower::emit_usual`] serves.
    pub(super) fn is_usual(&self, all: &[Course], quick: Value) -> Value {
        match all[0].levels.first() {
            Some(widest) => self.b.and(quick, widest.on),
            None => quick,
        }
    }

    /// Copies a full strip into the slot at `slot` bytes by pieces of the greatest width.
    pub(super) fn emit_usual(&mut self, all: &[Course], slot: Value) {
        let level = all[0].levels.first().map(|l| l.bytes);
        self.emit_quick_level(all, slot, level);
    }

    /// The same by pieces of the other widths.
    pub(super) fn emit_unusual(&mut self, all: &[Course], slot: Value) {
        let levels = all[0].levels.clone();
        if let Some((_, others)) = levels.split_first() {
            self.by_level(others, |l, level| l.emit_quick_level(all, slot, level));
        }
    }

    /// Emits code for every width of pieces, and for elements.
    fn by_level(&mut self, levels: &[Level], mut emit: impl FnMut(&mut Self, Option<u32>)) {
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

    fn emit_quick_level(&mut self, all: &[Course], slot: Value, level: Option<u32>) {
        // Where elements are too small for an asynchronous copy, the quick way is never taken.
        let by_hand = |c: &Course| c.piece(level) == c.tile.unit && !c.has_async_elements();
        if all.iter().any(by_hand) {
            return;
        }
        let several = all.iter().map(|c| c.several);
        let several = several.reduce(|p, q| self.b.or(p, q));
        let several = several.expect("a region has a tile");
        let (one, many) = (self.new_block("mesi.piece"), self.new_block("mesi.pieces"));
        let done = self.new_block("mesi.copied");
        self.b.cond_br(several, many, one);
        self.b.at_end(one);
        for c in all {
            let to = self.b.byte_offset(c.to, self.wide(slot));
            let wanted = self.b.at_most(c.first[0], c.hi[0]);
            let from = self.get(c.from);
            self.when(Some(wanted), |l| l.emit_async(c, from, to, c.piece(level)));
        }
        self.b.br(done);
        self.b.at_end(many);
        for c in all {
            let to = self.b.byte_offset(c.to, self.wide(slot));
            self.emit_turns(c, to, c.piece(level));
        }
        self.b.br(done);
        self.b.at_end(done);
    }

    /// All pieces of a thread that stays in its column, a few each turn.
    fn emit_turns(&mut self, c: &Course, to: Value, bytes: u32) {
        let from = self.get(c.from);
        let (global, shared) = self.piece_steps(c);
        let at = self.new_slot(self.b.i32());
        let (from_slot, to_slot) = (self.new_slot(from.ty()), self.new_slot(to.ty()));
        self.set(at, c.first[0]);
        self.set(from_slot, from);
        self.set(to_slot, to);
        let (again, done) = (self.new_block("mesi.turn"), self.new_block("mesi.copied"));
        self.b
            .cond_br(self.b.at_most(c.first[0], c.hi[0]), again, done);
        self.b.at_end(again);
        let (mut now, mut from, mut to) = (self.get(at), self.get(from_slot), self.get(to_slot));
        for _ in 0..TURN {
            let wanted = self.b.at_most(now, c.hi[0]);
            self.when(Some(wanted), |l| l.emit_async(c, from, to, bytes));
            now = self.b.add_nsw(now, c.step[0]);
            from = self.b.byte_offset(from, global);
            to = self.b.byte_offset(to, shared);
        }
        self.set(at, now);
        self.set(from_slot, from);
        self.set(to_slot, to);
        let branch = self.b.cond_br(self.b.at_most(now, c.hi[0]), again, done);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
    }

    /// Bytes from piece to piece in a column, in global and in shared memory.
    fn piece_steps(&self, c: &Course) -> (Value, Value) {
        let b = &self.b;
        let global = b.times(b.sext(c.step[0], b.i64()), c.strides[0]);
        let cells = b.cells_times(c.step[0], c.pitches[0]);
        let shared = b.cells_times(cells, b.int(i64::from(c.tile.unit)));
        (global, self.wide(shared))
    }

    /// Copies a strip of which `missing` iterations are not there, whatever its shape.
    pub(super) fn emit_odometer(
        &mut self,
        c: &Course,
        slot: Value,
        missing: Value,
        flight: Flight,
    ) {
        let (along, m) = c.along;
        let b = &self.b;
        let cut = b.times(missing, b.int(m.saturating_abs()));
        let mut hi = c.hi.clone();
        hi[along] = b.minus(hi[along], cut);
        let mut from = self.get(c.from);
        if m < 0 {
            // Walked backwards, the short strip begins where its last iteration lies.
            let skipped = b.times(b.sext(cut, b.i64()), c.strides[along]);
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
        let inside = (along > 0).then(|| self.b.at_most(at[along], hi[along]));
        self.when(inside, |l| {
            let (from, to) = l.piece_at(c, &at, from, to);
            l.emit_piece(c, (from, to), (at[at.len() - 1], hi[hi.len() - 1]), flight);
        });
        let next = self.next_piece(c, &at);
        for (s, v) in now.iter().zip(&next) {
            self.set(*s, *v);
        }
        let branch = self.b.cond_br(self.b.at_most(next[0], hi[0]), again, done);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
    }

    /// The addresses of the piece at `at`, from those of the first one.
    fn piece_at(&self, c: &Course, at: &[Value], from: Value, to: Value) -> (Value, Value) {
        let b = &self.b;
        let (mut offset, mut cell) = (b.long(0), b.int(0));
        for (g, now) in at.iter().enumerate() {
            let moved = b.minus(*now, c.first[g]);
            offset = b.plus(offset, b.times(b.sext(moved, b.i64()), c.strides[g]));
            cell = b.plus(cell, b.times(moved, c.pitches[g]));
        }
        let bytes = b.times(cell, b.int(i64::from(c.tile.unit)));
        (
            b.byte_offset(from, offset),
            b.byte_offset(to, b.sext(bytes, b.i64())),
        )
    }

    /// The coordinates after `now`.
    fn next_piece(&self, c: &Course, now: &[Value]) -> Vec<Value> {
        let b = &self.b;
        let mut next = vec![b.int(0); now.len()];
        let mut carry = b.int(0);
        for g in (1..now.len()).rev() {
            let n = b.cells_plus(b.cells_plus(now[g], c.step[g]), carry);
            let over = b.icmp(Pred::LLVMIntSGT, n, c.hi[g]);
            next[g] = b.select(over, b.minus(n, c.width[g]), n);
            carry = b.zext(over, b.i32());
        }
        next[0] = b.cells_plus(b.cells_plus(now[0], c.step[0]), carry);
        next
    }

    /// One piece of any width, which begins at coordinate `at` of a row that ends with `hi`.
    fn emit_piece(
        &mut self,
        c: &Course,
        (from, to): (Value, Value),
        (at, hi): (Value, Value),
        flight: Flight,
    ) {
        self.by_level(&c.levels, |l, level| {
            let bytes = c.piece(level);
            if bytes > c.tile.unit {
                let b = &l.b;
                let cells = b.plus(b.minus(hi, at), b.int(1));
                let left = b.times(cells, b.int(i64::from(c.tile.unit)));
                let size = b.least(left, b.int(i64::from(bytes)));
                l.emit_fill(from, to, bytes, size);
            } else if flight == Flight::Async && c.has_async_elements() {
                l.emit_async(c, from, to, bytes);
            } else {
                let v = l.load_element(c, from);
                l.store_element(c, v, to);
            }
        });
    }

    /// `bytes` on their way to shared memory.
    fn emit_async(&mut self, c: &Course, from: Value, to: Value, bytes: u32) {
        // An element may be less aligned than it is wide: it goes in parts.
        let part = if bytes > c.tile.unit {
            bytes
        } else {
            bytes.min(c.align)
        };
        for k in 0..bytes / part {
            let at = self.b.long(i64::from(k * part));
            let (to, from) = (self.b.byte_offset(to, at), self.b.byte_offset(from, at));
            let f = self.module.intrinsic(&asynchronous(part), &[]);
            self.b.call(f, &[to, from]);
        }
    }

    /// `size` bytes on their way, and zeros up to `bytes`.
    fn emit_fill(&mut self, from: Value, to: Value, bytes: u32, size: Value) {
        let name = format!("{}.s", asynchronous(bytes));
        let f = self.module.intrinsic(&name, &[]);
        self.b.call(f, &[to, from, size]);
    }

    fn load_element(&mut self, c: &Course, from: Value) -> Value {
        let serves = self.accesses.get(c.tile.members[0].access).value;
        self.b.locate_as(self.kernel.value(serves));
        let v = self.b.load(self.cell_type(c.tile.unit), from, c.align);
        self.b.locate_nowhere();
        v
    }

    fn store_element(&mut self, c: &Course, v: Value, to: Value) {
        self.b.store(v, to, c.tile.unit);
    }

    /// Loads a full strip into registers, if all is quick.
    pub(super) fn emit_fetch(&mut self, c: &mut Course) {
        let (global, _) = self.piece_steps(c);
        let (mut now, mut from) = (c.first[0], self.get(c.from));
        for k in 0..TURN as usize {
            if c.carried.len() <= k {
                c.carried.push(self.new_slot(self.cell_type(c.tile.unit)));
            }
            let wanted = self.b.at_most(now, c.hi[0]);
            self.when(Some(wanted), |l| {
                let v = l.load_element(c, from);
                l.set(c.carried[k], v);
            });
            now = self.b.add_nsw(now, c.step[0]);
            from = self.b.byte_offset(from, global);
        }
    }

    /// Stores what [`Lower::emit_fetch`] loaded.
    pub(super) fn emit_deliver(&mut self, c: &Course, slot: Value) {
        let (_, shared) = self.piece_steps(c);
        let mut now = c.first[0];
        let mut to = self.b.byte_offset(c.to, self.wide(slot));
        for s in &c.carried {
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
    pub(super) fn wide(&self, bytes: Value) -> Value {
        self.b.zext_nneg(bytes, self.b.i64())
    }
}

/// The dimension of a tile in which the strip's iterations count, and how far each moves.
fn along(tile: &Tile, strip: Strip) -> (usize, i64) {
    let found = tile.dims.iter().enumerate().find_map(|(g, d)| {
        let mine = d.terms.iter().find(|(a, _)| *a == Atom::Iter(strip.loop_));
        mine.map(|(_, m)| (g, *m))
    });
    found.expect("a tile of strips moves with them")
}

/// The intrinsic that copies `bytes` bytes asynchronously. 16 bytes go past the first-level cache.
fn asynchronous(bytes: u32) -> String {
    let cache = if bytes == 16 { "cg" } else { "ca" };
    format!("llvm.nvvm.cp.async.{cache}.shared.global.{bytes}")
}
