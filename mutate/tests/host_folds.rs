//! How the host launches folded kernels: what it makes is what is written down, and every way to break that, or the kernels, is noticed.

use mesi_mutate::folds::{CODE, KERNELS, MUTATIONS, SPREAD, Subject};
use mesi_mutate::{source, version};

/// The folded kernels of the corpus; none without CUDA.
fn subjects() -> Vec<Subject> {
    let names = KERNELS.map(|f| f.name);
    source::subjects(&names, |name, corpus, ir| {
        let folded = KERNELS.iter().find(|f| f.name == name);
        Subject::of(folded.expect("one of them"), corpus, ir)
    })
}

#[test]
fn launches_are_folded_as_written_down() {
    for s in subjects() {
        let (wrong, made) = s.wrong(&s.text).expect("runs");
        let some: Vec<&String> = wrong.iter().take(5).collect();
        assert!(
            wrong.is_empty(),
            "{}: {} wrong, as {some:#?}",
            s.version,
            wrong.len()
        );
        assert!(made > 100, "{}: {made} launches are folded", s.version);
    }
}

#[test]
fn every_way_to_break_the_launch_is_noticed() {
    let subjects = subjects();
    for (name, _) in MUTATIONS.iter().filter(|_| !subjects.is_empty()) {
        let mut texts = subjects.iter().flat_map(|s| {
            let broken = s.broken(name).expect("a mutation");
            broken.into_iter().map(move |t| (s, t))
        });
        // What does not compile is no mutant.
        let noticed = texts.any(|(s, t)| s.wrong(&t).is_ok_and(|w| !w.0.is_empty()));
        assert!(noticed, "{name} is not noticed");
    }
}

#[test]
fn what_is_not_broken_is_right() {
    for s in subjects() {
        assert!(!is_noticed(&s, &s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_a_folded_kernel_is_noticed() {
    all_are_noticed(CODE, |s| !s.is_spread());
    all_are_noticed(SPREAD, Subject::is_spread);
}

/// Every way is noticed in one of the first two such kernels.
fn all_are_noticed(ways: &[(&str, mesi_mutate::blocks::Edit)], is: fn(&Subject) -> bool) {
    let subjects: Vec<Subject> = subjects().into_iter().filter(is).take(2).collect();
    for (name, _) in ways.iter().filter(|_| !subjects.is_empty()) {
        let mut mutants = subjects.iter().flat_map(|s| {
            let broken = s.broken_code(name).expect("a mutation");
            broken.into_iter().map(move |t| (s, t))
        });
        assert!(
            mutants.any(|(s, t)| is_noticed(s, &t)),
            "{name} is not noticed"
        );
    }
}

/// Whether a version, as `text` has it, gives other bits than its kernel.
fn is_noticed(subject: &Subject, text: &str) -> bool {
    version::differs(subject.corpus(), &subject.staged, text, &subject.version)
}
