//! Dominators, postdominators and natural loops of a kernel, on block ids.
//!
//! LLVM's own trees have no C API; petgraph's dominator algorithm on the same graph gives the
//! same answer, so nothing of LLVM's analyses has to outlive this file.

use super::{BlockId, Kernel};
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeSet;

/// The control-flow graph with what lifting asks of it. The virtual exit, which every `ret` and
/// `unreachable` leads to, has index `blocks.len()`.
pub struct Cfg {
    /// Successors by block, in terminator order, repeats dropped.
    pub succ: Vec<Vec<BlockId>>,
    /// Predecessors by block, in block order.
    pub pred: Vec<Vec<BlockId>>,
    /// Natural loops, outermost first, by header order.
    pub loops: Vec<NaturalLoop>,
    /// Whether some cycle has no header that dominates it.
    pub irreducible: bool,
    dominators: Dominators<NodeIndex>,
    postdominators: Dominators<NodeIndex>,
}

/// A natural loop: every block that reaches a latch without passing the header.
pub struct NaturalLoop {
    /// The block that dominates the rest.
    pub header: BlockId,
    /// Blocks that branch back to the header.
    pub latches: Vec<BlockId>,
    /// All blocks, header included.
    pub blocks: BTreeSet<BlockId>,
    /// Edges that leave, in block order.
    pub exits: Vec<(BlockId, BlockId)>,
}

impl Cfg {
    /// Reads the graph of `kernel`. Unreachable blocks stay without predecessors.
    pub fn new(kernel: &Kernel) -> Cfg {
        let n = kernel.blocks.len();
        let mut succ = vec![Vec::new(); n];
        let mut pred = vec![Vec::new(); n];
        for (i, b) in kernel.blocks.iter().enumerate() {
            for s in b.successors() {
                let s = kernel.block_id(s);
                if !succ[i].contains(&s) {
                    succ[i].push(s);
                    pred[s.index()].push(BlockId(i as u32));
                }
            }
        }
        let dominators = simple_fast(&graph(&succ, false), NodeIndex::new(0));
        let postdominators = simple_fast(&graph(&succ, true), NodeIndex::new(n));
        let mut cfg = Cfg {
            succ,
            pred,
            loops: Vec::new(),
            irreducible: false,
            dominators,
            postdominators,
        };
        cfg.find_loops();
        cfg
    }

    /// Whether every path from the entry to `b` passes `a`.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.dominators
            .dominators(NodeIndex::new(b.index()))
            .is_some_and(|mut d| d.any(|x| x.index() == a.index()))
    }

    /// The nearest block that every path from `b` to the end passes; `None`: only the end.
    pub fn immediate_postdominator(&self, b: BlockId) -> Option<BlockId> {
        let p = self
            .postdominators
            .immediate_dominator(NodeIndex::new(b.index()))?
            .index();
        (p < self.succ.len()).then_some(BlockId(p as u32))
    }

    /// Blocks reachable from `from` without entering `stop`.
    pub fn reachable(&self, from: BlockId, stop: Option<BlockId>) -> BTreeSet<BlockId> {
        let mut seen = BTreeSet::new();
        let mut work = vec![from];
        while let Some(b) = work.pop() {
            if Some(b) != stop && seen.insert(b) {
                work.extend(&self.succ[b.index()]);
            }
        }
        seen
    }

    fn find_loops(&mut self) {
        let reach = self.reachable(BlockId(0), None);
        let mut headers: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
        for &b in &reach {
            let latches: Vec<BlockId> = self.pred[b.index()]
                .iter()
                .copied()
                .filter(|p| reach.contains(p) && self.dominates(b, *p))
                .collect();
            if !latches.is_empty() {
                headers.push((b, latches));
            }
        }
        for (header, latches) in headers {
            let blocks = self.loop_blocks(header, &latches);
            let exits = blocks
                .iter()
                .flat_map(|b| self.succ[b.index()].iter().map(move |s| (*b, *s)))
                .filter(|(_, s)| !blocks.contains(s))
                .collect();
            self.loops.push(NaturalLoop {
                header,
                latches,
                blocks,
                exits,
            });
        }
        crate::order::sort_by_key(&mut self.loops, |l| {
            (std::cmp::Reverse(l.blocks.len()), l.header)
        });
        self.irreducible = self.has_cycle_without_back_edges(&reach);
    }

    fn loop_blocks(&self, header: BlockId, latches: &[BlockId]) -> BTreeSet<BlockId> {
        let mut blocks = BTreeSet::from([header]);
        let mut work = latches.to_vec();
        while let Some(b) = work.pop() {
            if blocks.insert(b) {
                work.extend(&self.pred[b.index()]);
            }
        }
        blocks
    }

    /// Kahn's algorithm on the graph less its back edges: what is left over is irreducible.
    fn has_cycle_without_back_edges(&self, reach: &BTreeSet<BlockId>) -> bool {
        let is_back = |from: BlockId, to: BlockId| {
            self.loops
                .iter()
                .any(|l| l.header == to && l.latches.contains(&from))
        };
        let mut indegree = vec![0usize; self.succ.len()];
        for &b in reach {
            for &s in self.succ[b.index()].iter().filter(|s| !is_back(b, **s)) {
                indegree[s.index()] += 1;
            }
        }
        let mut ready: Vec<BlockId> = reach
            .iter()
            .copied()
            .filter(|b| indegree[b.index()] == 0)
            .collect();
        let mut done = 0;
        while let Some(b) = ready.pop() {
            done += 1;
            for &s in self.succ[b.index()].iter().filter(|s| !is_back(b, **s)) {
                indegree[s.index()] -= 1;
                if indegree[s.index()] == 0 {
                    ready.push(s);
                }
            }
        }
        done < reach.len()
    }
}

/// The graph with a virtual exit node last; reversed for postdominators.
fn graph(succ: &[Vec<BlockId>], reversed: bool) -> DiGraph<(), ()> {
    let mut g = DiGraph::new();
    for _ in 0..=succ.len() {
        g.add_node(());
    }
    let mut edge = |a: usize, b: usize| {
        let (a, b) = if reversed { (b, a) } else { (a, b) };
        g.add_edge(NodeIndex::new(a), NodeIndex::new(b), ());
    };
    for (i, ss) in succ.iter().enumerate() {
        for s in ss {
            edge(i, s.index());
        }
        if ss.is_empty() {
            edge(i, succ.len());
        }
    }
    g
}
