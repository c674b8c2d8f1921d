//! Ways to break what needs no tile of copies: store tiles that merged blocks fill together, store tiles in the slots
//! of others, fast passes, iterations jammed, and blocks inside.

use mesi::affine::{Atom, Poly};
use mesi::kernel::Dim;
use mesi::llvm::ir::{Block, Builder, Op, Pred, Value};
use mesi::plan::{Fact, TilePlace};

use crate::edits::code_edits::{at, bit, branches_to, calls, instructions};
use crate::edits::fact_edits::drop_facts;
use crate::edits::plan_edits::tiles;
use crate::mutation::Mutation;
use crate::stage::{Emitted, Planned};

/// Blocks of the fast pass: from the block of this name up to where it meets the others.
fn fast_blocks(e: &Emitted) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    let first = |b: &&Block| b.name().starts_with("mesi.steady");
    let mut work: Vec<Block> = e.lowered.blocks.iter().filter(first).copied().collect();
    while let Some(b) = work.pop() {
        if !out.contains(&b) && !b.name().starts_with("mesi.full") {
            out.push(b);
            work.extend(b.successors());
        }
    }
    out
}

/// Branches of the fast pass whose first side copies, or those that lead to several copies.
fn fast_copies(e: &Emitted) -> Vec<Value> {
    let copies = |b: &Block| {
        let mut all = b.instructions().into_iter();
        all.any(|i| i.is(Op::LLVMCall) && i.callee_name().contains("cp.async"))
    };
    let ends = fast_blocks(e).into_iter().map(|b| b.terminator());
    let branches = ends.filter(|t| t.is(Op::LLVMBr) && t.is_conditional());
    let to = |t: &Value| t.block().map(|b| b.successors()).unwrap_or_default();
    branches
        .filter(|t| to(t).first().is_some_and(copies))
        .collect()
}

/// How far a merged block's part of a tile lies behind the first: an extent times blocks.
fn parts(e: &Emitted) -> impl Iterator<Item = Value> {
    let here = |b: Block| b.name().starts_with("mesi.all");
    instructions(e).filter(move |i| {
        let threads = |v: Value| v.is(Op::LLVMCall) && v.callee_name().contains("sreg.ntid.");
        i.is(Op::LLVMMul)
            && threads(i.operand(0))
            && i.operand(1)
                .const_int()
                .is_some_and(|n| (1..8).contains(&n))
            && i.block().is_some_and(here)
    })
}

/// Limits within which the iterations of a group that is partly another thread's stay.
fn clamps(e: &Emitted) -> impl Iterator<Item = Value> {
    let both = calls(e, "llvm.smin.i64").chain(calls(e, "llvm.smax.i64"));
    both.filter(|i| i.block().is_some_and(|b| b.name().starts_with("mesi.part")))
}

/// Tests whether there is another group of iterations.
fn more_unrolled(e: &Emitted) -> impl Iterator<Item = Value> {
    let tests = branches_to(e, 0, "mesi.round").map(|b| b.condition());
    // Over tiles what fills no group runs one by one.
    tests.filter(|t| !(t.is(Op::LLVMICmp) && t.predicate() == Pred::LLVMIntSLE))
}

/// Facts that make a block one of those inside.
fn drop_interior(p: &mut Planned, place: usize) -> bool {
    if !p.affine.interior {
        return false;
    }
    drop_facts(p, place, is_not_negative)
}

/// Whether a fact makes a block one of those inside.
pub fn is_not_negative(f: &Fact) -> bool {
    let ids = |a: Atom| matches!(a, Atom::Tid(_) | Atom::Ctaid(_));
    matches!(f, Fact::InRange { poly, lo: 0, hi } if *hi >= 1 << 40 && poly.any(ids))
}

/// The list.
pub fn all() -> Vec<Mutation> {
    let mut list = of_store_tiles();
    list.extend(of_fast_passes());
    list.extend(of_unrolled());
    list.push(Mutation::plan(
        "inside-fact-dropped",
        "blocks that a limit touches are taken for blocks inside",
        drop_interior,
    ));
    list
}

fn of_store_tiles() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "gather-taken-whole",
            "a tile that an edge cuts is filled by all replicas",
            |e, n| {
                at(branches_to(e, 0, "mesi.all"), n, |b| {
                    b.set_condition(bit(e, true))
                })
            },
        ),
        Mutation::code(
            "gather-part-wrong",
            "a merged block's part of a tile goes to its neighbour's place",
            |e, n| {
                at(parts(e), n, |m| {
                    let k = m.operand(1).const_int().unwrap_or(1);
                    m.set_operand(1, m.ty().constant(k - 1));
                })
            },
        ),
        Mutation::plan(
            "over-own-place",
            "a store tile lies where others begin, not where its own rows are read",
            |p, n| {
                let over = tiles(p.plan).filter(|t| t.place.over().is_some());
                at(over, n, |t| {
                    if let TilePlace::Behind { over, .. } = &mut t.place {
                        *over = None;
                    }
                })
            },
        ),
        Mutation::plan(
            "over-layers-dropped",
            "threads that differ in y alone store over what others read",
            |p, n| {
                let over = tiles(p.plan).any(|t| t.place.over().is_some());
                let layers = Poly::atom(Atom::Ntid(Dim::Y)).times(&Poly::atom(Atom::Ntid(Dim::Z)));
                over && drop_facts(
                    p,
                    n,
                    |f| matches!(f, Fact::InRange { poly, .. } if *poly == layers),
                )
            },
        ),
    ]
}

fn of_fast_passes() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "fast-one-more",
            "the pass before the fast ones, or behind them, counts as one",
            |e, n| {
                at(branches_to(e, 0, "mesi.steady"), n, |b| {
                    let test = b.condition();
                    let pen = Builder::new(e.module);
                    pen.before(test);
                    let span = test.operand(1);
                    test.set_operand(1, pen.add_nsw(span, span.ty().constant(1)));
                })
            },
        ),
        Mutation::code("fast-forced", "every pass counts as fast", |e, n| {
            at(branches_to(e, 0, "mesi.steady"), n, |b| {
                b.set_condition(bit(e, true))
            })
        }),
        Mutation::code(
            "fast-piece-missing",
            "a fast pass leaves the first pieces of a tile out, or all others",
            |e, n| {
                at(fast_copies(e).into_iter(), n, |b| {
                    b.set_condition(bit(e, false))
                })
            },
        ),
        Mutation::code(
            "fast-piece-forced",
            "a thread that has no piece copies one in fast passes",
            |e, n| {
                at(fast_copies(e).into_iter(), n, |b| {
                    b.set_condition(bit(e, true))
                })
            },
        ),
    ]
}

fn of_unrolled() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "jam-taken-full",
            "all iterations of a group are taken to be the thread's own",
            |e, n| {
                let all_blocks = e.lowered.blocks.iter();
                let mut unrolled = all_blocks.filter(|b| b.name().starts_with("mesi.round"));
                unrolled.next().is_some()
                    && at(branches_to(e, 0, "mesi.full"), n, |b| {
                        b.set_condition(bit(e, true))
                    })
            },
        ),
        Mutation::code(
            "jam-unclamped",
            "a group that is partly a thread's own loads what others would",
            |e, n| at(clamps(e), n, |c| c.replace_uses(c.operand(0))),
        ),
        Mutation::code(
            "jam-group-missing",
            "a group that has one iteration is left out",
            |e, n| {
                at(more_unrolled(e), n, |test| {
                    let b = Builder::new(e.module);
                    b.before(test);
                    let end = test.operand(1);
                    test.set_operand(1, b.add_nsw(end, end.ty().constant(-1)));
                })
            },
        ),
        Mutation::code(
            "jam-begins-late",
            "the group that a thread begins in is not one of its own",
            |e, n| {
                let found = instructions(e).filter(|i| {
                    i.is(Op::LLVMICmp)
                        && i.predicate() == Pred::LLVMIntSLT
                        && i.block()
                            .is_some_and(|b| b.name().starts_with("mesi.round"))
                });
                at(found, n, |test| {
                    let b = Builder::new(e.module);
                    b.before(test);
                    let first = test.operand(0);
                    test.set_operand(0, b.add_nsw(first, first.ty().constant(1)));
                })
            },
        ),
    ]
}
