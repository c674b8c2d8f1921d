//! The one walk over the tree, and what a way to emit it has to say.
//!
//! A body is the tree walked again. [`Lower::emit_as`] tells the kinds of nodes apart; a [`Mode`] says what is emitted
//! at each, for whom:
//!
//! | mode | for whom | branches | loops |
//! |---|---|---|---|
//! | `Threads` | whoever comes here | as written | as written |
//! | `Convergent` | the whole block, with predicates | both sides | until the last thread is done |
//! | `Predicated` | all replicas of a thread, with predicates | – | left by all replicas together |
//! | `Straight` | the same, in store tiles | – | – |
//! | `Lockstep` | all replicas of a thread, which are all here | one side, or the slow path | left by all together |
//! | `Joint` | jammed iterations | one side | left by all of them together |
//! | `Deferred` | one such iteration: what was put off | one side | their accumulators |
//!
//! A mode that another one falls back to is named there by what it does (`emit_structured`), not by its type.

use super::Lower;
use crate::kernel::BlockId;
use crate::llvm::ir::{Block, Value};
use crate::tree::{Edge, ExitAt, LoopId, Node, NodeId};

/// What is emitted at the nodes of a subtree. What a mode says nothing of does not occur where it is used.
pub(crate) trait Mode {
    /// Whether there is something to emit at a node.
    fn enters(&self, _: &Lower, _: NodeId) -> bool {
        true
    }

    /// Nodes one behind the other.
    fn sequence(&mut self, l: &mut Lower, children: &[NodeId]) {
        children.iter().for_each(|c| l.emit_as(*c, self));
    }

    /// A block's instructions.
    fn block(&mut self, _: &mut Lower, b: BlockId) {
        unreachable!("block {b:?} is not for this mode");
    }

    /// The moves to the phis at an edge's end.
    fn edge(&mut self, _: &mut Lower, e: Edge) {
        unreachable!("{e:?} is not for this mode");
    }

    /// The branch that ends the block `at`, and its sides; the node is an `If`.
    fn branch(&mut self, _: &mut Lower, node: NodeId, _: BlockId, _: [NodeId; 2]) {
        unreachable!("{node:?} is not for this mode");
    }

    /// A loop.
    fn repeat(&mut self, _: &mut Lower, l: LoopId) {
        unreachable!("{l:?} is not for this mode");
    }

    /// Blocks that are copied with their branches; the node is `Opaque`.
    fn opaque(&mut self, _: &mut Lower, node: NodeId) {
        unreachable!("{node:?} is not for this mode");
    }
}

impl Lower<'_> {
    /// Emits `node` as `mode` has it.
    pub(crate) fn emit_as<M: Mode + ?Sized>(&mut self, node: NodeId, mode: &mut M) {
        if !mode.enters(self, node) {
            return;
        }
        let tree = self.from.tree;
        match tree.node(node) {
            Node::Seq(children) => mode.sequence(self, children),
            Node::Block(b) => mode.block(self, *b),
            Node::Edge(e) => mode.edge(self, *e),
            Node::If {
                at,
                then,
                otherwise,
            } => mode.branch(self, node, *at, [*then, *otherwise]),
            Node::Loop(l) => mode.repeat(self, *l),
            Node::Opaque { .. } => mode.opaque(self, node),
            // Nothing follows on any path of such a thread (tree), so it may fall through to the
            // end of what is emitted here.
            Node::Return(_) => {}
        }
    }

    /// A branch that all who come here take by one condition, which is read now.
    pub(crate) fn emit_either<M: Mode>(&mut self, at: BlockId, sides: [NodeId; 2], mode: &mut M) {
        let c = self.condition_of(at);
        let (yes, no) = (self.new_block("mesi.then"), self.new_block("mesi.else"));
        let join = self.new_block("mesi.join");
        self.b.cond_br(c, yes, no);
        for (block, side) in [yes, no].into_iter().zip(sides) {
            self.b.at_end(block);
            self.emit_as(side, mode);
            self.b.br(join);
        }
        self.b.at_end(join);
    }

    /// A loop that all replicas leave together.
    pub(crate) fn emit_joint_loop<M: Mode>(&mut self, l: LoopId, mode: &mut M) {
        let again = self.fall_into("mesi.loop");
        let done = self.new_block("mesi.done");
        self.emit_joint_again(l, [again, done], mode);
    }

    /// The loop that begins here, in block `again`; code goes on in `done`.
    pub(crate) fn emit_joint_again<M: Mode>(
        &mut self,
        l: LoopId,
        [again, done]: [Block; 2],
        mode: &mut M,
    ) {
        let branch = self.emit_joint_iteration(l, [again, done], mode);
        let latch = self.from.tree.loop_(l).latch;
        let original = self.from.kernel.block(latch).terminator();
        branch.copy_metadata(self.module(), "llvm.loop", original);
        self.keep_rolled(branch);
        self.b.at_end(done);
    }

    /// One iteration, which goes on to `next` or to `done`; the branch to `next`.
    pub(crate) fn emit_joint_iteration<M: Mode>(
        &mut self,
        l: LoopId,
        [next, done]: [Block; 2],
        mode: &mut M,
    ) -> Value {
        let lp = self.from.tree.loop_(l);
        let back = Edge {
            from: lp.latch,
            to: lp.header,
        };
        match lp.exit_at {
            ExitAt::Latch => {
                self.note_last_of_all(l);
                self.emit_as(lp.body, mode);
                let go_on = self.goes_first(lp.latch, lp.header);
                let c = self.condition_of(lp.latch);
                mode.edge(self, back);
                let (yes, no) = if go_on { (next, done) } else { (done, next) };
                self.b.cond_br(c, yes, no)
            }
            ExitAt::Header => {
                mode.block(self, lp.header);
                let leave = self.goes_first(lp.header, lp.exit.to);
                let c = self.condition_of(lp.header);
                let body = self.new_block("mesi.body");
                let (yes, no) = if leave { (done, body) } else { (body, done) };
                self.b.cond_br(c, yes, no);
                self.b.at_end(body);
                self.emit_as(lp.body, mode);
                mode.edge(self, back);
                self.b.br(next)
            }
        }
    }
}
