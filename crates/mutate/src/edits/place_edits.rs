//! Ways to break who does which work of a merged block: warps on squares, replicas in runs, groups that
//! have nothing to do.

use mesi::llvm::ir::{Op, Pred, Value};

use crate::edits::code_edits::{at, instructions};
use crate::mutation::Mutation;
use crate::stage::Emitted;

/// `the block divides into squares ? place in the square : own place`, along x and y.
fn places(e: &Emitted) -> impl Iterator<Item = Value> {
    let divides = |c: Value| {
        c.is(Op::LLVMICmp)
            && c.predicate() == Pred::LLVMIntEQ
            && c.operand(0).is(Op::LLVMOr)
            && c.operand(0).operand(0).is(Op::LLVMAnd)
            && c.operand(0).operand(1).is(Op::LLVMAnd)
    };
    instructions(e).filter(move |i| i.is(Op::LLVMSelect) && divides(i.operand(0)))
}

/// Bits of a replica's number that are a place in the square: `(replica >> shift) & mask`, of several bits.
fn warp_lane_bits(e: &Emitted) -> impl Iterator<Item = Value> {
    instructions(e).filter(|i| {
        let mask = || i.operand(1).const_int();
        i.is(Op::LLVMAnd)
            && i.operand(0).is(Op::LLVMLShr)
            && mask().is_some_and(|m| m == 6 || m == 2)
    })
}

/// Where a run of replicas begins: so many times the block's threads further on.
fn runs(e: &Emitted) -> impl Iterator<Item = Value> {
    instructions(e).filter(|i| {
        let threads = |v: Value| v.is(Op::LLVMCall) && v.callee_name().contains("sreg.ntid.");
        i.is(Op::LLVMMul)
            && threads(i.operand(0))
            && i.operand(1).const_int().is_some_and(|n| n > 0)
    })
}

/// `the group reads something ? trip count : 0`.
fn wanted(e: &Emitted) -> impl Iterator<Item = Value> {
    instructions(e).filter(|i| {
        i.is(Op::LLVMSelect)
            && i.ty().int_width() == Some(64)
            && i.operand(0).is(Op::LLVMAnd)
            && i.operand(1).const_int().is_none()
            && i.operand(2).const_int() == Some(0)
    })
}

/// The list.
pub fn all() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "square-undivided",
            "warps work on squares in blocks that do not divide into them",
            |e, n| at(places(e), n, |s| s.replace_uses(s.operand(1))),
        ),
        Mutation::code(
            "square-one-way",
            "a thread has its place in the square along one dimension only",
            |e, n| at(places(e), n, |s| s.replace_uses(s.operand(2))),
        ),
        Mutation::code(
            "square-place-twice",
            "two threads of a warp have one place",
            |e, n| {
                at(warp_lane_bits(e), n, |b| {
                    let mask = b.operand(1);
                    let m = mask.const_int().unwrap_or(0);
                    b.set_operand(1, mask.ty().constant(m & (m - 1)));
                })
            },
        ),
        Mutation::code(
            "replica-run-misplaced",
            "a run of replicas begins a block's threads further on",
            |e, n| {
                at(runs(e), n, |m| {
                    let times = m.operand(1);
                    let k = times.const_int().unwrap_or(0);
                    m.set_operand(1, times.ty().constant(k + 1));
                })
            },
        ),
        Mutation::code(
            "group-taken-idle",
            "a group that has work runs no strip",
            |e, n| at(wanted(e), n, |s| s.replace_uses(s.operand(2))),
        ),
    ]
}

/// Runs what a group without work would not: a matter of speed alone.
pub fn harmless() -> Vec<Mutation> {
    vec![Mutation::code(
        "idle-group-runs",
        "a group that has no work runs all strips",
        |e, n| at(wanted(e), n, |s| s.replace_uses(s.operand(1))),
    )]
}
