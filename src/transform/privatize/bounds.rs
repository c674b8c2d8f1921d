//! Between what bytes of an array an access lies, whatever the data is.

use crate::access::Access;
use crate::affine::guard::both;
use crate::affine::trip::negated;
use crate::kernel::range::{Bounds, full_range, range_where};
use crate::llvm::ir::{Op, Pred, Value};
use crate::plan::analyses::Analyses;
use crate::tree::Node;

/// Conditions within conditions that are not followed any more.
const DEEPEST: u32 = 8;

/// The bytes from `base` at which `pointer` may lie where `known` holds.
pub(super) fn offsets(
    f: &Analyses,
    pointer: Value,
    base: Value,
    known: &Bounds,
) -> Option<(i64, i64)> {
    if pointer == base {
        return Some((0, 0));
    }
    let module = f.kernel.function.module();
    let inner = pointer.is_instruction().then(|| pointer.operand(0))?;
    match pointer.opcode()? {
        Op::LLVMAddrSpaceCast | Op::LLVMBitCast => offsets(f, inner, base, known),
        Op::LLVMGetElementPtr => {
            let (low, high) = offsets(f, inner, base, known)?;
            let (least, most) = match (
                pointer.gep_constant_offset(module),
                &pointer.operands()[1..],
            ) {
                (Some(k), _) => (k, k),
                (None, [index]) => {
                    let size = i64::try_from(module.alloc_size(pointer.gep_source_type())).ok()?;
                    let (l, h) = range_where(*index, known)?;
                    (l.checked_mul(size)?, h.checked_mul(size)?)
                }
                _ => return None,
            };
            Some((low.checked_add(least)?, high.checked_add(most)?))
        }
        _ => None,
    }
}

/// What the branches around an access say of numbers that they compare with constants.
pub(super) fn guarding(f: &Analyses, access: &Access) -> Vec<(Value, (i64, i64))> {
    let mut out = Vec::new();
    let Some(leaf) = f.tree.node_of_block[access.block.index()] else {
        return out;
    };
    for pair in f.tree.ancestors(leaf).windows(2) {
        if let Node::If { at, then, .. } = f.tree.node(pair[1]) {
            let condition = f.kernel.block(*at).terminator().condition();
            add_bounds(condition, pair[0] == *then, 0, &mut out);
        }
    }
    out
}

/// Adds what follows from an outcome of a condition.
fn add_bounds(c: Value, outcome: bool, depth: u32, out: &mut Vec<(Value, (i64, i64))>) {
    if depth > DEEPEST {
        return;
    }
    if let Some((a, b)) = both(c, outcome) {
        add_bounds(a, outcome, depth + 1, out);
        add_bounds(b, outcome, depth + 1, out);
        return;
    }
    let compared = c.is(Op::LLVMICmp).then(|| [c.operand(0), c.operand(1)]);
    let Some([x, y]) = compared.filter(|[x, _]| x.ty().int_width().is_some()) else {
        return;
    };
    let p = if outcome {
        c.predicate()
    } else {
        negated(c.predicate())
    };
    let known = out.iter().position(|(v, _)| *v == x);
    let now = known.map_or_else(|| full_range(x), |k| Some(out[k].1));
    let new = now
        .zip(y.const_int())
        .and_then(|(now, k)| bounded(now, p, k));
    let Some(new) = new else { return };
    match known {
        Some(k) => out[k].1 = new,
        None => out.push((x, new)),
    }
    out.extend(of_summand(x, new));
}

/// What a range of `v + k` says of `v`, if no sum of those wraps.
fn of_summand(sum: Value, (l, h): (i64, i64)) -> Option<(Value, (i64, i64))> {
    let v = sum.is(Op::LLVMAdd).then(|| sum.operand(0))?;
    let k = sum.operand(1).const_int()?;
    let (least, most) = full_range(v)?;
    let (l, h) = (l.checked_sub(k)?, h.checked_sub(k)?);
    (v.is_instruction() && least <= l && h <= most).then_some((v, (l, h)))
}

/// A range of which a comparison with a constant holds; `None`: it says nothing of signed bounds.
fn bounded((least, most): (i64, i64), p: Pred, k: i64) -> Option<(i64, i64)> {
    use Pred::*;
    let (l, h) = match p {
        LLVMIntEQ => (k, k),
        LLVMIntSLT => (i64::MIN, k.checked_sub(1)?),
        LLVMIntSLE => (i64::MIN, k),
        LLVMIntSGT => (k.checked_add(1)?, i64::MAX),
        LLVMIntSGE => (k, i64::MAX),
        LLVMIntULT if k > 0 => (0, k - 1),
        LLVMIntULE if k >= 0 => (0, k),
        _ => return None,
    };
    let both = (least.max(l), most.min(h));
    (both.0 <= both.1).then_some(both)
}
