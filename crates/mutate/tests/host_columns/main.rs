//! Versions with local columns give the kernel's bits, are launched as the program launched it, and every way to break that is noticed.

mod ways;

use mesi_mutate::relaunched::{Relaunched, unnoticed, unnoticed_launches};
use mesi_mutate::source;
use ways::{CODE, KERNELS, MUTATIONS, PER_THREAD, with_per_thread, wrong};

/// The first `count` such kernels of the corpus; none without CUDA.
fn subjects(count: usize) -> Vec<Relaunched> {
    source::subjects(&KERNELS[..count], |_, corpus, ir| {
        Relaunched::with_list(None, corpus, ir)
    })
}

#[test]
fn columns_give_the_same_bits_in_the_programs_launches() {
    for s in subjects(KERNELS.len()) {
        let (wrong, made) = wrong(&s, &s.text).expect("runs");
        assert!(wrong.is_empty(), "{}: {wrong:#?}", s.version);
        assert!(made > 8, "{}: {made} launches are made", s.version);
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_the_launch_is_noticed() {
    let missed = unnoticed_launches(&subjects(1), MUTATIONS, wrong);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn a_record_that_says_less_is_noticed() {
    for s in subjects(1) {
        for bytes in [4, PER_THREAD - 4] {
            assert!(s.differs(&with_per_thread(&s, bytes)), "{bytes}");
        }
        // More is room that nobody uses.
        for bytes in [PER_THREAD, PER_THREAD + 4] {
            assert!(!s.differs(&with_per_thread(&s, bytes)), "{bytes}");
        }
    }
}

#[test]
fn every_way_to_break_a_version_is_noticed() {
    let broken = |s: &Relaunched, edit| s.broken_code(edit).expect("a version");
    let missed = unnoticed(&subjects(3), CODE, broken, Relaunched::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
