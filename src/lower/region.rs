//! Emits regions: fills tiles, lets the members use them, writes them back.
//!
//! ```text
//! whole:    copy; barrier; if (pred) node; [barrier; write back;] barrier
//! strips:   for (s = 0; s + T <= N; s += T) { copy(s); barrier; if (pred) for (t < T) …; barrier }
//!           if (s < N)                      { copy(s); barrier; if (pred) for (t < N - s) …; barrier }
//! store:    if (pred) node; barrier; write back; barrier
//! ```
//! Strips in flight are `pipeline`'s; what both share, the run of one strip's iterations, is here.
//! The full strips' inner loop has a constant trip count, so that it unrolls; the shorter run at
//! the end has its own code. All threads of the block run all of it; `pred` guards the members'
//! code only.

use super::Lower;
use super::copy::transfers;
use super::state::{
    Iteration, KEEP, Length, OpenRegion, Predicates, Slot, StripView, Strips, View, Walks,
};
use crate::access::{AccessId, AccessKind};
use crate::affine::{Atom, Poly};
use crate::kernel::BlockId;
use crate::llvm::ir::{Block, Kind, Op, Value};
use crate::machine::tuning::region::UNROLLED;
use crate::plan::{PipelineMode, Region, Strip};
use crate::tree::{ExitAt, LoopId, NodeId};

impl Lower<'_> {
    /// Opens the regions `here` at `node`, outer first, around what the node does.
    pub(crate) fn emit_regions(&mut self, here: &[usize], node: NodeId, pred: &Predicates) {
        let Some((first, inner)) = here.split_first() else {
            return self.emit_spine(node, pred);
        };
        let plan = self.from.plan;
        let region = &plan.regions[*first];
        if region.barrier_before {
            self.emit_barrier();
        }
        if let Some(strip) = region.strip {
            debug_assert!(inner.is_empty(), "strips are innermost at their node");
            return match strip.pipeline {
                PipelineMode::Waited(_) => self.emit_strips(*first, strip, pred),
                PipelineMode::Async | PipelineMode::Registers => {
                    self.emit_pipeline(*first, strip, pred)
                }
            };
        }
        if self.flushes(*first) {
            debug_assert!(
                inner.is_empty(),
                "nothing is staged inside of what is straight"
            );
            self.emit_flush(*first, pred);
            if self.is_followed(*first) {
                self.emit_barrier();
            }
            return;
        }
        let view = View::Region { node, strip: None };
        let open = self.place_tiles(&region.tiles, view);
        if region.whole_async {
            self.emit_whole_async(&open, view);
            self.open(&open, view);
            self.emit_regions(inner, node, pred);
            self.close(&open);
            if self.is_followed(*first) {
                self.emit_barrier();
            }
            return;
        }
        let walks: Vec<Walks> = region.tiles.iter().map(|t| self.walks(t, view)).collect();
        let made: Vec<&Walks> = walks.iter().collect();
        self.emit_copy_in(&open, &made);
        self.open(&open, view);
        self.emit_regions(inner, node, pred);
        self.close(&open);
        self.emit_write_back(&open, &made);
        if self.is_followed(*first) {
            self.emit_barrier();
        }
    }

    /// Whether threads must meet behind a region: its bytes may be used again, or what it wrote
    /// back.
    pub(crate) fn is_followed(&self, region: usize) -> bool {
        !self.is_final(region) || self.from.plan.regions[region].barrier_after
    }

    /// Whether nothing is staged behind a region.
    fn is_final(&self, region: usize) -> bool {
        let (regions, tree) = (&self.from.plan.regions, self.from.tree);
        let node = regions[region].node;
        let enclosing = tree.enclosing_loops(node);
        let in_loop = enclosing.iter().any(|l| tree.loop_(*l).node != node);
        // A region inside another one's strips runs again with them.
        let mut before = regions[..region].iter();
        region + 1 == regions.len() && !in_loop && !before.any(|r| tree.contains(r.node, node))
    }

    /// Fills the tiles and waits for all of it. Store tiles start with nothing: whatever used their
    /// bytes before ended with a barrier.
    fn emit_copy_in(&mut self, open: &OpenRegion, walks: &[&Walks]) {
        let transfers = transfers(open, walks.iter().map(|w| w.copy_in.as_slice()));
        if !transfers.is_empty() {
            self.emit_copies(&transfers, false);
            self.emit_barrier();
        }
    }

    /// Nothing, and no barrier, where no tile is written.
    fn emit_write_back(&mut self, open: &OpenRegion, walks: &[&Walks]) {
        let transfers = transfers(open, walks.iter().map(|w| &w.write_back[..]));
        if !transfers.is_empty() {
            self.emit_barrier();
            self.emit_copies(&transfers, true);
        }
    }

    /// Runs the loop of a region in strips.
    fn emit_strips(&mut self, index: usize, strip: Strip, pred: &Predicates) {
        let plan = self.from.plan;
        let region: &Region = &plan.regions[index];
        let (trip, base, within) = self.begin_strips(strip.loop_, pred);
        let zero = self.b.long(0);
        let iteration = Iteration::Strip {
            base,
            within,
            shape: None,
        };
        // Frames and walks made here hold for every strip: they do not look at where it begins.
        let view = self.strip_view(region.node, strip, zero, Length::Full);
        let open = self.place_tiles(&region.tiles, view);
        let mut walks = Vec::new();
        for tile in &region.tiles {
            let fixed = self.is_fixed_walk(tile, strip.loop_);
            walks.push(fixed.then(|| self.walks(tile, view)));
        }
        let mut strips = Strips {
            region: index,
            strip,
            pred: pred.clone(),
            base,
            within,
            walks,
            open,
        };
        self.iterations.insert(strip.loop_, iteration);
        self.emit_full_strips(&mut strips, trip);
        self.emit_rest(&mut strips, trip);
        if self.is_followed(index) && strips.copies_meet() {
            self.emit_barrier();
        }
        self.end_strips(strip.loop_, pred);
    }

    /// Before the strips of a loop: how often it runs, the first iteration of a strip, the iteration within it.
    pub(crate) fn begin_strips(&mut self, l: LoopId, pred: &Predicates) -> (Value, Slot, Slot) {
        let trip = self.eval(&Poly::atom(Atom::Trip(l)));
        self.under(pred, |s| s.begin_scalars(l));
        let (base, within) = (self.new_slot(self.b.i64()), self.new_slot(self.b.i32()));
        self.set(base, self.b.long(0));
        (trip, base, within)
    }

    /// Behind the strips of a loop.
    pub(crate) fn end_strips(&mut self, l: LoopId, pred: &Predicates) {
        self.emit_last_header(l, pred);
        self.iterations.remove(&l);
        self.under(pred, |s| s.end_scalars(l));
    }

    fn emit_full_strips(&mut self, s: &mut Strips, trip: Value) {
        let length = self.b.long(i64::from(s.strip.length));
        if trip
            .const_int()
            .is_some_and(|n| n < i64::from(s.strip.length))
        {
            return;
        }
        let (again, done) = (self.new_block("mesi.strip"), self.new_block("mesi.rest"));
        self.b.cond_br(self.b.at_most(length, trip), again, done);
        self.b.at_end(again);
        self.emit_strip(s, Length::Full);
        if !s.copies_meet() {
            self.emit_barrier();
        }
        let next = self.b.add_nsw(self.get(s.base), length);
        self.set(s.base, next);
        let end = self.b.add_nsw(next, length);
        let branch = self.b.cond_br(self.b.at_most(end, trip), again, done);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(done);
    }

    fn emit_rest(&mut self, s: &mut Strips, trip: Value) {
        if trip
            .const_int()
            .is_some_and(|n| n % i64::from(s.strip.length) == 0)
        {
            return;
        }
        let (some, done) = (self.new_block("mesi.strip"), self.new_block("mesi.done"));
        let base = self.get(s.base);
        self.b.cond_br(self.b.below(base, trip), some, done);
        self.b.at_end(some);
        let left = self.b.minus(trip, base);
        self.emit_strip(s, Length::Remainder(left));
        if self.is_followed(s.region) && !s.copies_meet() {
            self.emit_barrier();
        }
        self.b.br(done);
        self.b.at_end(done);
    }

    /// One strip, the barrier behind it left out.
    fn emit_strip(&mut self, s: &mut Strips, length: Length) {
        let node = self.from.plan.regions[s.region].node;
        let base = self.get(s.base);
        let view = self.strip_view(node, s.strip, base, length);
        let mut own = Vec::new();
        for (k, tile) in s.open.tiles.iter().enumerate() {
            let frame = &mut s.open.frames[k];
            frame.origin = self.origin(tile, view, &frame.strides);
            let fixed = s.walks[k].is_some() && matches!(length, Length::Full);
            own.push((!fixed).then(|| self.walks(tile, view)));
        }
        let made = own.iter().zip(&s.walks);
        let made = made.map(|(own, fixed)| own.as_ref().or(fixed.as_ref()));
        let made: Vec<&Walks> = made.map(|w| w.expect("one of them is there")).collect();
        self.emit_copy_in(&s.open, &made);
        self.open(&s.open, view);
        self.emit_run(s, length);
        self.close(&s.open);
        self.emit_write_back(&s.open, &made);
    }

    /// The iterations of one strip.
    pub(crate) fn emit_run(&mut self, s: &Strips, length: Length) {
        let l = s.strip.loop_;
        let node = self.from.plan.regions[s.region].node;
        if self.holds_region(node) {
            self.set(s.within, self.b.int(0));
            return self.emit_counted(s, length, KEEP, |e| e.emit_spine_iteration(l, &s.pred));
        }
        let unrolled;
        let properties: &[&str] = match length {
            Length::Full => {
                unrolled = self.unrolls(s.strip);
                unrolled.as_slice()
            }
            // Run once: its code would be larger than all the rest, unrolled.
            Length::Remainder(_) => KEEP,
        };
        if self.replicas.count() > 1 {
            self.set(s.within, self.b.int(0));
            return self.emit_counted(s, length, properties, |e| {
                if e.from.tree.loop_(l).exit_at == ExitAt::Header {
                    e.emit_off_spine_block(e.from.tree.loop_(l).header, &s.pred);
                }
                e.emit_jam_iteration(l, &s.pred);
            });
        }
        self.under(&s.pred, |e| {
            e.set(s.within, e.b.int(0));
            e.emit_counted(s, length, properties, |e| {
                if e.from.tree.loop_(l).exit_at == ExitAt::Header {
                    e.emit_block(e.from.tree.loop_(l).header);
                }
                e.emit_iteration(l);
                e.emit_advance(l);
            });
        });
    }

    /// `do { emit } while (++within < length)`.
    fn emit_counted(
        &mut self,
        s: &Strips,
        length: Length,
        properties: &[&str],
        emit: impl FnOnce(&mut Self),
    ) {
        let count = match length {
            Length::Full => self.b.int(i64::from(s.strip.length)),
            Length::Remainder(n) => self.b.trunc(n, self.b.i32()),
        };
        let again = self.fall_into("mesi.loop");
        emit(self);
        let next = self.b.add_nsw(self.get(s.within), self.b.int(1));
        self.set(s.within, next);
        let done = self.new_block("mesi.done");
        let branch = self.b.cond_br(self.b.below(next, count), again, done);
        if !properties.is_empty() {
            self.b.loop_properties(branch, properties);
        }
        self.b.at_end(done);
    }

    /// How a strip's iterations are unrolled: those of few instructions, and no loop among them, which LLVM would
    /// unroll as well, every copy of it. `None`: as LLVM thinks best.
    fn unrolls(&self, strip: Strip) -> Option<&'static str> {
        let lp = self.from.tree.loop_(strip.loop_);
        let inner = |n: NodeId| self.from.tree.contains(lp.body, n);
        let holds_loop = self.from.tree.loops.iter().any(|l| inner(l.node));
        let holds_opaque = lp.blocks.iter().any(|b| {
            let node = self.from.tree.node_of_block[b.index()].map(|n| self.from.tree.node(n));
            matches!(node, Some(crate::tree::Node::Opaque { .. }))
        });
        let blocks = lp.blocks.iter().map(|b| self.from.kernel.block(*b));
        let cost: u32 = blocks.flat_map(Block::instructions).map(cost).sum();
        // Replicas share what tiles give them, but not what each loads by itself.
        let cost = match self.loads_past_tiles(&lp.blocks) {
            true => cost * self.replicas.count() as u32,
            false => cost,
        };
        if holds_loop || holds_opaque {
            return None;
        }
        let copies = |n: u32| cost * n <= UNROLLED;
        match strip.length {
            n if copies(n) => Some("llvm.loop.unroll.full"),
            _ if copies(16) => Some("llvm.loop.unroll.count=16"),
            _ if copies(8) => Some("llvm.loop.unroll.count=8"),
            _ if copies(4) => Some("llvm.loop.unroll.count=4"),
            _ => None,
        }
    }

    /// Whether something is loaded there that neither a tile nor a register holds.
    fn loads_past_tiles(&self, blocks: &[BlockId]) -> bool {
        let plan = self.from.plan;
        let tiles = plan.regions.iter().flat_map(|r| &r.tiles);
        let members = tiles.flat_map(|t| &t.members).map(|m| m.access);
        let in_registers = plan.scalars().flat_map(|s| s.accesses.iter().copied());
        let held: Vec<AccessId> = members.chain(in_registers).collect();
        let loads = self.from.accesses.iter();
        let mut loads = loads.filter(|a| a.kind == AccessKind::Load && blocks.contains(&a.block));
        loads.any(|a| !held.contains(&a.id))
    }

    pub(crate) fn strip_view(
        &self,
        node: NodeId,
        strip: Strip,
        first: Value,
        length: Length,
    ) -> View {
        let span = match length {
            Length::Full => self.b.long(i64::from(strip.length) - 1),
            Length::Remainder(n) => self.b.minus(n, self.b.long(1)),
        };
        View::Region {
            node,
            strip: Some(StripView {
                loop_: strip.loop_,
                first,
                span,
            }),
        }
    }
}

/// Machine instructions that one of LLVM's stands for, about, in a loop unrolled: addresses and counters become
/// constants there, and what is no instruction of the machine is a dozen, or two for a double.
pub(crate) fn cost(i: Value) -> u32 {
    match i.opcode() {
        Some(
            Op::LLVMPHI
            | Op::LLVMGetElementPtr
            | Op::LLVMSExt
            | Op::LLVMZExt
            | Op::LLVMTrunc
            | Op::LLVMBitCast
            | Op::LLVMICmp
            | Op::LLVMBr,
        ) => 0,
        Some(Op::LLVMFDiv) if i.ty().kind() == Kind::LLVMDoubleTypeKind => 24,
        Some(Op::LLVMCall | Op::LLVMFDiv | Op::LLVMFRem) => 8,
        _ => 1,
    }
}
