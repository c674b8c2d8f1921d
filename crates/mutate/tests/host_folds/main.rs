//! How the host launches folded kernels: what it makes is what is written down, and every way to break that, or the kernels, is noticed.

mod ways;

use mesi_mutate::blocks::Edit;
use mesi_mutate::relaunched::{Relaunched, unnoticed, unnoticed_launches};
use mesi_mutate::source;
use ways::{CODE, KERNELS, LAYERS, MUTATIONS, SPREAD, is_out_of_order, is_spread, wrong};

/// The folded kernels of the corpus; none without CUDA.
fn subjects() -> Vec<Relaunched> {
    let names = KERNELS.map(|f| f.name);
    source::subjects(&names, |_, corpus, ir| Relaunched::first(corpus, ir))
}

#[test]
fn launches_are_folded_as_written_down() {
    for s in subjects() {
        let (wrong, made) = wrong(&s, &s.text).expect("runs");
        let some: Vec<&String> = wrong.iter().take(5).collect();
        let count = wrong.len();
        assert!(
            wrong.is_empty(),
            "{}: {count} wrong, as {some:#?}",
            s.version
        );
        assert!(made > 100, "{}: {made} launches are folded", s.version);
    }
}

#[test]
fn every_way_to_break_the_launch_is_noticed() {
    let missed = unnoticed_launches(&subjects(), MUTATIONS, wrong);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn what_is_not_broken_is_right() {
    for s in subjects() {
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_a_folded_kernel_is_noticed() {
    all_are_noticed(CODE, |s| !is_spread(s));
    all_are_noticed(SPREAD, is_spread);
    let are_layers_apart =
        |s: &Relaunched| is_out_of_order(s) && s.corpus.kernel.starts_with("permute4");
    all_are_noticed(LAYERS, are_layers_apart);
}

/// Every way is noticed in one of the first two such kernels.
fn all_are_noticed(ways: &[(&str, Edit)], is: fn(&Relaunched) -> bool) {
    let subjects: Vec<Relaunched> = subjects().into_iter().filter(is).take(2).collect();
    let broken = |s: &Relaunched, edit| s.broken_code(edit).expect("a mutation");
    let missed = unnoticed(&subjects, ways, broken, Relaunched::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
