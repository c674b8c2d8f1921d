//! What the host asks of memory: a version whose copies read what its kernel may not runs where all of that lies in one
//! array, and nowhere else. The question left out, or about one element less at either end, is noticed by the oracle.
//!
//! `cargo test -p mesi-mutate --test host_maps -- --nocapture` prints by what.

use anyhow::{Result, anyhow};
use mesi::affine::Poly;
use mesi::plan::{Fact, Footprint, Plan, Planned};
use mesi_launch::{Corpus, Size};
use mesi_mutate::judge::Judge;
use mesi_mutate::{source, version};
use mesi_oracle::{Checks, Kernel, Program, Schedule};

/// A way to break the question.
struct Break {
    name: &'static str,
    edit: fn(&mut Plan),
}

const BREAKS: [Break; 3] = [
    Break {
        name: "dropped",
        edit: |p| {
            let of_host = |t: &mesi::plan::Test| t.if_sound().is_some_and(Fact::is_of_host);
            p.tests.retain(|t| !of_host(t));
        },
    },
    Break {
        name: "the last element left out",
        edit: |p| of_memory(p).for_each(|bytes| bytes.size = 0),
    },
    Break {
        name: "the first element left out",
        edit: |p| {
            of_memory(p).for_each(|bytes| {
                let element = Poly::constant(i64::from(bytes.size));
                bytes.rest = bytes.rest.plus(&element);
                bytes.size = 0;
            });
        },
    },
];

/// What is asked about.
fn of_memory(plan: &mut Plan) -> impl Iterator<Item = &mut Footprint> {
    plan.facts_mut().filter_map(|f| match f {
        Fact::Mapped { bytes } => Some(bytes),
        _ => None,
    })
}

/// The kernel in whose cases the array may lack an element at either end, and its IR.
fn known_part() -> Option<(Corpus, String)> {
    let cuda = source::cuda().unwrap_or_else(|e| panic!("{e}"))?;
    let corpus = source::corpus("known_part").unwrap_or_else(|e| panic!("{e:#}"));
    let text = source::compile(&corpus, &cuda).unwrap_or_else(|e| panic!("{e:#}"));
    Some((corpus, text))
}

#[test]
fn it_runs_where_all_is_memory() {
    let Some((corpus, text)) = known_part() else {
        eprintln!("skipped: no CUDA toolkit is found");
        return;
    };
    let (whole, version) = versions(&text, |_| {}).unwrap_or_else(|e| panic!("{e:#}"));
    let program = Program::parse("known_part", whole.as_bytes(), Kernel::Named(&version));
    let mut program = program.unwrap_or_else(|e| panic!("{e}"));
    for case in corpus.cases(Size::Small) {
        let of = |name: &str| case.sizes.iter().find(|s| s.0 == name).map_or(0, |s| s.1);
        let outcome = program.run(&case, Schedule::Forward, Checks::Full);
        let outcome = outcome.unwrap_or_else(|e| panic!("{e}"));
        let is_whole = (of("skip"), of("known")) == (0, of("n"));
        assert_eq!(outcome.gate, Some(is_whole), "{}", case.label);
        assert_eq!(outcome.kept_away, !is_whole, "{}", case.label);
    }
}

#[test]
fn a_question_that_is_broken_is_noticed() {
    let Some((corpus, text)) = known_part() else {
        return;
    };
    let noticed = |b: &Break| -> Result<bool> {
        let kernel = Kernel::Of(&corpus);
        let mut judge = Judge::new(&corpus.kernel, &text, kernel, corpus.cases(Size::Small))?;
        let (broken, version) = versions(&text, b.edit)?;
        let verdict = judge.judge(&broken, Kernel::Named(&version), 0)?;
        println!("{}: {:?}", b.name, verdict.kills);
        Ok(!verdict.survived())
    };
    for b in &BREAKS {
        let noticed = noticed(b).unwrap_or_else(|e| panic!("{}: {e:#}", b.name));
        assert!(noticed, "{}", b.name);
    }
}

/// The module with versions, of the plan as `edit` leaves it, and the first one's symbol.
fn versions(text: &str, edit: fn(&mut Plan)) -> Result<(String, String)> {
    let mut asks = 0;
    let mut see = |planned: &mut Planned| {
        asks += of_memory(&mut planned.plan.first).count();
        edit(&mut planned.plan.first);
    };
    let made = version::made(text, &mut see)?;
    match asks {
        0 => Err(anyhow!("the first version asks nothing of memory")),
        _ => Ok(made),
    }
}
