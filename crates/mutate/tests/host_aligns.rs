//! Versions whose pointers are taken for aligned: the host launches them where those that are promised are, wherever the
//! others point, and every way to break what it asks is noticed.

use anyhow::Result;
use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::gate_edits::compare_inverted;
use mesi_mutate::host_launches::Shape;
use mesi_mutate::relaunched::{Relaunched, Tried, unnoticed_launches};
use mesi_mutate::source;

/// Kernels, and which of their parameters must be aligned: records of four numbers, a row of numbers for each thread.
const KERNELS: [(&str, &[usize]); 2] = [("record_step", &[0, 1]), ("element_rows", &[0])];
/// Parameters that point somewhere, of each of them.
const POINTERS: usize = 3;
/// Where to: multiples of 16 bytes, and of less.
const BEGINS: [i64; 6] = [1 << 40, 4096, 16, 8, 4100, (1 << 40) + 24];
/// The program's launch.
const OWN: Shape = [[256, 1, 1], [7, 1, 1]];

/// Ways to break the gate.
const MUTATIONS: &[(&str, Edit)] = &[
    ("align-compare-inverted", compare_inverted),
    ("align-to-half", |l| instead(l, ", 15", ", 7")),
    ("align-to-more", |l| instead(l, ", 15", ", 31")),
    ("align-or-for-and", |l| {
        instead(l, " = and i1 ", " = or i1 ")
    }),
    ("align-other-parameter", |l| instead(l, "i64 1", "i64 2")),
];

fn subjects() -> Vec<Relaunched> {
    source::subjects(&KERNELS.map(|k| k.0), |_, corpus, ir| {
        Relaunched::aligned(corpus, ir)
    })
}

/// What the gate, given as text, says wrongly, and how many launches it lets in.
fn wrong(s: &Relaunched, gate: &str) -> Result<(Vec<String>, usize)> {
    let values = s.values()?;
    let of = KERNELS.iter().find(|k| k.0 == s.corpus.kernel);
    let aligned = of.map_or(&[][..], |k| k.1);
    let all = 0..BEGINS.len().pow(POINTERS as u32);
    let tried = all.map(|which| {
        let digit = |k: usize| which / BEGINS.len().pow(k as u32) % BEGINS.len();
        let begins: Vec<i64> = (0..POINTERS).map(|k| BEGINS[digit(k)]).collect();
        let mut values = values.clone();
        for (v, begin) in values.iter_mut().zip(&begins) {
            v[..8].copy_from_slice(&begin.to_le_bytes());
        }
        let may = aligned.iter().all(|k| begins[*k] % 16 == 0);
        Tried {
            values,
            own: OWN,
            wants: may.then_some(OWN),
            told: begins,
        }
    });
    s.wrong(gate, tried)
}

#[test]
fn aligned_pointers_are_asked_for_and_no_others() {
    for s in subjects() {
        let (wrong, let_in) = wrong(&s, &s.text).expect("runs");
        assert!(wrong.is_empty(), "{}: {wrong:#?}", s.version);
        assert!(let_in > 8, "{}: {let_in}", s.version);
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_what_is_asked_is_noticed() {
    let missed = unnoticed_launches(&subjects(), MUTATIONS, wrong);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
