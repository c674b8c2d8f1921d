//! How the host packs small blocks: what it launches is what is written down, and every way to break that, or the kernels, is noticed.

mod ways;

use mesi_mutate::relaunched::{Relaunched, unnoticed, unnoticed_launches};
use mesi_mutate::source;
use ways::{CODE, KERNELS, MUTATIONS, SHARED, wrong};

/// The first `count` packed kernels of the corpus; none without CUDA.
fn subjects(count: usize) -> Vec<Relaunched> {
    source::subjects(&KERNELS[..count], |_, corpus, ir| {
        Relaunched::with_list(Some(7), corpus, ir)
    })
}

#[test]
fn blocks_are_packed_as_written_down() {
    for s in subjects(KERNELS.len()) {
        let (wrong, made) = wrong(&s, &s.text).expect("runs");
        assert!(wrong.is_empty(), "{}: {wrong:#?}", s.version);
        assert!(made > 8, "{}: {made} launches are packed", s.version);
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_the_launch_is_noticed() {
    let missed = unnoticed_launches(&subjects(1), MUTATIONS, wrong);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn every_way_to_break_a_packed_kernel_is_noticed() {
    let broken = |s: &Relaunched, edit| s.broken_code(edit).expect("a version");
    let missed = unnoticed(&subjects(2), CODE, broken, Relaunched::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn every_way_to_break_what_a_block_shares_is_noticed() {
    let broken = |s: &Relaunched, edit| s.broken_code(edit).expect("a version");
    let sharing = subjects(KERNELS.len());
    let sharing = sharing.get(3..).unwrap_or_default();
    let missed = unnoticed(sharing, SHARED, broken, Relaunched::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
