//! Removes instructions of the staged body that nothing needs any more: index arithmetic of
//! accesses that tiles serve, and phis that only feed each other.
//!
//! LLVM would remove them too, but only after its unrollers have counted them.

use crate::llvm::ir::{Block, Op, Value};
use crate::map::HashSet;

/// Removes what no effect in `blocks` depends on. Nothing outside `blocks` may use them.
pub(crate) fn remove_dead(blocks: &[Block]) {
    let all: Vec<Value> = blocks.iter().flat_map(|b| b.instructions()).collect();
    let mut work: Vec<Value> = all.iter().copied().filter(|i| has_effect(*i)).collect();
    let mut live: HashSet<Value> = work.iter().copied().collect();
    while let Some(i) = work.pop() {
        let operands = if i.is(Op::LLVMPHI) {
            i.incoming().into_iter().map(|(v, _)| v).collect()
        } else {
            inputs(i)
        };
        work.extend(
            operands
                .into_iter()
                .filter(|o| o.is_instruction() && live.insert(*o)),
        );
    }
    let dead: Vec<Value> = all.into_iter().filter(|i| !live.contains(i)).collect();
    for d in &dead {
        if d.ty().has_values() {
            d.replace_uses(d.ty().poison());
        }
    }
    dead.into_iter().for_each(Value::erase);
}

/// The operands that are values; a branch's blocks and a metadata operand are none.
fn inputs(i: Value) -> Vec<Value> {
    if i.is(Op::LLVMBr) {
        return if i.is_conditional() {
            vec![i.condition()]
        } else {
            Vec::new()
        };
    }
    i.operands()
}

fn has_effect(i: Value) -> bool {
    match i.opcode() {
        Some(Op::LLVMStore | Op::LLVMFence | Op::LLVMAtomicRMW | Op::LLVMAtomicCmpXchg) => true,
        Some(Op::LLVMLoad) => i.is_volatile_or_atomic(),
        // The user's stack objects are shared with the original body.
        Some(Op::LLVMAlloca) => true,
        Some(Op::LLVMCall) => !i.is_pure_call(),
        Some(Op::LLVMVAArg) => true,
        _ => !i.ty().has_values() || i.block().is_none_or(|b| b.terminator() == i),
    }
}
