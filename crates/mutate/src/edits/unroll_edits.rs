//! Ways to break unrolled loops: how many there are, and which are read wide.

use crate::edits::code_edits::{at, bit, branches_to};
use crate::mutation::Mutation;

/// The list.
pub fn all() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "unroll-more",
            "a group of iterations more than there are",
            |e, n| {
                at(branches_to(e, 0, "mesi.round"), n, |b| {
                    let test = b.condition();
                    test.set_operand(1, test.operand(1).ty().constant(-1));
                })
            },
        ),
        Mutation::code(
            "unroll-once",
            "one group of iterations whatever their number",
            |e, n| {
                at(branches_to(e, 0, "mesi.round"), n, |b| {
                    b.set_condition(bit(e, false));
                })
            },
        ),
        Mutation::code(
            "unroll-unaligned",
            "loads are joined wherever they begin",
            |e, n| {
                at(branches_to(e, 0, "mesi.wide"), n, |b| {
                    b.set_condition(bit(e, true));
                })
            },
        ),
    ]
}
