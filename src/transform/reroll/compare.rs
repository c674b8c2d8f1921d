//! What comparisons of a loop's number with its limit say.

use crate::affine::{negated, swapped};
use crate::llvm::ir::{Block, Op, Pred, Value};

/// Iterations that one was unrolled from, at most.
pub const MOST: i64 = 32;

/// What a loop's number is compared with, and how much less that is than the limit, as `n - 3`.
pub fn less_room(v: Value) -> (Value, i64) {
    let is_less = v.is_instruction() && v.is(Op::LLVMAdd) && v.has_nsw();
    let by = is_less.then(|| v.operand(1).const_int()).flatten();
    match by.filter(|c| (-MOST..0).contains(c)) {
        Some(c) => (v.operand(0), -c),
        None => (v, 0),
    }
}

/// What a comparison of integers compares, and how.
#[derive(Clone, Copy)]
pub struct Sides(pub Value, pub Value, pub Pred);

impl Sides {
    /// Those of a condition.
    pub fn of(condition: Value) -> Option<Sides> {
        let compares = condition.is_instruction() && condition.is(Op::LLVMICmp);
        compares.then(|| {
            Sides(
                condition.operand(0),
                condition.operand(1),
                condition.predicate(),
            )
        })
    }

    /// The same, said the other way round.
    pub fn swapped(self) -> Sides {
        Sides(self.1, self.0, swapped(self.2))
    }

    /// The same, with `v` in front if it is one of the two.
    pub fn with_first(self, v: Value) -> Sides {
        match self.1 == v {
            true => self.swapped(),
            false => self,
        }
    }
}

/// A number before it was widened, its value kept.
pub fn before_widening(v: Value) -> Value {
    let is_kept = v.is_instruction() && (v.is(Op::LLVMSExt) || v.is(Op::LLVMZExt) && v.has_nneg());
    if is_kept { v.operand(0) } else { v }
}

/// Whether `wide` is `v` widened so that a comparison `p` with a constant says the same of both.
pub fn is_widened(wide: Value, v: Value, p: Pred) -> bool {
    let by = if is_signed(p) {
        Op::LLVMSExt
    } else {
        Op::LLVMZExt
    };
    wide.is_instruction() && wide.is(by) && wide.operand(0) == v
}

/// Where a branch goes if its condition holds.
pub fn to_first(branch: Value) -> Block {
    branch.block().expect("in a block").successors()[0]
}

/// Whether two values are the same number.
pub fn same(a: Value, b: Value) -> bool {
    let constant = |v: Value| v.const_int().map(|c| (c, v.ty()));
    a == b || constant(a).is_some() && constant(a) == constant(b)
}

/// How far `b` is from `a`: a constant.
pub fn distance(a: Value, b: Value) -> Option<i64> {
    if let (Some(x), Some(y)) = (a.const_int(), b.const_int()) {
        return y.checked_sub(x);
    }
    let parts = |v: Value| match v.opcode() {
        Some(Op::LLVMAdd) if v.is_instruction() && v.operand(1).const_int().is_some() => {
            (v.operand(0), v.operand(1).const_int().unwrap_or(0))
        }
        _ => (v, 0),
    };
    let ((x, c), (y, d)) = (parts(a), parts(b));
    match (x == y, a == y, x == b) {
        (true, _, _) => d.checked_sub(c),
        (_, true, _) => Some(d),
        (_, _, true) => c.checked_neg(),
        _ => None,
    }
}

/// Whether `number + room` compared with the limit lets the loop `on` only where `number + times <= limit`.
pub fn leaves_room(p: Pred, on: bool, room: i64, times: i64) -> bool {
    use Pred::{LLVMIntSLE, LLVMIntSLT, LLVMIntULE, LLVMIntULT};
    match if on { p } else { negated(p) } {
        LLVMIntSLT | LLVMIntULT => room + 1 >= times,
        LLVMIntSLE | LLVMIntULE => room >= times,
        _ => false,
    }
}

/// Whether a number that counts up by one goes on until it is the limit, and not longer, where the comparison with that
/// lets it go `on`.
pub fn goes_to_the_limit(p: Pred, on: bool) -> bool {
    use Pred::{LLVMIntNE, LLVMIntSLT, LLVMIntULT};
    matches!(
        if on { p } else { negated(p) },
        LLVMIntNE | LLVMIntSLT | LLVMIntULT
    )
}

/// Whether numbers are compared with their signs.
pub fn is_signed(p: Pred) -> bool {
    use Pred::*;
    matches!(p, LLVMIntSLT | LLVMIntSLE | LLVMIntSGT | LLVMIntSGE)
}

/// A loop that was unrolled by hand, in front of the loop for the rest.
#[derive(Clone, Debug)]
pub struct Unrolled {
    /// The block that decides whether it is entered.
    pub guard: Block,
    /// Where the rest begins: what `guard` goes to without it.
    pub rest: Block,
    /// The blocks of the rest's loop.
    pub rolled: Vec<Block>,
    /// How many iterations of that one of its own is.
    pub times: u32,
    /// What both compare with.
    pub limit: Value,
    /// Whether they are the same only where indices are exact.
    pub exact: bool,
}
