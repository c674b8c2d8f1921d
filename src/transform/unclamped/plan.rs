//! What of a kernel it is done to, as plain data, or why it is not. Idea and soundness: [`super`].

use super::legality::{is_extremum, is_fixed, is_sum_from_zero, motion};
use crate::llvm::ir::Value;
use crate::plan::analyses::Analyses;
use crate::plan::data::{Moving, Unclamped, UnclampedLoop};
use crate::tree::LoopId;

/// The outermost loop with most clamps that warps may be clear of.
pub fn find(f: &Analyses) -> Option<UnclampedLoop> {
    let loops = f.tree.loop_ids();
    let outermost = loops.filter(|l| f.tree.enclosing_loops(f.tree.loop_(*l).node).len() == 1);
    let all = outermost.map(|loop_| UnclampedLoop {
        loop_,
        clamps: clamps(f, loop_),
    });
    let most = all.max_by_key(|c| c.clamps.len())?;
    (!most.clamps.is_empty()).then_some(most)
}

fn clamps(f: &Analyses, outer: LoopId) -> Vec<Unclamped> {
    let mut known: Vec<Unclamped> = Vec::new();
    // Blocks lie in an order in which values come before their uses, but for phis.
    for b in &f.tree.loop_(outer).blocks {
        for v in f.kernel.block(*b).instructions() {
            if let Some(c) = clamp(f, outer, v, &known) {
                known.push(c);
            }
        }
    }
    known
}

fn clamp(f: &Analyses, outer: LoopId, v: Value, known: &[Unclamped]) -> Option<Unclamped> {
    let is_min = is_extremum(v)?;
    let limit = (0..2).find(|k| is_fixed(f, outer, v.operand(*k)))?;
    let operand = v.operand(1 - limit);
    let (moving, down) = motion(f, outer, operand, known)?;
    let counter = counter_of(&moving, known)?;
    let sum = is_sum_from_zero(f, outer, operand, counter);
    Some(Unclamped {
        value: f.kernel.value_id(v),
        is_min,
        limit,
        moving,
        down,
        sum: sum.then(|| f.kernel.value_id(operand)),
    })
}

/// The counter that a value moves with.
fn counter_of(m: &Moving, known: &[Unclamped]) -> Option<LoopId> {
    match m {
        Moving::Fixed(_) => None,
        Moving::Clamped(n) => counter_of(&known[*n].moving, known),
        Moving::Counter(c) => Some(c.loop_),
        Moving::Sum(parts) | Moving::Difference(parts) => {
            parts.iter().find_map(|p| counter_of(p, known))
        }
    }
}
