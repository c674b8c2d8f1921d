//! Which threads along x, and along y, a kernel has any use for.
//!
//! ```text
//! if (i >= n) return;      ids below n: the host may launch some more threads than that
//! ```
//! One of the branches that come first must end those threads, each of these may only end threads, and nothing before
//! it may leave a trace or fault: then it is as if they had not been launched.

use super::analyses::Analyses;
use super::data::ActiveBound;
use super::facts::Facts;
use crate::affine::{Atom, Poly, SymbolId};
use crate::kernel::{Dim, ids};
use crate::llvm::ir::{Block, Op, Pred, Value};

/// The limit along `d` that one of the kernel's first branches tests, and ends without a trace.
pub fn active_bound(f: &Analyses, d: Dim) -> Option<ActiveBound> {
    let is_id = |v| ids::is_widened_global_id(v, d);
    active_bound_of(f, &is_id, &|_| false)
}

/// The same for a value that `is_it`, in place of the global id, where `is_harmless` instructions leave no trace, too.
pub fn active_bound_of(
    f: &Analyses,
    is_it: &dyn Fn(Value) -> bool,
    is_harmless: &dyn Fn(Value) -> bool,
) -> Option<ActiveBound> {
    let mut block = f.kernel.function.entry();
    loop {
        let branch = block.terminator();
        let [yes, no] = block.successors()[..] else {
            return None;
        };
        let ends = |b: Block| b.instructions().first().is_some_and(|i| i.is(Op::LLVMRet));
        let goes_on = match (ends(yes), ends(no)) {
            (false, true) => true,
            (true, false) => false,
            _ => return None,
        };
        let is_traceless = |i: Value| match i.opcode() {
            Some(Op::LLVMLoad) => ids::is_of_parameter(f.kernel.function, i),
            _ => i == branch || ids::is_speculatable(i) || is_harmless(i),
        };
        if !branch.is_conditional() || !block.instructions().into_iter().all(is_traceless) {
            return None;
        }
        let found = limit(f, branch.condition(), goes_on, is_it);
        if found.is_some() {
            return found;
        }
        // Its only way in is from here, so no block is looked at twice.
        block = if goes_on { yes } else { no };
        let ways_in = f.kernel.blocks.iter().flat_map(|b| b.successors());
        if ways_in.filter(|b| *b == block).count() != 1 {
            return None;
        }
    }
}

/// How many ids are below a limit, in what the host knows; negative: none. `None`: it is no symbol.
pub fn ids_below(f: &Analyses, limit: ActiveBound) -> Option<Poly> {
    let value = f.kernel.value(limit.value);
    let known = || {
        let mut symbols = f.affine.symbols.iter();
        let i = symbols.position(|s| s.value == limit.value)?;
        Some(Poly::atom(Atom::Symbol(SymbolId(i as u32))))
    };
    let below = value.const_int().map(Poly::constant).or_else(known)?;
    Some(below.plus(&Poly::constant(limit.included.into())))
}

/// The same where the limit is the sum of such a number and a constant, as of the cells within a margin; that the sum
/// is exact is added to `facts`.
pub fn ids_below_sum(f: &Analyses, limit: ActiveBound, facts: &mut Facts) -> Option<Poly> {
    let value = f.kernel.value(limit.value);
    let of = |value| ids_below(f, ActiveBound { value, ..limit });
    if !value.is(Op::LLVMAdd) || value.ty().int_width() != Some(32) {
        return of(limit.value);
    }
    let (of_launch, margin) = (value.operand(0), value.operand(1).const_int()?);
    if !of_launch.is_argument() && !of_launch.is_instruction() {
        return None;
    }
    let below = of(f.kernel.value_id(of_launch))?;
    let number = below.minus(&Poly::constant(limit.included.into()));
    let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
    facts.add_range(&number, least - margin.min(0), most - margin.max(0));
    Some(below.plus(&Poly::constant(margin)))
}

/// The limit in a condition, or in one of several that must all hold, so that a thread goes on if it is `wanted`.
fn limit(
    f: &Analyses,
    condition: Value,
    wanted: bool,
    is_it: &dyn Fn(Value) -> bool,
) -> Option<ActiveBound> {
    let parts = || [0, 1].map(|i| condition.operand(i));
    match condition.opcode()? {
        Op::LLVMICmp => limit_of(f, condition, wanted, is_it),
        Op::LLVMAnd if wanted => parts().into_iter().find_map(|p| limit(f, p, true, is_it)),
        Op::LLVMOr if !wanted => parts().into_iter().find_map(|p| limit(f, p, false, is_it)),
        Op::LLVMSelect => {
            let side = condition.operand(if wanted { 2 } else { 1 });
            let other = condition.operand(if wanted { 1 } else { 2 });
            let all = (side.const_int()? != 0) != wanted;
            let parts = [condition.operand(0), other];
            parts
                .into_iter()
                .filter(|_| all)
                .find_map(|p| limit(f, p, wanted, is_it))
        }
        _ => None,
    }
}

/// The limit that a comparison tests what `is_it`, if a thread goes on where the outcome is `wanted`.
pub fn limit_of(
    f: &Analyses,
    compare: Value,
    wanted: bool,
    is_it: impl Fn(Value) -> bool,
) -> Option<ActiveBound> {
    if !compare.is(Op::LLVMICmp) {
        return None;
    }
    let (a, b) = (compare.operand(0), compare.operand(1));
    let (value, swapped) = match (is_it(a), is_it(b)) {
        (true, false) => (b, false),
        (false, true) => (a, true),
        _ => return None,
    };
    // As `id < value`, `id <= value`; what turns a thread away the other way round.
    let (below, included, signed) = match compare.predicate() {
        Pred::LLVMIntSLT => (true, false, true),
        Pred::LLVMIntSLE => (true, true, true),
        Pred::LLVMIntULT => (true, false, false),
        Pred::LLVMIntULE => (true, true, false),
        Pred::LLVMIntSGT => (false, false, true),
        Pred::LLVMIntSGE => (false, true, true),
        Pred::LLVMIntUGT => (false, false, false),
        Pred::LLVMIntUGE => (false, true, false),
        _ => return None,
    };
    ((below != swapped) == wanted).then(|| ActiveBound {
        value: f.kernel.value_id(value),
        included: included == wanted,
        signed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::ValueId;

    #[test]
    fn limits_are_numbers_of_threads() {
        let active = |included, signed| ActiveBound {
            value: ValueId(0),
            included,
            signed,
        };
        assert_eq!(active(false, true).threads(-1, 32), -1);
        assert_eq!(active(true, true).threads(7, 32), 8);
        assert_eq!(active(false, false).threads(-1, 32), 0xffff_ffff);
        assert_eq!(active(true, false).threads(-1, 64), 1 << 64);
    }
}
