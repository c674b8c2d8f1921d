//! Versions whose arrays are registers give the kernel's bits, are launched in blocks alone whose threads have so many, and every way to break that is noticed.

use anyhow::Result;
use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::gate_edits::compare_inverted;
use mesi_mutate::host_launches::Shape;
use mesi_mutate::relaunched::{Relaunched, Tried, unnoticed, unnoticed_launches};
use mesi_mutate::source;

/// A kernel with such arrays.
const KERNELS: [&str; 1] = ["mm_thread_tiles"];
/// Threads that a block may have.
const MOST: u32 = 512;
/// Blocks that programs launch.
const BLOCKS: [[u32; 3]; 8] = [
    [16, 16, 1],
    [512, 1, 1],
    [513, 1, 1],
    [32, 32, 1],
    [8, 8, 8],
    [8, 8, 9],
    [1, 511, 1],
    [1, 1, 64],
];

/// Ways to break the gate.
const MUTATIONS: &[(&str, Edit)] = &[
    ("registers-compare-inverted", compare_inverted),
    ("registers-more-threads", |l| instead(l, ", 512", ", 1024")),
    ("registers-fewer-threads", |l| instead(l, ", 512", ", 511")),
    ("registers-sum-of-threads", |l| {
        instead(l, " = mul i64 ", " = add i64 ")
    }),
];

/// Ways to break the version.
const CODE: &[(&str, Edit)] = &[
    ("registers-element-elsewhere", |l| {
        let store = l.contains(" = or disjoint ").then_some(l)?;
        instead(store, ", 7", ", 6")
    }),
    ("registers-sum-lost", |l| {
        let phi = l.contains(" = phi float ").then_some(l)?;
        instead(phi, "[ 0.000000e+00, ", "[ 1.000000e+00, ")
    }),
    ("registers-row-not-stored", |l| {
        l.trim_start().starts_with("store float ").then(String::new)
    }),
];

fn subjects() -> Vec<Relaunched> {
    source::subjects(&KERNELS, |_, corpus, ir| {
        Relaunched::of_registers(corpus, ir)
    })
}

/// What the gate, given as text, says wrongly, and how many launches it lets in.
fn wrong(s: &Relaunched, gate: &str) -> Result<(Vec<String>, usize)> {
    let values = s.values()?;
    let tried = BLOCKS.into_iter().map(|block| {
        let own: Shape = [block, [3, 2, 1]];
        Tried {
            values: values.clone(),
            own,
            wants: (block.iter().product::<u32>() <= MOST).then_some(own),
            told: block,
        }
    });
    s.wrong(gate, tried)
}

#[test]
fn blocks_of_as_many_threads_are_let_in_and_no_larger_ones() {
    for s in subjects() {
        let (wrong, let_in) = wrong(&s, &s.text).expect("runs");
        assert!(wrong.is_empty(), "{}: {wrong:#?}", s.version);
        assert!(let_in > 4, "{}: {let_in}", s.version);
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_what_is_asked_is_noticed() {
    let missed = unnoticed_launches(&subjects(), MUTATIONS, wrong);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn every_way_to_break_a_version_is_noticed() {
    let broken = |s: &Relaunched, edit| s.broken_code(edit).expect("a version");
    let missed = unnoticed(&subjects(), CODE, broken, Relaunched::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
