//! Merged blocks that keep shared arrays and barriers of their own give the kernel's bits, and every way to break that is noticed.

mod ways;

use mesi_mutate::first_version::FirstVersion;
use mesi_mutate::relaunched::unnoticed;
use mesi_mutate::source;
use ways::{BEFORE_PARTS, CODE, KERNELS};

/// The first `count` such kernels of the corpus; none without CUDA.
fn subjects(count: usize) -> Vec<FirstVersion> {
    source::subjects(&KERNELS[..count], |_, corpus, ir| {
        FirstVersion::new(corpus, ir)
    })
}

#[test]
fn merged_blocks_give_the_same_bits() {
    for s in subjects(KERNELS.len()) {
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn a_record_that_says_fewer_parts_is_noticed() {
    for s in subjects(3).into_iter().skip(2) {
        assert_eq!(s.with_need(BEFORE_PARTS, 8), s.staged);
        for parts in [0, 1, 4] {
            assert!(s.differs(&s.with_need(BEFORE_PARTS, parts)), "{parts}");
        }
        // More is room that nobody uses.
        assert!(!s.differs(&s.with_need(BEFORE_PARTS, 16)));
    }
}

#[test]
fn every_way_to_break_a_version_is_noticed() {
    let missed = unnoticed(
        &subjects(4),
        CODE,
        FirstVersion::broken,
        FirstVersion::differs,
    );
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
