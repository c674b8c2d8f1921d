//! Ways to break tiles that are filled by transactions, and stores of several replicas.

use mesi::llvm::ir::{Op, Pred, Value};

use crate::edits::code_edits::{at, bit, branches_to, change_constant, instructions, is_in};
use crate::mutation::Mutation;
use crate::stage::Emitted;

/// The test for a store of several replicas: all are there, and the addresses fit.
fn wide_tests(e: &Emitted) -> impl Iterator<Item = Value> {
    branches_to(e, 0, "mesi.wide").filter(|b| b.condition().is(Op::LLVMSelect))
}

/// The odometer's carries: `c >= count ? c - count : c`.
fn carries(e: &Emitted) -> impl Iterator<Item = Value> {
    instructions(e).filter(|i| {
        i.is(Op::LLVMSelect)
            && i.operand(1).is(Op::LLVMSub)
            && i.operand(1).operand(0) == i.operand(2)
            && e.lowered.copies.iter().any(|b| i.block() == Some(*b))
    })
}

/// Pieces of a row, rounded up: `(cells + mask) >> shift`.
fn transactions_of_rows(e: &Emitted) -> impl Iterator<Item = Value> {
    instructions(e).filter(|i| {
        i.is(Op::LLVMLShr) && i.operand(0).is(Op::LLVMAdd) && i.operand(1).is(Op::LLVMSelect)
    })
}

/// The list.
pub fn all() -> Vec<Mutation> {
    let mut list = of_transactions();
    list.extend(of_stores());
    list
}

fn of_transactions() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "zeros-dropped",
            "cells that nobody copies hold nothing",
            |e, n| {
                let zeros =
                    instructions(e).filter(|i| i.is(Op::LLVMStore) && is_in(*i, "mesi.zero"));
                at(zeros, n, |s| s.erase())
            },
        ),
        Mutation::code(
            "pieces-too-few",
            "the piece that a row ends in is not copied",
            |e, n| {
                at(transactions_of_rows(e), n, |i| {
                    i.set_operand(0, i.operand(0).operand(0));
                })
            },
        ),
        Mutation::code(
            "piece-past-row",
            "a thread's pieces do not go on to the next row",
            |e, n| at(carries(e), n, |s| s.replace_uses(s.operand(2))),
        ),
    ]
}

fn of_stores() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "wide-store-unaligned",
            "replicas store at once wherever their elements lie",
            |e, n| {
                let fits = wide_tests(e).map(|b| b.condition().operand(1));
                let aligned = fits.filter(|f| f.is(Op::LLVMAnd)).map(|f| f.operand(0));
                let tests =
                    aligned.filter(|a| a.is(Op::LLVMICmp) && a.predicate() == Pred::LLVMIntEQ);
                at(tests, n, |t| t.replace_uses(bit(e, true)))
            },
        ),
        Mutation::code(
            "wide-store-incomplete",
            "replicas that are not there store with the others",
            |e, n| {
                at(wide_tests(e), n, |b| {
                    b.set_condition(b.condition().operand(1))
                })
            },
        ),
        Mutation::code(
            "wide-store-swapped",
            "a replica's element goes to its neighbour's place",
            |e, n| {
                let parts = instructions(e)
                    .filter(|i| i.is(Op::LLVMInsertElement) && is_in(*i, "mesi.wide"));
                change_constant(parts, n, 2, |k| k ^ 1)
            },
        ),
    ]
}
