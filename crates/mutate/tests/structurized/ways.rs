//! Ways to break a copy whose control flow was made of nested ifs and loops. The copy is the body behind its version's
//! tests: these are made to fail, so that it runs as it was written.

use mesi_mutate::blocks::{Edit, instead};

/// A kernel with two switches, and a block that both sides of the second share.
pub const KERNEL: &str = "sides";

/// Ways to break the copy.
pub const CODE: &[(&str, Edit)] = &[
    ("structurize-case-of-another", |l| {
        instead(l, ", 63", ", 62")
    }),
    ("structurize-case-lost", |l| {
        instead(l, " = or i1 ", " = and i1 ")
    }),
    ("structurize-sides-swapped", |l| {
        let (_, sides) = l.split_once(", label %")?;
        let (side, case) = sides.split_once(", label %mesi.case")?;
        instead(l, sides, &format!("mesi.case{case}, label %{side}"))
    }),
    ("structurize-case-number", |l| other_number(l, "%mesi.case")),
    ("structurize-duplicate-number", |l| {
        other_number(l, "%mesi.duplicate")
    }),
    ("structurize-duplicate-for-another", |l| {
        instead(l, ", i64 -4", ", i64 4")
    }),
];

/// A phi that takes another number from `block`.
fn other_number(line: &str, block: &str) -> Option<String> {
    let is_phi = line.contains(" = phi float ");
    let at = line.find(block).filter(|_| is_phi)?;
    let (before, from) = line.split_at(at);
    let (before, _) = before.rsplit_once("[ ")?;
    Some(format!("{before}[ 5.000000e-01, {from}"))
}
