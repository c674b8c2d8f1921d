//! How the host launches products of bytes by tensor cores: what it makes is what is written down, and every way to break that, or the kernels, is
//! noticed.

use mesi_mutate::blocks::Edit;
use mesi_mutate::products::{CODE, GAPS, KERNELS, MUTATIONS, Subject};
use mesi_mutate::source;

/// The products of bytes of the corpus; none without CUDA.
fn subjects() -> Vec<Subject> {
    let names = KERNELS.map(|k| k.name);
    source::subjects(&names, |_, corpus, ir| Subject::of(corpus, ir))
}

#[test]
fn products_are_launched_as_written_down() {
    for s in subjects() {
        let (wrong, made) = s.wrong(&s.text).expect("runs");
        let some: Vec<&String> = wrong.iter().take(5).collect();
        assert!(
            wrong.is_empty(),
            "{}: {} wrong, as {some:#?}",
            s.version,
            wrong.len()
        );
        assert!(made > 100, "{}: {made} products are launched", s.version);
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_the_launch_is_noticed() {
    let subjects = subjects();
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
fn every_way_to_break_a_product_is_noticed() {
    let mut subjects = subjects();
    subjects.extend(source::subjects(&[GAPS], |_, corpus, ir| {
        Subject::of(corpus, ir)
    }));
    let is_noticed = |edit: Edit| {
        subjects.iter().any(|s| {
            let broken = s.broken_code(edit).expect("a version");
            broken.iter().any(|t| s.differs(t))
        })
    };
    let all = CODE.iter().filter(|_| !subjects.is_empty());
    let missed: Vec<_> = all
        .filter(|(_, edit)| !is_noticed(*edit))
        .map(|(name, _)| name)
        .collect();
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
