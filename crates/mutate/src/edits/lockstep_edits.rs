//! Ways to break merged blocks without tiles: who goes together, and what is done for those who part.

use mesi::kernel::Dim;
use mesi::llvm::ir::{Block, Op, Pred, Value};

use crate::edits::code_edits::{at, bit, branches_to, instructions};
use crate::edits::plan_edits;
use crate::mutation::Mutation;

/// The list.
pub fn all() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "replicas-taken-to-agree",
            "what one replica's guard lets in runs for all of them",
            |e, n| {
                at(branches_to(e, 1, "mesi.differ"), n, |b| {
                    let differ = b.block().map(|x| x.successors()[1]);
                    if let Some(d) = differ {
                        // Whether any replica is let in is computed before both branches.
                        b.set_condition(d.terminator().condition());
                    }
                })
            },
        ),
        Mutation::code(
            "parted-replicas-left",
            "where replicas disagree none of them runs",
            |e, n| {
                at(branches_to(e, 0, "mesi.slow"), n, |b| {
                    b.set_condition(bit(e, false))
                })
            },
        ),
        Mutation::code(
            "group-taken-complete",
            "all replicas are taken to be in the grid",
            |e, n| {
                at(branches_to(e, 0, "mesi.fast"), n, |b| {
                    b.set_condition(bit(e, true))
                })
            },
        ),
        Mutation::code(
            "last-replica-left",
            "the slow path ends before the last replica",
            |e, n| {
                at(branches_to(e, 0, "mesi.lane"), n, |b| {
                    let test = b.condition();
                    if let Some(k) = test.operand(1).const_int() {
                        test.set_operand(1, test.operand(1).ty().constant(k - 1));
                    }
                })
            },
        ),
        Mutation::code(
            "slow-replica-beyond",
            "the slow path runs replicas that the grid does not have",
            |e, n| {
                let tests = instructions(e).filter(|i| {
                    let in_replica =
                        |i: &Value| i.block().is_some_and(|b| b.name().starts_with("mesi.lane"));
                    i.is(Op::LLVMICmp) && i.predicate() == Pred::LLVMIntSLT && in_replica(i)
                });
                at(tests, n, |t| t.replace_uses(bit(e, true)))
            },
        ),
        Mutation::code(
            "slid-value-kept",
            "a replica finds what its neighbour had in the loop's first iteration",
            |e, n| {
                let begins = |b: Block| b.name().starts_with("mesi.slide");
                let carries = |v: Value| v.is(Op::LLVMLoad) || v.is(Op::LLVMPHI);
                let kept = instructions(e).filter(|i| {
                    i.is(Op::LLVMPHI)
                        && i.block().is_some_and(begins)
                        && i.operands().into_iter().all(carries)
                });
                at(kept, n, |p| {
                    // What comes from the block before the loop.
                    p.replace_uses(p.operand(0))
                })
            },
        ),
        Mutation::code(
            "plane-before-taken-to-be-done",
            "a plane takes what the one before left also where that left nothing",
            |e, n| {
                at(branches_to(e, 0, "mesi.rest"), n, |b| {
                    b.set_condition(bit(e, true))
                })
            },
        ),
        Mutation::code(
            "vector-taken-to-lie-well",
            "replicas load and store at once whatever their cells' alignment",
            |e, n| {
                at(branches_to(e, 0, "mesi.wide"), n, |b| {
                    b.set_condition(bit(e, true))
                })
            },
        ),
        Mutation::code(
            "cell-of-another-replica",
            "a replica takes its neighbour's cell of what was loaded at once",
            |e, n| {
                let second = |i: &Value| i.operand(1).const_int() == Some(1);
                let taken = instructions(e).filter(|i| i.is(Op::LLVMExtractElement));
                at(taken.filter(second), n, |i| {
                    i.set_operand(1, i.operand(1).ty().constant(0))
                })
            },
        ),
        Mutation::code(
            "kept-cell-not-moved",
            "a plane finds a cell that the first one loaded",
            |e, n| {
                let from_plane = |p: &Value| {
                    let mut incoming = p.incoming().into_iter();
                    incoming.position(|(_, b)| b.name().starts_with("mesi.rest"))
                };
                let is_kept = |p: &Value| p.is(Op::LLVMPHI) && p.ty().int_width().is_none();
                let kept = instructions(e).filter(|p| is_kept(p) && from_plane(p).is_some());
                at(kept, n, |p| {
                    let of_plane = from_plane(&p).expect("such phis alone are left");
                    // What was kept before stands beside it.
                    p.set_operand(of_plane as u32, p.incoming()[1 - of_plane].0);
                })
            },
        ),
        Mutation::plan(
            "slides-elsewhere",
            "replicas take what replicas beside them had, along another dimension",
            |p, n| {
                let merge = p.plan.merge;
                let carried = p
                    .plan
                    .lockstep_mut()
                    .into_iter()
                    .flat_map(|t| &mut t.carried);
                plan_edits::at(carried, n, |(_, reuse)| {
                    let mut others = Dim::ALL.into_iter().filter(|d| Some(*d) != reuse.along);
                    let other = others.find(|d| merge.along(*d) > 1);
                    reuse.along = other.or(reuse.along);
                })
            },
        ),
    ]
}
