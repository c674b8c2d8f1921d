//! Ways to break a copy whose loops were cut, where all threads of a block run the middle. The copy is the body behind its
//! version's tests: these are made to fail, so that it runs as it was written.

use mesi_mutate::blocks::{Edit, instead};

/// A kernel with a loop that is cut at both ends, and one at its end.
pub const KERNEL: &str = "triangle";

/// Ways to break the copy.
pub const CODE: &[(&str, Edit)] = &[
    ("index-sets-end-of-last-block", |l| {
        let (before, block) = l.split_once(" = and i32 ")?;
        let block = block.strip_suffix(", -4")?;
        Some(format!("{before} = or i32 {block}, 3"))
    }),
    ("index-sets-begin-of-first-block", |l| {
        let (before, block) = l.split_once(" = or i32 ")?;
        let block = block.strip_suffix(", 3")?;
        Some(format!("{before} = and i32 {block}, -4"))
    }),
    ("index-sets-once-more", |l| {
        let counts = l.contains(" = icmp slt i32 ") && !l.contains("%n");
        counts.then(|| l.replace(" slt ", " sle "))
    }),
    ("index-sets-first-goes-beyond", |l| {
        instead(l, " = and i1 ", " = or i1 ")
    }),
    ("index-sets-begins-elsewhere", |l| {
        let begins = l.contains(" = phi i32 ") && l.contains(", %mesi.behind");
        let (before, from) = l.split_once(", %mesi.behind").filter(|_| begins)?;
        let (before, _) = before.rsplit_once("[ ")?;
        Some(format!("{before}[ 0, %mesi.behind{from}"))
    }),
    ("index-sets-loop-is-over", |l| {
        let (before, from) = l.split_once(" = phi i1 [ true, ")?;
        Some(format!("{before} = phi i1 [ false, {from}"))
    }),
    ("index-sets-sum-begins-anew", |l| {
        let is_sum = l.contains(" = phi float ") && l.contains("%mesi.left");
        let (before, from) = l.split_once(", %mesi.left").filter(|_| is_sum)?;
        let (before, _) = before.rsplit_once("[ ")?;
        Some(format!("{before}[ 1.000000e+00, %mesi.left{from}"))
    }),
];
