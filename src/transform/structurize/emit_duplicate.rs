//! Duplicates of blocks that several sides of branches share.

use super::phis::take_from;
use crate::llvm::ir::{Block, Builder, Function, Op, Value};
use crate::map::HashMap;

/// Has control that comes from `from` to `block` run a duplicate of it.
pub fn emit(function: Function, block: Block, from: Block) {
    let b = Builder::new(function.module());
    let duplicate = function.append_block("mesi.duplicate");
    duplicate.move_before(block);
    b.at_end(duplicate);
    let mut new: HashMap<Value, Value> = HashMap::default();
    for i in block.instructions() {
        if i.is(Op::LLVMPHI) {
            new.extend(i.incoming_from(from).map(|v| (i, v)));
            continue;
        }
        let copy = i.clone_instruction();
        for (k, o) in i.operands().into_iter().enumerate() {
            if let Some(v) = new.get(&o) {
                copy.set_operand(k as u32, *v);
            }
        }
        b.insert(copy);
        new.insert(i, copy);
    }
    let mut next = block.successors();
    next.dedup();
    for phi in next.into_iter().flat_map(|n| n.phis()) {
        if let Some(v) = phi.incoming_from(block) {
            phi.add_incoming(new.get(&v).copied().unwrap_or(v), duplicate);
        }
    }
    let end = from.terminator();
    for (k, to) in from.successors().into_iter().enumerate() {
        if to == block {
            end.set_successor(k as u32, duplicate);
        }
    }
    for phi in block.phis() {
        take_from(&b, phi, from, None);
    }
}
