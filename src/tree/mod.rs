//! The structured tree a kernel is brought to: sequences, ifs, loops, and opaque regions.
//!
//! ```text
//! seq
//!   block bb0
//!   if bb0 (v9)
//!     then: seq [edge bb0->bb1, block bb1, edge bb1->bb2, loop0, edge bb2->bb3, block bb3]
//!     else: seq [edge bb0->bb4]
//!   block bb4
//!   return
//! ```
//! Edges are nodes of their own: phis are values carried along edges, and `lower` moves them
//! there. An early return and a wrapping `if` have the same shape. A region that is not
//! structured but has one entry and one exit is `Opaque`: it is copied whole and its inside is
//! not staged. The tree only describes; the IR is never edited from here.

mod structure;

use crate::kernel::{BlockId, Kernel, id};
use crate::llvm::ir::Value;
use std::fmt;

pub use structure::structure;

id!(/// A node of the tree.
    NodeId, "node");
id!(/// A structured loop, in order of lifting: outer before inner.
    LoopId, "loop");

/// A control-flow edge, along which phis of `to` take their values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The branching block.
    pub from: BlockId,
    /// The block entered.
    pub to: BlockId,
}

/// One node. Children precede their parents' later siblings in execution order.
#[derive(Debug, Clone)]
pub enum Node {
    /// The instructions of one block, terminator excluded.
    Block(BlockId),
    /// A control-flow edge taken.
    Edge(Edge),
    /// Children one after the other.
    Seq(Vec<NodeId>),
    /// The conditional branch of block `at`: `then` when its condition holds. Both sides are
    /// `Seq`s that start with their edge and end where the sides meet again or the thread ends.
    If {
        /// The block whose terminator decides.
        at: BlockId,
        /// Side taken when the condition is true.
        then: NodeId,
        /// Side taken when it is false.
        otherwise: NodeId,
    },
    /// A loop with one latch and one exit.
    Loop(LoopId),
    /// A region left as it is: entered at `entry`, left only to `exit` (`None`: threads end in it).
    Opaque {
        /// First block.
        entry: BlockId,
        /// All blocks, in layout order.
        blocks: Vec<BlockId>,
        /// Where control goes on.
        exit: Option<BlockId>,
        /// Why it could not be structured.
        why: OpaqueReason,
    },
    /// The thread ends (`ret`, `unreachable`).
    Return(BlockId),
}

/// Why a region is not structured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpaqueReason {
    /// A loop is left from more than one place, as by `break` on data.
    SeveralExits,
    /// A loop has several latches or an exit in its middle.
    LoopShape,
    /// A switch.
    Switch,
    /// Branches that meet in other ways than nested ifs do.
    Unstructured,
}

/// Where a loop tests whether to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitAt {
    /// After the body: rotated, the body runs at least once when reached.
    Latch,
    /// Before it: the header runs once more than the rest.
    Header,
}

/// A structured loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Loop {
    /// Its node.
    pub node: NodeId,
    /// First block.
    pub header: BlockId,
    /// The block that branches back.
    pub latch: BlockId,
    /// Where it is left.
    pub exit_at: ExitAt,
    /// The edge by which it is left.
    pub exit: Edge,
    /// What one iteration does. For `ExitAt::Latch` from the header's instructions to the latch's;
    /// for `ExitAt::Header` from the edge out of the header to the latch's instructions (the
    /// header's own instructions precede it). The back edge `latch -> header` follows.
    pub body: NodeId,
    /// The loop around this one.
    pub parent: Option<LoopId>,
    /// Every block.
    pub blocks: Vec<BlockId>,
}

/// A structured kernel.
#[derive(Clone)]
pub struct Tree {
    /// Nodes by [`NodeId`].
    pub nodes: Vec<Node>,
    /// The parent of each node; the root has none. A loop body's parent is the loop's node.
    pub parents: Vec<Option<NodeId>>,
    /// Loops by [`LoopId`].
    pub loops: Vec<Loop>,
    /// The whole kernel, a `Seq`.
    pub root: NodeId,
    /// The node of each block: its `Block` or the `Opaque` that holds it. `None`: unreachable.
    pub node_of_block: Vec<Option<NodeId>>,
}

impl Tree {
    /// The node behind an id.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }
    /// All loops, each behind those around it.
    pub fn loop_ids(&self) -> impl DoubleEndedIterator<Item = LoopId> + use<> {
        (0..self.loops.len() as u32).map(LoopId)
    }
    /// The loop behind an id.
    pub fn loop_(&self, id: LoopId) -> &Loop {
        &self.loops[id.index()]
    }
    /// The loop whose header has a phi, and what the phi begins with.
    pub fn begins(&self, kernel: &Kernel, phi: Value) -> Option<(LoopId, Value)> {
        let block = kernel.block_id(phi.block()?);
        let id = self.loop_ids().find(|l| self.loop_(*l).header == block)?;
        let latch = kernel.block(self.loop_(id).latch);
        let mut incoming = phi.incoming().into_iter();
        Some((id, incoming.find(|i| i.1 != latch)?.0))
    }
    /// `id` and its ancestors, innermost first.
    pub fn ancestors(&self, id: NodeId) -> Vec<NodeId> {
        std::iter::successors(Some(id), |n| self.parents[n.index()]).collect()
    }
    /// Whether a side of an if is nothing but the way to where the sides meet.
    pub fn does_nothing(&self, side: NodeId) -> bool {
        match self.node(side) {
            Node::Seq(children) => children.iter().all(|c| self.does_nothing(*c)),
            Node::Edge(_) => true,
            _ => false,
        }
    }
    /// Whether `inner` is `outer` or lies inside it.
    pub fn contains(&self, outer: NodeId, inner: NodeId) -> bool {
        std::iter::successors(Some(inner), |n| self.parents[n.index()]).any(|n| n == outer)
    }
    /// Loops around `node`, innermost first, the node's own loop included.
    pub fn enclosing_loops(&self, node: NodeId) -> Vec<LoopId> {
        self.ancestors(node)
            .into_iter()
            .filter_map(|n| match self.node(n) {
                Node::Loop(l) => Some(*l),
                _ => None,
            })
            .collect()
    }
    /// The tree in which the ifs `sides` always have this outcome: in their places stand those sides.
    pub fn assuming(&self, sides: &[(NodeId, bool)]) -> Tree {
        let mut tree = self.clone();
        for (id, wanted) in sides {
            let Node::If {
                then, otherwise, ..
            } = *tree.node(*id)
            else {
                continue;
            };
            let (kept, dropped) = if *wanted {
                (then, otherwise)
            } else {
                (otherwise, then)
            };
            for b in tree.blocks_in(dropped) {
                tree.node_of_block[b.index()] = None;
            }
            tree.nodes[id.index()] = Node::Seq(vec![kept]);
        }
        tree
    }
    /// Every block inside `node`, in tree order.
    pub fn blocks_in(&self, node: NodeId) -> Vec<BlockId> {
        let mut out = Vec::new();
        collect_blocks(&self.nodes, &self.loops, node, &mut out);
        out
    }
}

/// Adds the blocks inside `node`, in tree order.
fn collect_blocks(nodes: &[Node], loops: &[Loop], node: NodeId, out: &mut Vec<BlockId>) {
    match &nodes[node.index()] {
        Node::Block(b) => out.push(*b),
        Node::Edge(_) | Node::Return(_) => {}
        Node::Seq(children) => children
            .iter()
            .for_each(|c| collect_blocks(nodes, loops, *c, out)),
        Node::If {
            then, otherwise, ..
        } => {
            collect_blocks(nodes, loops, *then, out);
            collect_blocks(nodes, loops, *otherwise, out);
        }
        Node::Loop(l) => {
            let l = &loops[l.index()];
            if l.exit_at == ExitAt::Header {
                out.push(l.header);
            }
            collect_blocks(nodes, loops, l.body, out);
        }
        Node::Opaque { blocks, .. } => out.extend(blocks),
    }
}

/// The dump of `print<mesi-tree>`.
pub fn dump(tree: &Tree, kernel: &Kernel) -> String {
    let mut out = format!("tree of {}\n", kernel.name);
    dump_node(tree, tree.root, 1, &mut out);
    out
}

fn dump_node(tree: &Tree, node: NodeId, depth: usize, out: &mut String) {
    use fmt::Write;
    let pad = "  ".repeat(depth);
    let mut line = |s: String| {
        let _ = writeln!(out, "{pad}{s}");
    };
    match tree.node(node) {
        Node::Block(b) => line(format!("block {b}")),
        Node::Edge(e) => line(format!("edge {} -> {}", e.from, e.to)),
        Node::Return(b) => line(format!("return {b}")),
        Node::Seq(children) => {
            line(format!("seq {node}"));
            for c in children {
                dump_node(tree, *c, depth + 1, out);
            }
        }
        Node::If {
            at,
            then,
            otherwise,
        } => {
            line(format!("if {at} {node}"));
            dump_node(tree, *then, depth + 1, out);
            dump_node(tree, *otherwise, depth + 1, out);
        }
        Node::Loop(l) => {
            let l_ = tree.loop_(*l);
            line(format!(
                "{l} {node} header {} latch {} exit {} -> {} at {:?}",
                l_.header, l_.latch, l_.exit.from, l_.exit.to, l_.exit_at
            ));
            dump_node(tree, l_.body, depth + 1, out);
        }
        Node::Opaque {
            entry,
            blocks,
            exit,
            why,
        } => {
            let names: Vec<String> = blocks.iter().map(ToString::to_string).collect();
            let exit = exit.map_or("end".to_string(), |e| e.to_string());
            line(format!(
                "opaque {why:?} {entry} [{}] -> {exit}",
                names.join(" ")
            ));
        }
    }
}
