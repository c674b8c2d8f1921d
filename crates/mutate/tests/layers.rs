//! Several layers of the grid in one block give the kernel's bits, and every way to break that is noticed.

use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::first_version::FirstVersion;
use mesi_mutate::relaunched::unnoticed;
use mesi_mutate::source;

/// Ways to break which layers and rows a replica has, where replicas part, and which of them takes part.
const CODE: &[(&str, Edit)] = &[
    ("layer-of-another", |l| sum(l, ", 3", ", 2")),
    ("layer-twice", |l| sum(l, ", 1", ", 0")),
    ("layers-with-gaps", |l| {
        let first = l.contains(" = and i32 ").then_some(l)?;
        instead(first, ", -4", ", -8")
    }),
    ("layers-do-not-part", |l| {
        instead(l, "icmp slt i32 ", "icmp sle i32 ")
    }),
    ("layer-beyond-the-grid", |l| {
        instead(l, "@llvm.smin.i32(", "@llvm.smax.i32(")
    }),
    ("layers-all-idle", |l| instead(l, " = or i1 ", " = and i1 ")),
];

fn sum(line: &str, from: &str, to: &str) -> Option<String> {
    let sum = line.contains(" = add i32 ").then_some(line)?;
    Some(format!("{}{to}", sum.strip_suffix(from)?))
}

fn subjects() -> Vec<FirstVersion> {
    source::subjects(&["conv_layer"], |_, corpus, ir| {
        FirstVersion::new(corpus, ir)
    })
}

#[test]
fn layers_give_the_same_bits() {
    for s in subjects() {
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_layers_is_noticed() {
    let missed = unnoticed(
        &subjects(),
        CODE,
        FirstVersion::broken,
        FirstVersion::differs,
    );
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
