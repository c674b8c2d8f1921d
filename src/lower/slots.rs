//! Where the staged body keeps the original's values: stack slots, which `mem2reg` turns back into
//! SSA form at the end.
//!
//! ```text
//! loop:  %sum = phi [0, pre], [%next, loop]      slot(%sum) <- 0        along the edge pre -> loop
//!        %next = fadd %sum, %x                   slot(%next) <- fadd (slot(%sum)), …
//!                                                slot(%sum) <- slot(%next)   along the back edge
//! ```
//! A block may be emitted several times (full strips and the last, shorter one), under other
//! branches than the original's; slots make every such emission right without looking at
//! dominance. A thread whose predicate is off leaves its slots unwritten: `mem2reg` then yields
//! undef, which only code under that predicate reads.

use super::Lower;
use super::state::{ANY, Kept, Slot};
use crate::access::is_contracted_elsewhere;
use crate::affine::Atom;
use crate::kernel::BlockId;
use crate::llvm::ir::{Op, Type, Value};
use crate::tree::{ExitAt, Loop, LoopId};

impl Lower<'_> {
    /// A fresh slot in the entry block.
    pub(crate) fn new_slot(&self, ty: Type) -> Slot {
        Slot {
            pointer: self.slot_pen.alloca(ty),
            ty,
        }
    }
    /// Reads a slot here.
    pub(crate) fn get(&self, s: Slot) -> Value {
        self.b.load_slot(s.ty, s.pointer)
    }
    /// Writes a slot here.
    pub(crate) fn set(&self, s: Slot, v: Value) {
        self.b.store_slot(v, s.pointer);
    }

    /// The slot of an instruction of the original body, for the current replica.
    pub(crate) fn slot_of(&mut self, v: Value) -> Slot {
        self.slot_for((Kept::Value(v), self.replica_of(v)), v.ty())
    }

    /// The slot of what a replica keeps, made where there is none yet.
    fn slot_for(&mut self, key: (Kept, usize), ty: Type) -> Slot {
        if let Some(s) = self.slots.get(&key) {
            return *s;
        }
        let s = self.new_slot(ty);
        self.slots.insert(key, s);
        s
    }

    /// The replica whose slot holds `v` for the current one.
    pub(crate) fn replica_of(&self, v: Value) -> usize {
        if self.replica == ANY {
            return ANY;
        }
        self.replicas
            .representative(self.replica, self.replicas.mask(v))
    }

    /// The original value `v` as code of block `reader` sees it.
    ///
    /// Loops tested after their body move their phis on at the end of every iteration, also the
    /// last; a reader behind such a loop wants the value of the last iteration, kept apart.
    pub(crate) fn read(&mut self, v: Value, reader: BlockId) -> Value {
        if !v.is_instruction() {
            return self.own_part(v);
        }
        if self.is_frame(v) {
            return v;
        }
        if let Some(l) = self.loop_of_phi(v)
            && !self.from.tree.loop_(l).blocks.contains(&reader)
        {
            let s = self.last_slot(v);
            return self.get(s);
        }
        let s = self.slot_of(v);
        self.get(s)
    }

    /// What a constant means to the current replica: an address in its part of a shared array, or itself.
    pub(crate) fn own_part(&self, constant: Value) -> Value {
        if self.replica == ANY || self.replica == 0 {
            return constant;
        }
        let own = &self.replicas.own;
        let part = self.replicas.part(self.replica, own.mask(constant));
        match own.stride(constant).filter(|_| part > 0) {
            Some(stride) => {
                let bytes = stride.emit(&self.b, part);
                let byte = Type::int(self.module(), 8);
                self.b.element_inbounds(byte, constant, bytes)
            }
            None => constant,
        }
    }

    /// Where code behind a loop tested after its body finds a phi of its header, for the current replica.
    pub(crate) fn last_slot(&mut self, phi: Value) -> Slot {
        self.slot_for((Kept::Last(phi), self.replica_of(phi)), phi.ty())
    }

    /// At the start of an iteration: notes the header phis that code behind the loop reads.
    pub(crate) fn note_last(&mut self, l: LoopId) {
        let lp = self.from.tree.loop_(l);
        if lp.exit_at != ExitAt::Latch {
            return;
        }
        for phi in self.from.kernel.block(lp.header).phis() {
            let outside = |u: &Value| {
                u.block()
                    .is_some_and(|b| !lp.blocks.contains(&self.from.kernel.block_id(b)))
            };
            if phi.users().iter().any(outside) {
                let now = self.slot_of(phi);
                let now = self.get(now);
                let last = self.last_slot(phi);
                self.set(last, now);
            }
        }
    }

    /// The loop, tested after its body, whose header has this phi.
    pub(crate) fn loop_of_phi(&self, v: Value) -> Option<LoopId> {
        let at = v.block().filter(|_| v.is(Op::LLVMPHI))?;
        let mut loops = self.from.tree.loops.iter();
        let is_mine =
            |l: &Loop| l.exit_at == ExitAt::Latch && self.from.kernel.block(l.header) == at;
        loops.position(is_mine).map(|n| LoopId(n as u32))
    }

    /// Whether more than the original's code reads the instruction: a tile's address, or a store that is put off.
    fn is_kept(&self, i: Value) -> bool {
        let tiles = self.from.plan.tiles();
        let mut terms = tiles.flat_map(|t| &t.footprint.dims).flat_map(|d| &d.terms);
        terms.any(|(a, _)| self.is_clamp(*a, i)) || self.is_put_off(i)
    }

    fn is_clamp(&self, a: Atom, i: Value) -> bool {
        let Atom::Clamp(c) = a else { return false };
        let clamp = &self.from.affine.clamps[c.index()];
        self.from.kernel.value(clamp.value) == i
    }

    /// Whether code other than straight-line code of its own block reads the instruction.
    pub(crate) fn escapes(&self, i: Value) -> bool {
        self.is_kept(i)
            || i.users().iter().any(|u| {
                u.block() != i.block()
                    || u.is(Op::LLVMPHI)
                    || u.block().is_some_and(|b| b.terminator() == *u)
                    || is_contracted_elsewhere(*u)
            })
    }

    /// Takes the phis of `to` their values along the edge from `from`, all at once.
    pub(crate) fn emit_edge(&mut self, from: BlockId, to: BlockId) {
        let source = self.from.kernel.block(from);
        let moves: Vec<(Value, Value)> = self
            .from
            .kernel
            .block(to)
            .phis()
            .into_iter()
            .filter_map(|phi| phi.incoming_from(source).map(|v| (phi, v)))
            .map(|(phi, v)| (phi, self.read(v, to)))
            .collect();
        for (phi, v) in moves {
            let s = self.slot_of(phi);
            self.set(s, v);
        }
    }
}
