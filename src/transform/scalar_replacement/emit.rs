//! Accumulators in registers while their loop runs (`plan/scalar_replacement.rs`, `plan.rs`): loaded before it
//! where they are read first, stored behind it.

use crate::access::AccessKind;
use crate::llvm::ir::{Op, Value};
use crate::lower::Lower;
use crate::lower::state::{Kept, Site, Slot};
use crate::plan::ScalarReplacement;
use crate::tree::{ExitAt, LoopId};

impl Lower<'_> {
    pub(crate) fn emit_replaced(
        &mut self,
        i: Value,
        accumulator: Slot,
        site: &Site,
    ) -> Option<Value> {
        if i.is(Op::LLVMStore) {
            let v = self.operand(i.operand(0), site);
            let v = self.b.bitcast(v, accumulator.ty);
            self.set(accumulator, v);
            return None;
        }
        let v = self.get(accumulator);
        Some(self.b.bitcast(v, i.ty()))
    }

    /// Where the current replica keeps it, if it does.
    pub(crate) fn kept(&self, what: Kept) -> Option<Slot> {
        self.slots.get(&(what, self.replica)).copied()
    }

    /// Whether an access is one of an accumulator that lives in registers now, one for each replica.
    pub(crate) fn is_replaced(&self, access: Value) -> bool {
        self.slots.contains_key(&(Kept::Accumulator(access), 0))
    }

    /// Before a loop: gives its accumulators registers.
    pub(crate) fn begin_scalars(&mut self, l: LoopId) {
        let plan = self.from.plan;
        for p in plan.scalars().filter(|p| p.loop_ == l) {
            let first = self.from.instruction(p.accesses[0]);
            let ty = if first.is(Op::LLVMStore) {
                first.operand(0).ty()
            } else {
                first.ty()
            };
            let slot = self.new_slot(ty);
            for a in &p.accesses {
                let v = self.from.instruction(*a);
                self.slots
                    .insert((Kept::Accumulator(v), self.replica), slot);
            }
            if p.loads_first && self.surely_runs(p) {
                self.load_accumulator(p);
            }
            if !self.surely_runs(p) {
                let ran = self.new_slot(self.b.i1());
                self.set(ran, self.b.i1().constant(0));
                self.slots.insert((Kept::Ran(l), self.replica), ran);
            }
        }
    }

    /// Whether a loop that is reached surely comes to the accesses: the address may be used before.
    fn surely_runs(&self, p: &ScalarReplacement) -> bool {
        let lp = self.from.tree.loop_(p.loop_);
        lp.exit_at == ExitAt::Latch
            || p.accesses
                .iter()
                .any(|a| self.from.accesses.get(*a).block == lp.header)
    }

    /// At the start of an iteration of a loop tested before its body: the first one loads.
    pub(crate) fn enter_scalars(&mut self, l: LoopId) {
        let Some(ran) = self.kept(Kept::Ran(l)) else {
            return;
        };
        let (first, join) = (self.new_block("mesi.first"), self.new_block("mesi.join"));
        self.b.cond_br(self.get(ran), join, first);
        self.b.at_end(first);
        let plan = self.from.plan;
        for p in plan.scalars().filter(|p| p.loop_ == l && p.loads_first) {
            self.load_accumulator(p);
        }
        self.set(ran, self.b.i1().constant(1));
        self.b.br(join);
        self.b.at_end(join);
    }

    /// The accumulator's address, a value from outside the loop, and its access.
    fn accumulator(&mut self, p: &ScalarReplacement) -> (Value, Value) {
        let access = self.from.accesses.get(p.accesses[0]);
        let pointer = self
            .from
            .kernel
            .value(access.pointer.expect("loads and stores have an address"));
        (
            self.read(pointer, access.block),
            self.from.kernel.value(access.value),
        )
    }

    fn load_accumulator(&mut self, p: &ScalarReplacement) {
        let (at, access) = self.accumulator(p);
        let slot = self.slots[&(Kept::Accumulator(access), self.replica)];
        self.b.locate_as(access);
        let v = self.b.load(slot.ty, at, access.alignment());
        self.set(slot, v);
        self.b.locate_nowhere();
    }

    /// Behind a loop: stores its accumulators.
    pub(crate) fn end_scalars(&mut self, l: LoopId) {
        let plan = self.from.plan;
        for p in plan.scalars().filter(|p| p.loop_ == l) {
            let ran =
                (!self.surely_runs(p)).then(|| self.get(self.slots[&(Kept::Ran(l), self.replica)]));
            self.when(ran, |s| s.store_accumulator(p));
            for a in &p.accesses {
                let v = self.from.instruction(*a);
                self.slots.remove(&(Kept::Accumulator(v), self.replica));
            }
        }
        self.slots.remove(&(Kept::Ran(l), self.replica));
    }

    fn store_accumulator(&mut self, p: &ScalarReplacement) {
        if !p
            .accesses
            .iter()
            .any(|a| self.from.accesses.get(*a).kind == AccessKind::Store)
        {
            return;
        }
        let (at, access) = self.accumulator(p);
        let slot = self.slots[&(Kept::Accumulator(access), self.replica)];
        self.b.locate_as(access);
        self.b.store(self.get(slot), at, access.alignment());
        self.b.locate_nowhere();
    }
}
