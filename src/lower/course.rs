//! How a thread copies its part of a tile strip after strip, worked out once before the first.
//!
//! ```text
//! once:       first piece: coordinates, global address, shared address; step from piece to piece
//! per strip:  if (first <= last) copy(global, shared + slot);  further pieces, if there are any;
//!             global += advance
//! ```
//! A *piece* is what one copy moves: an element, or 16 bytes of a row where rows lie aligned, which
//! one test before the first strip decides for the whole region. Full strips whose pieces are all
//! whole and whose threads stay in their columns take the quick way, with one comparison a piece.
//! The short strip at the end, and boxes that threads cannot share out evenly, take the other, an
//! odometer over the box. There a piece at the end of a row is filled up with zeros: nothing past
//! the box is read.

use super::Lower;
use super::frame::Frame;
use super::ranges::View;
use super::slots::Slot;
use super::spine::KEEP;
use crate::affine::Atom;
use crate::llvm::ir::{Pred, Type, Value};
use crate::plan::{Flight, Strip, Tile};

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
    /// Pieces wider than an element: bytes, and whether this is the one; at most one holds.
    wide: Vec<(u32, Value)>,
    /// Alignment of an element in global memory.
    align: u32,
    /// Elements on their way through registers, and whether a strip is.
    carried: Vec<Slot>,
}

impl Lower<'_> {
    /// The course of this thread through the strips of `tile`; `view` is the first one, full.
    pub(super) fn course<'t>(
        &mut self,
        tile: &'t Tile,
        frame: &Frame,
        view: View,
        strip: Strip,
    ) -> Course<'t> {
        let along = tile.dims.iter().enumerate().find_map(|(g, d)| {
            let mine = d.terms.iter().find(|(a, _)| *a == Atom::Iter(strip.loop_));
            mine.map(|(_, m)| (g, *m))
        });
        let along = along.expect("a tile of strips moves with them");
        let threads = self.threads();
        let hull = self.hull(tile, view, &tile.active);
        let narrow = |l: &Self, v: &[Value]| -> Vec<Value> {
            v.iter().map(|v| l.b.trunc(*v, l.b.i32())).collect()
        };
        let (lo, mut hi) = (narrow(self, &hull.lo), narrow(self, &hull.hi));
        let last = lo.len() - 1;
        let (m, length) = (along.1, i64::from(strip.length));
        let advance = self.b.scaled(frame.strides[along.0], m * length);
        let wide = self.wide_pieces(tile, frame, advance, hull.lo[last]);
        let b = &self.b;
        // A piece has 2^shift cells.
        let shift = wide.iter().fold(b.int(0), |s, (bytes, on)| {
            let log = i64::from((bytes / tile.unit).trailing_zeros());
            b.select(*on, b.int(log), s)
        });
        let one = b.int(1);
        let spans: Vec<Value> = (lo.iter().zip(&hi))
            .map(|(l, h)| b.plus(b.minus(*h, *l), one))
            .collect();
        let mut counts: Vec<Value> = spans.clone();
        if !wide.is_empty() {
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
            if !wide.is_empty() {
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
        let quick = self.is_quick(tile, strip, (&step, spans[last]), (pieces, several), &wide);
        let (from, to) = self.first_piece(frame, &first);
        Course {
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
            quick,
            wide,
            align: frame.align,
            carried: Vec::new(),
        }
    }

    /// Which of the tile's widths all its rows are aligned for, in every strip: the same for all
    /// threads of the block.
    fn wide_pieces(
        &mut self,
        tile: &Tile,
        frame: &Frame,
        advance: Value,
        lo: Value,
    ) -> Vec<(u32, Value)> {
        let b = &self.b;
        let mut bits = b.ptrtoint(frame.origin, b.i64());
        for s in &frame.strides[..frame.strides.len() - 1] {
            bits = b.or(bits, *s);
        }
        bits = b.or(bits, advance);
        bits = b.or(bits, b.scaled(lo, i64::from(tile.unit)));
        let mut before: Option<Value> = None;
        let mut out = Vec::new();
        for w in &tile.widths {
            let off = b.and(bits, b.long(i64::from(w - 1)));
            let fits = b.icmp(Pred::LLVMIntEQ, off, b.long(0));
            let on = match before {
                None => fits,
                Some(p) => b.and(fits, b.xor(p, b.i1().constant(1))),
            };
            before = Some(before.map_or(fits, |p| b.or(p, fits)));
            out.push((*w, on));
        }
        out
    }

    /// Whether full strips need neither an odometer nor filling up.
    fn is_quick(
        &self,
        tile: &Tile,
        strip: Strip,
        (step, row): (&[Value], Value),
        (pieces, several): (Value, Value),
        wide: &[(u32, Value)],
    ) -> Value {
        let b = &self.b;
        let zero = b.int(0);
        let turning = step[1..].iter().copied().reduce(|p, q| b.or(p, q));
        let mut quick = match turning {
            None => b.i1().constant(1),
            Some(t) => {
                let even = b.icmp(Pred::LLVMIntEQ, t, zero);
                b.or(even, b.xor(several, b.i1().constant(1)))
            }
        };
        let mut any = b.i1().constant(0);
        for (bytes, on) in wide {
            let mask = b.int(i64::from(bytes / tile.unit - 1));
            let whole = b.icmp(Pred::LLVMIntEQ, b.and(row, mask), zero);
            quick = b.and(quick, b.or(whole, b.xor(*on, b.i1().constant(1))));
            any = b.or(any, *on);
        }
        if strip.flight == Flight::Async && tile.unit < 4 {
            quick = b.and(quick, any);
        }
        if strip.flight == Flight::Registers {
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

    /// Copies a full strip into the slot at `slot` bytes, if all is quick.
    pub(super) fn emit_quick(&mut self, c: &Course, slot: Value) {
        let mut rest = Vec::new();
        for (bytes, on) in &c.wide {
            let (yes, no) = (self.new_block("mesi.piece"), self.new_block("mesi.narrow"));
            let join = self.new_block("mesi.copied");
            self.b.cond_br(*on, yes, no);
            self.b.at_end(yes);
            self.emit_quick_pieces(c, slot, *bytes);
            self.b.br(join);
            self.b.at_end(no);
            rest.push(join);
        }
        if c.tile.unit >= 4 {
            self.emit_quick_pieces(c, slot, c.tile.unit);
        }
        for join in rest.into_iter().rev() {
            self.b.br(join);
            self.b.at_end(join);
        }
    }

    fn emit_quick_pieces(&mut self, c: &Course, slot: Value, bytes: u32) {
        let (from, to) = (self.get(c.from), self.b.byte_offset(c.to, self.wide(slot)));
        let (one, many) = (self.new_block("mesi.piece"), self.new_block("mesi.pieces"));
        let done = self.new_block("mesi.copied");
        self.b.cond_br(c.several, many, one);
        self.b.at_end(one);
        let wanted = self.b.at_most(c.first[0], c.hi[0]);
        self.when(Some(wanted), |l| l.emit_async(c, from, to, bytes));
        self.b.br(done);
        self.b.at_end(many);
        self.emit_turns(c, from, to, done, |l, from, to| {
            l.emit_async(c, from, to, bytes);
        });
        self.b.at_end(done);
    }

    /// All pieces of a thread that stays in its column, a few each turn; goes on at `done`.
    fn emit_turns(
        &mut self,
        c: &Course,
        from: Value,
        to: Value,
        done: crate::llvm::ir::Block,
        emit: impl Fn(&mut Self, Value, Value),
    ) {
        let (global, shared) = self.piece_steps(c);
        let at = self.new_slot(self.b.i32());
        let (from_slot, to_slot) = (self.new_slot(from.ty()), self.new_slot(to.ty()));
        self.set(at, c.first[0]);
        self.set(from_slot, from);
        self.set(to_slot, to);
        let again = self.new_block("mesi.turn");
        self.b
            .cond_br(self.b.at_most(c.first[0], c.hi[0]), again, done);
        self.b.at_end(again);
        let (mut now, mut from, mut to) = (self.get(at), self.get(from_slot), self.get(to_slot));
        for _ in 0..TURN {
            let wanted = self.b.at_most(now, c.hi[0]);
            self.when(Some(wanted), |l| emit(l, from, to));
            now = self.b.add_nsw(now, c.step[0]);
            from = self.b.byte_offset(from, global);
            to = self.b.byte_offset(to, shared);
        }
        self.set(at, now);
        self.set(from_slot, from);
        self.set(to_slot, to);
        let branch = self.b.cond_br(self.b.at_most(now, c.hi[0]), again, done);
        self.b.loop_properties(branch, KEEP);
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
    pub(super) fn emit_odometer(&mut self, c: &Course, slot: Value, missing: Value, flight: Flight) {
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
        let mut rest = Vec::new();
        for (bytes, on) in &c.wide {
            let (yes, no) = (self.new_block("mesi.piece"), self.new_block("mesi.narrow"));
            let join = self.new_block("mesi.copied");
            self.b.cond_br(*on, yes, no);
            self.b.at_end(yes);
            let b = &self.b;
            let cells = b.plus(b.minus(hi, at), b.int(1));
            let left = b.times(cells, b.int(i64::from(c.tile.unit)));
            let size = b.least(left, b.int(i64::from(*bytes)));
            self.emit_fill(from, to, *bytes, size);
            self.b.br(join);
            self.b.at_end(no);
            rest.push(join);
        }
        if flight == Flight::Async && c.align.min(c.tile.unit) >= 4 {
            self.emit_async(c, from, to, c.tile.unit);
        } else {
            let v = self.load_element(c, from);
            self.store_element(c, v, to);
        }
        for join in rest.into_iter().rev() {
            self.b.br(join);
            self.b.at_end(join);
        }
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
                c.carried
                    .push(self.new_slot(self.cell_type(c.tile.unit)));
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

/// The intrinsic that copies `bytes` bytes asynchronously. 16 bytes go past the first-level cache.
fn asynchronous(bytes: u32) -> String {
    let cache = if bytes == 16 { "cg" } else { "ca" };
    format!("llvm.nvvm.cp.async.{cache}.shared.global.{bytes}")
}
