//! How the host launches split kernels: what it makes is what is written down, and every way to break that, or the kernels, is noticed.

use mesi_mutate::source;
use mesi_mutate::splits::{CODE, KERNELS, MUTATIONS, Subject};

/// The first `count` split kernels of the corpus; none without CUDA.
fn subjects(count: usize) -> Vec<Subject> {
    source::subjects(&KERNELS[..count], |_, corpus, ir| Subject::of(corpus, ir))
}

#[test]
fn launches_are_split_as_written_down() {
    for s in subjects(KERNELS.len()) {
        let (wrong, made) = s.wrong(&s.text).expect("runs");
        assert!(wrong.is_empty(), "{}: {wrong:#?}", s.version);
        assert!(made > 20, "{}: {made} launches are split", s.version);
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_the_launch_is_noticed() {
    let subjects = subjects(1);
    for (name, edit) in MUTATIONS.iter().filter(|_| !subjects.is_empty()) {
        // What does not compile is no mutant.
        let is_wrong = |s: &Subject, t: &str| s.wrong(t).is_ok_and(|w| !w.0.is_empty());
        let noticed = subjects
            .iter()
            .any(|s| s.broken(*edit).iter().any(|t| is_wrong(s, t)));
        assert!(noticed, "{name} is not noticed");
    }
}

#[test]
fn every_way_to_break_a_split_kernel_is_noticed() {
    let subjects = subjects(3);
    for (name, edit) in CODE.iter().filter(|_| !subjects.is_empty()) {
        let noticed = subjects.iter().any(|s| {
            let broken = s.broken_code(*edit).expect("a version");
            broken.iter().any(|t| s.differs(t))
        });
        assert!(noticed, "{name} is not noticed");
    }
}
