//! Steps of elements, which are dealt out anew (`plan::stride`).
//!
//! ```text
//! first = step*ntid*16 + tid*16
//! if (first + 15 < n)   what is done for an element, for 16 replicas together
//! else                  the same for each element from first on that is below n
//! ```
//! Nothing is done for an element that there is not, so no test of the original is needed.

use super::data::{Over, Privatization, Stride};
use super::emit::Distribution;
use crate::kernel::Dim;
use crate::kernel::ids::{Register, register};
use crate::llvm::ir::{Block, Value};
use crate::lower::Lower;
use crate::lower::state::{KEEP, Led};
use crate::plan::LockstepPlan;
use crate::tree::{Node, NodeId};

impl Lower<'_> {
    /// What comes before node `to`, which nothing branches around but what ends threads that do not come there.
    pub(crate) fn way_to(&self, node: NodeId, to: NodeId) -> Vec<NodeId> {
        let tree = self.from.tree;
        if node == to {
            return Vec::new();
        }
        match tree.node(node) {
            Node::Seq(children) => {
                let before = children.iter().take_while(|c| !tree.contains(**c, to));
                let mut way: Vec<NodeId> = before.copied().collect();
                let enclosing = children.iter().find(|c| tree.contains(**c, to));
                way.extend(enclosing.into_iter().flat_map(|c| self.way_to(*c, to)));
                way
            }
            Node::If {
                then, otherwise, ..
            } => {
                let mut sides = [*then, *otherwise].into_iter();
                let side = sides.find(|s| tree.contains(*s, to));
                side.map_or(Vec::new(), |s| self.way_to(s, to))
            }
            _ => Vec::new(),
        }
    }

    /// The nodes that are done for each element.
    pub(super) fn nodes_of(&self, stride: &Stride) -> Vec<NodeId> {
        match stride.over {
            Over::Loop { loop_, .. } => vec![self.from.tree.loop_(loop_).body],
            Over::Ids { side } => {
                let mut all = self.way_to(self.from.tree.root, side);
                all.push(side);
                all
            }
        }
    }

    /// What an instruction that reads a thread or block number along x gives where elements are ids: those are taken to
    /// be of one block.
    pub(crate) fn element_id(&mut self, i: Value, stride: &Stride) -> Option<Value> {
        let Led::Group([Some(first), ..]) = self.led else {
            return None;
        };
        if !matches!(stride.over, Over::Ids { .. }) {
            return None;
        }
        match register(i)? {
            (Register::Ctaid, Dim::X) => Some(self.b.int(0)),
            (Register::Tid, Dim::X) => {
                let place = self.replicas.places[self.replica][0];
                Some(self.b.cells_plus(first, self.b.int(place.into())))
            }
            _ => None,
        }
    }

    /// Emits a step of elements: what is done for them, for as many as a thread has replicas, or for those that there
    /// are, one by one.
    pub(crate) fn emit_elements(&mut self, stride: &Stride, lockstep: &LockstepPlan, step: Value) {
        let replicas = i64::from(self.replicas.merge.factor[0]);
        let [t, n] = ["tid", "ntid"].map(|r| self.register32(r, Dim::X));
        let elements = self.elements(stride);
        let h = &self.hoist;
        let (own, all) = (
            h.cells_times(t, h.int(replicas)),
            h.cells_times(n, h.int(replicas)),
        );
        let first = self.b.cells_plus(self.b.cells_times(step, all), own);
        let last = self.b.cells_plus(first, self.b.int(replicas - 1));
        let [fast, few, end] =
            ["mesi.fast", "mesi.few", "mesi.end"].map(|name| self.new_block(name));
        self.b.cond_br(self.b.below(last, elements), fast, few);
        self.b.at_end(fast);
        for replica in 0..self.replicas.count() {
            self.replica = replica;
            let element = self.b.cells_plus(first, self.b.int(replica as i64));
            self.set_element(stride, element);
        }
        self.replica = 0;
        self.led = Led::Group([Some(first), None, None]);
        for node in self.nodes_of(stride) {
            self.emit_node_for_all(node, lockstep, None);
        }
        self.b.br(end);
        self.b.at_end(few);
        self.emit_few_elements(stride, [first, elements], end);
        self.b.at_end(end);
    }

    /// What is done for each element from the first of two numbers up to the second, if there is any; then goes to
    /// `end`.
    fn emit_few_elements(&mut self, stride: &Stride, [first, behind]: [Value; 2], end: Block) {
        let slot = self.new_slot(self.b.i32());
        self.set(slot, first);
        let again = self.new_block("mesi.element");
        self.b.cond_br(self.b.below(first, behind), again, end);
        self.b.at_end(again);
        let element = self.get(slot);
        self.set_element(stride, element);
        self.led = Led::Group([Some(element), None, None]);
        for node in self.nodes_of(stride) {
            self.emit_structured(node);
        }
        self.led = Led::Grid;
        self.b.locate_nowhere();
        let next = self.b.add_nsw(element, self.b.int(1));
        self.set(slot, next);
        let branch = self.b.cond_br(self.b.below(next, behind), again, end);
        self.b.loop_properties(branch, KEEP);
    }

    /// Makes an element the current replica's, where a loop counts them.
    fn set_element(&mut self, stride: &Stride, element: Value) {
        let Over::Loop { counter, .. } = stride.over else {
            return;
        };
        let counter = self.from.kernel.value(counter);
        let slot = self.slot_of(counter);
        let element = self.b.zext_nneg(element, counter.ty());
        self.set(slot, element);
    }

    /// How many elements there are, in 32 bits, as a fact says.
    pub(super) fn elements(&mut self, stride: &Stride) -> Value {
        let limit = self.at_entry(stride.limit.value);
        let h = &self.hoist;
        let limit = h.trunc(limit, h.i32());
        h.cells_plus(limit, h.int(stride.limit.included.into()))
    }

    /// Who takes which steps of elements: as many blocks as the grid has at most.
    pub(crate) fn distribute_ids(&mut self, p: &Privatization, stride: &Stride) -> Distribution {
        let [own, n, blocks] =
            [("ctaid"), ("ntid"), ("nctaid")].map(|r| self.register32(r, Dim::X));
        let threads = self.threads().count;
        let elements = self.elements(stride);
        let h = &self.hoist;
        let all = h.cells_times(n, h.int(self.replicas.merge.factor[0].into()));
        // A fact leaves room for a step more.
        let steps = h.udiv(h.cells_plus(elements, h.minus(all, h.int(1))), all);
        let by_chip = h.short_quotient(h.int(p.resident.into()), threads);
        let by_chip = h.least(by_chip, h.int(p.blocks.into()));
        let by_work = h.lshr(elements, h.int(p.share.trailing_zeros().into()));
        let leaders = h.least(h.least(by_chip, by_work), h.least(blocks, steps));
        Distribution {
            own,
            leaders: h.greatest(leaders, h.int(1)),
            steps,
            across: steps,
        }
    }
}
