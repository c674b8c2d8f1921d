//! Ways to break windows in registers and what serves them: rings, runs, tiles filled by pieces, stores
//! of several replicas, whose turn it is.

use mesi::llvm::ir::{Op, Pred, Value};
use mesi::plan::{Pitch, Reuse, Tile};

use crate::edits::code_edits::{at, bit, branches_to, calls, instructions};
use crate::edits::plan_edits::{self, tiles};
use crate::mutation::Mutation;
use crate::stage::{Emitted, Planned};

fn is_in(i: Value, block: &str) -> bool {
    i.block().is_some_and(|b| b.name().starts_with(block))
}

/// Instructions with a constant for operand `n`, which is changed.
fn change_constant(
    found: impl Iterator<Item = Value>,
    place: usize,
    n: u32,
    change: impl FnOnce(i64) -> i64,
) -> bool {
    let constant = |i: &Value| i.operand(n).const_int().is_some();
    at(found.filter(constant), place, |i| {
        let old = i.operand(n);
        let new = change(old.const_int().unwrap_or(0));
        i.set_operand(n, old.ty().constant(new));
    })
}

fn register_windows<'a>(p: &'a mut Planned) -> impl Iterator<Item = &'a mut Reuse> {
    let members = tiles(p.plan).flat_map(|t| &mut t.members);
    members.filter_map(|m| m.reuse.as_mut())
}

fn has_windows(t: &Tile) -> bool {
    t.members.iter().any(|m| m.reuse.is_some())
}

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

/// `min(rotated leader, last block of the group)`.
fn rotations(e: &Emitted) -> impl Iterator<Item = Value> {
    calls(e, "llvm.smin.i32").filter(|i| i.operand(0).is(Op::LLVMAnd))
}

/// The list.
pub fn all() -> Vec<Mutation> {
    let mut list = of_windows();
    list.extend(of_transactions());
    list.extend(of_stores());
    list
}

fn of_windows() -> Vec<Mutation> {
    vec![
        Mutation::plan(
            "window-shared",
            "all replicas read the first replica's window",
            |p, n| {
                let along = register_windows(p).filter(|s| s.along.is_some());
                plan_edits::at(along, n, |s| s.along = None)
            },
        ),
        Mutation::plan(
            "window-rows-unaligned",
            "rows of a window's tile begin anywhere",
            |p, n| {
                let dims = tiles(p.plan).filter(|t| has_windows(t));
                let pitches = dims
                    .flat_map(|t| &mut t.footprint.dims)
                    .map(|d| &mut d.pitch);
                let aligned = pitches.filter_map(|p| match p {
                    Pitch::Runtime { align, .. } if *align > 1 => Some(align),
                    _ => None,
                });
                plan_edits::at(aligned, n, |align| *align = 1)
            },
        ),
        Mutation::code(
            "window-cell-wrong",
            "a cell of the ring holds its neighbour's value",
            |e, n| {
                let cells = instructions(e).filter(|i| i.is(Op::LLVMExtractElement));
                change_constant(cells, n, 1, |k| k ^ 1)
            },
        ),
        Mutation::code(
            "window-run-short",
            "the next run of iterations begins one too early",
            |e, n| {
                let steps = instructions(e).filter(|i| {
                    i.is(Op::LLVMAdd) && i.operand(0).is(Op::LLVMPHI) && is_in(*i, "mesi.slide")
                });
                change_constant(steps, n, 1, |k| k - 1)
            },
        ),
        Mutation::code(
            "window-run-forced",
            "iterations run that the loop does not have",
            |e, n| {
                at(branches_to(e, 0, "mesi.slide"), n, |b| {
                    b.set_condition(bit(e, true))
                })
            },
        ),
        Mutation::code(
            "window-run-left",
            "iterations that fill no run, or the runs, are left out",
            |e, n| {
                at(branches_to(e, 0, "mesi.slide"), n, |b| {
                    b.set_condition(bit(e, false))
                })
            },
        ),
        Mutation::code(
            "turn-beyond-grid",
            "a block leads that the grid does not have",
            |e, n| at(rotations(e), n, |m| m.replace_uses(m.operand(0))),
        ),
    ]
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
