//! How the host launches collapsed kernels: what it makes is what is written down, and every way to break that, or the kernels, is noticed.

mod ways;

use mesi_mutate::relaunched::{Relaunched, unnoticed, unnoticed_launches};
use mesi_mutate::source;
use ways::{CODE, KERNELS, MUTATIONS, wrong};

/// The collapsed kernels of the corpus; none without CUDA.
fn subjects() -> Vec<Relaunched> {
    let names = KERNELS.map(|k| k.name);
    source::subjects(&names, |_, corpus, ir| {
        // Behind the kernel's own tiles, before its warps.
        let first = Relaunched::first(corpus.clone(), ir);
        first.or_else(|_| Relaunched::last_but_one(corpus, ir))
    })
}

#[test]
fn launches_are_collapsed_as_written_down() {
    for s in subjects() {
        let (wrong, made) = wrong(&s, &s.text).expect("runs");
        assert!(wrong.is_empty(), "{}: {wrong:#?}", s.version);
        assert!(made > 100, "{}: {made} launches are collapsed", s.version);
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_the_launch_is_noticed() {
    let missed = unnoticed_launches(&subjects(), MUTATIONS, wrong);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn every_way_to_break_a_collapsed_kernel_is_noticed() {
    let broken = |s: &Relaunched, edit| s.broken_code(edit).expect("a version");
    let missed = unnoticed(&subjects(), CODE, broken, Relaunched::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
