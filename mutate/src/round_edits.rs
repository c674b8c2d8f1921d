//! Ways to break loops in rounds: how many there are, and which are read wide.

use mesi::llvm::ir::{Op, Type, Value};

use crate::code_edits::{at, instructions};
use crate::mutation::Mutation;
use crate::stage::Emitted;

/// Conditional branches with a first side whose name begins so.
fn branches<'a>(e: &'a Emitted, name: &'a str) -> impl Iterator<Item = Value> + 'a {
    instructions(e).filter(move |i| {
        let first = || i.block().and_then(|b| b.successors().first().copied());
        i.is(Op::LLVMBr)
            && i.is_conditional()
            && first().is_some_and(|s| s.name().starts_with(name))
    })
}

/// The list.
pub fn all() -> Vec<Mutation> {
    vec![
        Mutation::code("round-more", "a round more than there are", |e, n| {
            at(branches(e, "mesi.round"), n, |b| {
                let test = b.condition();
                test.set_operand(1, test.operand(1).ty().constant(-1));
            })
        }),
        Mutation::code("round-alone", "one round whatever their number", |e, n| {
            at(branches(e, "mesi.round"), n, |b| {
                b.set_condition(Type::int(e.module, 1).constant(0));
            })
        }),
        Mutation::code(
            "round-unaligned",
            "loads are joined wherever they begin",
            |e, n| {
                at(branches(e, "mesi.wide"), n, |b| {
                    b.set_condition(Type::int(e.module, 1).constant(1));
                })
            },
        ),
    ]
}
