//! What of a kernel it is done to, as plain data, or why it is not. Idea and soundness: [`super`].

use crate::llvm::ir::{Op, Value};
use crate::plan::analyses::Analyses;
use crate::plan::count::count;
use crate::plan::data::{Counter, Moving, Unclamped, UnclampedLoop};
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

/// Whether `v` is a minimum, or a maximum, of signed words.
fn is_extremum(v: Value) -> Option<bool> {
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
fn is_fixed(f: &Analyses, outer: LoopId, v: Value) -> bool {
    let at = v.block().filter(|_| v.is_instruction());
    at.is_none_or(|b| !f.tree.loop_(outer).blocks.contains(&f.kernel.block_id(b)))
}

/// How `v` moves, and whether down as its counter goes up. It is made of one counter and of what is fixed.
fn motion(f: &Analyses, outer: LoopId, v: Value, known: &[Unclamped]) -> Option<(Moving, bool)> {
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

fn is_sum_from_zero(f: &Analyses, outer: LoopId, v: Value, l: LoopId) -> bool {
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
