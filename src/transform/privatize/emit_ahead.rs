//! Elements of a thread's own, loaded ahead where it matters in which order it loads and updates.
//!
//! ```text
//! for (i = id; i < n; i += threads)      v = a[i], a[i + threads], …       as many as there are, else one by one
//!     body of a[i]                       stale = false
//!                                        body of v[0]
//!                                        body of stale ? a[i + threads] : v[1]        and so on
//! ```
//! Sound because what a body loads changes by the thread's own updates alone, as far as anybody can tell: those of the
//! block's cells do not, as no element lies among them by a test at the entry, and behind any other one what was loaded
//! ahead is stale.

use super::data::{Ahead, ElementLoad, Over, Privatization};
use crate::kernel::Dim;
use crate::llvm::ir::{Builder, Op, Pred, Value};
use crate::lower::Lower;
use crate::lower::state::{Hoisted, KEEP, Site, Slot};

impl Lower<'_> {
    /// Emits what a thread of the original does for its elements, in the step of the block of this number along x.
    pub(super) fn emit_own_elements(&mut self, p: &Privatization, ahead: &Ahead, block: Value) {
        let Over::Loop { loop_, .. } = ahead.stride.over else {
            return;
        };
        let node = self.from.tree.loop_(loop_).node;
        for n in self.way_to(self.from.tree.root, node) {
            self.emit_structured(n);
        }
        let [t, n, blocks] = [("tid"), ("ntid"), ("nctaid")].map(|r| self.register32(r, Dim::X));
        let elements = self.elements(&ahead.stride);
        let h = &self.hoist;
        let by = h.zext_nneg(h.cells_times(n, blocks), h.i64());
        let elements = h.zext_nneg(elements, h.i64());
        let batch = h.mul(by, h.long(ahead.elements.into()));
        let rest = h.minus(batch, by);
        let b = &self.b;
        let first = b.zext_nneg(b.cells_plus(b.cells_times(block, n), t), b.i64());
        let slot = self.new_slot(self.b.i64());
        self.set(slot, first);
        let names = [
            "mesi.own",
            "mesi.ahead",
            "mesi.one",
            "mesi.next",
            "mesi.end",
        ];
        let [again, many, one, next, end] = names.map(|name| self.new_block(name));
        let is_below = |b: &Builder, x: Value| b.icmp(Pred::LLVMIntULT, x, elements);
        self.b.cond_br(is_below(&self.b, first), again, end);
        self.b.at_end(again);
        let element = self.get(slot);
        let last = self.b.plus(element, rest);
        self.b.cond_br(is_below(&self.b, last), many, one);
        self.b.at_end(many);
        self.emit_batch(p, ahead, [element, by]);
        self.set(slot, self.b.plus(element, batch));
        self.b.br(next);
        self.b.at_end(one);
        self.emit_own_element(ahead, element);
        self.set(slot, self.b.plus(element, by));
        self.b.br(next);
        self.b.at_end(next);
        self.b.locate_nowhere();
        let more = is_below(&self.b, self.get(slot));
        let branch = self.b.cond_br(more, again, end);
        self.b.loop_properties(branch, KEEP);
        self.b.at_end(end);
    }

    /// What is done for as many elements as are loaded ahead, from one on, each `by` behind the one before.
    fn emit_batch(&mut self, p: &Privatization, ahead: &Ahead, [first, by]: [Value; 2]) {
        let mut element = first;
        let mut batch = Vec::new();
        for _ in 0..ahead.elements {
            let loads = ahead.loads.iter();
            let loaded: Vec<Value> = loads.map(|l| self.load_ahead(*l, element)).collect();
            batch.push((element, loaded));
            element = self.b.plus(element, by);
        }
        let stale = self.new_slot(self.b.i1());
        self.set(stale, self.b.i1().constant(0));
        let updates = p.arrays.iter().flat_map(|t| &t.updates);
        let updates: Vec<Value> = updates.map(|u| self.from.instruction(*u)).collect();
        for u in &updates {
            self.hoisted.insert(Hoisted::Ahead(*u), stale.pointer);
        }
        let loads = ahead.loads.iter();
        let loads: Vec<Value> = loads.map(|l| self.from.instruction(l.access)).collect();
        for (element, loaded) in batch {
            for (i, v) in loads.iter().zip(loaded) {
                let slot = self.new_slot(i.ty());
                self.set(slot, v);
                self.hoisted.insert(Hoisted::Ahead(*i), slot.pointer);
            }
            self.emit_own_element(ahead, element);
        }
        for i in loads.iter().chain(&updates) {
            self.hoisted.remove(&Hoisted::Ahead(*i));
        }
    }

    /// Loads what lies at an element's place.
    fn load_ahead(&mut self, load: ElementLoad, element: Value) -> Value {
        let i = self.from.instruction(load.access);
        let array = self.from.accesses.get(load.access).array;
        let array = array.expect("elements are of an array");
        let base = self.at_entry(self.from.affine.base(array));
        let b = &self.b;
        let bytes = b.mul(element, b.long(load.pitch));
        let new = i.clone_instruction();
        new.set_operand(0, b.byte_offset(base, b.plus(bytes, b.long(load.beyond))));
        b.insert(new);
        new
    }

    /// What is done for an element.
    fn emit_own_element(&mut self, ahead: &Ahead, element: Value) {
        let Over::Loop { counter, .. } = ahead.stride.over else {
            return;
        };
        let counter = self.from.kernel.value(counter);
        let slot = self.slot_of(counter);
        let number = match counter.ty() == self.b.i64() {
            true => element,
            false => self.b.trunc(element, counter.ty()),
        };
        self.set(slot, number);
        for node in self.nodes_of(&ahead.stride) {
            self.emit_structured(node);
        }
    }

    /// Where the value lies that a load has loaded ahead.
    pub(super) fn ahead_of(&self, i: Value) -> Option<Slot> {
        let pointer = self.hoisted.get(&Hoisted::Ahead(i));
        pointer.filter(|_| i.is(Op::LLVMLoad)).map(|p| Slot {
            pointer: *p,
            ty: i.ty(),
        })
    }

    /// Emits what stands for a load that was done ahead.
    pub(super) fn emit_ahead_load(
        &mut self,
        i: Value,
        (p, value): (&Privatization, Slot),
        site: &Site,
    ) -> Value {
        let pointer = self.operand(i.operand(0), site);
        let update = self.from.instruction(p.arrays[0].updates[0]);
        let stale = self.hoisted[&Hoisted::Ahead(update)];
        let is_stale = self.b.load_slot(self.b.i1(), stale);
        self.when(Some(is_stale), |l| {
            let new = i.clone_instruction();
            new.set_operand(0, pointer);
            l.b.insert(new);
            l.set(value, new);
        });
        self.get(value)
    }

    /// Notes that an update went to memory, by which what was loaded ahead may be stale.
    pub(super) fn note_update(&mut self, i: Value) {
        if let Some(stale) = self.hoisted.get(&Hoisted::Ahead(i)) {
            self.b.store_slot(self.b.i1().constant(1), *stale);
        }
    }
}
