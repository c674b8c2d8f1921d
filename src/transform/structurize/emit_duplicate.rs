//! Duplicates of blocks that several sides of branches share.

use super::phis::take_from;
use crate::llvm::ir::{Block, Builder, Function};
use crate::transform::copied::Copied;

/// Has control that comes from `from` to `block` run a duplicate of it.
pub fn emit(function: Function, block: Block, from: Block) {
    let b = Builder::new(function.module());
    // No loop begins with it, so control does not come back to it.
    let phis = block.phis().into_iter();
    let known = phis.filter_map(|phi| Some((phi, phi.incoming_from(from)?)));
    let copied = Copied::new(
        &b,
        &[block],
        ("mesi.duplicate", block),
        known.collect(),
        None,
    );
    let duplicate = copied.block(block);
    let mut next = block.successors();
    next.dedup();
    for phi in next.into_iter().flat_map(|n| n.phis()) {
        if let Some(v) = phi.incoming_from(block) {
            phi.add_incoming(copied.value(v), duplicate);
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
