//! What strips in flight are like: their length, number and slots, constants or chosen by the block.
//!
//! ```text
//! length, depth, slot = 8, 3, 48*ntid.x + 32                                  the largest block's
//! if (4 * (80*ntid.x + 64) <= area)  length, depth, slot = 16, 4, 80*ntid.x + 64
//! …
//! for (run = 0; run + 8 <= iterations of this strip; run += 8) 8 iterations, unrolled
//! the others, rolled
//! ```
//! Which strips there are to choose from is `plan::stretch`'s matter.

use super::Lower;
use super::state::{Iteration, KEEP, Length, PipelineShape, Predicates, Strips};
use crate::affine::Poly;
use crate::llvm::ir::{Pred, Value};
use crate::machine::target::WARP;
use crate::plan::{Region, Strip};
use crate::tree::LoopId;

/// Bytes of the widest copies.
const WIDEST: u32 = 16;

impl Lower<'_> {
    /// What the block of this thread gets.
    pub(crate) fn pipeline_shape(&mut self, region: &Region, strip: Strip) -> PipelineShape {
        let int = |l: &Self, n: u32| l.b.int(i64::from(n));
        let fixed = PipelineShape {
            length: int(self, strip.length),
            depth: int(self, strip.depth),
            slot: int(self, strip.slot),
            end: int(self, strip.slot * strip.depth),
            longest: strip.length,
            log: (strip.length.is_power_of_two()).then(|| int(self, strip.length.trailing_zeros())),
        };
        let Some(stretch) = &region.stretch else {
            return fixed;
        };
        let area = int(self, stretch.area);
        let longest = stretch.ways.iter().map(|w| w.length).max();
        let longest = longest.unwrap_or(strip.length);
        let wide = (longest > WARP).then(|| self.has_wide_rows(region, strip));
        let mut best: Option<PipelineShape> = None;
        let (mut log, mut shift) = (strip.length.trailing_zeros(), self.b.int(0));
        // The last fits, as a fact says; each one before it is better, and asks for all behind it.
        let mut all = self.b.i1().constant(1);
        for way in stretch.ways.iter().rev() {
            let slot = self.bytes(&way.slot);
            let slot = self.b.and(slot, self.b.int(-16));
            let depth = int(self, way.depth);
            let end = self.b.cells_times(slot, depth);
            let Some(r) = best else {
                best = Some(PipelineShape {
                    length: int(self, way.length),
                    depth,
                    slot,
                    end,
                    longest,
                    log: fixed.log,
                });
                continue;
            };
            let stores = self.bytes(&way.stores);
            let b = &self.b;
            all = b.and(all, b.at_most(b.cells_plus(end, stores), area));
            if let Some(wide) = wide.filter(|_| way.length > WARP) {
                all = b.and(all, wide);
            }
            // Lengths are powers of two times the shortest: LLVM sees that the shortest divides them.
            let steps = way.length.trailing_zeros() - log;
            log += steps;
            shift = b.plus(shift, b.times(b.zext(all, b.i32()), int(self, steps)));
            best = Some(PipelineShape {
                length: b.shl(int(self, strip.length), shift),
                depth: b.select(all, depth, r.depth),
                slot: b.select(all, slot, r.slot),
                end: b.select(all, end, r.end),
                longest,
                log: r
                    .log
                    .map(|_| b.plus(int(self, strip.length.trailing_zeros()), shift)),
            });
        }
        best.unwrap_or(fixed)
    }

    /// A number of bytes, in 32 bits.
    fn bytes(&mut self, of: &Poly) -> Value {
        let bytes = self.eval(of);
        self.b.trunc(bytes, self.b.i32())
    }

    /// Whether the rows of all tiles that are fetched lie aligned for the widest copies. A warp that copies rows of
    /// more elements than it has threads, one by one, does not stay in its columns (8191 rows by a vector on an
    /// H100: x1.4, and x6.6 by strips of 32).
    fn has_wide_rows(&mut self, region: &Region, strip: Strip) -> Value {
        let view = self.strip_view(region.node, strip, self.b.long(0), Length::Full);
        let mut bits = self.b.int(0);
        for tile in region.tiles.iter().filter(|t| !t.only_stores()) {
            if !tile.widths.contains(&WIDEST) {
                return self.b.i1().constant(0);
            }
            let strides = tile.footprint.dims.iter().map(|d| self.eval(&d.stride));
            let strides: Vec<Value> = strides.collect();
            let origin = self.origin(tile, view, &strides);
            let b = &self.b;
            bits = b.or(bits, b.trunc(b.ptrtoint(origin, b.i64()), b.i32()));
            for s in &strides[..strides.len() - 1] {
                bits = b.or(bits, b.trunc(*s, b.i32()));
            }
        }
        let b = &self.b;
        let off = b.and(bits, b.int(i64::from(WIDEST - 1)));
        b.icmp(Pred::LLVMIntEQ, off, b.int(0))
    }

    /// The depths that a region may have, least first.
    pub(crate) fn depths(&self, region: &Region) -> Vec<u32> {
        let ways = region.stretch.iter().flat_map(|s| &s.ways);
        let mut all: Vec<u32> = ways.map(|w| w.depth).collect();
        all.extend(region.strip.map(|s| s.depth));
        crate::order::sort(&mut all);
        all.dedup();
        all
    }

    /// How a loop runs of which several strips are in flight now.
    pub(crate) fn flying(&self, l: LoopId) -> Option<PipelineShape> {
        match self.iterations.get(&l)? {
            Iteration::Strip { shape, .. } => *shape,
            _ => None,
        }
    }

    /// The iterations of a strip that is several times as long as the loop's code.
    pub(crate) fn emit_runs(&mut self, s: &mut Strips, full: Value, strip: (Value, Value)) {
        let everybody = Predicates(s.pred.0.iter().map(|_| None).collect());
        let all = std::mem::replace(&mut s.pred, everybody);
        self.under(&all, |l| l.emit_runs_here(s, full, strip));
        s.pred = all;
    }

    fn emit_runs_here(&mut self, s: &mut Strips, full: Value, (slot, ready): (Value, Value)) {
        let here = self.b.least(full, ready);
        let length = i64::from(s.strip.length);
        // Counted up from 0, so that LLVM sees how tiles are aligned.
        let done = self.new_slot(self.b.i32());
        self.set(done, self.b.int(0));
        let (again, some) = (self.new_block("mesi.run"), self.new_block("mesi.some"));
        let (rest, used) = (self.new_block("mesi.over"), self.new_block("mesi.used"));
        self.b
            .cond_br(self.b.at_most(self.b.int(length), here), again, some);
        self.b.at_end(again);
        let now = self.get(done);
        self.emit_run_at(s, (slot, here, now), Length::Full);
        let next = self.b.add_nsw(now, self.b.int(length));
        self.set(done, next);
        let end = self.b.add_nsw(next, self.b.int(length));
        let branch = self.b.cond_br(self.b.at_most(end, here), again, some);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(some);
        let now = self.get(done);
        self.b.cond_br(self.b.below(now, here), rest, used);
        self.b.at_end(rest);
        let over = self.b.minus(here, now);
        let count = Length::Remainder(self.b.sext(over, self.b.i64()));
        self.emit_run_at(s, (slot, here, now), count);
        self.b.br(used);
        self.b.at_end(used);
    }

    /// Iterations of a strip of `here`, of which `now` are done.
    fn emit_run_at(
        &mut self,
        s: &mut Strips,
        (slot, here, now): (Value, Value, Value),
        length: Length,
    ) {
        let count = match length {
            Length::Full => self.b.int(i64::from(s.strip.length)),
            Length::Remainder(n) => self.b.trunc(n, self.b.i32()),
        };
        for (tile, frame) in s.open.tiles.iter().zip(&mut s.open.frames) {
            let b = &self.b;
            let first = if tile.has_one_slot() { b.int(0) } else { slot };
            let (g, m) = tile.along(s.strip.loop_);
            // Walked backwards, the last iteration lies first.
            let before = if m > 0 {
                now
            } else {
                b.minus(b.minus(here, now), count)
            };
            let bytes = b.int(m.saturating_abs() * i64::from(tile.footprint.size));
            let steps = b.times(before, b.times(frame.pitches[g], bytes));
            frame.slot = Some(b.plus(first, steps));
        }
        let node = self.from.plan.regions[s.region].node;
        let base = self.get(s.base);
        let view = self.strip_view(node, s.strip, base, length);
        self.emit_iterations(s, length, view);
    }
}
