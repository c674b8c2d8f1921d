//! Unrolled iterations that load first: they give the kernel's bits, and every way to break them is noticed.

mod ways;

use mesi_mutate::source;
use ways::{KERNELS, MUTATIONS, Subject};

/// The kernels of the corpus; none without CUDA.
fn subjects() -> Vec<Subject> {
    source::subjects(&KERNELS, |_, corpus, ir| Subject::of(corpus, ir))
}

#[test]
fn what_is_not_broken_is_right() {
    for s in subjects() {
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_unrolled_iterations_is_noticed() {
    let subjects = subjects();
    for (name, _) in MUTATIONS.iter().filter(|_| !subjects.is_empty()) {
        let mut mutants = subjects.iter().flat_map(|s| {
            let broken = s.broken(name).expect("a mutation");
            broken.into_iter().map(move |t| (s, t))
        });
        assert!(mutants.any(|(s, t)| s.differs(&t)), "{name} is not noticed");
    }
}
