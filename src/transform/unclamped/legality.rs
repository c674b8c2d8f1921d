//! What must hold of a kernel. Idea and soundness: [`super`].

use crate::llvm::ir::{Op, Value};
use crate::plan::analyses::Analyses;
use crate::plan::count::count;
use crate::plan::data::{Counter, Moving, Unclamped};
use crate::tree::LoopId;

/// Whether `v` is a minimum, or a maximum, of signed words.
pub(super) fn is_extremum(v: Value) -> Option<bool> {
    if !v.is(Op::LLVMCall) || v.ty().int_width() != Some(32) {
        return None;
    }
    match v.callee_name().as_str() {
        "llvm.smin.i32" => Some(true),
        "llvm.smax.i32" => Some(false),
        _ => None,
    }
}

/// Whether `v` is known where the loop begins.
pub(super) fn is_fixed(f: &Analyses, outer: LoopId, v: Value) -> bool {
    let at = v.block().filter(|_| v.is_instruction());
    at.is_none_or(|b| !f.tree.loop_(outer).blocks.contains(&f.kernel.block_id(b)))
}

/// How `v` moves, and whether down as its counter goes up. It is made of one counter and of what is fixed.
pub(super) fn motion(
    f: &Analyses,
    outer: LoopId,
    v: Value,
    known: &[Unclamped],
) -> Option<(Moving, bool)> {
    let id = f.kernel.value_id(v);
    if let Some(n) = known.iter().position(|c| c.value == id) {
        return Some((Moving::Clamped(n), known[n].down));
    }
    match v.opcode()? {
        Op::LLVMPHI => counter(f, outer, v).map(|c| (Moving::Counter(c), false)),
        Op::LLVMAdd | Op::LLVMSub => {
            let (a, b) = (v.operand(0), v.operand(1));
            let fixed = |x: Value| Moving::Fixed(f.kernel.value_id(x));
            let (parts, down) = if is_fixed(f, outer, b) {
                let (m, down) = motion(f, outer, a, known)?;
                ([m, fixed(b)], down)
            } else if is_fixed(f, outer, a) {
                let (m, down) = motion(f, outer, b, known)?;
                ([fixed(a), m], down != v.is(Op::LLVMSub))
            } else {
                return None;
            };
            let made = match v.is(Op::LLVMSub) {
                true => Moving::Difference,
                false => Moving::Sum,
            };
            Some((made(Box::new(parts)), down))
        }
        _ => None,
    }
}

/// What is known of this counter of a loop in `outer`, if it moves up by one from a constant to what is fixed.
fn counter(f: &Analyses, outer: LoopId, phi: Value) -> Option<Counter> {
    let within = |l: &LoopId| {
        f.tree
            .contains(f.tree.loop_(outer).node, f.tree.loop_(*l).node)
    };
    let mut loops = f.tree.loop_ids().filter(within);
    let l = loops.find(|l| phi.block() == Some(f.kernel.block(f.tree.loop_(*l).header)))?;
    let c = count(f.kernel, f.tree, l)?;
    let counts = c.phi == phi && c.step == 1 && phi.ty().int_width() == Some(32);
    let first = start(f, l, phi)?;
    (counts && is_fixed(f, outer, c.bound)).then(|| Counter {
        loop_: l,
        phi: f.kernel.value_id(phi),
        first,
        moved: c.moved,
        bound: f.kernel.value_id(c.bound),
        relation: c.relation,
    })
}

/// The constant that a counter begins at.
fn start(f: &Analyses, l: LoopId, phi: Value) -> Option<i64> {
    let lp = f.tree.loop_(l);
    let all = phi.incoming().into_iter();
    let mut before = all.filter(|(_, b)| !lp.blocks.contains(&f.kernel.block_id(*b)));
    let first = before.next()?.0.const_int()?;
    before
        .all(|(v, _)| v.const_int() == Some(first))
        .then_some(first)
}

pub(super) fn is_sum_from_zero(f: &Analyses, outer: LoopId, v: Value, l: LoopId) -> bool {
    let is_counter = |x: Value| {
        let c = x.is(Op::LLVMPHI).then(|| counter(f, outer, x)).flatten();
        c.is_some_and(|c| c.loop_ == l && c.first == 0)
    };
    let (a, b) = match v.is(Op::LLVMAdd) {
        true => (v.operand(0), v.operand(1)),
        false => return false,
    };
    (is_counter(a) && is_fixed(f, outer, b)) || (is_counter(b) && is_fixed(f, outer, a))
}
