//! Control flow that was made of nested ifs and loops does what the kernel's does, and every way to break that is noticed.

mod ways;

use mesi_mutate::fallback::Fallback;
use mesi_mutate::relaunched::unnoticed;
use mesi_mutate::source;
use ways::{CODE, KERNEL};

fn subjects() -> Vec<Fallback> {
    source::subjects(&[KERNEL], |_, corpus, ir| Fallback::new(corpus, ir))
}

#[test]
fn the_copy_and_its_version_give_the_same_bits() {
    for s in subjects() {
        for text in [&s.staged, &s.copy] {
            assert!(!s.differs(text), "{}", s.version);
        }
        for name in ["mesi.case", "mesi.duplicate"] {
            assert!(s.copy.contains(name), "{name} is not in {}", s.version);
        }
    }
}

#[test]
fn every_way_to_break_the_copy_is_noticed() {
    let missed = unnoticed(&subjects(), CODE, Fallback::broken, Fallback::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
