//! Begins the copies of the next strip: the quick way, or by a mixed-radix counter.
//!
//! ```text
//! if (a strip or more is left) quick, all of it           (short, lacking whole transactions: quick, what there is)
//! else if (some are left)      each tile by its mixed-radix counter
//! go on in all tiles; commit
//! ```

use super::Lower;
use super::cursor::Cursor;
use super::fetch::Part;
use super::pipeline::Fetch;
use super::state::Slot;
use crate::llvm::ir::{Block, Pred, Value};
use crate::plan::PipelineMode;

impl Lower<'_> {
    /// Fetches the next strip, if there is one, into the slot at `slot`.
    pub(crate) fn emit_next_fetch(&mut self, f: &mut Fetch, slot: Value) {
        let left = self.get(f.left);
        let (quick, other) = (self.new_block("mesi.quick"), self.new_block("mesi.other"));
        let (slow, moved) = (self.new_block("mesi.slow"), self.new_block("mesi.moved"));
        let done = self.new_block("mesi.sent");
        let waits = f.strip.pipeline == PipelineMode::Registers;
        if waits {
            self.set(f.held, self.b.i1().constant(0));
        }
        self.b.cond_br(self.b.at_most(f.quick, left), quick, other);
        self.b.at_end(other);
        self.b
            .cond_br(self.b.below(self.b.int(0), left), slow, done);
        self.b.at_end(slow);
        let missing = self.missing(f, left);
        if waits {
            self.mark_copies(|l| l.emit_any_fetch(f, missing, slot));
            self.b.br(moved);
            self.b.at_end(quick);
            self.mark_copies(|l| {
                for (c, carried) in f.cursors.iter().zip(&mut f.carried) {
                    l.emit_fetch(c, carried);
                }
            });
            self.set(f.held, self.b.i1().constant(1));
        } else {
            let send = self.emit_short_fetch(f, (quick, missing), (slot, moved));
            self.mark_copies(|l| l.emit_quick(&send, slot));
        }
        self.b.br(moved);
        self.b.at_end(moved);
        self.emit_advance_all(&f.cursors);
        self.b.br(done);
        self.b.at_end(done);
        self.emit_commit(f);
    }

    /// The same where the quick way was not taken.
    pub(crate) fn emit_slow_fetch(&mut self, f: &Fetch, slot: Value) {
        let left = self.get(f.left);
        let there = self.b.below(self.b.int(0), left);
        self.when(Some(there), |l| {
            let missing = l.missing(f, left);
            l.mark_copies(|l| l.emit_any_fetch(f, missing, slot));
            l.emit_advance_all(&f.cursors);
        });
        self.emit_commit(f);
    }

    /// Goes on to the next strip in all tiles.
    pub(crate) fn emit_advance_all(&mut self, cursors: &[Cursor]) {
        for c in cursors {
            self.advance(c);
        }
    }

    /// Iterations that the next strip lacks, of which `left` are left.
    fn missing(&self, f: &Fetch, left: Value) -> Value {
        let short = self.b.minus(f.shape.length, left);
        self.b.greatest(short, self.b.int(0))
    }

    /// Where full strips go from `quick` on, and short ones that may go with them from here. What of them is to be
    /// copied; emission goes on where it is. All others are copied, and then go to `moved`.
    fn emit_short_fetch<'c>(
        &mut self,
        f: &'c Fetch,
        (quick, missing): (Block, Value),
        (slot, moved): (Value, Block),
    ) -> Vec<Part<'c>> {
        let (short, odd) = (self.new_block("mesi.short"), self.new_block("mesi.odd"));
        let send = self.new_block("mesi.send");
        let b = &self.b;
        let lacking = b.and(missing, f.remainder);
        let even = b.icmp(Pred::LLVMIntEQ, lacking, b.int(0));
        let may = b.below(f.quick, b.int(i64::from(i32::MAX)));
        b.cond_br(b.and(even, may), short, odd);
        b.at_end(odd);
        self.mark_copies(|l| l.emit_any_fetch(f, missing, slot));
        self.b.br(moved);
        let mut parts: Vec<[Slot; 3]> = Vec::new();
        self.b.at_end(quick);
        for c in &f.cursors {
            let values = self.whole(c).values();
            parts.push(values.map(|v| self.new_slot(v.ty())));
            self.set_all(parts[parts.len() - 1], values);
        }
        self.b.br(send);
        self.b.at_end(short);
        for (c, slots) in f.cursors.iter().zip(&parts) {
            let values = self.part(c, missing).values();
            self.set_all(*slots, values);
        }
        self.b.br(send);
        self.b.at_end(send);
        let all = f.cursors.iter().zip(parts);
        all.map(|(c, slots)| Part::new(c, slots.map(|s| self.get(s))))
            .collect()
    }

    fn set_all(&mut self, slots: [Slot; 3], values: [Value; 3]) {
        for (s, v) in slots.into_iter().zip(values) {
            self.set(s, v);
        }
    }

    fn emit_any_fetch(&mut self, f: &Fetch, missing: Value, slot: Value) {
        for c in &f.cursors {
            self.emit_mixed_radix(f, c, slot, missing);
        }
    }

    /// Closes a group of copies, and counts the strip as fetched, there or not.
    pub(crate) fn emit_commit(&mut self, f: &Fetch) {
        if f.strip.pipeline == PipelineMode::Async {
            self.b
                .intrinsic("llvm.nvvm.cp.async.commit.group", &[], &[]);
        }
        let left = self.b.minus(self.get(f.left), f.shape.length);
        self.set(f.left, left);
    }
}
