//! How the host launches products by tensor cores: what it makes is what is written down, and every way to break that, or the kernels, is
//! noticed.

mod code;
mod ways;

use code::{
    CODE, CODE_OF_ANY, CODE_OF_BEGINS, CODE_OF_BOTH, CODE_OF_DOUBLES, CODE_OF_FLOATS,
    CODE_OF_LAYERS,
};
use mesi_mutate::blocks::Edit;
use mesi_mutate::relaunched::{Relaunched, unnoticed, unnoticed_launches};
use mesi_mutate::source;
use ways::{
    ACROSS_OF_FLOATS, BEGINS, BYTES, DOUBLES, FLOATS, GAPS, GAPS_OF_DOUBLES, LAYERS, MUTATIONS,
    wrong,
};

/// Products of the corpus; none without CUDA.
fn subjects(names: &[&str]) -> Vec<Relaunched> {
    source::subjects(names, |_, corpus, ir| Relaunched::last(corpus, ir))
}

/// The same of all, those of doubles and floats in large tiles, too.
fn all() -> Vec<Relaunched> {
    let mut all = subjects(&[&BYTES[..], &DOUBLES, &FLOATS].concat());
    all.extend(large(&[DOUBLES, FLOATS].concat()));
    all
}

/// Products of doubles or floats in large tiles.
fn large(names: &[&str]) -> Vec<Relaunched> {
    source::subjects(names, |_, corpus, ir| Relaunched::last_but_one(corpus, ir))
}

#[test]
fn products_are_launched_as_written_down() {
    for s in all() {
        let (wrong, made) = wrong(&s, &s.text).expect("runs");
        let some: Vec<&String> = wrong.iter().take(5).collect();
        let count = wrong.len();
        assert!(
            wrong.is_empty(),
            "{}: {count} wrong, as {some:#?}",
            s.version
        );
        assert!(made > 100, "{}: {made} products are launched", s.version);
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
}

#[test]
fn every_way_to_break_the_launch_is_noticed() {
    let subjects = all();
    let missed = unnoticed_launches(&subjects, MUTATIONS, wrong);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn every_way_to_break_a_product_is_noticed() {
    all_are_noticed(
        subjects(&[&BYTES[..], &[GAPS]].concat()),
        &[CODE, CODE_OF_BOTH, CODE_OF_ANY].concat(),
    );
    let doubles = [&DOUBLES[..], &[GAPS_OF_DOUBLES]].concat();
    let mut both = subjects(&doubles);
    both.extend(large(&doubles));
    all_are_noticed(both, &[CODE_OF_DOUBLES, CODE_OF_BOTH, CODE_OF_ANY].concat());
    let floats = [&FLOATS[..], &[ACROSS_OF_FLOATS]].concat();
    let mut both = subjects(&floats);
    both.extend(large(&floats));
    all_are_noticed(both, &[CODE_OF_FLOATS, CODE_OF_ANY].concat());
    let mut both = subjects(&BEGINS);
    both.extend(large(&BEGINS));
    all_are_noticed(both, &[CODE_OF_BEGINS, CODE_OF_ANY].concat());
    let mut both = subjects(&LAYERS);
    both.extend(large(&LAYERS));
    for s in &both {
        assert!(!s.differs(&s.staged), "{}", s.version);
    }
    all_are_noticed(both, &[CODE_OF_LAYERS, CODE_OF_ANY].concat());
}

fn all_are_noticed(subjects: Vec<Relaunched>, ways: &[(&str, Edit)]) {
    let broken = |s: &Relaunched, edit| s.broken_code(edit).expect("a version");
    let missed = unnoticed(&subjects, ways, broken, Relaunched::differs);
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}
