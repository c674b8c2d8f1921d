//! How the host launches split kernels: what it makes is what is written down, and every way to break that, or the kernels, is noticed.

mod ways;

use mesi_mutate::relaunched::{Relaunched, unnoticed, unnoticed_launches};
use mesi_mutate::source;
use ways::{
    CODE, KERNELS, MUTATIONS, ORDERED, ORDERED_CODE, STORING, STORING_CODE, wrong, wrong_in_order,
};

/// These kernels of the corpus, split; none without CUDA.
fn split(names: &[&str]) -> Vec<Relaunched> {
    source::subjects(names, |_, corpus, ir| {
        Relaunched::with_list(None, corpus, ir)
    })
}

/// The first `count` of those that keep no order.
fn subjects(count: usize) -> Vec<Relaunched> {
    split(&KERNELS[..count])
}

#[test]
fn launches_are_split_as_written_down() {
    for s in subjects(KERNELS.len()) {
        let (wrong, made) = wrong(&s, &s.text).expect("runs");
        assert!(wrong.is_empty(), "{}: {wrong:#?}", s.version);
        assert!(made > 20, "{}: {made} launches are split", s.version);
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_the_launch_is_noticed() {
    let missed = unnoticed_launches(&subjects(1), MUTATIONS, wrong);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn every_way_to_break_a_split_kernel_is_noticed() {
    let broken = |s: &Relaunched, edit| s.broken_code(edit).expect("a version");
    let missed = unnoticed(&subjects(3), CODE, broken, Relaunched::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn launches_in_order_are_as_written_down() {
    for s in split(&ORDERED) {
        let (wrong, made) = wrong_in_order(&s, &s.text).expect("runs");
        assert!(wrong.is_empty(), "{}: {wrong:#?}", s.version);
        assert!(made > 10, "{}: {made} launches are split", s.version);
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_a_kernel_in_order_is_noticed() {
    let broken = |s: &Relaunched, edit| s.broken_code(edit).expect("a version");
    let missed = unnoticed(&split(&ORDERED), ORDERED_CODE, broken, Relaunched::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn every_way_to_break_a_kernel_that_stores_is_noticed() {
    let broken = |s: &Relaunched, edit| s.broken_code(edit).expect("a version");
    let missed = unnoticed(&split(&STORING), STORING_CODE, broken, Relaunched::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
