//! Arrays of collapsed kernels that lie directly behind each other: conditions that limit a sum of two threads' numbers
//! keep what is touched within the arrays, so that the host launches the copies' versions there; and nowhere where the
//! arrays share a cell. Every way to break what it asks is noticed.

use mesi_mutate::blocks::{Edit, each_line, instead};
use mesi_mutate::gate_edits::compare_inverted;
use mesi_mutate::host_launches::Shape;
use mesi_mutate::relaunched::{Relaunched, unnoticed};
use mesi_mutate::source;

/// Kernels whose parameters are two arrays of `f32`, rows and columns: one array is square, of columns, and the other
/// one is of rows and columns. Which is square.
const KERNELS: [(&str, usize); 2] = [("symmetric", 0), ("covariance", 1)];
/// Rows and columns, and the program's blocks.
const LAUNCHES: [([i64; 2], Shape); 3] = [
    ([1024, 1024], [[256, 1, 1], [4, 1, 1]]),
    ([64, 1000], [[64, 1, 1], [16, 1, 1]]),
    ([961, 961], [[33, 1, 1], [30, 1, 1]]),
];
/// Where the first array begins.
const BEGIN: i64 = 1 << 40;

/// Ways to break the gate.
const MUTATIONS: &[(&str, Edit)] = &[
    ("adjacent-compare-inverted", compare_inverted),
    ("adjacent-limit-lost", |l| {
        instead(l, "@llvm.smin.", "@llvm.smax.")
    }),
    ("adjacent-and-for-or", |l| {
        instead(l, " = or i1 ", " = and i1 ")
    }),
    ("adjacent-an-element-short", |l| {
        instead(l, ", i64 4)", ", i64 0)")
    }),
    ("adjacent-limit-one-less", |l| {
        instead(l, " = add i64 -1, ", " = add i64 -2, ")
    }),
];

/// The first version of each kernel: one of its copy.
fn subjects() -> Vec<Relaunched> {
    let names = KERNELS.map(|(name, _)| name);
    source::subjects(&names, |_, corpus, ir| Relaunched::first(corpus, ir))
}

/// What the gate, given as text, says wrongly: a version is launched where the arrays lie one behind the other in either
/// order, with no byte between, and not where they share an element.
fn wrong(s: &Relaunched, gate: &str) -> Vec<String> {
    let mut kernels = KERNELS.iter();
    let (_, square) = kernels
        .find(|k| k.0 == s.corpus.kernel)
        .expect("one of them");
    let orders = [(0, 1), (1, 0)];
    let all = LAUNCHES.iter().flat_map(|l| orders.map(|o| (l, o)));
    let asked = all.flat_map(|(l, order)| [(l, order, 0), (l, order, -4)]);
    let is_wrong = |(([rows, columns], own), (first, second), gap): &(&([i64; 2], Shape), _, _)| {
        let mut sizes = [4 * rows * columns; 2];
        sizes[*square] = 4 * columns * columns;
        let mut arrays = [BEGIN; 2];
        arrays[*second] = BEGIN + sizes[*first] + gap;
        let mut values = s.values().expect("a case");
        let numbers = arrays.iter().chain([rows, columns]);
        for (v, number) in values.iter_mut().zip(numbers) {
            v[..8].copy_from_slice(&number.to_le_bytes());
        }
        let is_launched = s.is_launched(gate, &values, *own);
        is_launched.is_ok_and(|l| l != (*gap == 0))
    };
    asked
        .filter(is_wrong)
        .map(|case| format!("{case:?}"))
        .collect()
}

#[test]
fn arrays_may_lie_directly_behind_each_other() {
    for s in subjects() {
        let wrong = wrong(&s, s.gate.as_deref().expect("a gate"));
        assert!(wrong.is_empty(), "{}: {wrong:#?}", s.version);
    }
}

#[test]
fn every_way_to_break_what_is_asked_is_noticed() {
    let broken = |s: &Relaunched, edit| {
        let gate = s.gate.as_deref().expect("a gate");
        each_line(gate, 0..usize::MAX, edit)
    };
    let noticed = |s: &Relaunched, gate: &str| !wrong(s, gate).is_empty();
    let missed = unnoticed(&subjects(), MUTATIONS, broken, noticed);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
