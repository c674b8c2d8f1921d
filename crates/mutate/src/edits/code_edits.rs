//! Ways to break emitted code. Each edit takes the number of a place and says whether there is one.
//!
//! Places are found by what the code is: `lower` names the blocks it makes after their purpose.

use mesi::llvm::ir::{Block, Builder, Op, Pred, Type, Value};

use crate::mutation::Mutation;
use crate::stage::Emitted;

/// Address space of shared memory.
pub const SHARED: u32 = 3;

/// The instructions of all new blocks but those that test facts.
pub fn instructions(e: &Emitted) -> impl Iterator<Item = Value> {
    let blocks: Vec<Block> = e.lowered.blocks.clone();
    blocks
        .into_iter()
        .filter(|b| !b.name().starts_with("mesi.test"))
        .flat_map(|b| b.instructions())
}

/// Calls of functions whose name contains `name`.
pub fn calls(e: &Emitted, name: &'static str) -> impl Iterator<Item = Value> {
    instructions(e).filter(move |i| i.is(Op::LLVMCall) && i.callee_name().contains(name))
}

/// Conditional branches whose side of that number (0: taken where the condition holds) has a name that begins so.
pub fn branches_to<'a>(
    e: &'a Emitted,
    side: usize,
    name: &'a str,
) -> impl Iterator<Item = Value> + 'a {
    instructions(e).filter(move |i| {
        let sides = || i.block().map(|b| b.successors()).unwrap_or_default();
        i.is(Op::LLVMBr)
            && i.is_conditional()
            && sides()
                .get(side)
                .is_some_and(|b| b.name().starts_with(name))
    })
}

/// Whether an instruction is in a block whose name begins so.
pub fn is_in(i: Value, block: &str) -> bool {
    i.block().is_some_and(|b| b.name().starts_with(block))
}

/// Instructions with a constant for operand `n`, which is changed.
pub fn change_constant(
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

/// A constant condition.
pub fn bit(e: &Emitted, v: bool) -> Value {
    Type::int(e.module, 1).constant(v.into())
}

/// What a conditional branch of the staged body guards.
#[derive(Clone, Copy, PartialEq)]
pub enum Guarded {
    /// Cells of a copy.
    Copy,
    /// Threads whose predicate holds.
    On,
    /// Full strips, or the shorter one at the end.
    Strip,
    /// Another iteration.
    Loop,
    /// The fetch of a full strip, the quick way.
    Usual,
    /// The fetch of any strip.
    Fetch,
    /// A piece that is whole.
    Whole,
}

fn guarded(e: &Emitted, to: Block) -> Option<Guarded> {
    let name = to.name();
    if name.starts_with("mesi.whole") {
        return Some(Guarded::Whole);
    }
    if e.lowered.copies.contains(&to) {
        return Some(Guarded::Copy);
    }
    let kinds = [
        ("mesi.on", Guarded::On),
        ("mesi.strip", Guarded::Strip),
        ("mesi.full", Guarded::Strip),
        ("mesi.run", Guarded::Strip),
        ("mesi.over", Guarded::Strip),
        ("mesi.loop", Guarded::Loop),
        ("mesi.quick", Guarded::Usual),
        ("mesi.slow", Guarded::Fetch),
    ];
    kinds
        .into_iter()
        .find(|(prefix, _)| name.starts_with(prefix))
        .map(|k| k.1)
}

/// Conditional branches that guard `what`, and on which side it lies.
fn branches(e: &Emitted, what: Guarded) -> impl Iterator<Item = (Value, u32)> {
    let conditional = instructions(e).filter(|i| i.is(Op::LLVMBr) && i.is_conditional());
    conditional.filter_map(move |i| {
        let successors = i.block()?.successors();
        let side = successors
            .iter()
            .position(|b| guarded(e, *b) == Some(what))?;
        Some((i, side as u32))
    })
}

/// Applies `change` to the `place`-th of `found`.
pub fn at<T>(mut found: impl Iterator<Item = T>, place: usize, change: impl FnOnce(T)) -> bool {
    found.nth(place).map(change).is_some()
}

/// Forces a branch towards what it guards, or away from it.
pub fn force(e: &Emitted, what: Guarded, place: usize, go: bool) -> bool {
    at(branches(e, what), place, |(branch, side)| {
        branch.set_condition(bit(e, (side == 0) == go));
    })
}

/// The operand that is an access's address.
fn address(i: Value) -> Option<(u32, Value)> {
    match i.opcode()? {
        Op::LLVMLoad => Some((0, i.operand(0))),
        Op::LLVMStore => Some((1, i.operand(1))),
        _ => None,
    }
}

fn accesses(e: &Emitted, shared: bool, op: Op) -> impl Iterator<Item = Value> {
    instructions(e).filter(move |i| {
        let at = address(*i).map(|a| a.1.address_space());
        i.is(op) && at.is_some_and(|s| (s == SHARED) == shared)
    })
}

/// Moves an access's address by its own size.
fn shift(e: &Emitted, i: Value, by: i64) {
    let (n, p) = address(i).expect("an access has an address");
    let ty = if i.is(Op::LLVMStore) {
        i.operand(0).ty()
    } else {
        i.ty()
    };
    let b = Builder::new(e.module);
    b.before(i);
    i.set_operand(n, b.element(ty, p, Type::int(e.module, 64).constant(by)));
}

/// Puts a barrier where only the threads of a predicate come.
fn barrier_under_predicate(e: &Emitted, place: usize) -> bool {
    at(calls(e, "barrier.cta.sync"), place, |call| {
        let blocks = &e.lowered.blocks;
        let here = call
            .block()
            .and_then(|b| blocks.iter().position(|x| *x == b));
        let under = |b: &&Block| matches!(guarded(e, **b), Some(Guarded::On | Guarded::Copy));
        let later = blocks.iter().skip(here.unwrap_or(0)).find(under);
        let Some(to) = later.or_else(|| blocks.iter().find(under)) else {
            return;
        };
        call.unlink();
        let b = Builder::new(e.module);
        b.before(to.terminator());
        b.insert(call);
    })
}

/// The second of two tile accesses in a block gets the first one's address.
fn stale_index(e: &Emitted, place: usize) -> bool {
    let loads: Vec<Value> = accesses(e, true, Op::LLVMLoad).collect();
    let pairs = loads
        .windows(2)
        .filter(|w| w[0].block() == w[1].block() && w[0].operand(0) != w[1].operand(0));
    at(pairs, place, |w| w[1].set_operand(0, w[0].operand(0)))
}

/// `<` for `<=` and the other way round.
fn compare_off_by_one(e: &Emitted, place: usize) -> bool {
    let found =
        instructions(e).filter(|i| i.is(Op::LLVMICmp) && other_strictness(i.predicate()).is_some());
    at(found, place, |i| {
        let Some(p) = other_strictness(i.predicate()) else {
            return;
        };
        let b = Builder::new(e.module);
        b.before(i);
        i.replace_uses(b.icmp(p, i.operand(0), i.operand(1)));
        i.erase();
    })
}

fn other_strictness(p: Pred) -> Option<Pred> {
    Some(match p {
        Pred::LLVMIntSLE => Pred::LLVMIntSLT,
        Pred::LLVMIntSLT => Pred::LLVMIntSLE,
        Pred::LLVMIntSGE => Pred::LLVMIntSGT,
        Pred::LLVMIntSGT => Pred::LLVMIntSGE,
        Pred::LLVMIntULE => Pred::LLVMIntULT,
        Pred::LLVMIntULT => Pred::LLVMIntULE,
        _ => return None,
    })
}

/// A thread's next cell in a copy loop is one too far.
fn copy_step_wrong(e: &Emitted, place: usize) -> bool {
    let int = Type::int(e.module, 32);
    let found = instructions(e).filter(|i| {
        i.is(Op::LLVMAdd)
            && i.ty() == int
            && i.block().is_some_and(|b| e.lowered.copies.contains(&b))
    });
    at(found, place, |i| {
        let b = Builder::new(e.module);
        b.before(i);
        i.set_operand(1, b.add_nsw(i.operand(1), int.constant(1)));
    })
}

/// The list.
pub fn all() -> Vec<Mutation> {
    let mut list = of_control();
    list.extend(of_data());
    list
}

fn of_control() -> Vec<Mutation> {
    vec![
        Mutation::code("barrier-dropped", "a barrier is missing", |e, n| {
            at(calls(e, "barrier.cta.sync"), n, |c| c.erase())
        }),
        Mutation::code(
            "barrier-guarded",
            "a barrier stands under a predicate",
            barrier_under_predicate,
        ),
        Mutation::code(
            "vote-dropped",
            "a thread leaves a divergent loop by its own condition",
            |e, n| {
                at(calls(e, "barrier.cta.red.or"), n, |c| {
                    c.replace_uses(c.operand(1));
                    c.erase();
                })
            },
        ),
        Mutation::code(
            "dispatch-forced",
            "the staged body runs whatever the facts say",
            |e, n| {
                e.lowered.dispatch.set_condition(bit(e, true));
                n == 0
            },
        ),
        Mutation::code(
            "dispatch-inverted",
            "the staged body runs when the facts fail",
            |e, n| {
                let dispatch = e.lowered.dispatch;
                let b = Builder::new(e.module);
                b.before(dispatch);
                dispatch.set_condition(b.xor(dispatch.condition(), bit(e, true)));
                n == 0
            },
        ),
        Mutation::code(
            "copy-bound-dropped",
            "a copy's bound test always passes",
            |e, n| force(e, Guarded::Copy, n, true),
        ),
        Mutation::code(
            "copy-stopped",
            "a copy's bound test always fails",
            |e, n| force(e, Guarded::Copy, n, false),
        ),
        Mutation::code("guard-dropped", "a predicate always holds", |e, n| {
            force(e, Guarded::On, n, true)
        }),
        Mutation::code("guard-failed", "a predicate never holds", |e, n| {
            force(e, Guarded::On, n, false)
        }),
        Mutation::code(
            "strip-skipped",
            "the full strips, or the rest, do not run",
            |e, n| force(e, Guarded::Strip, n, false),
        ),
        Mutation::code(
            "strip-forced",
            "the full strips, or the rest, run where there are none",
            |e, n| force(e, Guarded::Strip, n, true),
        ),
        Mutation::code(
            "loop-once",
            "a loop of the staged body runs one iteration",
            |e, n| force(e, Guarded::Loop, n, false),
        ),
        Mutation::code(
            "conjunct-dropped",
            "one half of a condition is forgotten",
            |e, n| {
                let bits = Type::int(e.module, 1);
                let ands = instructions(e).filter(|i| i.is(Op::LLVMAnd) && i.ty() == bits);
                at(ands, n, |i| i.replace_uses(i.operand(0)))
            },
        ),
        Mutation::code(
            "predicate-dropped",
            "an inner predicate forgets the outer one",
            |e, n| {
                let bits = Type::int(e.module, 1);
                let selects = instructions(e).filter(|i| i.is(Op::LLVMSelect) && i.ty() == bits);
                at(selects, n, |i| i.replace_uses(i.operand(1)))
            },
        ),
        Mutation::code(
            "compare-off-by-one",
            "< stands for <=, or the other way round",
            compare_off_by_one,
        ),
    ]
}

fn of_data() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "tile-load-shifted",
            "a tile is read one cell further on",
            |e, n| at(accesses(e, true, Op::LLVMLoad), n, |i| shift(e, i, 1)),
        ),
        Mutation::code(
            "tile-store-shifted",
            "a tile is written one cell further on",
            |e, n| at(accesses(e, true, Op::LLVMStore), n, |i| shift(e, i, 1)),
        ),
        Mutation::code(
            "global-load-shifted",
            "global memory is read one element further on",
            |e, n| at(accesses(e, false, Op::LLVMLoad), n, |i| shift(e, i, 1)),
        ),
        Mutation::code(
            "global-store-shifted",
            "global memory is written one element further on",
            |e, n| at(accesses(e, false, Op::LLVMStore), n, |i| shift(e, i, 1)),
        ),
        Mutation::code(
            "tile-store-dropped",
            "a store to a tile is missing",
            |e, n| at(accesses(e, true, Op::LLVMStore), n, |i| i.erase()),
        ),
        Mutation::code(
            "global-store-dropped",
            "a store to global memory is missing",
            |e, n| at(accesses(e, false, Op::LLVMStore), n, |i| i.erase()),
        ),
        Mutation::code(
            "stale-index",
            "an access uses the address of the one before",
            stale_index,
        ),
        Mutation::code(
            "copy-step-wrong",
            "a thread's cells are one further apart",
            copy_step_wrong,
        ),
    ]
}
