//! Settles a side's choice as a program does that runs for long: each candidate is timed in turn with clang's kernel, until it is proven.
//!
//! A round is one timing of clang's kernel and one of each candidate that is still open, so that a clock that drifts moves both
//! of a pair. Losers and winners are out as soon as they are clear, for a row has a second at most.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::buffers::Buffers;
use crate::choice::{self, LEAST_PAIRS, MOST_PAIRS, Verdict};
use crate::lab::Lab;
use crate::results::{Cell, Tried};
use crate::side::Side;
use crate::tasks::{Chooser, Task};
use crate::timer::{Run, SHORT_MS, Timer};

/// What takes this many times as long as clang's kernel when it first runs is not timed any further.
const HOPELESS: f64 = 4.0;

/// What trials are run with.
pub struct Trials<'a, 'c> {
    /// The chip.
    pub lab: &'a Lab<'c>,
    /// The row.
    pub task: &'a Task<'a>,
    /// Its memory.
    pub buffers: &'a Buffers<'c>,
    /// Who picks.
    pub chooser: Chooser,
    /// The host starts each launch.
    pub by_host: bool,
    /// When no further round starts.
    pub until: Duration,
}

/// One candidate's trials.
struct Trial<'c> {
    /// `None`: it is out before any pair.
    run: Option<Run<'c>>,
    ratios: Vec<f64>,
    verdict: Verdict,
}

impl<'c> Trials<'_, 'c> {
    /// Picks what the figures of `side` are of.
    pub fn settle(
        &self,
        timer: &mut Timer<'c>,
        clang: &mut Side<'c, '_>,
        side: &mut Side<'c, '_>,
    ) -> Result<()> {
        let candidates = side.candidates();
        if side.cell.choice.is_none() {
            return Ok(());
        }
        if let Some(fixed) = choice::fixed(self.chooser, &candidates) {
            side.take(fixed);
            return Ok(());
        }
        let trials = match candidates.len() {
            1 => Vec::new(),
            _ => self.measure(timer, clang, side)?,
        };
        let mut outcomes: Vec<(Verdict, f64)> = vec![(Verdict::Dropped, 1.0)];
        for trial in trials.iter().skip(1) {
            outcomes.push((trial.verdict, choice::gain(&trial.ratios).unwrap_or(0.0)));
        }
        let taken = choice::settled(&outcomes);
        side.take(taken);
        let tried = outcomes.iter().zip(&candidates).enumerate().skip(1);
        side.cell.tried = tried
            .map(|(i, ((_, ratio), candidate))| Tried {
                choice: candidate.name(),
                ratio: *ratio,
                pairs: trials[i].ratios.len() as u32,
            })
            .collect();
        Ok(())
    }

    /// Times all candidates in rounds with clang's kernel; the first, the kernel itself, is that.
    fn measure(
        &self,
        timer: &mut Timer<'c>,
        clang: &mut Side<'c, '_>,
        side: &mut Side<'c, '_>,
    ) -> Result<Vec<Trial<'c>>> {
        let clock = Instant::now();
        let (reference, mut trials) = self.prepare(timer, clang, side)?;
        for round in 1..=MOST_PAIRS {
            let is_last = clock.elapsed() > self.until && round >= LEAST_PAIRS;
            if trials.iter().all(|t| t.verdict != Verdict::Open) {
                break;
            }
            let own = timer.time(clang, self.task, self.buffers, &reference)?;
            let count = trials.len();
            for turn in 0..count {
                let which = (round + turn) % count;
                let trial = &mut trials[which];
                let (Some(run), Verdict::Open) = (&trial.run, trial.verdict) else {
                    continue;
                };
                side.select(which);
                let ms = timer.time(side, self.task, self.buffers, run)?;
                trial.ratios.push(own / ms);
                trial.verdict = choice::judge(&trial.ratios, is_last);
            }
            if is_last {
                break;
            }
        }
        Ok(trials)
    }

    /// Warms all up, and plans clang's run and each candidate's; all are recorded if one of them is short.
    fn prepare(
        &self,
        timer: &mut Timer<'c>,
        clang: &mut Side<'c, '_>,
        side: &mut Side<'c, '_>,
    ) -> Result<(Run<'c>, Vec<Trial<'c>>)> {
        let own = timer.estimate(clang, self.task, self.buffers)?;
        let mut estimates = vec![own];
        for which in 1..side.candidates().len() {
            side.select(which);
            estimates.push(timer.estimate(side, self.task, self.buffers)?);
        }
        let short = !self.by_host && estimates.iter().any(|ms| *ms < SHORT_MS);
        let reference = timer.plan(self.lab, clang, self.buffers, own, short)?;
        let mut trials = Vec::new();
        for (which, ms) in estimates.into_iter().enumerate() {
            side.select(which);
            let open = which > 0 && ms < own * HOPELESS;
            let run = match open {
                true => Some(timer.plan(self.lab, side, self.buffers, ms, short)?),
                false => None,
            };
            trials.push(Trial {
                run,
                ratios: if open { Vec::new() } else { vec![own / ms] },
                verdict: if open {
                    Verdict::Open
                } else {
                    Verdict::Dropped
                },
            });
        }
        Ok((reference, trials))
    }
}

/// What the trials and the row's own figure say of the first launches, and of the best of all.
pub fn conclude(cell: &mut Cell, chooser: Chooser) {
    let (Some(choice), Some(ratio)) = (cell.choice.clone(), cell.ratio) else {
        return;
    };
    let tried = |name: &str| {
        cell.tried
            .iter()
            .find(|t| t.choice == name)
            .map(|t| t.ratio)
    };
    // The row's figure is of more pairs than the trials'.
    let of = |name: &str| match name {
        _ if name == choice => Some(ratio),
        "K" => Some(1.0),
        _ => tried(name),
    };
    match chooser {
        Chooser::Settled => {
            cell.settled = Some(ratio);
            cell.prior = cell.prior_choice.as_deref().and_then(of);
            let all = cell
                .tried
                .iter()
                .filter(|t| t.choice != choice)
                .map(|t| t.ratio);
            // The kernel itself is a candidate, too.
            let itself = if choice == "K" { ratio } else { ratio.max(1.0) };
            cell.best = Some(all.fold(itself, f64::max));
        }
        Chooser::Prior => cell.prior = Some(ratio),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(choice: &str, prior: &str, ratio: f64) -> Cell {
        let tried = |name: &str, ratio| Tried {
            choice: name.into(),
            ratio,
            pairs: 8,
        };
        Cell {
            choice: Some(choice.into()),
            prior_choice: Some(prior.into()),
            ratio: Some(ratio),
            tried: vec![tried("v0", 1.5), tried("v1 by 64", 2.0)],
            ..Cell::default()
        }
    }

    #[test]
    fn figures_of_first_launches_and_of_the_best() {
        let figures = |mut cell: Cell, chooser| {
            conclude(&mut cell, chooser);
            [cell.settled, cell.prior, cell.best]
        };
        let some = |v: [f64; 3]| v.map(Some);
        let settled = |cell| figures(cell, Chooser::Settled);
        assert_eq!(settled(cell("v1 by 64", "v0", 1.9)), some([1.9, 1.5, 1.9]));
        assert_eq!(settled(cell("v0", "v0", 1.6)), some([1.6, 1.6, 2.0]));
        assert_eq!(settled(cell("v0", "K", 1.6)), some([1.6, 1.0, 2.0]));
        assert_eq!(settled(cell("K", "K", 0.99)), some([0.99, 0.99, 2.0]));
        let prior = figures(cell("v0", "v0", 1.6), Chooser::Prior);
        assert_eq!(prior, [None, Some(1.6), None]);
        let original = figures(cell("K", "v0", 1.0), Chooser::Original);
        assert_eq!(original, [None; 3]);
        assert_eq!(settled(Cell::default()), [None; 3]);
    }
}
