//! Ways to break loops that run without their clamps.

use mesi::llvm::ir::{Op, Pred, Value};

use crate::edits::code_edits::{at, bit};
use crate::mutation::{Mutation, Noticed};
use crate::stage::Emitted;

/// Where they are noticed.
pub const NOTICED: &[Noticed] = &[(
    "conv2d_clamp@whole",
    &["clear-forced", "clear-of-own-first"],
)];

/// Branches whose first side has a name that begins so.
fn branches_first_to<'a>(e: &'a Emitted, name: &'a str) -> impl Iterator<Item = Value> + 'a {
    let ends = e.lowered.blocks.iter().map(|b| b.terminator());
    let leads = move |t: &Value| {
        let first = t.block().and_then(|b| b.successors().first().copied());
        t.is_conditional() && first.is_some_and(|b| b.name().starts_with(name))
    };
    ends.filter(|t| t.is(Op::LLVMBr)).filter(leads)
}

/// The list.
pub fn all() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "clear-forced",
            "loops run without clamps that change something",
            |e, n| {
                at(branches_first_to(e, "mesi.clear"), n, |b| {
                    b.set_condition(bit(e, true))
                })
            },
        ),
        Mutation::code(
            "clear-of-own-first",
            "only what is clamped in the last iteration is looked at",
            |e, n| {
                let is_low = |i: &Value| i.is(Op::LLVMICmp) && i.predicate() == Pred::LLVMIntSGE;
                let blocks = e.lowered.blocks.iter().filter(|b| {
                    b.successors()
                        .iter()
                        .any(|s| s.name().starts_with("mesi.clear"))
                });
                let tests = blocks.flat_map(|b| b.instructions()).filter(is_low);
                at(tests, n, |t| t.replace_uses(bit(e, true)))
            },
        ),
    ]
}
