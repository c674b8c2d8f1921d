//! How the host launches what a kernel's copy is written as: what it makes is what is written down, step by step, and every way to break a
//! step, or what one leaves for the next, is noticed.

mod ways;

use mesi_mutate::relaunched::{Relaunched, unnoticed_launches};
use mesi_mutate::source;
use ways::{KERNELS, MUTATIONS, STEPS, wrong};

/// Products of the corpus by flattened ids; none without CUDA. Of real numbers in large and in small tiles.
fn subjects() -> Vec<Relaunched> {
    let all = KERNELS.map(|k| k.name);
    let real: Vec<&str> = KERNELS
        .iter()
        .filter(|k| k.is_real)
        .map(|k| k.name)
        .collect();
    let mut subjects = source::subjects(&all, |_, corpus, ir| Relaunched::last(corpus, ir));
    subjects.extend(source::subjects(&real, |_, corpus, ir| {
        Relaunched::last_but_one(corpus, ir)
    }));
    subjects
}

#[test]
fn copies_are_launched_as_written_down() {
    for s in subjects() {
        let (wrong, made) = wrong(&s, &s.text).expect("runs");
        let some: Vec<&String> = wrong.iter().take(5).collect();
        assert!(wrong.is_empty(), "{}: {some:#?}", s.version);
        assert!(made > 100, "{}: {made} products are launched", s.version);
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_the_launch_is_noticed() {
    let missed = unnoticed_launches(&subjects(), MUTATIONS, wrong);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn steps_that_do_not_follow_each_other_are_noticed() {
    for s in subjects() {
        for (name, broken) in STEPS {
            let text = broken(&s.text).expect("two steps");
            let (wrong, _) = wrong(&s, &text).expect("compiles");
            assert!(!wrong.is_empty(), "{}: {name} is not noticed", s.version);
        }
    }
}
