//! How the host launches kernels whose grid is interchanged: what it makes is what is written down, and every way to break that, or the kernels, is noticed.

mod ways;

use mesi_mutate::relaunched::{Relaunched, unnoticed, unnoticed_launches};
use mesi_mutate::source;
use ways::{CODE, KERNELS, MUTATIONS, wrong};

/// Such kernels of the corpus; none without CUDA.
fn subjects() -> Vec<Relaunched> {
    source::subjects(&KERNELS, |_, corpus, ir| Relaunched::first(corpus, ir))
}

#[test]
fn grids_are_interchanged_as_written_down() {
    for s in subjects() {
        let (wrong, made) = wrong(&s, &s.text).expect("runs");
        assert!(wrong.is_empty(), "{}: {wrong:#?}", s.version);
        assert!(made > 100, "{}: {made} grids are interchanged", s.version);
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_the_launch_is_noticed() {
    let missed = unnoticed_launches(&subjects(), MUTATIONS, wrong);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn every_way_to_break_a_kernel_is_noticed() {
    let broken = |s: &Relaunched, edit| s.broken_code(edit).expect("a version");
    let missed = unnoticed(&subjects(), CODE, broken, Relaunched::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
