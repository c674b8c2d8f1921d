//! Ways to break merged blocks: who leads, which replicas there are, what is whose, zeros, facts for the group.

use mesi::affine::{Atom, Poly};
use mesi::kernel::Dim;
use mesi::llvm::ir::{Block, Builder, Op, Pred, Type, Value};
use mesi::plan::{Fact, Plan};

use crate::edits::code_edits::{SHARED, at, bit, calls, instructions};
use crate::edits::fact_edits::drop_facts;
use crate::edits::plan_edits::tiles;
use crate::mutation::Mutation;
use crate::stage::{Emitted, Planned};

/// All instructions of the merged body, its facts included.
pub fn everything(e: &Emitted) -> impl Iterator<Item = Value> {
    let blocks: Vec<Block> = e.lowered.blocks.clone();
    blocks.into_iter().flat_map(|b| b.instructions())
}

/// `ctaid & -R`: the leader's number, worked out anew at each use.
fn is_leader(i: Value) -> bool {
    i.is(Op::LLVMAnd)
        && is_register(i.operand(0), "ctaid")
        && i.operand(1).const_int().is_some_and(|m| m < -1)
}

/// A call of the register of this name, or one whose name holds it.
pub fn is_register(v: Value, name: &str) -> bool {
    v.is(Op::LLVMCall) && v.callee_name().contains(name)
}

/// `min(nctaid - leader, R)`: the merged blocks that the grid has.
fn blocks_there(e: &Emitted) -> impl Iterator<Item = Value> {
    calls(e, "llvm.smin.i32").filter(|i| {
        let left = i.operand(0);
        left.is(Op::LLVMSub) && is_leader(left.operand(1))
    })
}

/// Tests whether a replica exists.
fn replica_tests(e: &Emitted) -> impl Iterator<Item = Value> {
    let of_group = |v: Value| {
        let counted = |v: Value| is_register(v, "llvm.smin.i32") && v.operand(0).is(Op::LLVMSub);
        counted(v) || (v.is(Op::LLVMMul) && (counted(v.operand(0)) || counted(v.operand(1))))
    };
    instructions(e).filter(move |i| {
        i.is(Op::LLVMICmp) && i.predicate() == Pred::LLVMIntSLT && of_group(i.operand(1))
    })
}

/// Replica numbers added to a leader's or a thread's: the addition and how many replicas there are.
fn replica_ids(e: &Emitted) -> impl Iterator<Item = Value> {
    instructions(e).filter(|i| {
        let of_group = |v: Value| {
            is_leader(v)
                || (v.is(Op::LLVMMul)
                    && is_register(v.operand(0), "tid")
                    && v.operand(1).const_int().is_some())
        };
        i.is(Op::LLVMAdd)
            && of_group(i.operand(0))
            && i.operand(1).const_int().is_some_and(|n| n > 0)
    })
}

/// The branch that sends blocks whose work a leader does home.
pub fn dismissal(e: &Emitted) -> impl Iterator<Item = Value> {
    instructions(e).filter(|i| {
        i.is(Op::LLVMBr)
            && i.is_conditional()
            && i.block().is_some_and(|b| {
                b.successors()
                    .iter()
                    .any(|s| s.name().starts_with("mesi.follow"))
            })
    })
}

/// Pairs of stores to global memory, one after the other: the same store of two replicas.
fn replica_stores(e: &Emitted) -> impl Iterator<Item = (Value, Value)> {
    let global = |i: &Value| i.is(Op::LLVMStore) && i.operand(1).address_space() != SHARED;
    let stores: Vec<Value> = instructions(e).filter(global).collect();
    let pairs: Vec<(Value, Value)> = stores
        .windows(2)
        .filter(|w| w[0].operand(0).ty() == w[1].operand(0).ty())
        .filter(|w| w[0].operand(0) != w[1].operand(0))
        .map(|w| (w[0], w[1]))
        .collect();
    pairs.into_iter()
}

/// Replaces leaders' numbers in the facts by the block's own: place 0 all, then one after the other.
fn own_id_in_facts(e: &Emitted, place: usize) -> bool {
    let in_test = |i: &Value| i.block().is_some_and(|b| b.name().starts_with("mesi.test"));
    let found: Vec<Value> = everything(e)
        .filter(|i| in_test(i) && is_leader(*i))
        .collect();
    let some = match place {
        0 => &found[..],
        n if found.len() > 1 => found.get(n - 1..n).unwrap_or(&[]),
        _ => &[],
    };
    some.iter().for_each(|i| i.replace_uses(i.operand(0)));
    !some.is_empty()
}

/// What a fact says of the leader where it is said of the last merged block: beside it, or in its place
/// where the value is 0 in the grid's first block, so that the last one's says enough.
fn of_leader(plan: &Plan, fact: &Fact) -> Option<Poly> {
    let Fact::InRange { poly, .. } = fact else {
        return None;
    };
    Dim::ALL.into_iter().find_map(|d| {
        let last = i64::from(plan.merge.along(d)) - 1;
        let id = Poly::atom(Atom::Ctaid(d));
        let leader = poly.substitute(Atom::Ctaid(d), &id.minus(&Poly::constant(last)));
        let first = |p: &Poly| p.substitute(Atom::Ctaid(d), &Poly::default());
        let beside = plan
            .facts()
            .any(|f| matches!(f, Fact::InRange { poly, .. } if *poly == leader));
        let instead = first(&leader).is_zero() && !first(poly).is_zero();
        (leader != *poly && (beside || instead)).then_some(leader)
    })
}

/// Tests the leader where the last merged block is tested: place 0 all, then one fact after the other.
fn shifted_fact_dropped(p: &mut Planned, place: usize) -> bool {
    let plan = p.plan.clone();
    let mut found = 0;
    for (fact, old) in p.plan.facts_mut().zip(plan.facts()) {
        let (Fact::InRange { poly, .. }, Some(leader)) = (fact, of_leader(&plan, old)) else {
            continue;
        };
        found += 1;
        if place == 0 || place == found {
            *poly = leader;
        }
    }
    found > 0 && place <= found && (place == 0 || found > 1)
}

/// Stores of zeros to a tile.
fn zero_stores(e: &Emitted) -> impl Iterator<Item = Value> {
    instructions(e).filter(|i| {
        i.is(Op::LLVMStore) && i.block().is_some_and(|b| b.name().starts_with("mesi.zero"))
    })
}

/// The list.
pub fn all() -> Vec<Mutation> {
    let mut list = of_groups();
    list.extend(of_replicas());
    list.extend(of_zeros());
    list
}

/// How many blocks the grid must have.
fn is_grid_size(f: &Fact) -> bool {
    matches!(f, Fact::InRange { poly, .. } if poly.any(|a| matches!(a, Atom::Nctaid(_))))
}

/// How many iterations a loop must have.
fn is_least_trip(f: &Fact) -> bool {
    matches!(f, Fact::InRange { poly, lo, .. } if *lo > 0 && poly.any(|a| matches!(a, Atom::Trip(_))))
}

/// Facts that decide about speed alone: without them the same bits come out.
pub fn harmless() -> Vec<Mutation> {
    vec![
        Mutation::plan(
            "grid-size-dropped",
            "blocks are merged in small grids, too",
            |p, n| n == 0 && drop_facts(p, n, is_grid_size),
        ),
        Mutation::plan(
            "least-trip-dropped",
            "short loops are staged, too",
            |p, n| n == 0 && drop_facts(p, n, is_least_trip),
        ),
    ]
}

fn of_groups() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "leader-own-id",
            "facts are tested with a block's own number, not its leader's",
            own_id_in_facts,
        ),
        Mutation::code(
            "followers-stay",
            "blocks whose work a leader does run on",
            |e, n| at(dismissal(e), n, |b| b.set_condition(bit(e, true))),
        ),
        Mutation::code(
            "leaders-leave",
            "leaders end, the others do the work",
            |e, n| {
                at(dismissal(e), n, |branch| {
                    let b = Builder::new(e.module);
                    b.before(branch);
                    branch.set_condition(b.xor(branch.condition(), bit(e, true)));
                })
            },
        ),
        Mutation::code(
            "leader-in-one-dimension",
            "who leads is asked along one dimension only",
            |e, n| {
                let tests = dismissal(e).filter(|b| b.condition().is(Op::LLVMAnd));
                at(tests, n / 2, |b| {
                    b.set_condition(b.condition().operand(n as u32 % 2));
                })
            },
        ),
        Mutation::code(
            "group-complete",
            "the grid is taken to have all blocks of every group",
            |e, n| at(blocks_there(e), n, |m| m.replace_uses(m.operand(1))),
        ),
        Mutation::plan(
            "group-wider",
            "a group is twice as wide as its tiles",
            |p, n| {
                let merged: Vec<usize> = (0..3).filter(|d| p.plan.merge.factor[*d] > 1).collect();
                at(merged.into_iter(), n, |d| p.plan.merge.factor[d] *= 2)
            },
        ),
        Mutation::plan(
            "shifted-fact-dropped",
            "a fact is tested for the leader only",
            shifted_fact_dropped,
        ),
    ]
}

fn of_replicas() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "replica-test-dropped",
            "a replica beyond the grid runs",
            |e, n| at(replica_tests(e), n, |t| t.replace_uses(bit(e, true))),
        ),
        Mutation::code(
            "replica-test-failed",
            "a replica of the grid does not run",
            |e, n| at(replica_tests(e), n, |t| t.replace_uses(bit(e, false))),
        ),
        Mutation::code(
            "replica-id-wrong",
            "a replica has its neighbour's id",
            |e, n| {
                at(replica_ids(e), n, |i| {
                    let replica = i.operand(1).const_int().unwrap_or(1);
                    i.set_operand(1, i.ty().constant(replica - 1));
                })
            },
        ),
        Mutation::code(
            "replica-value-wrong",
            "a replica stores its neighbour's result",
            |e, n| {
                at(replica_stores(e), n, |(before, store)| {
                    store.set_operand(0, before.operand(0))
                })
            },
        ),
    ]
}

fn of_zeros() -> Vec<Mutation> {
    vec![
        Mutation::plan(
            "zero-fill-dropped",
            "cells that nobody copies hold nothing",
            |p, n| {
                at(tiles(p.plan).filter(|t| t.zero_fill), n, |t| {
                    t.zero_fill = false
                })
            },
        ),
        Mutation::code(
            "zeros-elsewhere",
            "zeros lie 16 bytes further on",
            |e, n| {
                at(zero_stores(e), n, |s| {
                    let b = Builder::new(e.module);
                    b.before(s);
                    let one = Type::int(e.module, 64).constant(1);
                    s.set_operand(1, b.element(s.operand(0).ty(), s.operand(1), one));
                })
            },
        ),
        Mutation::code(
            "zeros-barrier-dropped",
            "zeros and the first copies do not wait for one another",
            |e, n| {
                let after = calls(e, "barrier.cta.sync").filter(|c| {
                    c.block()
                        .is_some_and(|b| b.name().starts_with("mesi.zeroed"))
                });
                at(after, n, |c| c.erase())
            },
        ),
    ]
}
