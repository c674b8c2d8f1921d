//! Which blocks that several sides of branches share may be duplicated. Idea and soundness: [`super`].

use crate::access;
use crate::kernel::cfg::Cfg;
use crate::kernel::{BlockId, Kernel, ids};
use crate::llvm::ir::{Block, Op, Value};
use crate::machine::tuning::structurize::MOST_INSTRUCTIONS;
use crate::tree::{Node, OpaqueReason, Tree};

/// A block that is to be duplicated, and the one from which control comes to the duplicate.
pub(super) fn find(kernel: &Kernel, tree: &Tree) -> Option<(Block, Block)> {
    // A phi of a duplicate joins fewer ways.
    if access::scales_join(kernel) {
        return None;
    }
    // The tree knows no loops within regions.
    let loops = Cfg::new(kernel).loops;
    let is_header = |b: BlockId| loops.iter().any(|l| l.header == b);
    shared_regions(tree).find_map(|region| {
        let members: Vec<Block> = region.iter().map(|b| kernel.block(*b)).collect();
        region.iter().skip(1).find_map(|b| {
            let block = kernel.block(*b);
            let from: Vec<Block> = members
                .iter()
                .copied()
                .filter(|p| p.successors().contains(&block))
                .collect();
            let is_shared = from.len() > 1 && !is_header(*b);
            let last = *from.last()?;
            let once = last.successors().iter().filter(|s| **s == block).count() == 1;
            (is_shared && once && last.terminator().is(Op::LLVMBr) && may_be_duplicated(block))
                .then_some((block, last))
        })
    })
}

/// The blocks of regions that are no nest for want of duplicates.
fn shared_regions(tree: &Tree) -> impl Iterator<Item = &[BlockId]> {
    tree.nodes.iter().filter_map(|n| match n {
        Node::Opaque { blocks, why, .. } if *why == OpaqueReason::Unstructured => Some(&blocks[..]),
        _ => None,
    })
}

/// Whether a duplicate of a block does the same, and nobody behind it asks which of both did it.
fn may_be_duplicated(block: Block) -> bool {
    let all = block.instructions();
    let next = block.successors();
    let stays = |i: &Value| {
        i.users().into_iter().all(|u| {
            let at = u.block();
            at == Some(block) && !u.is(Op::LLVMPHI)
                || u.is(Op::LLVMPHI) && at.is_some_and(|b| next.contains(&b) && b != block)
        })
    };
    let ends = all
        .last()
        .is_some_and(|t| matches!(t.opcode(), Some(Op::LLVMBr | Op::LLVMRet)));
    let may = |i: &Value| !i.is(Op::LLVMCall) || ids::is_speculatable(*i);
    ends && all.len() <= MOST_INSTRUCTIONS && all.iter().all(|i| stays(i) && may(i))
}
