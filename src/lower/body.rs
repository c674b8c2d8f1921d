//! Emits subtrees as the original has them: branches stay branches. Threads here are those that
//! would be here in the original body.

use super::Lower;
use super::state::{ANY, Iteration, KEEP};
use super::walker::Mode;
use crate::affine::Atom;
use crate::kernel::BlockId;
use crate::llvm::ir::{Block, Op, Value};
use crate::llvm::rolled;
use crate::map::HashMap;
use crate::tree::{Edge, ExitAt, LoopId, Node, NodeId};

/// Threads that are here, replica by replica.
struct Threads;

impl Mode for Threads {
    fn block(&mut self, l: &mut Lower, b: BlockId) {
        l.emit_block(b);
    }

    fn edge(&mut self, l: &mut Lower, e: Edge) {
        l.emit_edge(e.from, e.to);
    }

    fn branch(&mut self, l: &mut Lower, _: NodeId, at: BlockId, sides: [NodeId; 2]) {
        l.emit_either(at, sides, self);
    }

    fn repeat(&mut self, l: &mut Lower, id: LoopId) {
        l.emit_loop(id);
    }

    fn opaque(&mut self, l: &mut Lower, node: NodeId) {
        l.emit_opaque(node);
    }
}

impl Lower<'_> {
    /// Emits `node` for threads whose control is here.
    pub(crate) fn emit_structured(&mut self, node: NodeId) {
        self.emit_as(node, &mut Threads);
    }

    /// The condition of the branch that ends `at`.
    pub(crate) fn condition_of(&mut self, at: BlockId) -> Value {
        let t = self.from.kernel.block(at).terminator();
        self.read(t.condition(), at)
    }

    /// Whether the first successor of `from` is `to`.
    pub(crate) fn goes_first(&self, from: BlockId, to: BlockId) -> bool {
        self.from.kernel.block(from).successors()[0] == self.from.kernel.block(to)
    }

    /// A loop as the original has it, with an iteration counter where a tile asks for one.
    fn emit_loop(&mut self, l: LoopId) {
        let plan = self.from.plan;
        if let Some(a) = plan.unroll_jam().filter(|a| a.loop_ == l) {
            return self.emit_unroll_jam(a);
        }
        if let Some(c) = plan.unclamped().filter(|c| c.loop_ == l)
            && self.replica != ANY
        {
            return self.emit_unclamped(c, |s| s.emit_loop_here(l));
        }
        self.emit_loop_here(l);
    }

    fn emit_loop_here(&mut self, l: LoopId) {
        let mut unrolled = self.from.plan.unrolled();
        match unrolled.find(|r| r.loop_ == l) {
            Some(r) => self.emit_unrolled(r),
            None => self.emit_loop_as_is(l),
        }
    }

    /// A loop as the original has it, from the iteration that its header's phis say.
    pub(crate) fn emit_loop_as_is(&mut self, l: LoopId) {
        self.emit_loop_from(l, self.b.int(0));
    }

    /// The same where that iteration is number `first` (32 bits).
    pub(crate) fn emit_loop_from(&mut self, l: LoopId, first: Value) {
        self.begin_scalars(l);
        self.begin_count(l, first);
        let lp = self.from.tree.loop_(l);
        let again = self.fall_into("mesi.loop");
        let branch = match lp.exit_at {
            ExitAt::Latch => {
                self.emit_iteration(l);
                let go_on = self.goes_first(lp.latch, lp.header);
                let c = self.condition_of(lp.latch);
                self.emit_advance(l);
                let done = self.new_block("mesi.done");
                let (yes, no) = if go_on { (again, done) } else { (done, again) };
                let branch = self.b.cond_br(c, yes, no);
                self.b.at_end(done);
                branch
            }
            ExitAt::Header => {
                self.emit_block(lp.header);
                let leave = self.goes_first(lp.header, lp.exit.to);
                let c = self.condition_of(lp.header);
                let (body, done) = (self.new_block("mesi.body"), self.new_block("mesi.done"));
                let (yes, no) = if leave { (done, body) } else { (body, done) };
                self.b.cond_br(c, yes, no);
                self.b.at_end(body);
                self.emit_iteration(l);
                self.emit_advance(l);
                let branch = self.b.br(again);
                self.b.at_end(done);
                branch
            }
        };
        let original = self.from.kernel.block(lp.latch).terminator();
        branch.copy_metadata(self.module(), "llvm.loop", original);
        let at_edges = self.from.plan.lockstep().is_some_and(|t| t.at_edges);
        match self.replica == ANY {
            // Few threads come here: not worth what LLVM would make of it, or only ptxas.
            true if at_edges => self.b.loop_properties(branch, KEEP),
            true => rolled::mark(self.module(), branch, rolled::KEEP_ROLLED),
            false => {}
        }
        self.keep_rolled(branch);
        self.iterations.remove(&l);
        self.end_scalars(l);
    }

    /// Counts a loop's iterations from `first` (32 bits) where some tile asks for their number.
    pub(crate) fn begin_count(&mut self, l: LoopId, first: Value) {
        if self.is_counted(l) {
            let counter = self.new_slot(self.b.i32());
            self.set(counter, first);
            self.iterations.insert(l, Iteration::counted(counter));
        }
    }

    /// Counts a loop's iteration, if they are counted.
    pub(crate) fn count_iteration(&mut self, l: LoopId) {
        if let Some(Iteration::Counted { counter: c, .. }) = self.iterations.get(&l).copied() {
            let next = self.b.add_nsw(self.get(c), c.ty.constant(1));
            self.set(c, next);
        }
    }

    /// Whether some tile asks for a loop's iteration number.
    fn is_counted(&self, l: LoopId) -> bool {
        let tiles = self.from.plan.tiles();
        let mut terms = tiles.flat_map(|t| &t.footprint.dims).flat_map(|d| &d.terms);
        terms.any(|(a, _)| *a == Atom::Iter(l))
    }

    /// What one iteration does, a header with the loop's test left out.
    pub(crate) fn emit_iteration(&mut self, l: LoopId) {
        self.note_last(l);
        self.enter_scalars(l);
        self.emit_structured(self.from.tree.loop_(l).body);
    }

    /// Moves header phis and the counter on to the next iteration.
    pub(crate) fn emit_advance(&mut self, l: LoopId) {
        let lp = self.from.tree.loop_(l);
        self.emit_edge(lp.latch, lp.header);
        self.count_iteration(l);
    }

    /// A region copied with its branches.
    fn emit_opaque(&mut self, node: NodeId) {
        let tree = self.from.tree;
        let Node::Opaque {
            entry,
            blocks,
            exit,
            ..
        } = tree.node(node)
        else {
            unreachable!("{node:?} is not opaque");
        };
        let map: HashMap<BlockId, Block> = blocks
            .iter()
            .map(|b| (*b, self.new_block("mesi.opaque")))
            .collect();
        let join = self.new_block("mesi.join");
        self.b.br(map[entry]);
        for &b in blocks {
            self.b.at_end(map[&b]);
            self.emit_block(b);
            self.emit_branch(b, &map, *exit, join);
        }
        self.b.at_end(join);
    }

    /// The terminator of an opaque region's block. Threads that end go to `join` as well, because
    /// nothing follows there for them.
    fn emit_branch(
        &mut self,
        from: BlockId,
        map: &HashMap<BlockId, Block>,
        exit: Option<BlockId>,
        join: Block,
    ) {
        let old = self.from.kernel.block(from).terminator();
        let successors = self.from.kernel.block(from).successors();
        if successors.is_empty() {
            self.b.br(join);
            return;
        }
        let new = old.clone_instruction();
        for (k, o) in old.operands().into_iter().enumerate() {
            if o.is_instruction() && !old.is(Op::LLVMPHI) {
                let o = self.read(o, from);
                new.set_operand(k as u32, o);
            }
        }
        self.b.insert(new);
        let here = self.b.block();
        for (k, s) in successors.into_iter().enumerate() {
            let to = self.from.kernel.block_id(s);
            debug_assert!(map.contains_key(&to) || Some(to) == exit);
            let target = map.get(&to).copied().unwrap_or(join);
            let edge = self.new_block("mesi.edge");
            new.set_successor(k as u32, edge);
            self.b.at_end(edge);
            self.emit_edge(from, to);
            self.b.br(target);
        }
        self.b.at_end(here);
    }
}
