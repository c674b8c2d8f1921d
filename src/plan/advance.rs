//! How values of a loop go from iteration to iteration.

use crate::kernel::{BlockId, Kernel};
use crate::llvm::ir::{Op, Value};
use crate::map::HashSet;
use crate::tree::{LoopId, Node, NodeId, Tree};

/// Values before and in the core that differ between replicas: what is made from the header's phis. All
/// replicas go the same way there, so nothing differs through control.
pub fn moving(kernel: &Kernel, tree: &Tree, l: LoopId, core: NodeId) -> HashSet<Value> {
    let lp = tree.loop_(l);
    let Node::Seq(children) = tree.node(lp.body) else {
        return HashSet::default();
    };
    let upto = children.iter().take_while(|n| **n != core).chain([&core]);
    let blocks: Vec<BlockId> = upto.flat_map(|n| tree.blocks_in(*n)).collect();
    let mut out: HashSet<Value> = kernel.block(lp.header).phis().into_iter().collect();
    loop {
        let before = out.len();
        for i in blocks.iter().flat_map(|b| kernel.block(*b).instructions()) {
            let inputs = if i.is(Op::LLVMPHI) {
                i.incoming().into_iter().map(|(v, _)| v).collect()
            } else {
                i.operands()
            };
            if inputs.iter().any(|o| out.contains(o)) {
                out.insert(i);
            }
        }
        if out.len() == before {
            return out;
        }
    }
}

/// How a header phi goes on, where that is by a whole number fixed in the loop: the instruction that
/// makes the next value, the number, and whether it is taken away.
pub fn advance(
    kernel: &Kernel,
    tree: &Tree,
    l: LoopId,
    phi: Value,
) -> Option<(Value, Value, bool)> {
    let lp = tree.loop_(l);
    let next = phi.incoming_from(kernel.block(lp.latch))?;
    let fixed = |v: Value| {
        let at = v.block().filter(|_| v.is_instruction());
        at.is_none_or(|b| !lp.blocks.contains(&kernel.block_id(b)))
    };
    if !next.is_instruction() || fixed(next) || phi.ty().int_width().is_none_or(|w| w > 64) {
        return None;
    }
    let (x, y) = match next.opcode() {
        Some(Op::LLVMAdd | Op::LLVMSub) => (next.operand(0), next.operand(1)),
        _ => return None,
    };
    let minus = next.is(Op::LLVMSub);
    match (x == phi, y == phi) {
        (true, false) if fixed(y) => Some((next, y, minus)),
        (false, true) if fixed(x) && !minus => Some((next, x, false)),
        _ => None,
    }
}
