//! Vectorized loops give the kernel's bits, are launched as written down, and every way to break that is noticed.

mod ways;

use mesi_mutate::relaunched::{Relaunched, unnoticed, unnoticed_launches};
use mesi_mutate::source;
use ways::{CODE, KERNELS, MUTATIONS, wrong};

/// The first `count` such kernels of the corpus; none without CUDA.
fn subjects(count: usize) -> Vec<Relaunched> {
    source::subjects(&KERNELS[..count], |_, corpus, ir| {
        Relaunched::with_list(None, corpus, ir)
    })
}

#[test]
fn vectorized_loops_give_the_same_bits_in_launches_as_written_down() {
    for s in subjects(KERNELS.len()) {
        let (wrong, made) = wrong(&s, &s.text).expect("runs");
        assert!(wrong.is_empty(), "{}: {wrong:#?}", s.version);
        assert!(made > 8, "{}: {made} launches are made", s.version);
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_the_launch_is_noticed() {
    let missed = unnoticed_launches(&subjects(2), MUTATIONS, wrong);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn every_way_to_break_a_version_is_noticed() {
    let broken = |s: &Relaunched, edit| s.broken_code(edit).expect("a version");
    let missed = unnoticed(&subjects(KERNELS.len()), CODE, broken, Relaunched::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
