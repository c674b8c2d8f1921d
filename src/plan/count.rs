//! How a loop tested at its end counts: where it ends, from what its latch compares.

use super::advance;
use crate::affine::{negated, swapped};
use crate::kernel::Kernel;
use crate::llvm::ir::{Op, Pred, Value};
use crate::tree::{ExitAt, LoopId, Tree};

/// How a loop tested at its end counts: it goes on while `x relation bound`, where `x` is the counter
/// or what it becomes.
#[derive(Debug, Clone, Copy)]
pub struct Count {
    /// The counter.
    pub phi: Value,
    /// What it moves on by, a power of two or its negative; 0: a number that only the run tells, or by which it might
    /// wrap around.
    pub step: i64,
    /// That number, fixed in the loop. The loop's length is known where it is positive, and the counter does not wrap
    /// around.
    pub by: Option<Value>,
    /// Whether the counter does not wrap around, as its flags say.
    pub flagged: bool,
    /// Whether the moved counter is compared, and not the counter itself.
    pub moved: bool,
    /// What it is compared with, fixed in the loop.
    pub bound: Value,
    /// Under which the loop goes on; `LLVMIntNE` only with a step of 1 or -1.
    pub relation: Pred,
}

/// How a loop counts its iterations by a constant; `None`: in another way than [`Count`] knows.
pub fn count(kernel: &Kernel, tree: &Tree, l: LoopId) -> Option<Count> {
    count_any(kernel, tree, l).filter(|c| c.by.is_none())
}

/// How a loop counts its iterations, by a constant or a number that only the run tells.
pub fn count_any(kernel: &Kernel, tree: &Tree, l: LoopId) -> Option<Count> {
    let lp = tree.loop_(l);
    let end = kernel.block(lp.latch).terminator();
    if lp.exit_at != ExitAt::Latch || !end.is_conditional() {
        return None;
    }
    let condition = end.condition();
    if !condition.is(Op::LLVMICmp) || !condition.is_instruction() {
        return None;
    }
    let leaves_if_true = kernel.block_id(kernel.block(lp.latch).successors()[0]) == lp.exit.to;
    let relation = match condition.predicate() {
        p if leaves_if_true => negated(p),
        p => p,
    };
    let sides = (condition.operand(0), condition.operand(1));
    let phis = kernel.block(lp.header).phis();
    let all = phis.into_iter().filter_map(|phi| {
        let (next, step, minus) = advance(kernel, tree, l, phi)?;
        let (constant, by) = match step.const_int() {
            Some(s) if minus => (s.checked_neg()?, None),
            Some(s) => (s, None),
            None => (0, Some(step).filter(|_| !minus)),
        };
        let counts = |x: Value| x == phi || x == next;
        let (x, bound, relation) = match sides {
            (x, b) if counts(x) => (x, b, relation),
            (b, x) if counts(x) => (x, b, swapped(relation)),
            _ => return None,
        };
        let at = bound.block().filter(|_| bound.is_instruction());
        let fixed = at.is_none_or(|b| !lp.blocks.contains(&kernel.block_id(b)));
        let mut count = Count {
            phi,
            step: constant,
            by,
            flagged: is_flagged(relation, next),
            moved: x == next,
            bound,
            relation,
        };
        // Only the run tells whether a counter wraps around whose flags do not say.
        if by.is_none() && constant > 0 && !ends(&count) {
            (count.step, count.by) = (0, Some(step));
        }
        let known = match count.by {
            Some(_) => goes_up(&count),
            None => constant != 0 && ends(&count),
        };
        (fixed && known).then_some(count)
    });
    all.into_iter().next()
}

/// Whether flags say that the counter does not wrap around on its way.
fn is_flagged(relation: Pred, next: Value) -> bool {
    use Pred::*;
    match relation {
        LLVMIntSLT | LLVMIntSLE | LLVMIntSGT | LLVMIntSGE => next.has_nsw(),
        LLVMIntULT | LLVMIntULE => next.has_nuw(),
        // What is added is a large number where the counter goes down, so the flag says nothing.
        _ => false,
    }
}

/// Whether a counter that moves on by a number that only the run tells goes up to its bound.
fn goes_up(c: &Count) -> bool {
    use Pred::*;
    let upwards = matches!(
        c.relation,
        LLVMIntSLT | LLVMIntSLE | LLVMIntULT | LLVMIntULE
    );
    upwards && matches!(c.phi.ty().int_width(), Some(32 | 64))
}

/// Whether the counter comes to its bound without wrapping around.
fn ends(c: &Count) -> bool {
    use Pred::*;
    let up = match c.relation {
        LLVMIntSLT | LLVMIntSLE | LLVMIntULT | LLVMIntULE => true,
        LLVMIntSGT | LLVMIntSGE | LLVMIntUGT | LLVMIntUGE => false,
        LLVMIntNE => c.step > 0,
        LLVMIntEQ => return false,
    };
    let unit_step = c.step.unsigned_abs() == 1;
    let inclusive = matches!(
        c.relation,
        LLVMIntSLE | LLVMIntULE | LLVMIntSGE | LLVMIntUGE
    );
    let width = c.phi.ty().int_width();
    (c.step > 0) == up
        && c.step.unsigned_abs().is_power_of_two()
        && (c.flagged || (unit_step && !inclusive))
        && matches!(width, Some(32 | 64))
}
