//! Which values and blocks of a function differ between the threads of a block.
//!
//! Taint from thread indices, memory and whatever is not known to be the same for all; along
//! operands; and along control: what a divergent branch decides, up to where its sides meet again,
//! and the phis there. Coarser than LLVM's uniformity analysis, shares no code with `lower`, and
//! errs on the side of divergence.

use crate::llvm::ir::{Block, Function, Op, Value};
use crate::map::{HashMap, HashSet};
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeSet;

/// Registers that are the same for all threads of a block.
const BLOCK_WIDE: [&str; 3] = ["ctaid.", "nctaid.", "ntid."];

/// The address space of constant memory.
const CONSTANT_MEMORY: u32 = 4;

/// Result: what diverges.
pub(super) struct Divergence {
    divergent: HashSet<Value>,
    /// Blocks that only some threads may be in.
    partial: HashSet<Block>,
}

/// Where the sides of a divergent branch meet again, and the blocks from which they come there.
struct Join {
    at: Block,
    from: HashSet<Block>,
}

impl Divergence {
    /// Analyses `f`.
    pub(super) fn of(f: Function) -> Divergence {
        let graph = Graph::new(f);
        let mut d = Divergence {
            divergent: HashSet::default(),
            partial: HashSet::default(),
        };
        let instructions: Vec<Value> = graph.blocks.iter().flat_map(|b| b.instructions()).collect();
        let mut joins: Vec<Join> = Vec::new();
        let mut spread: HashSet<Block> = HashSet::default();
        loop {
            let before = (d.divergent.len(), joins.len(), d.partial.len());
            for i in &instructions {
                let at_join = || i.is(Op::LLVMPHI) && d.is_decided(*i, &joins);
                if d.is_source(*i) || at_join() {
                    d.divergent.insert(*i);
                }
            }
            for b in graph.blocks.iter() {
                let decides = branch_inputs(*b).iter().any(|v| d.divergent.contains(v));
                if decides && spread.insert(*b) {
                    let (influenced, join) = graph.influence(*b);
                    if let Some(at) = join {
                        let from = influenced.iter().copied().chain([*b]).collect();
                        joins.push(Join { at, from });
                    }
                    d.partial.extend(influenced);
                }
            }
            if before == (d.divergent.len(), joins.len(), d.partial.len()) {
                return d;
            }
        }
    }

    /// Whether all threads of a block that reach `b` are there together.
    pub(super) fn is_convergent(&self, b: Block) -> bool {
        !self.partial.contains(&b)
    }

    /// Whether the sides of a divergent branch decide what a phi becomes: inside of what a branch
    /// decides about, any may; where the sides meet again, those that get different values from them.
    fn is_decided(&self, phi: Value, joins: &[Join]) -> bool {
        let Some(here) = phi.block() else {
            return true;
        };
        let differs = |j: &Join| {
            let mut values = phi.incoming().into_iter().filter(|i| j.from.contains(&i.1));
            let first = values.next();
            values.any(|v| first.is_none_or(|f| f.0 != v.0))
        };
        self.partial.contains(&here) || joins.iter().filter(|j| j.at == here).any(differs)
    }

    /// Whether the instruction diverges, given what is known to so far.
    fn is_source(&self, i: Value) -> bool {
        match i.opcode() {
            Some(Op::LLVMLoad) => !reads_unchanged(i) || self.any_operand(i),
            // Assembly without side effects computes from its operands, and from registers that it names itself.
            Some(Op::LLVMCall) if i.is_inline_asm_call() => {
                let block_wide = |r: &str| BLOCK_WIDE.iter().any(|b| r.starts_with(b));
                let names_own = i.asm_text().split('%').skip(1).any(|r| !block_wide(r));
                i.asm_has_side_effects() || names_own || self.any_operand(i)
            }
            Some(Op::LLVMCall) => {
                let name = i.callee_name();
                let register = name.strip_prefix("llvm.nvvm.read.ptx.sreg.");
                let block_wide =
                    register.is_some_and(|r| BLOCK_WIDE.iter().any(|b| r.starts_with(b)));
                if block_wide || name.starts_with("llvm.nvvm.barrier.cta.red") {
                    return false;
                }
                let computes = i.is_pure_call() || name.starts_with("llvm.nvvm.rcp.");
                name.starts_with("llvm.nvvm.read") || !computes || self.any_operand(i)
            }
            Some(Op::LLVMPHI) => i.incoming().iter().any(|(v, _)| self.divergent.contains(v)),
            Some(Op::LLVMAlloca | Op::LLVMAtomicRMW | Op::LLVMAtomicCmpXchg) => true,
            Some(Op::LLVMBr) => false,
            _ => self.any_operand(i),
        }
    }

    fn any_operand(&self, i: Value) -> bool {
        i.each_operand().any(|o| self.divergent.contains(&o))
    }
}

/// Whether a load reads what no thread changes: a struct passed by value, or constant memory.
fn reads_unchanged(load: Value) -> bool {
    let mut p = load.operand(0);
    while p.is(Op::LLVMGetElementPtr) || p.is(Op::LLVMAddrSpaceCast) {
        p = p.operand(0);
    }
    if p.is_global_variable() {
        return p.address_space() == CONSTANT_MEMORY;
    }
    let (Some(index), Some(b)) = (p.argument_index(), load.block()) else {
        return false;
    };
    b.function().param_has(index, "byval")
}

/// What decides where control goes from `b`.
fn branch_inputs(b: Block) -> Vec<Value> {
    let t = b.terminator();
    if t.is(Op::LLVMBr) {
        return if t.is_conditional() {
            vec![t.condition()]
        } else {
            Vec::new()
        };
    }
    t.operands()
}

/// The control-flow graph with postdominators.
struct Graph {
    blocks: Vec<Block>,
    number: HashMap<Block, usize>,
    postdominators: Dominators<NodeIndex>,
}

impl Graph {
    fn new(f: Function) -> Graph {
        let blocks = f.blocks();
        let number: HashMap<Block, usize> =
            blocks.iter().enumerate().map(|(i, b)| (*b, i)).collect();
        let end = blocks.len();
        let mut g: DiGraph<(), ()> = DiGraph::new();
        for _ in 0..=end {
            g.add_node(());
        }
        for (i, b) in blocks.iter().enumerate() {
            let successors = b.successors();
            if successors.is_empty() {
                g.add_edge(NodeIndex::new(end), NodeIndex::new(i), ());
            }
            for s in successors {
                g.add_edge(NodeIndex::new(number[&s]), NodeIndex::new(i), ());
            }
        }
        let postdominators = simple_fast(&g, NodeIndex::new(end));
        Graph {
            blocks,
            number,
            postdominators,
        }
    }

    /// The blocks that the branch of `b` decides about, and where its sides meet.
    fn influence(&self, b: Block) -> (BTreeSet<Block>, Option<Block>) {
        let join = self
            .postdominators
            .immediate_dominator(NodeIndex::new(self.number[&b]))
            .and_then(|n| self.blocks.get(n.index()).copied());
        let mut influenced = BTreeSet::new();
        let mut work = b.successors();
        while let Some(x) = work.pop() {
            if Some(x) != join && influenced.insert(x) {
                work.extend(x.successors());
            }
        }
        (influenced, join)
    }
}
