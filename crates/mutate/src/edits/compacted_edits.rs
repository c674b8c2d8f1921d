//! Ways to break merged groups that the grid's first blocks lead: what facts say of, who leads, and which group.

use mesi::llvm::ir::{Builder, Op, Value};

use crate::edits::code_edits::at;
use crate::edits::merge_edits::{dismissal, everything, is_register};
use crate::mutation::Mutation;
use crate::stage::Emitted;

/// `ntid * nctaid` in 64 bits, where facts are tested: the threads of the whole grid.
fn grids(e: &Emitted) -> impl Iterator<Item = Value> {
    let widened = |v: Value, name| v.is(Op::LLVMZExt) && is_register(v.operand(0), name);
    everything(e).filter(move |i| {
        i.block().is_some_and(|b| b.name().starts_with("mesi.test"))
            && i.is(Op::LLVMMul)
            && widened(i.operand(0), "ntid")
            && widened(i.operand(1), "nctaid")
    })
}

/// Tests whether a block's number is below that of the groups.
fn leader_tests(e: &Emitted) -> impl Iterator<Item = Value> {
    let groups = |v: Value| {
        v.is(Op::LLVMLShr)
            || (v.is(Op::LLVMMul) && v.operand(0).is(Op::LLVMLShr) && v.operand(1).is(Op::LLVMLShr))
    };
    let tests = dismissal(e).map(|branch| branch.condition());
    tests.filter(move |t| t.is(Op::LLVMICmp) && groups(t.operand(1)))
}

/// The blocks that begin groups: a head's number by the width of groups, behind the dismissal.
fn firsts(e: &Emitted) -> impl Iterator<Item = Value> {
    everything(e).filter(|i| {
        let number = |v: Value| {
            v.is(Op::LLVMUDiv)
                || v.is(Op::LLVMSub)
                || (is_register(v, "ctaid") && !is_register(v, "nctaid"))
        };
        i.block().is_some_and(|b| b.name().starts_with("mesi.lead"))
            && i.is(Op::LLVMMul)
            && number(i.operand(0))
            && i.operand(1).const_int().is_some_and(|r| r > 1)
    })
}

/// The list.
pub fn all() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "heads-ask-first-block",
            "facts are tested for the grid's first block, and hold for others",
            |e, n| {
                let found: Vec<Value> = grids(e).collect();
                found.iter().for_each(|i| i.replace_uses(i.operand(0)));
                n == 0 && !found.is_empty()
            },
        ),
        Mutation::code("head-missing", "one block too few leads a group", |e, n| {
            at(leader_tests(e), n, |t| {
                let b = Builder::new(e.module);
                b.before(t);
                let groups = t.operand(1);
                t.set_operand(1, b.sub(groups, groups.ty().constant(1)));
            })
        }),
        Mutation::code(
            "head-group-elsewhere",
            "a group begins within another",
            |e, n| {
                at(firsts(e), n, |i| {
                    let r = i.operand(1).const_int().unwrap_or(1);
                    i.set_operand(1, i.ty().constant(r - 1));
                })
            },
        ),
        Mutation::code(
            "head-rows-by-blocks",
            "rows of groups are taken to be as long as rows of blocks",
            |e, n| {
                let rows = everything(e).filter(|i| {
                    i.is(Op::LLVMUDiv)
                        && i.operand(1).is(Op::LLVMLShr)
                        && i.block().is_some_and(|b| b.name().starts_with("mesi.lead"))
                });
                at(rows, n, |i| {
                    let up = i.operand(1).operand(0);
                    i.set_operand(1, up.operand(0));
                })
            },
        ),
    ]
}
