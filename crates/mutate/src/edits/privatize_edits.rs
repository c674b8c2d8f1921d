//! Ways to break privatized atomics: what a block's own cells begin with, which cell is meant, what is given to memory, what is loaded at once, and who
//! takes which steps, of blocks or of elements.

use mesi::llvm::ir::{Builder, Op, Type, Value};
use mesi::transform::privatize::{Privatization, PrivatizedArray};
use std::sync::Arc;

use crate::edits::code_edits::{SHARED, at, bit, instructions};
use crate::mutation::{Mutation, Noticed};
use crate::stage::{Emitted, Planned};

/// Where they are noticed, and others on kernels whose atomics are privatized.
pub const NOTICED: &[Noticed] = &[
    (
        "few_classes@4x1",
        &[
            "private-cells-unset",
            "private-index-off",
            "private-not-given",
            "private-given-twice",
            "private-given-elsewhere",
            "private-untouched-given",
            "private-step-missing",
            "private-low-wrong",
            "private-identity-wrong",
            "barrier-dropped",
        ],
    ),
    (
        "image_stats@4x1",
        &[
            "private-step-twice",
            "private-own-block",
            "private-cell-short",
            "private-cells-shared",
            "private-grid-unasked",
        ],
    ),
    (
        "image_stats@8x1",
        &[
            "load-at-once-unaligned",
            "load-at-once-mixed",
            "private-copies-left",
        ],
    ),
    (
        "histogram_stride@16x1",
        &[
            "element-beyond",
            "elements-one-more",
            "load-at-once-mixed",
            "private-copies-left",
            "private-step-missing",
            "private-step-twice",
            "private-given-twice",
            "barrier-dropped",
        ],
    ),
    (
        "histogram_values@4x1",
        &[
            "private-others-lost",
            "private-others-owned",
            "private-one-more-owned",
            "private-cells-unset",
            "private-untouched-given",
        ],
    ),
    (
        "chained_gathers@default",
        &["private-not-looked-up", "private-looked-up-in-part"],
    ),
    (
        "chained_sums@default",
        &["ahead-never-stale", "ahead-by-one", "private-others-lost"],
    ),
    ("whole_blocks@4x1", &["private-step-beyond"]),
    ("self_counts@4x1", &["alias-fact-dropped"]),
];

/// Copies of a block's own cells, side by side: as many as a warp has threads, in all kernels that are broken here.
const COPIES: i64 = 32;

/// Atomics on the block's own cells, or those that give the cells to memory.
fn atomics(e: &Emitted, own: bool) -> impl Iterator<Item = Value> {
    instructions(e)
        .filter(move |i| i.is(Op::LLVMAtomicRMW) && (i.operand(0).address_space() == SHARED) == own)
}

/// The instructions of a kernel that privatizes atomics; of others, whose blocks may have the same names, none.
fn of_privatized(e: &Emitted) -> impl Iterator<Item = Value> {
    let privatizes = atomics(e, true).next().is_some();
    instructions(e).filter(move |_| privatizes)
}

/// Stores that fill the cells.
fn fillings(e: &Emitted) -> impl Iterator<Item = Value> {
    of_privatized(e).filter(|i| {
        i.is(Op::LLVMStore) && i.block().is_some_and(|b| b.name().starts_with("mesi.cell"))
    })
}

/// The number of the step: what the loop over steps counts by.
fn steps(e: &Emitted) -> impl Iterator<Item = Value> {
    of_privatized(e).filter(|i| {
        i.is(Op::LLVMPHI) && i.block().is_some_and(|b| b.name().starts_with("mesi.turn"))
    })
}

/// Tests whether there is another step: `next < steps`.
fn more_steps(e: &Emitted) -> impl Iterator<Item = Value> {
    let again = |b: &mesi::llvm::ir::Block| b.name().starts_with("mesi.turn");
    let branches = of_privatized(e).filter(move |i| {
        let sides = || i.block().map(|b| b.successors()).unwrap_or_default();
        i.is(Op::LLVMBr) && i.is_conditional() && sides().iter().any(again)
    });
    branches.map(|b| b.condition())
}

/// Adds `by` to the limit of a loop over steps.
fn move_steps(e: &Emitted, place: usize, by: i64) -> bool {
    at(more_steps(e), place, |test| {
        let b = Builder::new(e.module);
        b.before(test);
        let limit = test.operand(1);
        test.set_operand(1, b.add_nsw(limit, limit.ty().constant(by)));
    })
}

/// The block's own number in place of the step's.
fn own_block(e: &Emitted, place: usize) -> bool {
    let all = e.lowered.blocks.iter().flat_map(|b| b.instructions());
    let mut calls = all.filter(|i| i.is(Op::LLVMCall));
    let Some(own) = calls.find(|i| i.callee_name().contains("sreg.ctaid.x")) else {
        return false;
    };
    at(steps(e), place, |step| {
        let users = step.users().into_iter().filter(|u| !u.is(Op::LLVMPHI));
        // The next step is counted from this one all the same.
        let first = users.filter(|u| !u.is(Op::LLVMAdd));
        for user in first {
            for n in 0..user.operands().len() as u32 {
                if user.operand(n) == step {
                    user.set_operand(n, own);
                }
            }
        }
    })
}

/// Moves the address of an update by one cell.
fn next_cell(e: &Emitted, i: Value) {
    let b = Builder::new(e.module);
    b.before(i);
    let own = i.operand(0).address_space() == SHARED;
    let words = if own { COPIES } else { 1 };
    let on = Type::int(e.module, 64).constant(words);
    i.set_operand(0, b.element(Type::int(e.module, 32), i.operand(0), on));
}

/// The branches that a block is entered by, of blocks whose names begin so, if they have conditions.
fn branches_to<'a>(e: &'a Emitted, name: &'a str) -> impl Iterator<Item = Value> + 'a {
    let goes = move |i: &Value| {
        let sides = i.block().map(|b| b.successors()).unwrap_or_default();
        sides.iter().any(|b| b.name().starts_with(name))
    };
    of_privatized(e).filter(move |i| i.is(Op::LLVMBr) && i.is_conditional() && goes(i))
}

/// Adds `by` to the limit that the condition of a branch compares with.
fn move_limit(e: &Emitted, branch: Value, by: i64) {
    let (b, test) = (Builder::new(e.module), branch.condition());
    b.before(test);
    let limit = test.operand(1);
    test.set_operand(1, b.add_nsw(limit, limit.ty().constant(by)));
}

/// Shifts by which elements are taken from words that were loaded at once, but those by nothing.
fn places_in_words(e: &Emitted) -> impl Iterator<Item = Value> {
    of_privatized(e).filter(|i| {
        let here = i
            .block()
            .is_some_and(|b| b.name().starts_with("mesi.loaded"));
        here && i.is(Op::LLVMLShr) && i.operand(1).const_int().is_some_and(|k| k > 0)
    })
}

/// Branches to loads that are done again.
fn reloads(e: &Emitted) -> impl Iterator<Item = Value> {
    branches_to(e, "mesi.on").filter(|branch| {
        let on = branch.block().map(|b| b.successors()[0]);
        let first = on.and_then(|b| b.instructions().first().copied());
        first.is_some_and(|i| i.is(Op::LLVMLoad) && i.operand(0).address_space() != SHARED)
    })
}

/// Whether a shift takes a part of a word that is looked up: it is by as many bits as the address says.
fn is_in_word(shift: Value) -> bool {
    let bits = shift.operand(1);
    bits.is(Op::LLVMMul) && bits.operand(1).const_int() == Some(8)
}

/// Changes what is privatized, if anything is; whether it did.
fn change(p: &mut Planned, edit: impl FnOnce(&mut Privatization) -> bool) -> bool {
    let Some(mut changed) = p.plan.steps_as::<Privatization>().cloned() else {
        return false;
    };
    let is_changed = edit(&mut changed);
    p.plan.set_steps(Arc::new(changed));
    is_changed
}

/// Changes one of the arrays from number `skipped` on.
fn array(p: &mut Planned, skipped: usize, place: usize, edit: fn(&mut PrivatizedArray)) -> bool {
    change(p, |t| at(t.arrays.iter_mut().skip(skipped), place, edit))
}

/// Another element in whose terms cells that were not added to are told, and with which they begin.
fn other_op(t: &mut PrivatizedArray) {
    use mesi::llvm::ir::Rmw;
    t.op = match t.op {
        Rmw::And | Rmw::Umin => Rmw::Add,
        _ => Rmw::And,
    };
}

/// The list.
pub fn all() -> Vec<Mutation> {
    let mut list = of_cells();
    list.extend(of_others());
    list.extend(of_steps());
    list.extend(of_loads());
    list.extend(of_plans());
    list
}

fn of_cells() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "private-cells-unset",
            "a block's cells begin with anything",
            |e, n| at(fillings(e), n, |s| s.erase()),
        ),
        Mutation::code(
            "private-index-off",
            "an update goes to the next cell",
            |e, n| at(atomics(e, true), n, |a| next_cell(e, a)),
        ),
        Mutation::code(
            "private-not-given",
            "a block's cells do not come to memory",
            |e, n| at(atomics(e, false), n, |a| a.erase()),
        ),
        Mutation::code(
            "private-given-twice",
            "a block's cells are given to memory twice",
            |e, n| {
                at(atomics(e, false), n, |a| {
                    let b = Builder::new(e.module);
                    b.before(a);
                    b.insert(a.clone_instruction());
                })
            },
        ),
        Mutation::code(
            "private-given-elsewhere",
            "a cell is given to the next one's place",
            |e, n| at(atomics(e, false), n, |a| next_cell(e, a)),
        ),
        Mutation::code(
            "private-untouched-given",
            "cells that nobody added to are given as well",
            |e, n| {
                let blocks = atomics(e, false).filter_map(|a| a.block());
                let guards = blocks.filter_map(|b| {
                    let all = e.lowered.blocks.iter();
                    let mut to = all.filter(|x| x.successors().contains(&b));
                    to.next().map(|x| x.terminator())
                });
                at(guards.filter(|t| t.is_conditional()), n, |t| {
                    t.set_condition(bit(e, true));
                })
            },
        ),
    ]
}

/// Of cells that are not privatized.
fn of_others() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "private-others-lost",
            "cells that a block has not got are not updated",
            |e, n| {
                let there = |i: &Value| i.block().is_some_and(|b| b.name().starts_with("mesi.off"));
                at(atomics(e, false).filter(there), n, |a| a.erase())
            },
        ),
        Mutation::code(
            "private-others-owned",
            "every cell is taken to be the block's own",
            |e, n| {
                at(branches_to(e, "mesi.off"), n, |branch| {
                    branch.set_condition(bit(e, true));
                })
            },
        ),
        Mutation::code(
            "private-one-more-owned",
            "the cell behind the block's own is taken to be one",
            |e, n| {
                at(branches_to(e, "mesi.off"), n, |branch| {
                    move_limit(e, branch, 4);
                })
            },
        ),
    ]
}

fn of_steps() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "private-step-missing",
            "the last step is left out",
            |e, n| move_steps(e, n, -1),
        ),
        Mutation::code(
            "private-step-beyond",
            "a step is taken that the grid does not have",
            |e, n| move_steps(e, n, 1),
        ),
        Mutation::code(
            "private-own-block",
            "a leader does its own block in every step",
            own_block,
        ),
        Mutation::code(
            "private-step-twice",
            "leaders go on by one step, whoever else takes steps",
            |e, n| {
                let next = steps(e).filter_map(|t| {
                    let mut users = t.users().into_iter();
                    users.find(|u| u.is(Op::LLVMAdd))
                });
                at(next, n, |u| u.set_operand(1, u.ty().constant(1)))
            },
        ),
    ]
}

fn of_loads() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "private-copies-left",
            "the last copies of a cell are not added",
            |e, n| {
                let loops = branches_to(e, "mesi.copies");
                at(loops, n, |branch| move_limit(e, branch, -4))
            },
        ),
        Mutation::code(
            "private-looked-up-in-part",
            "a load of a cell takes the wrong part of it",
            |e, n| {
                let parts = of_privatized(e).filter(|i| i.is(Op::LLVMLShr) && is_in_word(*i));
                at(parts, n, |s| s.set_operand(1, s.ty().constant(0)))
            },
        ),
        Mutation::code(
            "load-at-once-unaligned",
            "replicas load at once wherever their elements lie",
            |e, n| {
                at(branches_to(e, "mesi.wide"), n, |branch| {
                    branch.set_condition(bit(e, true));
                })
            },
        ),
        Mutation::code(
            "load-at-once-mixed",
            "a replica takes the first element of a word",
            |e, n| {
                at(places_in_words(e), n, |s| {
                    s.set_operand(1, s.ty().constant(0))
                })
            },
        ),
        Mutation::code(
            "ahead-never-stale",
            "what was loaded ahead is taken whatever was updated since",
            |e, n| at(reloads(e), n, |branch| branch.set_condition(bit(e, false))),
        ),
        Mutation::code(
            "ahead-by-one",
            "a thread loads ahead beyond its last element",
            |e, n| {
                at(branches_to(e, "mesi.ahead"), n, |branch| {
                    move_limit(e, branch, 1);
                })
            },
        ),
        Mutation::code(
            "element-beyond",
            "a thread goes on by an element that there is not",
            |e, n| {
                at(branches_to(e, "mesi.element"), n, |branch| {
                    move_limit(e, branch, 1);
                })
            },
        ),
    ]
}

fn of_plans() -> Vec<Mutation> {
    vec![
        Mutation::plan(
            "elements-one-more",
            "the limit is taken to be an element, or not to be one",
            |p, n| {
                change(p, |t| {
                    let stride = t.stride.as_mut().filter(|_| n == 0);
                    stride
                        .map(|s| s.limit.included = !s.limit.included)
                        .is_some()
                })
            },
        ),
        Mutation::plan(
            "private-not-looked-up",
            "a load that may be of a cell is done where the cell lies in memory",
            |p, n| {
                change(p, |t| {
                    n == 0 && !std::mem::take(&mut t.looked_up).is_empty()
                })
            },
        ),
        Mutation::plan(
            "private-cell-short",
            "the last cell is neither filled nor given",
            |p, n| array(p, 0, n, |t| t.cells -= 1),
        ),
        Mutation::plan(
            "private-low-wrong",
            "cells are taken to begin one further on",
            |p, n| array(p, 0, n, |t| t.low += 4),
        ),
        Mutation::plan(
            "private-cells-shared",
            "two arrays have the same cells",
            |p, n| array(p, 1, n, |t| t.offset -= 4),
        ),
        Mutation::plan(
            "private-identity-wrong",
            "cells begin with what changes them",
            |p, n| array(p, 0, n, other_op),
        ),
        Mutation::plan(
            "private-grid-unasked",
            "blocks are taken to lie along x",
            |p, n| {
                change(p, |t| {
                    let is_one = t.dimensions > 1 && n == 0;
                    if is_one {
                        t.dimensions = 1;
                    }
                    is_one
                })
            },
        ),
    ]
}
