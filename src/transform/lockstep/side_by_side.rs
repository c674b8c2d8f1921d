//! Merged blocks whose replicas are neighbours along x: a thread loads and stores the cells of all of them at once.
//!
//! ```text
//! out[i] = f(in[i])     8 replicas of halves: one load of 16 bytes, f eight times, one store of 16 bytes
//! ```
//! A warp that asks for 32 halves asks for 64 bytes, with as many instructions for addresses and bounds as for work.
//! Blocks merged side by side ask for more at a time, and have as many instructions each.

use super::version::{self, Order};
use crate::access::{Access, AccessId, AccessKind};
use crate::affine::{Atom, Poly};
use crate::kernel::{Dim, ids};
use crate::llvm::ir::{Block, Op, Value};
use crate::machine::tuning::vectorize::{MOST, SIDE_BY_SIDE, WIDTH};
use crate::plan::Plan;
use crate::plan::analyses::Analyses;
use crate::plan::wide;

/// That version, of a kernel in which neighbours along x touch neighbouring cells, each array's aligned as its first
/// is.
pub(super) fn by_default(f: &Analyses) -> Option<Plan> {
    let moving = || f.accesses.iter().filter(|a| moves(f, a));
    let width = width(f).filter(|w| *w >= SIDE_BY_SIDE)?;
    let lies_well = |a: &Access| {
        let index = f.affine.address(a.id).map(|x| &x.index);
        let constant = index.and_then(|i| Some(i.split(Atom::varies)?.1.constant_term()));
        let is_aligned = constant.is_some_and(|c| c % i64::from(width * a.size) == 0);
        is_aligned && wide::touches_side_by_side(f, a)
    };
    let qualifies = |a: &Access| match moves(f, a) {
        true => lies_well(a),
        false => a.kind == AccessKind::Load && !a.is_volatile,
    };
    if !f.accesses.iter().all(qualifies) {
        return None;
    }
    let mut plan = version::version_of(f, [width, 1, 1], Order::Kept, true).ok()?;
    let at_once: Vec<AccessId> = moving().map(|a| a.id).collect();
    let merge = plan.merge;
    plan.lockstep_mut()?.at_once = at_once;
    let are_neighbours = merge.consecutive[Dim::X.index()];
    (are_neighbours && is_straight(f) && super::stores_are_disjoint(f, merge)).then_some(plan)
}

/// The same, if it merges so many blocks.
pub(super) fn version_of(f: &Analyses, factor: [u32; 3]) -> Option<Plan> {
    by_default(f).filter(|p| p.merge.factor == factor)
}

/// How many of the widest cells 16 bytes have.
fn width(f: &Analyses) -> Option<u32> {
    let moving = f.accesses.iter().filter(|a| moves(f, a));
    let widest = moving.map(|a| a.size).max()?;
    Some(WIDTH.checked_div(widest)?.min(MOST))
}

/// Whether one block has all accesses that move, loads before stores, at addresses made of numbers alone: where they do
/// not lie well, nothing was stored yet.
fn is_straight(f: &Analyses) -> bool {
    let all: Vec<&Access> = f.accesses.iter().filter(|a| moves(f, a)).collect();
    let Some(first_store) = all.iter().position(|a| a.writes()) else {
        return false;
    };
    let Some(block) = all.first().map(|a| f.kernel.block(a.block)) else {
        return false;
    };
    let pointers = all.iter().filter_map(|a| a.pointer);
    let mut pointers = pointers.map(|p| f.kernel.value(p));
    all.iter().all(|a| f.kernel.block(a.block) == block)
        && first_store > 0
        && all[first_store..].iter().all(|a| a.writes())
        && pointers.all(|p| is_of_numbers(p, block))
}

/// Whether what of a value this block works out is arithmetic.
fn is_of_numbers(v: Value, block: Block) -> bool {
    v.block() != Some(block)
        || v.is(Op::LLVMPHI)
        || ids::is_speculatable(v) && v.operands().into_iter().all(|o| is_of_numbers(o, block))
}

/// Whether an access is elsewhere for the next thread along x.
fn moves(f: &Analyses, a: &Access) -> bool {
    let step = f.step_along(a.id, Dim::X);
    step.is_none_or(|s| s != Poly::default())
}
