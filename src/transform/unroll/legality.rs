//! What must hold of a kernel. Idea and soundness: [`super`].

use crate::access::{Access, AccessKind};
use crate::kernel::BlockId;
use crate::llvm::ir::Op;
use crate::plan::analyses::{Analyses, check_fusing};
use crate::plan::data::NoUnroll;
use crate::tree::{ExitAt, LoopId, Node, Tree};

/// The accesses of a loop of one straight block, and its instructions, phis left out, if nothing forbids that loads
/// of several iterations are under way at once. What is stored is left to [`check_order`].
pub(super) fn loads_in_a_row<'a>(
    f: &'a Analyses,
    l: LoopId,
) -> Result<(Vec<&'a Access>, usize), NoUnroll> {
    let body = straight_block(f.tree, l).ok_or(NoUnroll::Shape)?;
    let mine = f.accesses.list.iter().filter(|a| a.block == body);
    let mine: Vec<&Access> = mine.collect();
    if !mine.iter().any(|a| a.kind == AccessKind::Load) {
        return Err(NoUnroll::Shape);
    }
    let is_simple =
        |a: &&Access| matches!(a.kind, AccessKind::Load | AccessKind::Store) && !a.is_volatile;
    if !mine.iter().all(is_simple) {
        return Err(NoUnroll::Communicates);
    }
    let all = f.kernel.block(body).instructions();
    check_fusing(f, l)?;
    let size = all.iter().filter(|i| !i.is(Op::LLVMPHI)).count();
    Ok((mine, size))
}

/// The one block of a loop tested at its end.
fn straight_block(tree: &Tree, l: LoopId) -> Option<BlockId> {
    let lp = tree.loop_(l);
    let Node::Seq(children) = tree.node(lp.body) else {
        return None;
    };
    let straight = |n| matches!(tree.node(n), Node::Block(_) | Node::Edge(_));
    let one = lp.exit_at == ExitAt::Latch && lp.blocks.len() == 1;
    (one && children.iter().all(|n| straight(*n))).then_some(lp.header)
}

/// Loads of later iterations must be free to come before stores: of other arrays, or each iteration has
/// a cell of its own, which it loads and stores.
pub(super) fn check_order(f: &Analyses, mine: &[&Access]) -> Result<(), NoUnroll> {
    let of = |k: AccessKind| mine.iter().filter(move |a| a.kind == k);
    for (load, store) in
        of(AccessKind::Load).flat_map(|x| of(AccessKind::Store).map(move |y| (x, y)))
    {
        let (Some(a), Some(b)) = (load.array, store.array) else {
            return Err(NoUnroll::Waits);
        };
        let index = |x: &Access| f.affine.address(x.id).map(|a| a.index.clone());
        let own = a == b && index(load).is_some() && index(load) == index(store);
        if !own && !f.accesses.surely_distinct(a, b) {
            return Err(NoUnroll::Waits);
        }
    }
    Ok(())
}
