//! Takes back a body that was not finished: a fault of ours must not leave IR that LLVM cannot read.
//!
//! Original blocks are never edited, so what is left without the new ones is the kernel as it was. Its stack
//! objects had moved to the new entry, and go back. Instructions that were made but not put anywhere yet use
//! values of the original, whose users LLVM looks through: they let go of them.

use crate::llvm::ir::{Block, Builder, Function, Kind, Op, Value};
use std::collections::HashSet;

/// Leaves of `function` the blocks that it had before, in that order; the first of them is its entry again.
pub fn undo(function: Function, before: &[Block]) {
    let kept: HashSet<Block> = before.iter().copied().collect();
    let all = function.blocks();
    let (old, new): (Vec<Block>, Vec<Block>) = all.into_iter().partition(|b| kept.contains(b));
    restore_stack(function, before[0], &new);
    let instructions = |blocks: &[Block]| -> Vec<Value> {
        let all = blocks.iter().flat_map(|b| b.instructions());
        all.collect()
    };
    let ours = instructions(&new);
    for i in &ours {
        if i.ty().has_values() {
            i.replace_uses(i.ty().poison());
        }
    }
    let known = instructions(&old).into_iter().chain(function.params());
    let known: HashSet<Value> = known.chain(ours.iter().copied()).collect();
    release(&known);
    ours.into_iter().for_each(Value::erase);
    new.into_iter().for_each(Block::delete);
}

/// Moves stack objects that the original uses back to its entry.
fn restore_stack(function: Function, entry: Block, new: &[Block]) {
    let first = entry.instructions()[0];
    let pen = Builder::new(function.module());
    let is_old = |u: &Value| u.block().is_some_and(|b| !new.contains(&b));
    for i in new.iter().flat_map(|b| b.instructions()) {
        if i.is(Op::LLVMAlloca) && i.users().iter().any(is_old) {
            i.unlink();
            pen.before(first);
            pen.insert(i);
        }
    }
}

/// Makes instructions that are in no block use nothing of what is known, nor of what that uses.
fn release(known: &HashSet<Value>) {
    let shared = |v: &Value| v.is_function() || v.is_global_variable();
    let used = known.iter().filter(|v| v.is_instruction());
    let used: HashSet<Value> = used.flat_map(|i| i.operands()).filter(shared).collect();
    let users = known.union(&used).flat_map(|v| v.users());
    let homeless = users.filter(|u| u.is_instruction() && u.block().is_none());
    let homeless: HashSet<Value> = homeless.collect();
    for i in homeless {
        for (k, o) in i.operands().into_iter().enumerate() {
            if !o.is_metadata() && o.ty().kind() != Kind::LLVMLabelTypeKind {
                i.set_operand(k as u32, o.ty().poison());
            }
        }
    }
}
