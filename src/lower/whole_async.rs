//! Copies into tiles that are filled whole, by asynchronous transactions.
//!
//! ```text
//! for (c = first; c in the tile; c = next(c))       transactions of 16 bytes, in memory order
//!   if (the transaction lies in the box) cp.async [tile + c], [origin + c], 16
//!   else for its elements: in the box ? cp.async …, unit : tile[…] = 0
//! wait for all; barrier
//! ```
//! Nothing waits in registers, so all that a thread copies is under way at once. Transactions are 16 bytes
//! where every row of the tile begins aligned in global memory, elements otherwise. Rows of the tile
//! are aligned in any case (`Region::whole_async`), and have room for the last transaction.

use super::Lower;
use super::state::{Frame, Hull, KEEP, OpenRegion, Slot, View};
use crate::affine::Atom;
use crate::llvm::ir::{Pred, Type, Value};
use crate::plan::Tile;
use crate::tree::ExitAt;

/// Bytes of a transaction.
const WIDEST: u32 = 16;
/// Address space of global memory.
const GLOBAL: u32 = 1;

/// One tile's copy. Coordinates are in cells, 32 bits.
struct WholeAsync<'t> {
    tile: &'t Tile,
    frame: &'t Frame,
    /// The box that is copied; the rest of the tile is filled with zeros.
    lo: Vec<Value>,
    hi: Vec<Value>,
    /// Whether transactions are 16 bytes, and the cells of a transaction as a power of two.
    wide: Value,
    shift: Value,
    /// Transactions per dimension.
    counts: Vec<Value>,
}

impl Lower<'_> {
    /// Fills the tiles and waits for that; all threads meet.
    pub(crate) fn emit_whole_async(&mut self, open: &OpenRegion, view: View) {
        let first = self.blocks.len();
        for (tile, frame) in open.each() {
            let reach = self.reach(tile, view);
            let copy = self.whole_async(tile, frame, reach);
            self.emit_transactions(&copy);
        }
        let here = self.b.block();
        let made = self.blocks[first..].iter().filter(|b| **b != here);
        self.copies.extend(made);
        for (name, args) in [("commit", None), ("wait", Some(0))] {
            let name = format!("llvm.nvvm.cp.async.{name}.group");
            let args: Vec<Value> = args.into_iter().map(|n| self.b.int(n)).collect();
            self.b.intrinsic(&name, &[], &args);
        }
        self.emit_barrier();
    }

    fn whole_async<'t>(
        &self,
        tile: &'t Tile,
        frame: &'t Frame,
        (hull, mut counts): (Hull, Vec<Value>),
    ) -> WholeAsync<'t> {
        let last = counts.len() - 1;
        let b = &self.b;
        let truncate = |v: &[Value]| v.iter().map(|v| b.trunc(*v, b.i32())).collect::<Vec<_>>();
        let (lo, mut hi) = (truncate(&hull.lo), truncate(&hull.hi));
        hi[0] = b.choose(hull.nonempty, hi[0], b.int(-1));
        let mut bits = b.ptrtoint(frame.origin, b.i64());
        for s in &frame.strides[..last] {
            bits = b.or(bits, *s);
        }
        let off = b.and(bits, b.long(i64::from(WIDEST) - 1));
        let wide = b.icmp(Pred::LLVMIntEQ, off, b.long(0));
        let log = i64::from((WIDEST / tile.footprint.size).trailing_zeros());
        let shift = b.select(wide, b.int(log), b.int(0));
        let mask = b.minus(b.shl(b.int(1), shift), b.int(1));
        counts[last] = b.lshr(b.plus(counts[last], mask), shift);
        WholeAsync {
            tile,
            frame,
            lo,
            hi,
            wide,
            shift,
            counts,
        }
    }

    /// All transactions of this thread.
    fn emit_transactions(&mut self, copy: &WholeAsync) {
        let threads = self.threads();
        let from = self.digits(threads.linear, &copy.counts);
        let step = self.digits(threads.count, &copy.counts);
        let slots: Vec<Slot> = from.iter().map(|v| self.new_slot(v.ty())).collect();
        for (s, v) in slots.iter().zip(&from) {
            self.set(*s, *v);
        }
        let (again, done) = (self.new_block("mesi.copy"), self.new_block("mesi.copied"));
        let mut tests = vec![self.b.below(from[0], copy.counts[0])];
        tests.extend(self.some_transactions(copy));
        self.b
            .cond_br(self.b.all(tests).expect("there is a test"), again, done);
        self.b.at_end(again);
        let now: Vec<Value> = slots.iter().map(|s| self.get(*s)).collect();
        let mut at = now.clone();
        let last = at.len() - 1;
        at[last] = self.b.shl(at[last], copy.shift);
        self.emit_whole_transaction(copy, &at);
        let over = |g: usize, c| self.b.at_most(copy.counts[g], c);
        let next = self.next_digits(&now, &step, &copy.counts, &over);
        for (slot, next) in slots.iter().zip(&next).rev() {
            self.set(*slot, *next);
        }
        let branch = self
            .b
            .cond_br(self.b.below(next[0], copy.counts[0]), again, done);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
    }

    /// Tests whether a row has transactions at all, where that is not known: loops tested at their end stand behind a
    /// test of their own that they run, others (-Oz) may have no iteration, or, as their length is worked out, fewer.
    fn some_transactions(&self, copy: &WholeAsync) -> Vec<Value> {
        let at_header = |a: &Atom| match a {
            Atom::Iter(l) => self.from.tree.loop_(*l).exit_at == ExitAt::Header,
            _ => false,
        };
        let dims = copy.tile.footprint.dims.iter().zip(&copy.counts).skip(1);
        let may_be_empty = dims.filter(|(d, _)| d.terms.iter().any(|(a, _)| at_header(a)));
        let zero = self.b.int(0);
        may_be_empty.map(|(_, n)| self.b.below(zero, *n)).collect()
    }

    /// The transaction that begins at `at`.
    fn emit_whole_transaction(&mut self, copy: &WholeAsync, at: &[Value]) {
        let (unit, last) = (copy.tile.footprint.size, at.len() - 1);
        let cells = i64::from(WIDEST / unit);
        let (offset, cell) = self.distance(copy.frame, at);
        let b = &self.b;
        let space = Type::pointer(self.module(), GLOBAL);
        let from = b.addrspacecast(b.byte_offset(copy.frame.origin, offset), space);
        let to = self.cell_at(copy.frame.cell, copy.frame.first, cell);
        let in_bounds = |g: usize| [b.at_most(copy.lo[g], at[g]), b.at_most(at[g], copy.hi[g])];
        let rows = b.all((0..last).flat_map(in_bounds).collect());
        let left = b.minus(copy.hi[last], at[last]);
        let mut tests = vec![
            copy.wide,
            b.at_most(copy.lo[last], at[last]),
            b.at_most(b.int(cells - 1), left),
        ];
        tests.extend(rows);
        let whole = b.all(tests).expect("there are tests");
        let (all, some) = (self.new_block("mesi.whole"), self.new_block("mesi.cut"));
        let done = self.new_block("mesi.copied");
        self.b.cond_br(whole, all, some);
        self.b.at_end(all);
        self.emit_async_copy(from, to, WIDEST);
        self.b.br(done);
        self.b.at_end(some);
        for k in 0..cells {
            let there = (k > 0).then_some(copy.wide);
            let own = self.b.plus(at[last], self.b.int(k));
            let bytes = self.b.long(k * i64::from(unit));
            self.when(there, |l| {
                let mut tests = vec![
                    l.b.at_most(copy.lo[last], own),
                    l.b.at_most(own, copy.hi[last]),
                ];
                tests.extend(rows);
                let wanted = l.b.all(tests);
                let (from, to) = (l.b.byte_offset(from, bytes), l.b.byte_offset(to, bytes));
                l.emit_or_zero(wanted, from, to, copy);
            });
        }
        self.b.br(done);
        self.b.at_end(done);
    }

    fn emit_or_zero(&mut self, wanted: Option<Value>, from: Value, to: Value, copy: &WholeAsync) {
        let (element, zero) = (self.new_block("mesi.element"), self.new_block("mesi.zero"));
        let done = self.new_block("mesi.copied");
        let wanted = wanted.unwrap_or(self.b.i1().constant(1));
        self.b.cond_br(wanted, element, zero);
        self.b.at_end(element);
        self.emit_async_copy(from, to, copy.tile.footprint.size);
        self.b.br(done);
        self.b.at_end(zero);
        self.b
            .store(copy.frame.cell.null(), to, copy.tile.footprint.size);
        self.b.br(done);
        self.b.at_end(done);
    }
}
