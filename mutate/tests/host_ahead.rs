//! Rounds that load first: they give the kernel's bits, and every way to break them is noticed.

use mesi_launch::Size;
use mesi_mutate::ahead::{KERNELS, MUTATIONS, Subject};
use mesi_mutate::source;
use mesi_oracle::{Kernel, Program, Reference, Schedule};

/// The kernels of the corpus; none without CUDA.
fn subjects() -> Vec<Subject> {
    let cuda = source::cuda().unwrap_or_else(|e| panic!("{e}"));
    let Some(cuda) = cuda else {
        eprintln!("skipped: no CUDA toolkit is found");
        return Vec::new();
    };
    let subject = |name: &&str| {
        let corpus = source::corpus(name).expect("a corpus kernel");
        let ir = source::compile_for(&corpus, &cuda, 90).expect("compiles");
        Subject::of(corpus, &ir).unwrap_or_else(|e| panic!("{name}: {e:#}"))
    };
    KERNELS.iter().map(subject).collect()
}

#[test]
fn what_is_not_broken_is_right() {
    for s in subjects() {
        assert!(!is_noticed(&s, &s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_a_round_is_noticed() {
    let subjects = subjects();
    for (name, _) in MUTATIONS.iter().filter(|_| !subjects.is_empty()) {
        let mut mutants = subjects.iter().flat_map(|s| {
            let broken = s.broken(name).expect("a mutation");
            broken.into_iter().map(move |t| (s, t))
        });
        assert!(
            mutants.any(|(s, t)| is_noticed(s, &t)),
            "{name} is not noticed"
        );
    }
}

/// Whether a version gives other bits than the kernel on some small case.
fn is_noticed(subject: &Subject, text: &str) -> bool {
    let load =
        |name: &str, text: &str| Program::parse("mutant", text.as_bytes(), Kernel::Named(name));
    let mut original = load(&subject.original, &subject.staged).expect("loads");
    // What does not compile is no mutant.
    let Ok(mut mutant) = load(&subject.version, text) else {
        return false;
    };
    subject.corpus().cases(Size::Small).iter().any(|case| {
        let reference = Reference::new(&mut original, case, &[Schedule::Forward]).expect("runs");
        reference.diff(&mut mutant).map_or(true, |d| !d.is_empty())
    })
}
