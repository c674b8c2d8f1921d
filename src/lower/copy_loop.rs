//! The quick way's loops: transactions of threads that stay in their columns, of several tiles in one loop.
//!
//! ```text
//! while (some tile has a transaction left) {       one iteration
//!   for each tile: if (there is one) cp.async [to], [from], width; move on        elements: several times
//! }
//! ```

use super::Lower;
use super::cursor::Cursor;
use super::fetch::Part;
use super::state::{KEEP, Slot};
use crate::llvm::ir::{Builder, Value};
use crate::machine::tuning::copy_loop::AT_ONCE;

/// A thread's way along its column.
struct Way {
    /// The next transaction: its coordinate, or how far it is from the last one's; where it lies; where it belongs.
    place: [Slot; 3],
    /// From transaction to transaction.
    steps: [Value; 3],
    /// The last coordinate; `None`: the place counts down to 0.
    last: Option<Value>,
}

impl Lower<'_> {
    /// All transactions of threads that stay in their columns, or all but the first. Elements are many: those of all
    /// tiles are copied in one loop, several in an iteration, each under its own test, which becomes a predicate: a
    /// loop for each is code, and ptxas puts three idle loads before the first asynchronous copy of every block
    /// of code (`mv_row`, n = 8191, 64 threads: x4.5 by single elements, x6.2 so). Wide transactions are few, and a
    /// copy that is not wanted takes its time even if its predicate is false: merged blocks, whose tiles differ,
    /// have a loop for each (`mm_early` in blocks of 32x8, one tile needs several: x7.7 so, x7.0 in one loop).
    pub(crate) fn emit_copy_loops(&mut self, all: &[Part], level: Option<u32>, but_first: bool) {
        let widest = |c: &Cursor| Some(c.transaction(level)) == c.levels.first().map(|l| l.bytes);
        let (few, many): (Vec<_>, Vec<_>) = all.iter().copied().partition(|p| widest(p.cursor));
        let at_once = if self.replicas.count() > 1 {
            1
        } else {
            few.len().max(1)
        };
        for tiles in few.chunks(at_once) {
            self.emit_copy_loop(tiles, level, (1, but_first));
        }
        if !many.is_empty() {
            let transactions = AT_ONCE.div_ceil(many.len());
            self.emit_copy_loop(&many, level, (transactions, but_first));
        }
    }

    /// One loop over transactions of some tiles, so many of each in an iteration.
    fn emit_copy_loop(
        &mut self,
        all: &[Part],
        level: Option<u32>,
        (transactions, but_first): (usize, bool),
    ) {
        let counts_down = self.replicas.count() == 1;
        let mut ways: Vec<Way> = Vec::new();
        for part in all {
            ways.push(self.way(part, (counts_down, but_first)));
        }
        let (again, done) = (self.new_block("mesi.turn"), self.new_block("mesi.copied"));
        let more = self.any_transaction_left(&ways);
        self.b.cond_br(more, again, done);
        self.b.at_end(again);
        let mut here: Vec<[Value; 3]> = (ways.iter())
            .map(|w| w.place.map(|s| self.get(s)))
            .collect();
        let steps: Vec<[Value; 3]> = (ways.iter().zip(&here))
            .map(|(w, at)| match transactions {
                1 => w.steps,
                // LLVM would keep their multiples in registers through all strips.
                _ => w.steps.map(|s| self.b.opaque_per_iteration(s, at[0])),
            })
            .collect();
        for transaction in 0..transactions {
            for (((way, at), steps), p) in ways.iter().zip(&mut here).zip(&steps).zip(all) {
                // The loop has told it already.
                let known = all.len() == 1 && transaction == 0;
                let there = (!known).then(|| self.is_there(way, at[0]));
                let [_, from, to] = *at;
                self.when(there, |l| {
                    l.emit_async(p.cursor, from, to, p.cursor.transaction(level))
                });
                *at = self.moved_on(*at, *steps, counts_down);
            }
        }
        for (way, at) in ways.iter().zip(here) {
            way.place.iter().zip(at).for_each(|(s, v)| self.set(*s, v));
        }
        let more = self.any_transaction_left(&ways);
        let branch = self.b.cond_br(more, again, done);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
    }

    /// A thread's way along its column, from its first transaction on or from behind it.
    fn way(&mut self, p: &Part, (counts_down, but_first): (bool, bool)) -> Way {
        let (c, to) = (p.cursor, p.to);
        // What is worked out per strip and not once hangs on this.
        let slot = |b: &Builder| b.trunc(b.ptrtoint(to, b.i64()), b.i32());
        let (mut global, shared) = self.transaction_steps(c);
        if self.from.plan.is_crowded() {
            // Two registers of each tile's, which its replicas' addresses want.
            let step = self.b.opaque_per_iteration(c.step[0], slot(&self.b));
            global = self.global_step(c, step);
        }
        let steps = [c.step[0], global, shared];
        let mut start = [p.first, p.from, to];
        if counts_down {
            // LLVM would keep it in a register through all strips.
            let first = self.b.opaque_per_iteration(p.first, slot(&self.b));
            start[0] = self.b.minus(p.hi, first);
        }
        if but_first {
            // Few threads have a second transaction: where it lies is worked out here as well.
            let b = &self.b;
            let slot = slot(b);
            let stride = b.opaque_per_iteration(b.trunc(shared, b.i32()), slot);
            let step = b.opaque_per_iteration(c.step[0], slot);
            start = self.moved_on(start, [step, global, self.wide(stride)], counts_down);
        }
        let place = start.map(|v| self.new_slot(v.ty()));
        place.iter().zip(start).for_each(|(s, v)| self.set(*s, v));
        Way {
            place,
            steps,
            last: (!counts_down).then_some(p.hi),
        }
    }

    /// Whether a transaction is there. Compared with -1, the branch of a loop stays as it is; otherwise LLVM turns it
    /// around, which makes ptxas peel the loop.
    fn is_there(&self, way: &Way, now: Value) -> Value {
        match way.last {
            Some(last) => self.b.at_most(now, last),
            None => self.b.below(self.b.int(-1), now),
        }
    }

    fn any_transaction_left(&self, ways: &[Way]) -> Value {
        let left = ways.iter().map(|w| self.is_there(w, self.get(w.place[0])));
        left.reduce(|p, q| self.b.or(p, q))
            .expect("there are tiles")
    }

    /// A place one transaction further.
    fn moved_on(
        &self,
        [now, from, to]: [Value; 3],
        steps: [Value; 3],
        counts_down: bool,
    ) -> [Value; 3] {
        let b = &self.b;
        let next = match counts_down {
            true => b.minus(now, steps[0]),
            false => b.add_nsw(now, steps[0]),
        };
        [
            next,
            b.byte_offset(from, steps[1]),
            b.byte_offset(to, steps[2]),
        ]
    }
}
