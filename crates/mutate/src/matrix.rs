//! Makes mutants, has them judged, and keeps the score.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::{Result, bail};
use mesi_launch::{Corpus, Size};
use mesi_oracle::Kernel;

use crate::judge::{Judge, Kill, Verdict};
use crate::mutation::{Change, Mutation};
use crate::stage::{Edit, Staged, Way, stage};

/// A kernel of the corpus, staged, with what its mutants are compared with.
pub struct Subject {
    corpus: Corpus,
    text: String,
    way: Way,
    staged: String,
    judge: Judge,
    /// The case that killed last: a good one to begin with.
    favourite: usize,
}

/// One mutant and what became of it.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// The kernel.
    pub kernel: String,
    /// The place in it.
    pub place: usize,
    /// What the oracle said.
    pub verdict: Verdict,
}

impl Subject {
    /// Stages the kernel in `text`, in the given way. `None`: the plug-in leaves it alone. A staged kernel that is
    /// wrong by itself is an error: nothing could be learnt from its mutants.
    pub fn new(corpus: Corpus, text: String, way: Way) -> Result<Option<Subject>> {
        let staged = match stage(&corpus, &text, way, &Edit::None)? {
            Staged::Text(t) => t,
            Staged::NotStaged | Staged::NoPlace => return Ok(None),
            Staged::Rejected(why) => bail!("{}: {why}", corpus.kernel),
        };
        let cases = corpus.cases(Size::Small);
        let mut judge = Judge::new(&corpus.kernel, &text, Kernel::Of(&corpus), cases)?;
        let verdict = judge.judge_unbroken(&staged, Kernel::Of(&corpus))?;
        if !verdict.survived() {
            bail!(
                "{} is wrong without a mutation: {}",
                corpus.kernel,
                verdict.first
            );
        }
        Ok(Some(Subject {
            corpus,
            text,
            way,
            staged,
            judge,
            favourite: 0,
        }))
    }

    /// The mutant of `mutation` at `place`; `None`: there is no such place. A mutant whose text is
    /// the same, or that LLVM does not take, is no mutant: `Some(None)`.
    #[allow(
        clippy::option_option,
        reason = "no place ends the search, no mutant does not"
    )]
    pub fn mutant(&mut self, mutation: &Mutation, place: usize) -> Result<Option<Option<Mutant>>> {
        let staged = match mutation.edit {
            Change::Plan(f) => self.stage(&Edit::Plan(&|p| f(p, place)))?,
            Change::Code(f) => self.stage(&Edit::Code(&|e| f(e, place)))?,
        };
        let text = match staged {
            Staged::NoPlace | Staged::NotStaged => return Ok(None),
            Staged::Rejected(_) => return Ok(Some(None)),
            Staged::Text(t) if t == self.staged => return Ok(Some(None)),
            Staged::Text(t) => t,
        };
        let verdict = self
            .judge
            .judge(&text, Kernel::Of(&self.corpus), self.favourite)?;
        if !verdict.survived() {
            self.favourite = verdict.case;
        }
        Ok(Some(Some(Mutant {
            kernel: self.corpus.kernel.clone(),
            place,
            verdict,
        })))
    }

    fn stage(&self, edit: &Edit) -> Result<Staged> {
        stage(&self.corpus, &self.text, self.way, edit)
    }

    /// Up to `limit` mutants of `mutation`.
    pub fn mutants(&mut self, mutation: &Mutation, limit: usize) -> Result<Vec<Mutant>> {
        let mut list = Vec::new();
        for place in 0..limit {
            match self.mutant(mutation, place)? {
                None => break,
                Some(mutant) => list.extend(mutant),
            }
        }
        Ok(list)
    }
}

/// What became of all mutants of one mutation.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// Mutants by kernel: how many there are, and how many were noticed.
    pub kernels: BTreeMap<String, (usize, usize)>,
    /// All ways in which they were.
    pub kills: BTreeSet<Kill>,
    /// Those that were not: kernel and place.
    pub survivors: Vec<(String, usize)>,
}

impl Row {
    /// Adds a mutant.
    pub fn add(&mut self, m: &Mutant) {
        let score = self.kernels.entry(m.kernel.clone()).or_default();
        score.0 += 1;
        if m.verdict.survived() {
            self.survivors.push((m.kernel.clone(), m.place));
        } else {
            score.1 += 1;
            self.kills.extend(&m.verdict.kills);
        }
    }

    /// Kernels with a mutant, kernels where one was noticed, mutants, mutants noticed.
    pub fn figures(&self) -> [usize; 4] {
        let all = || self.kernels.values();
        [
            all().count(),
            all().filter(|s| s.1 > 0).count(),
            all().map(|s| s.0).sum(),
            all().map(|s| s.1).sum(),
        ]
    }
}

/// The matrix as a Markdown table.
pub fn table(rows: &[(&str, &str, Row)]) -> String {
    let mut s = String::from(
        "| mutation | what is wrong | kernels | caught on | mutants | caught | noticed by |\n|---|---|---|---|---|---|---|\n",
    );
    for (name, what, row) in rows {
        let [kernels, caught_on, mutants, caught] = row.figures();
        let kills: Vec<String> = row.kills.iter().map(ToString::to_string).collect();
        let _ = writeln!(
            s,
            "| {name} | {what} | {kernels} | {caught_on} | {mutants} | {caught} | {} |",
            kills.join(", ")
        );
    }
    s
}
