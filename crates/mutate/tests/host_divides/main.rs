//! What the host makes of divisors: the words are those written down, and every way to break them, or the versions, is noticed.

mod ways;

use mesi_mutate::relaunched::{Relaunched, unnoticed, unnoticed_launches};
use mesi_mutate::source;
use ways::{CODE, KERNELS, MUTATIONS, wrong};

/// The kernels of the corpus that divide; none without CUDA.
fn subjects() -> Vec<Relaunched> {
    source::subjects(&KERNELS.map(|k| k.0), |name, corpus, ir| {
        let words = KERNELS.iter().find(|k| k.0 == name).map(|k| k.1);
        Relaunched::with_list(words, corpus, ir)
    })
}

#[test]
fn words_are_those_written_down() {
    for s in subjects() {
        let (wrong, made) = wrong(&s, &s.text).expect("runs");
        assert!(wrong.is_empty(), "{}: {wrong:#?}", s.version);
        assert!(made > 8, "{}: {made} launches are made", s.version);
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_the_words_is_noticed() {
    let missed = unnoticed_launches(&subjects(), MUTATIONS, wrong);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn every_way_to_break_a_version_is_noticed() {
    let broken = |s: &Relaunched, edit| s.broken_code(edit).expect("a version");
    let missed = unnoticed(&subjects(), CODE, broken, Relaunched::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
