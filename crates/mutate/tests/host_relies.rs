//! What versions rely on the host for: each fact that the gate asks of the whole grid is left out of the plan, so that neither gate nor version asks
//! it. Launches that the gate then admits are run by the oracle, and some must show it: bits, addresses beyond arrays, or tiles that are too small.
//!
//! `cargo test -p mesi-mutate --test host_relies -- --nocapture` prints what was noticed of each fact.

use anyhow::{Result, anyhow};
use mesi::plan::{Fact, Planned};
use mesi_launch::{Corpus, Size};
use mesi_mutate::judge::Judge;
use mesi_mutate::{source, version};
use mesi_oracle::Kernel;

/// Kernels, and how many of the first version's facts must be noticed if they are missing: about bytes that do not overlap, and about numbers.
/// Of other numbers no launch that a CPU runs is large enough.
const KERNELS: [(&str, usize, usize); 5] = [
    ("mm_early", 0, 2),
    ("row_dot_alias", 1, 0),
    ("triangle_steps", 1, 0),
    ("block_rows", 0, 1),
    ("part_counted", 0, 1),
];

#[test]
fn every_kind_of_fact_that_is_left_out_is_noticed() {
    let Some(cuda) = source::cuda().unwrap_or_else(|e| panic!("{e}")) else {
        eprintln!("skipped: no CUDA toolkit is found");
        return;
    };
    for (name, bytes, numbers) in KERNELS {
        let corpus = source::corpus(name).unwrap_or_else(|e| panic!("{name}: {e:#}"));
        let text = source::compile(&corpus, &cuda).unwrap_or_else(|e| panic!("{name}: {e:#}"));
        let noticed = noticed(&corpus, &text).unwrap_or_else(|e| panic!("{name}: {e:#}"));
        let of = |wanted: bool| noticed.iter().filter(|b| **b == wanted).count();
        assert!(
            of(true) >= bytes && of(false) >= numbers,
            "{name}: of facts about bytes {} were noticed, of facts about numbers {}",
            of(true),
            of(false)
        );
    }
}

/// A copy's versions rest on guards that all threads of a launch meet, whatever else they rest on.
#[test]
fn a_guard_that_nobody_asks_of_a_launch_is_noticed() {
    let Some(cuda) = source::cuda().unwrap_or_else(|e| panic!("{e}")) else {
        eprintln!("skipped: no CUDA toolkit is found");
        return;
    };
    let verdicts = || -> Result<[bool; 2]> {
        let corpus = source::corpus("own_stencil_early")?;
        let text = source::compile(&corpus, &cuda)?;
        let kernel = Kernel::Of(&corpus);
        let mut judge = Judge::new(&corpus.kernel, &text, kernel, corpus.cases(Size::Small))?;
        let (whole, version) = version::made_with(&text, false, &mut |_| {})?;
        let unbroken = judge.judge_unbroken(&whole, Kernel::Named(&version))?;
        let mut forget = |planned: &mut Planned| {
            planned.found.affine.met = Some(Vec::new());
        };
        let (broken, version) = version::made_with(&text, false, &mut forget)?;
        let broken = judge.judge(&broken, Kernel::Named(&version), 0)?;
        println!("{version} without its guard: {:?}", broken.kills);
        Ok([unbroken.survived(), broken.survived()])
    };
    let verdicts = verdicts().unwrap_or_else(|e| panic!("{e:#}"));
    assert_eq!(verdicts, [true, false], "whole, and without the guard");
}

/// Of each fact of the first version that is noticed if it is missing: whether it is about bytes.
fn noticed(corpus: &Corpus, text: &str) -> Result<Vec<bool>> {
    let kernel = Kernel::Of(corpus);
    let mut judge = Judge::new(&corpus.kernel, text, kernel, corpus.cases(Size::Small))?;
    let (whole, facts, version) = versions(text, None)?;
    let unbroken = judge.judge_unbroken(&whole, Kernel::Named(&version))?;
    if !unbroken.survived() {
        return Err(anyhow!("{version} unbroken: {}", unbroken.first));
    }
    let mut noticed = Vec::new();
    for (k, fact) in facts.iter().enumerate() {
        let (broken, _, version) = versions(text, Some((&facts, k)))?;
        let verdict = judge.judge(&broken, Kernel::Named(&version), 0)?;
        println!("{version} without {fact}: {:?}", verdict.kills);
        if !verdict.survived() {
            noticed.push(!matches!(
                fact,
                Fact::InRange { .. } | Fact::Multiple { .. }
            ));
        }
    }
    Ok(noticed)
}

/// The module with versions, without a fact of the first one, which `missing` has all facts of; that one's facts and
/// symbol.
fn versions(text: &str, missing: Option<(&[Fact], usize)>) -> Result<(String, Vec<Fact>, String)> {
    let mut facts = Vec::new();
    let mut leave_out = |planned: &mut Planned| {
        facts = planned.plan.first.facts().cloned().collect();
        // A kernel's plan is seen before its copy's, whose facts may be others.
        if let Some((of, k)) = missing
            && facts == of
        {
            planned.plan.first.tests.remove(k);
        }
    };
    let (module, first) = version::made(text, &mut leave_out)?;
    Ok((module, facts, first))
}
