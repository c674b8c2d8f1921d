//! How the host trims grids: what is left has all blocks that do anything, each once, and every way to break that, or the versions, is noticed.

mod ways;

use mesi_launch::room::WORDS;
use mesi_mutate::relaunched::{Relaunched, unnoticed, unnoticed_launches};
use mesi_mutate::source;
use ways::{CODE, KERNELS, MUTATIONS, wrong};

/// The first `count` kernels in trimmed grids of the corpus; none without CUDA.
fn subjects(count: usize) -> Vec<Relaunched> {
    source::subjects(&KERNELS[..count], |_, corpus, ir| {
        Relaunched::with_list(Some(WORDS), corpus, ir)
    })
}

#[test]
fn no_block_that_does_anything_is_left_out() {
    for s in subjects(KERNELS.len()) {
        let (wrong, made) = wrong(&s, &s.text).expect("runs");
        let some: Vec<&String> = wrong.iter().take(5).collect();
        assert!(wrong.is_empty(), "{}: {some:#?}", s.version);
        assert!(made > 20, "{}: {made} launches are trimmed", s.version);
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_the_list_is_noticed() {
    let missed = unnoticed_launches(&subjects(2), MUTATIONS, wrong);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn every_way_to_break_a_version_is_noticed() {
    let broken = |s: &Relaunched, edit| s.broken_code(edit).expect("a version");
    let missed = unnoticed(&subjects(3), CODE, broken, Relaunched::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
