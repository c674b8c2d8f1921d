//! How a thread copies its part of a tile strip after strip, worked out once before the first.
//!
//! ```text
//! once:       first transaction: coordinates, global address, shared address; step from transaction to transaction
//! per strip:  if (first <= last) copy(global, shared + slot);  further transactions, if there are any;
//!             global += advance
//! ```
//! A *transaction* is what one copy moves: an element, or 16 bytes of a row where the rows of all tiles lie aligned,
//! which one test before the first strip decides. Full strips whose transactions are all whole and whose threads stay
//! in their columns take the quick way, with one comparison a transaction. So does a short strip at the end if what it
//! lacks are whole transactions. Other short strips, and boxes that threads cannot share out evenly, take a mixed-radix
//! counter over the box. There a transaction at the end of a row is filled up with zeros: nothing past the box is read.

use super::Lower;
use super::state::{Frame, Hull, PipelineShape, Slot, View};
use crate::affine::Atom;
use crate::llvm::ir::{Pred, Type, Value};
use crate::machine::target::WARP;
use crate::machine::tuning::cursor::IN_REGISTERS;
use crate::plan::{PipelineMode, Strip, Tile};
use std::rc::Rc;

/// Beyond every box, and far from overflow.
pub(crate) const NOWHERE: i64 = 1 << 30;
/// Address space of global memory.
const GLOBAL: u32 = 1;

/// A thread's way through all strips of a tile. Coordinates are in cells, 32 bits.
pub(crate) struct Cursor<'t> {
    pub tile: &'t Tile,
    /// The thread's first transaction; beyond the box in the first dimension if it has none.
    pub first: Vec<Value>,
    /// Greatest coordinates in a full strip; the first is negative for an empty box.
    pub hi: Vec<Value>,
    /// From transaction to transaction.
    pub step: Vec<Value>,
    /// Where the box begins, and how far on coordinates turn back: threads are dealt out over the
    /// tile, of which the box may be a part.
    pub lo: Vec<Value>,
    pub width: Vec<Value>,
    /// Where the tile lies, in the first strip.
    pub frame: Frame,
    /// The dimension in which the loop's iteration counts, and its multiplier.
    pub along: (usize, i64),
    /// Where the first transaction of the next strip lies.
    pub from: Slot,
    /// Where it belongs in slot 0.
    pub to: Value,
    /// Bytes from strip to strip in global memory.
    pub advance: Value,
    /// Whether some thread has more transactions than one.
    pub several: Value,
    /// Whether a warp has room for all transactions: the quick way takes no second one.
    pub lean: bool,
    /// Whether full strips may go the quick way.
    pub quick: Value,
    /// The widths of transactions there are, see [`Lower::levels`].
    pub levels: Rc<Vec<Level>>,
}

/// A thread's partition: its transactions of a box, as in [`Cursor`].
struct Partition {
    first: Vec<Value>,
    hi: Vec<Value>,
    step: Vec<Value>,
    lo: Vec<Value>,
    width: Vec<Value>,
    /// Cells of a row of the box.
    row: Value,
    /// Transactions in all.
    transactions: Value,
    /// Whether some thread has more than one.
    several: Value,
    /// Whether each thread's transactions lie in one column.
    stays: Value,
}

impl Partition {
    /// A thread that stays in a column outside the box has no transaction.
    fn settle(&mut self, l: &Lower) {
        let b = &l.b;
        let outside = self.first.iter().zip(&self.hi).skip(1);
        let outside = outside.map(|(f, h)| b.below(*h, *f));
        if let Some(outside) = outside.reduce(|p, q| b.or(p, q)) {
            let none = b.and(self.stays, outside);
            self.first[0] = b.select(none, b.int(NOWHERE), self.first[0]);
        }
    }
}

/// A width of transactions: bytes, and whether it is the one to use. At most one is; tiles that do not
/// have it, and all if none is, are copied by elements.
pub(crate) struct Level {
    pub bytes: u32,
    pub on: Value,
}

impl Cursor<'_> {
    /// Bytes of a transaction at the level of `bytes`; `None`: at no level.
    pub fn transaction(&self, bytes: Option<u32>) -> u32 {
        let mine = bytes.filter(|b| self.tile.widths.contains(b));
        mine.unwrap_or(self.tile.footprint.size)
    }

    /// Whether single elements can be copied asynchronously.
    pub fn has_async_elements(&self) -> bool {
        self.frame.align >= 4
    }
}

impl Lower<'_> {
    /// The cursors of this thread through the strips of all tiles of a region; `view` is the first
    /// strip, taken to be full.
    pub(crate) fn cursors<'t>(
        &mut self,
        tiles: &'t [Tile],
        frames: &[Frame],
        view: View,
        (strip, shape): (Strip, PipelineShape),
    ) -> Vec<Cursor<'t>> {
        let hulls: Vec<Hull> = tiles
            .iter()
            .map(|t| self.hull_of(t, view, &t.footprint.active))
            .collect();
        let advances: Vec<Value> = tiles
            .iter()
            .zip(frames)
            .map(|(t, f)| self.strip_advance(t, f, strip, shape))
            .collect();
        let levels = Rc::new(self.levels(tiles, frames, &hulls, &advances));
        let all = tiles.iter().zip(frames).zip(&hulls).zip(advances);
        all.map(|(((t, f), h), a)| self.cursor((t, f, h), levels.clone(), view, (strip, shape, a)))
            .collect()
    }

    fn cursor<'t>(
        &mut self,
        (tile, frame, hull): (&'t Tile, &Frame, &Hull),
        levels: Rc<Vec<Level>>,
        view: View,
        (strip, shape, advance): (Strip, PipelineShape, Value),
    ) -> Cursor<'t> {
        // Stretched strips are longer than their tile says.
        let whole = (shape.longest == strip.length).then_some(view);
        let log = is_strip_long(tile, strip).then_some(shape.log).flatten();
        let mut own = self.partition_box((tile, hull), &levels, whole, log);
        let (from, to) = self.first_transaction(frame, &own.first);
        own.settle(self);
        let mut cursor = Cursor {
            tile,
            first: own.first,
            hi: own.hi,
            step: own.step,
            lo: own.lo,
            width: own.width,
            frame: frame.clone(),
            along: tile.along(strip.loop_),
            from,
            to,
            advance,
            several: own.several,
            lean: is_lean(tile, strip, shape),
            quick: own.stays,
            levels,
        };
        cursor.quick = self.is_quick(&cursor, strip.pipeline, own.row, own.transactions);
        cursor
    }

    /// A thread's partition of the box `hull`. With `whole`, threads are dealt out over the rows of the
    /// whole tile, whatever part of them is copied: at the edge of the grid they then stay in their
    /// columns as elsewhere, and some have nothing to do. `log`: what power of two a row's cells are.
    fn partition_box(
        &mut self,
        (tile, hull): (&Tile, &Hull),
        levels: &[Level],
        whole: Option<View>,
        log: Option<Value>,
    ) -> Partition {
        let threads = self.threads();
        let truncate = |l: &Self, v: &[Value]| -> Vec<Value> {
            v.iter().map(|v| l.b.trunc(*v, l.b.i32())).collect()
        };
        let (lo, mut hi) = (truncate(self, &hull.lo), truncate(self, &hull.hi));
        let last = lo.len() - 1;
        let extents: Option<Vec<Value>> =
            whole.map(|view| (1..=last).map(|g| self.extent(tile, g, view)).collect());
        let shift = self.cells_of_transaction(tile, levels);
        let (row, mut counts) = self.transactions(tile, (&lo, &hi), extents, shift);
        let b = &self.b;
        // An empty box may have any width here; it only must not divide by zero.
        let one = b.int(1);
        counts
            .iter_mut()
            .for_each(|w| *w = b.choose(hull.nonempty, *w, one));
        let log = log.map(|l| b.minus(l, shift));
        if let Some(log) = log {
            counts[last] = b.shl(one, log);
        }
        let from = self.digits_of(threads.linear, &counts, log);
        let step = self.digits_of(threads.count, &counts, log);
        let cells = |mut v: Vec<Value>| {
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
        let transactions = counts.into_iter().reduce(|p, q| b.cells_times(p, q));
        let transactions = transactions.expect("a tile has a dimension");
        let several = b.below(threads.count, transactions);
        let stays = self.stays(&step, several);
        Partition {
            first,
            hi,
            step,
            lo,
            width,
            row,
            transactions,
            several,
            stays,
        }
    }

    /// Cells of a row of the box from `lo` to `hi`, and transactions along each of its dimensions; all rows have the
    /// `extents`, if there are any.
    fn transactions(
        &self,
        tile: &Tile,
        (lo, hi): (&[Value], &[Value]),
        extents: Option<Vec<Value>>,
        shift: Value,
    ) -> (Value, Vec<Value>) {
        let b = &self.b;
        let one = b.int(1);
        let cells = lo.iter().zip(hi).map(|(l, h)| b.plus(b.minus(*h, *l), one));
        let mut counts: Vec<Value> = cells.collect();
        let last = counts.len() - 1;
        let row = counts[last];
        if let Some(extents) = extents {
            counts.splice(1.., extents);
        }
        if !tile.widths.is_empty() {
            let mask = b.minus(b.shl(one, shift), one);
            counts[last] = b.lshr(b.plus(counts[last], mask), shift);
        }
        (row, counts)
    }

    /// The logarithm of how many cells of a tile a transaction has.
    fn cells_of_transaction(&self, tile: &Tile, levels: &[Level]) -> Value {
        let b = &self.b;
        let mine = levels.iter().filter(|l| tile.widths.contains(&l.bytes));
        mine.fold(b.int(0), |s, l| {
            let log = i64::from((l.bytes / tile.footprint.size).trailing_zeros());
            b.select(l.on, b.int(log), s)
        })
    }

    /// Whether every thread's transactions lie in one column.
    fn stays(&self, step: &[Value], several: Value) -> Value {
        let b = &self.b;
        let turning = step[1..].iter().copied().reduce(|p, q| b.or(p, q));
        match turning {
            None => b.i1().constant(1),
            Some(t) => {
                let even = b.icmp(Pred::LLVMIntEQ, t, b.int(0));
                b.or(even, b.xor(several, b.i1().constant(1)))
            }
        }
    }

    /// Bytes from strip to strip in global memory.
    fn strip_advance(
        &self,
        tile: &Tile,
        frame: &Frame,
        strip: Strip,
        shape: PipelineShape,
    ) -> Value {
        let (g, m) = tile.along(strip.loop_);
        let length = self.b.zext_nneg(shape.length, self.b.i64());
        self.b.times(self.b.scaled(frame.strides[g], m), length)
    }

    /// The widths that the tiles' transactions may have, most first, each with whether all tiles that have
    /// it are aligned for it, in every row and every strip. The same for all threads of the block.
    fn levels(
        &mut self,
        tiles: &[Tile],
        frames: &[Frame],
        hulls: &[Hull],
        advances: &[Value],
    ) -> Vec<Level> {
        let mut widths: Vec<u32> = tiles.iter().flat_map(|t| t.widths.clone()).collect();
        crate::order::sort_by_key(&mut widths, |w| std::cmp::Reverse(*w));
        widths.dedup();
        let mut before: Option<Value> = None;
        let mut out = Vec::new();
        for bytes in widths {
            let all = tiles.iter().zip(frames).zip(hulls).zip(advances);
            let mut bits = self.b.int(0);
            for (((t, f), h), a) in all.filter(|(((t, _), _), _)| t.widths.contains(&bytes)) {
                let mine = self.alignment_bits(t, f, h, *a);
                bits = self.b.or(bits, mine);
            }
            let b = &self.b;
            let off = b.and(bits, b.int(i64::from(bytes - 1)));
            let aligned = b.icmp(Pred::LLVMIntEQ, off, b.int(0));
            let on = before.map_or(aligned, |p| b.and(aligned, b.xor(p, b.i1().constant(1))));
            before = Some(before.map_or(aligned, |p| b.or(p, aligned)));
            out.push(Level { bytes, on });
        }
        out
    }

    /// A number, of 32 bits, as aligned as the least aligned row of the tile in global memory.
    fn alignment_bits(&self, tile: &Tile, frame: &Frame, hull: &Hull, advance: Value) -> Value {
        let b = &self.b;
        let low = |v: Value| b.trunc(v, b.i32());
        let mut bits = low(b.ptrtoint(frame.origin, b.i64()));
        for s in &frame.strides[..frame.strides.len() - 1] {
            bits = b.or(bits, low(*s));
        }
        bits = b.or(bits, low(advance));
        let first = low(hull.lo[hull.lo.len() - 1]);
        b.or(bits, b.times(first, b.int(i64::from(tile.footprint.size))))
    }

    /// Whether full strips need neither a mixed-radix counter nor filling up, where threads stay in their
    /// columns. `row`: cells of a row.
    fn is_quick(&self, c: &Cursor, pipeline: PipelineMode, row: Value, count: Value) -> Value {
        let b = &self.b;
        let zero = b.int(0);
        let mut quick = c.quick;
        if c.lean {
            quick = b.and(quick, b.xor(c.several, b.i1().constant(1)));
        }
        let mut any = b.i1().constant(0);
        for l in c.levels.iter() {
            let transaction = c.transaction(Some(l.bytes));
            let mask = b.int(i64::from(transaction / c.tile.footprint.size - 1));
            let whole = b.icmp(Pred::LLVMIntEQ, b.and(row, mask), zero);
            quick = b.and(quick, b.or(whole, b.xor(l.on, b.i1().constant(1))));
            if transaction > c.tile.footprint.size {
                any = b.or(any, l.on);
            }
        }
        if pipeline == PipelineMode::Async && !c.has_async_elements() {
            quick = b.and(quick, any);
        }
        if pipeline == PipelineMode::Registers {
            let threads = self.known_threads().expect("counted before").count;
            let room = b.at_most(count, b.cells_times(threads, b.int(IN_REGISTERS)));
            quick = b.and(quick, room);
        }
        quick
    }

    /// Addresses of a thread's first transaction, in global memory and in slot 0.
    fn first_transaction(&mut self, frame: &Frame, first: &[Value]) -> (Slot, Value) {
        let b = &self.b;
        let space = Type::pointer(self.module(), GLOBAL);
        let mut offset = b.long(0);
        let mut cell = b.int(0);
        for (g, c) in first.iter().enumerate() {
            // Counted from the first one there may be; where nothing is copied, any address will do.
            offset = b.plus(offset, b.times(b.zext(*c, b.i64()), frame.strides[g]));
            cell = b.plus(cell, b.times(*c, frame.pitches[g]));
        }
        let global = b.addrspacecast(b.byte_offset(frame.origin, offset), space);
        let to = b.element(frame.cell, frame.first, b.sext(cell, b.i64()));
        let from = self.new_slot(space);
        self.set(from, global);
        (from, to)
    }

    /// Bits that may not be set in the number of iterations that a short strip lacks, if it shall go the quick way
    /// where full ones do: where a row's cells are iterations, whole transactions must be lacking.
    pub(crate) fn remainder(&self, cursors: &[Cursor]) -> Value {
        let b = &self.b;
        let mut bits = b.int(0);
        for c in cursors.iter().filter(|c| c.along.0 + 1 == c.hi.len()) {
            for l in c.levels.iter() {
                let cells = i64::from(c.transaction(Some(l.bytes)) / c.tile.footprint.size);
                bits = b.or(bits, b.select(l.on, b.int(cells - 1), b.int(0)));
            }
        }
        bits
    }

    /// Whether full strips may go the quick way in all tiles.
    pub(crate) fn all_quick(&self, cursors: &[Cursor]) -> Value {
        let all = cursors.iter().map(|c| c.quick);
        all.reduce(|p, q| self.b.and(p, q))
            .expect("a region has a tile")
    }
}

/// Whether a row of the tile is as long as the strip: nothing cuts it short, as long as the strip is full.
fn is_strip_long(tile: &Tile, strip: Strip) -> bool {
    let own = Atom::Iter(strip.loop_);
    let bounds = || tile.footprint.active.iter().flat_map(|s| &s.bounds);
    let mut terms = bounds().flat_map(|b| &b.terms);
    let inner = tile.footprint.dims.last().expect("a tile has a dimension");
    inner.low == inner.high && inner.terms == [(own, 1)] && terms.all(|(a, _)| *a != own)
}

/// Whether a tile has no more transactions than a warp has threads, in the longest strips; those of more iterations
/// than that are copied by the widest.
fn is_lean(tile: &Tile, strip: Strip, shape: PipelineShape) -> bool {
    let cells = tile.footprint.dims.iter().map(|d| d.extent.as_constant());
    let cells = cells.reduce(|p, q| Some(p?.saturating_mul(q?))).flatten();
    let most = |length: u32, each: u32| {
        let longer = i64::from(length.div_ceil(strip.length));
        cells.is_some_and(|n| n.saturating_mul(longer) <= i64::from(WARP * each))
    };
    let wide = tile.widths.iter().max();
    let each = wide.map_or(1, |w| w / tile.footprint.size);
    let is_longer = shape.longest > WARP;
    most(shape.longest.min(WARP), 1) && (!is_longer || most(shape.longest, each))
}
