//! Merged blocks that keep shared arrays and barriers of their own give the kernel's bits, and every way to break that is noticed.

use mesi_mutate::own_tiles::{CODE, KERNELS, Merged};
use mesi_mutate::relaunched::unnoticed;
use mesi_mutate::source;

/// The first `count` such kernels of the corpus; none without CUDA.
fn subjects(count: usize) -> Vec<Merged> {
    source::subjects(&KERNELS[..count], |_, corpus, ir| Merged::new(corpus, ir))
}

#[test]
fn merged_blocks_give_the_same_bits() {
    for s in subjects(KERNELS.len()) {
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_a_version_is_noticed() {
    let missed = unnoticed(&subjects(2), CODE, Merged::broken, Merged::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
