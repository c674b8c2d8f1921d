//! Shared arrays whose words are permuted hold what the kernel's hold, and every way to break that is noticed.

mod ways;

use mesi_mutate::first_version::FirstVersion;
use mesi_mutate::relaunched::unnoticed;
use mesi_mutate::source;
use ways::{CODE, KERNELS};

fn subjects() -> Vec<FirstVersion> {
    source::subjects(&KERNELS, |_, corpus, ir| FirstVersion::new(corpus, ir))
}

#[test]
fn permuted_words_give_the_same_bits() {
    for s in subjects() {
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_the_permutation_is_noticed() {
    let missed = unnoticed(
        &subjects(),
        CODE,
        FirstVersion::broken,
        FirstVersion::differs,
    );
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
