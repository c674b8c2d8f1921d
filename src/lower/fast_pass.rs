//! The pass that most strips of merged blocks take, with as few branches as it needs.
//!
//! ```text
//!   if (the next strip is full, and one is under way already) {                       one comparison
//!     wait; barrier
//!     if (first <= last) cp.async [to + slot], [from], 16                             for each tile
//!     if (some thread has more transactions) the others, those of all tiles in one loop
//!     commit; goto full
//!   }
//!   the pass as it is elsewhere, which leads to full, to the short strip, or past both
//! full: T iterations, unrolled
//! ```
//! A strip of 16 iterations of 16 replicas is 288 instructions. What went on around them, mostly branches
//! that are decided once for all strips, were 55, and are 38 (product of 4096 on an H200, 16x16
//! blocks: x7.26 and x7.96).

use super::Lower;
use super::cursor::Cursor;
use super::fetch::Part;
use super::pipeline::Fetch;
use super::state::{Length, Strips};
use crate::llvm::ir::{Pred, Value};
use crate::plan::{PipelineMode, Region};

/// What tells fast passes from others: both the same for all threads of the block.
pub(crate) struct FastPass {
    /// How many values of `left`, from a strip's length on, mean a fast pass.
    span: Value,
    /// Whether some thread has more than one transaction of some tile.
    several: Value,
}

impl Lower<'_> {
    /// Whether a region's passes are told apart into fast and other ones.
    pub(crate) fn has_fast_passes(&self, region: &Region, trip: Value) -> bool {
        let Some(strip) = region.strip else {
            return false;
        };
        let one_full = trip
            .const_int()
            .is_none_or(|n| n >= 2 * i64::from(strip.length));
        self.replicas.count() > 1
            && strip.pipeline == PipelineMode::Async
            && region.stretch.is_none()
            // Strips that are written back end in a barrier and a copy of their own.
            && region.tiles.iter().all(|t| t.write_back.is_empty())
            && one_full
    }

    /// Works out which passes are fast.
    pub(crate) fn fast_pass(&mut self, f: &Fetch, begun: Value) -> FastPass {
        let quick = self.all_quick(&f.cursors);
        let b = &self.b;
        let values = b.plus(b.minus(begun, f.shape.length), b.int(1));
        let span = b.select(quick, b.greatest(values, b.int(0)), b.int(0));
        let several = f.cursors.iter().filter(|c| !c.lean).map(|c| c.several);
        let several = several.reduce(|p, q| b.or(p, q));
        FastPass {
            span,
            several: several.unwrap_or(b.i1().constant(0)),
        }
    }

    /// One pass, fast or not; `left` iterations are not yet fetched.
    pub(crate) fn emit_fast_pass(
        &mut self,
        s: &mut Strips,
        f: &mut Fetch,
        (fast_pass, begun): (&FastPass, Value),
        trip: Value,
    ) {
        let left = self.get(f.left);
        let filled = self.get(f.slot);
        let used = self.next_slot(f.shape, filled);
        let ready = self.b.plus(left, f.ahead);
        let (mine, other) = (self.new_block("mesi.steady"), self.new_block("mesi.other"));
        let (full, done) = (self.new_block("mesi.full"), self.new_block("mesi.used"));
        let is_mine = {
            let beyond = self.b.minus(left, f.shape.length);
            self.b.icmp(Pred::LLVMIntULT, beyond, fast_pass.span)
        };
        self.b.cond_br(is_mine, mine, other);
        self.b.at_end(mine);
        self.emit_wait(f, s);
        self.mark_copies(|l| l.emit_fast_copies(&f.cursors, filled, fast_pass));
        self.emit_advance_all(&f.cursors);
        self.emit_commit(f);
        self.b.br(full);

        self.b.at_end(other);
        self.note_remat(left);
        let uses = self.b.at_most(left, begun);
        self.when(Some(uses), |l| l.emit_wait(f, s));
        self.emit_slow_fetch(f, filled);
        let (use_it, part) = (self.new_block("mesi.use"), self.new_block("mesi.rest"));
        self.b.cond_br(uses, use_it, done);
        self.b.at_end(use_it);
        let length = i64::from(s.strip.length);
        if trip.const_int().is_some_and(|n| n % length == 0) {
            self.b.br(full);
            self.blocks.retain(|b| *b != part);
            part.delete();
        } else {
            let is_full = self.b.at_most(f.shape.length, ready);
            self.b.cond_br(is_full, full, part);
            self.b.at_end(part);
            let rest = Length::Remainder(self.b.sext(ready, self.b.i64()));
            self.emit_use(s, used, rest);
            self.b.br(done);
        }
        self.b.at_end(full);
        self.emit_use(s, used, Length::Full);
        self.b.br(done);
        self.b.at_end(done);
        self.set(f.slot, used);
    }

    /// The copies of a full strip, by the width that its transactions have.
    fn emit_fast_copies(&mut self, all: &[Cursor], slot: Value, fast_pass: &FastPass) {
        let levels = all[0].levels.clone();
        let all: Vec<Part> = (all.iter())
            .map(|c| self.in_slot(&self.whole(c), slot))
            .collect();
        self.by_level(&levels, |l, level| {
            if !l.copies_by_hand(&all, level) {
                l.emit_fast_level(&all, (fast_pass, level));
            }
        });
    }

    /// The first transaction of each tile without a branch; the others are few, or elements.
    fn emit_fast_level(&mut self, all: &[Part], (fast_pass, level): (&FastPass, Option<u32>)) {
        let wide = level == all[0].cursor.levels.first().map(|l| l.bytes);
        for p in all.iter().filter(|p| wide || p.cursor.lean) {
            self.emit_first_transaction(p, level);
        }
        if fast_pass.several.const_int() == Some(0) {
            return;
        }
        let several: Vec<Part> = all.iter().filter(|p| !p.cursor.lean).copied().collect();
        self.when(wide.then_some(fast_pass.several), |l| {
            l.emit_copy_loops(&several, level, wide);
        });
    }
}
