//! Ways to break iterations that are jammed over whole tiles.

use mesi::llvm::ir::{Builder, Op, Pred, Value};

use crate::edits::code_edits::{at, bit, branches_to, change_constant, instructions, is_in};
use crate::mutation::{Mutation, Noticed};
use crate::stage::Emitted;

/// Where they are noticed.
pub const NOTICED: &[Noticed] = &[
    (
        "two_nearest@tiles-jam4",
        &[
            "jam-tiles-beyond",
            "jam-tiles-left-over",
            "jam-tiles-row",
            "replica-value-wrong",
        ],
    ),
    (
        "kmeans@tiles-jam2",
        &["jam-tiles-beyond", "jam-tiles-left-over"],
    ),
];

/// Tests whether there is another round that is all the thread's own.
fn rounds(e: &Emitted) -> impl Iterator<Item = Value> {
    let tests = branches_to(e, 0, "mesi.round").map(|b| b.condition());
    tests.filter(|t| t.is(Op::LLVMICmp) && t.predicate() == Pred::LLVMIntSLE)
}

/// Branches to the iterations that are left over.
fn left_over(e: &Emitted) -> impl Iterator<Item = Value> {
    let trips: Vec<Value> = rounds(e).map(|t| t.operand(1)).collect();
    branches_to(e, 0, "mesi.on").filter(move |b| {
        let test = b.condition();
        let is_less = test.is(Op::LLVMICmp) && test.predicate() == Pred::LLVMIntSLT;
        is_less && trips.contains(&test.operand(1))
    })
}

/// How many rows an iteration of a round lies behind the first: a constant times a pitch.
fn rows(e: &Emitted) -> impl Iterator<Item = Value> {
    let jams = rounds(e).next().is_some();
    let far = |v: Value| v.const_int().is_some_and(|n| (2..16).contains(&n));
    instructions(e)
        .filter(move |i| jams && i.is(Op::LLVMMul) && is_in(*i, "mesi.loop") && far(i.operand(0)))
}

/// The list.
pub fn all() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "jam-tiles-beyond",
            "a round has one iteration more than the thread",
            |e, n| {
                at(rounds(e), n, |test| {
                    let b = Builder::new(e.module);
                    b.before(test);
                    let trip = test.operand(1);
                    test.set_operand(1, b.add_nsw(trip, trip.ty().constant(1)));
                })
            },
        ),
        Mutation::code(
            "jam-tiles-left-over",
            "iterations that fill no round are left out",
            |e, n| at(left_over(e), n, |b| b.set_condition(bit(e, false))),
        ),
        Mutation::code(
            "jam-tiles-row",
            "an iteration of a round reads the row of the one before it",
            |e, n| change_constant(rows(e), n, 0, |k| k - 1),
        ),
    ]
}
