//! Of merged blocks none but leaders is launched: the host counts them, each reads the numbers of its group's first, and
//! launches that have not all threads below the kernel's limit are turned away.

use mesi_launch::Size;
use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::first_version::FirstVersion;
use mesi_mutate::relaunched::unnoticed;
use mesi_mutate::source;
use mesi_oracle::{Checks, Kernel, Program, Schedule};

/// Words of a record before the number of blocks along x of a group.
const BEFORE_MERGED: usize = 8;

/// Ways to break the version: which block it takes itself to be.
const CODE: &[(&str, Edit)] = &[
    ("leads-groups-that-overlap", |l| each(l, "3")),
    ("leads-groups-with-gaps", |l| each(l, "5")),
    ("leads-as-itself", |l| each(l, "1")),
];

fn each(line: &str, n: &str) -> Option<String> {
    let block = line.contains(" = mul nsw i32 ").then_some(line)?;
    instead(block, ", 4", &format!(", {n}"))
}

fn subjects() -> Vec<FirstVersion> {
    source::subjects(&["part_scaled"], |_, corpus, ir| {
        FirstVersion::new(corpus, ir)
    })
}

#[test]
fn leaders_do_what_all_blocks_do() {
    for s in subjects() {
        assert!(!s.differs(&s.staged), "{}", s.version);
        // More than there are groups end at once.
        for (n, wrong) in [(1, false), (2, false), (5, true), (8, true)] {
            let text = s.with_need(BEFORE_MERGED, n);
            assert_eq!(s.differs(&text), wrong, "{n}");
        }
    }
}

#[test]
fn every_way_to_break_which_block_it_is_is_noticed() {
    let missed = unnoticed(
        &subjects(),
        CODE,
        FirstVersion::broken,
        FirstVersion::differs,
    );
    assert!(missed.is_empty(), "{missed:?} are not noticed");
}

#[test]
fn a_launch_without_all_threads_of_use_is_turned_away() {
    for s in subjects() {
        let kernel = Kernel::Named(&s.version);
        let mut program = Program::parse("version", s.staged.as_bytes(), kernel).expect("loads");
        let mut turned = Vec::new();
        for case in s.corpus.cases(Size::Small) {
            let outcome = program.run(&case, Schedule::Forward, Checks::None);
            let is_launched = outcome.expect("runs").gate == Some(true);
            let threads = i64::from(case.grid[0]) * i64::from(case.block[0]);
            let elements = case.buffers[0].contents().len() as i64 / 4;
            assert_eq!(is_launched, threads >= elements, "{threads} of {elements}");
            turned.push(!is_launched);
        }
        assert!(turned.contains(&true) && turned.contains(&false));
    }
}
