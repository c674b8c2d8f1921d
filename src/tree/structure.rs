//! Structures a kernel's control flow as a tree.
//!
//! One walk from the entry: a loop header starts a loop, a conditional branch an if that ends at
//! its immediate postdominator. A branch whose two sides share blocks before they meet, a switch,
//! and a loop with several exits or latches become `Opaque` up to the postdominator.
//!
//! Conservative: short-circuit conditions with loads in them give shared blocks and so `Opaque`,
//! although duplicating the shared block would structure them.

use super::{Edge, ExitAt, Loop, LoopId, Node, NodeId, OpaqueReason, Tree, collect_blocks};
use crate::kernel::cfg::{Cfg, NaturalLoop};
use crate::kernel::{BlockId, Kernel};
use crate::llvm::ir::Op;
use std::collections::BTreeSet;

/// Structures `kernel`; `None` if its control flow is irreducible.
pub fn structure(kernel: &Kernel) -> Option<Tree> {
    let cfg = Cfg::new(kernel);
    if cfg.irreducible {
        return None;
    }
    let mut l = Structurer {
        kernel,
        cfg: &cfg,
        nodes: Vec::new(),
        loops: Vec::new(),
    };
    let root = l.structure_seq(BlockId(0), None, None, None);
    let (nodes, loops) = (l.nodes, l.loops);
    Some(finish(kernel, nodes, loops, root))
}

struct Structurer<'a> {
    kernel: &'a Kernel,
    cfg: &'a Cfg,
    nodes: Vec<Node>,
    loops: Vec<Loop>,
}

impl Structurer<'_> {
    fn push(&mut self, n: Node) -> NodeId {
        self.nodes.push(n);
        NodeId(self.nodes.len() as u32 - 1)
    }

    /// Structures from `b` until `stop`, the latch of `within`, or the end of the thread. `from` is
    /// the block whose edge leads to `b`.
    fn structure_seq(
        &mut self,
        b: BlockId,
        stop: Option<BlockId>,
        within: Option<LoopId>,
        from: Option<BlockId>,
    ) -> NodeId {
        let mut children = Vec::new();
        if let Some(from) = from {
            children.push(self.push(Node::Edge(Edge { from, to: b })));
        }
        let mut next = Some(b);
        while let Some(b) = next.filter(|b| Some(*b) != stop && self.is_within(*b, within)) {
            let loop_here = self.cfg.loops.iter().find(|l| l.header == b);
            let entered = within.is_some_and(|l| self.loops[l.index()].header == b);
            next = match loop_here.filter(|_| !entered) {
                Some(natural) => self.structure_loop(natural, within, &mut children),
                None => self.structure_block(b, stop, within, &mut children),
            };
            // A loop whose header is the latch goes straight on to the header of the one around it.
            next = next.filter(|n| within.is_none_or(|l| self.loops[l.index()].header != *n));
        }
        self.push(Node::Seq(children))
    }

    /// Whether `b` is a block of the loop that is being structured. What goes on behind it is not its body: another
    /// loop around it would be structured within it, and so without end.
    fn is_within(&self, b: BlockId, within: Option<LoopId>) -> bool {
        within.is_none_or(|l| self.loops[l.index()].blocks.contains(&b))
    }

    /// Structures one block and its branch; returns where control goes on.
    fn structure_block(
        &mut self,
        b: BlockId,
        stop: Option<BlockId>,
        within: Option<LoopId>,
        children: &mut Vec<NodeId>,
    ) -> Option<BlockId> {
        let succ = self.cfg.succ[b.index()].clone();
        let term = self.kernel.block(b).terminator();
        let is_latch = within.is_some_and(|l| self.loops[l.index()].latch == b);
        let structured =
            matches!(term.opcode(), Some(Op::LLVMBr | Op::LLVMRet)) || term.is(Op::LLVMUnreachable);
        if !structured {
            return self.opaque(b, OpaqueReason::Switch, children);
        }
        if !is_latch && succ.len() == 2 {
            let join = self.cfg.immediate_postdominator(b);
            let sides = [
                self.cfg.reachable(succ[0], join),
                self.cfg.reachable(succ[1], join),
            ];
            if !sides[0].is_disjoint(&sides[1]) {
                return self.opaque(b, OpaqueReason::Unstructured, children);
            }
        }
        let node = self.push(Node::Block(b));
        children.push(node);
        if is_latch {
            return None;
        }
        match succ[..] {
            [] => {
                children.push(self.push(Node::Return(b)));
                None
            }
            [to] => {
                children.push(self.push(Node::Edge(Edge { from: b, to })));
                Some(to)
            }
            _ => {
                let join = self.cfg.immediate_postdominator(b);
                debug_assert!(stop.is_none() || join.is_some());
                let then = self.structure_seq(succ[0], join, within, Some(b));
                let otherwise = self.structure_seq(succ[1], join, within, Some(b));
                children.push(self.push(Node::If {
                    at: b,
                    then,
                    otherwise,
                }));
                join
            }
        }
    }

    /// Structures a loop, or makes it opaque; returns where control goes on.
    fn structure_loop(
        &mut self,
        natural: &NaturalLoop,
        parent: Option<LoopId>,
        children: &mut Vec<NodeId>,
    ) -> Option<BlockId> {
        let header = natural.header;
        let ([latch], [exit]) = (&natural.latches[..], &natural.exits[..]) else {
            let why = if natural.exits.len() > 1 {
                OpaqueReason::SeveralExits
            } else {
                OpaqueReason::LoopShape
            };
            return self.opaque(header, why, children);
        };
        let exit_at = match exit.0 {
            b if b == *latch => ExitAt::Latch,
            b if b == header => ExitAt::Header,
            _ => return self.opaque(header, OpaqueReason::LoopShape, children),
        };
        let id = LoopId(self.loops.len() as u32);
        let nodes_before = self.nodes.len();
        let exit = Edge {
            from: exit.0,
            to: exit.1,
        };
        let placeholder = NodeId(u32::MAX);
        self.loops.push(Loop {
            node: placeholder,
            header,
            latch: *latch,
            exit_at,
            exit,
            body: placeholder,
            parent,
            blocks: natural.blocks.iter().copied().collect(),
        });
        let body = match exit_at {
            ExitAt::Latch => self.structure_seq(header, None, Some(id), None),
            ExitAt::Header => {
                let succ = &self.cfg.succ[header.index()];
                let inner = *succ
                    .iter()
                    .find(|s| natural.blocks.contains(s))
                    .unwrap_or(&header);
                self.structure_seq(inner, None, Some(id), Some(header))
            }
        };
        if !self.covers(body, natural, exit_at) {
            self.nodes.truncate(nodes_before);
            self.loops.truncate(id.index());
            return self.opaque(header, OpaqueReason::LoopShape, children);
        }
        let node = self.push(Node::Loop(id));
        self.loops[id.index()].node = node;
        self.loops[id.index()].body = body;
        children.push(node);
        children.push(self.push(Node::Edge(exit)));
        Some(exit.to)
    }

    /// Whether a structured body holds each block of its loop once and no other, and the latch by itself. It does not
    /// where something opaque in it, from its header on, swallows the latch.
    fn covers(&self, body: NodeId, natural: &NaturalLoop, exit_at: ExitAt) -> bool {
        let latches = |n: &Node| matches!(n, Node::Block(b) if natural.latches.contains(b));
        if !self.nodes[..body.index()].iter().any(latches) {
            return false;
        }
        let mut covered = Vec::new();
        collect_blocks(&self.nodes, &self.loops, body, &mut covered);
        if exit_at == ExitAt::Header {
            covered.push(natural.header);
        }
        covered.sort_unstable();
        natural.blocks.iter().eq(covered.iter())
    }

    /// Leaves everything from `entry` to the nearest postdominator outside its loop as it is.
    fn opaque(
        &mut self,
        entry: BlockId,
        why: OpaqueReason,
        children: &mut Vec<NodeId>,
    ) -> Option<BlockId> {
        let enclosing: BTreeSet<BlockId> = self
            .cfg
            .loops
            .iter()
            .find(|l| l.header == entry)
            .map(|l| l.blocks.clone())
            .unwrap_or_default();
        let mut exit = self.cfg.immediate_postdominator(entry);
        while let Some(e) = exit.filter(|e| enclosing.contains(e)) {
            exit = self.cfg.immediate_postdominator(e);
        }
        let blocks: Vec<BlockId> = self.cfg.reachable(entry, exit).into_iter().collect();
        children.push(self.push(Node::Opaque {
            entry,
            blocks,
            exit,
            why,
        }));
        exit
    }
}

/// Fills in parents and the node of each block.
fn finish(kernel: &Kernel, nodes: Vec<Node>, loops: Vec<Loop>, root: NodeId) -> Tree {
    let mut parents = vec![None; nodes.len()];
    let mut node_of_block = vec![None; kernel.blocks.len()];
    for (i, n) in nodes.iter().enumerate() {
        let me = NodeId(i as u32);
        match n {
            Node::Seq(children) => {
                children.iter().for_each(|c| parents[c.index()] = Some(me));
            }
            Node::If {
                then, otherwise, ..
            } => {
                parents[then.index()] = Some(me);
                parents[otherwise.index()] = Some(me);
            }
            Node::Loop(l) => {
                let l = &loops[l.index()];
                parents[l.body.index()] = Some(me);
                if l.exit_at == ExitAt::Header {
                    node_of_block[l.header.index()] = Some(me);
                }
            }
            Node::Block(b) => node_of_block[b.index()] = Some(me),
            Node::Opaque { blocks, .. } => {
                blocks
                    .iter()
                    .for_each(|b| node_of_block[b.index()] = Some(me));
            }
            Node::Edge(_) | Node::Return(_) => {}
        }
    }
    Tree {
        nodes,
        parents,
        loops,
        root,
        node_of_block,
    }
}
