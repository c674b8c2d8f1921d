//! What may be launched in place of a kernel, and which of it settled measuring would take.
//!
//! The rules are those of the run-time part: pairs with the kernel itself, a robust mean of their ratios, and nothing is
//! adopted that is not proven to gain. Only times go in, so that no GPU is needed to test it.

use crate::tasks::Chooser;

/// A version is adopted where it gains more than this.
const GAIN: f64 = 1.01;
/// How sure that must be, in standard errors of many pairs.
const SURE: f64 = 3.9;
/// Of so many pairs' ratios a fifth at either end is left out.
const TRIMMED: f64 = 0.2;
/// What is this much slower after so many pairs is dropped.
const LOST: [(usize, f64); 2] = [(2, 1.5), (4, 1.15)];
/// After how many pairs there is a look at the bounds.
const LOOKS: [usize; 4] = [8, 16, 32, 64];
/// Pairs of one candidate, at most; undecided then, it is the kernel itself.
pub const MOST_PAIRS: usize = LOOKS[3];
/// Pairs that are made even if time is up.
pub const LEAST_PAIRS: usize = LOST[1].0;

/// A kernel and the blocks that it is launched in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Candidate {
    /// A version's number; `None`: the kernel itself.
    pub version: Option<u32>,
    /// The block that threads are dealt out to; `None`: the program's own.
    pub block: Option<[u32; 3]>,
    /// Whether the block is that of a version whose ids are folded.
    pub folded: bool,
    /// Whether the model is sure that it gains.
    pub pays: bool,
}

impl Candidate {
    /// `K`, `v0`, `v1 by 64`.
    pub fn name(&self) -> String {
        let kernel = self.version.map_or("K".into(), |n| format!("v{n}"));
        match self.block {
            None => kernel,
            Some([x, 1, 1]) => format!("{kernel} by {x}"),
            Some([x, y, 1]) => format!("{kernel} by {x}x{y}"),
            Some([x, y, z]) => format!("{kernel} by {x}x{y}x{z}"),
        }
    }
}

/// What a program launches before anything was measured, of the versions of which the model is sure: the first of those in
/// the blocks of the last that has a launch of its own, or the first in other blocks, or the first in the program's; else
/// the kernel itself, which comes first.
pub fn prior(candidates: &[Candidate]) -> usize {
    let sure = |c: &Candidate| c.version.is_some() && c.pays;
    let in_blocks = |other: bool| {
        let is = |c: &Candidate| sure(c) && !c.folded && c.block.is_some() == other;
        candidates.iter().position(is)
    };
    let last = candidates.iter().rfind(|c| sure(c) && c.folded);
    let last = last.map(|c| c.block);
    let like_last = |c: &Candidate| sure(c) && c.folded && Some(c.block) == last;
    let folded = candidates.iter().position(like_last);
    let other = folded.or_else(|| in_blocks(true));
    other.or_else(|| in_blocks(false)).unwrap_or(0)
}

/// What `chooser` takes without measuring; `None`: it measures.
pub fn fixed(chooser: Chooser, candidates: &[Candidate]) -> Option<usize> {
    let version = |n| {
        let of = |own: bool| {
            let is = |c: &Candidate| c.version == Some(n) && c.block.is_none() == own;
            candidates.iter().position(is)
        };
        Some(of(true).or_else(|| of(false)).unwrap_or(0))
    };
    match chooser {
        Chooser::Settled => None,
        Chooser::Prior => Some(prior(candidates)),
        Chooser::Original => Some(0),
        Chooser::V0 => version(0),
        Chooser::V1 => version(1),
        Chooser::V2 => version(2),
        Chooser::V3 => version(3),
    }
}

/// What a candidate's pairs say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Go on.
    Open,
    /// It is proven to gain.
    Gains,
    /// It is not, or there is no use in going on.
    Dropped,
}

/// Judges the kernel's times by the candidate's, one for each pair. `last`: there will be no more.
pub fn judge(ratios: &[f64], last: bool) -> Verdict {
    let count = ratios.len();
    let Some(estimate) = Estimate::of(ratios) else {
        return if last {
            Verdict::Dropped
        } else {
            Verdict::Open
        };
    };
    let slower = |&(pairs, by): &(usize, f64)| count == pairs && estimate.mean < -by.ln();
    if LOST.iter().any(slower) {
        return Verdict::Dropped;
    }
    let last = last || count >= MOST_PAIRS;
    if !last && !LOOKS.contains(&count) {
        return Verdict::Open;
    }
    let gains = estimate.mean > GAIN.ln() && estimate.mean - estimate.margin > 0.0;
    // No more pairs would make it a gain.
    let hopeless = estimate.mean + estimate.margin < GAIN.ln();
    match (gains && count >= LEAST_PAIRS, hopeless || last) {
        (true, _) => Verdict::Gains,
        (false, true) => Verdict::Dropped,
        (false, false) => Verdict::Open,
    }
}

/// The gain that pairs show; `None` of nothing.
pub fn gain(ratios: &[f64]) -> Option<f64> {
    Estimate::of(ratios).map(|e| e.mean.exp())
}

/// The best of those that are proven to gain, by place; the first, the kernel itself, if none is.
pub fn settled(gains: &[(Verdict, f64)]) -> usize {
    let proven = gains.iter().enumerate().skip(1);
    let proven = proven.filter(|(_, (verdict, _))| *verdict == Verdict::Gains);
    proven
        .max_by(|a, b| a.1.1.total_cmp(&b.1.1))
        .map_or(0, |best| best.0)
}

/// A trimmed mean of logarithms, and how far off it may be.
struct Estimate {
    mean: f64,
    margin: f64,
}

impl Estimate {
    fn of(ratios: &[f64]) -> Option<Estimate> {
        let mut logs: Vec<f64> = ratios.iter().map(|r| r.ln()).collect();
        logs.sort_by(f64::total_cmp);
        let cut = (logs.len() as f64 * TRIMMED) as usize;
        let kept = &logs[cut..logs.len() - cut];
        let (first, last) = (*kept.first()?, *kept.last()?);
        let mean = kept.iter().sum::<f64>() / kept.len() as f64;
        // What was cut counts as its neighbour: that is what a trimmed mean's error is estimated from.
        let all: Vec<f64> = logs.iter().map(|l| l.clamp(first, last)).collect();
        let middle = all.iter().sum::<f64>() / all.len() as f64;
        let squares: f64 = all.iter().map(|l| (l - middle).powi(2)).sum();
        let (pairs, free) = (all.len() as f64, kept.len() as f64 - 1.0);
        let margin = match free > 0.0 {
            true => {
                let error = (squares / (pairs - 1.0)).sqrt() / pairs.sqrt();
                widened(free) * error * pairs / kept.len() as f64
            }
            false => f64::INFINITY,
        };
        Some(Estimate { mean, margin })
    }
}

/// [`SURE`] for an error that was itself estimated with so many degrees of freedom: Student's quantile, by Cornish and Fisher.
fn widened(free: f64) -> f64 {
    let z = SURE;
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    z + first / free + second / free.powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(version: Option<u32>, block: Option<[u32; 3]>, pays: bool) -> Candidate {
        Candidate {
            version,
            block,
            folded: false,
            pays,
        }
    }

    /// Ratios around `mean`, some above and some below by `noise`.
    fn ratios(mean: f64, noise: f64, count: usize) -> Vec<f64> {
        let of = |i: usize| mean * (1.0 + noise * ((i * 37 % 11) as f64 / 5.0 - 1.0));
        (0..count).map(of).collect()
    }

    #[test]
    fn names_tell_version_and_blocks() {
        let name = |version, block| candidate(version, block, false).name();
        assert_eq!(name(None, None), "K");
        assert_eq!(name(Some(0), None), "v0");
        assert_eq!(name(Some(1), Some([64, 1, 1])), "v1 by 64");
        assert_eq!(name(None, Some([32, 8, 1])), "K by 32x8");
    }

    #[test]
    fn the_prior_is_the_first_that_surely_gains() {
        let block = Some([64, 1, 1]);
        let all = [
            candidate(None, None, false),
            candidate(Some(0), None, true),
            candidate(Some(1), None, false),
            candidate(None, block, false),
            candidate(Some(0), block, false),
            candidate(Some(1), block, true),
        ];
        assert_eq!(prior(&all[..3]), 1);
        assert_eq!(prior(&all), 5);
        assert_eq!(prior(&all[..5]), 1);
        let folded = Candidate {
            folded: true,
            ..candidate(Some(0), Some([32, 8, 1]), true)
        };
        assert_eq!(prior(&[all[0], folded]), 1);
        assert_eq!(prior(&[&all[..], &[folded; 2], &all[3..]].concat()), 6);
        let rewritten = Candidate {
            block: Some([64, 1, 1]),
            ..folded
        };
        let both = [&all[..], &[folded, rewritten], &all[3..]].concat();
        assert_eq!(prior(&both), 7);
        assert_eq!(prior(&[]), 0);
        assert_eq!(fixed(Chooser::Settled, &all), None);
        assert_eq!(fixed(Chooser::Original, &all), Some(0));
        assert_eq!(fixed(Chooser::V1, &all), Some(2));
        assert_eq!(fixed(Chooser::V1, &all[3..]), Some(2));
        assert_eq!(fixed(Chooser::V3, &all), Some(0));
    }

    #[test]
    fn losers_go_early() {
        assert_eq!(judge(&[0.6], false), Verdict::Open);
        assert_eq!(judge(&[0.6, 0.6], false), Verdict::Dropped);
        assert_eq!(judge(&[0.8, 0.8], false), Verdict::Open);
        assert_eq!(judge(&[0.8; 4], false), Verdict::Dropped);
        assert_eq!(judge(&ratios(0.97, 0.004, 8), false), Verdict::Dropped);
    }

    #[test]
    fn what_gains_is_proven_at_a_look() {
        assert_eq!(judge(&ratios(1.2, 0.004, 7), false), Verdict::Open);
        assert_eq!(judge(&ratios(1.2, 0.004, 8), false), Verdict::Gains);
        // Time is up: few pairs are enough where they agree.
        assert_eq!(judge(&ratios(1.2, 0.004, 4), true), Verdict::Gains);
        assert_eq!(judge(&ratios(1.2, 0.004, 3), true), Verdict::Dropped);
        assert_eq!(judge(&[], true), Verdict::Dropped);
    }

    #[test]
    fn what_is_not_proven_is_not_adopted() {
        assert_eq!(judge(&ratios(1.005, 0.02, 8), false), Verdict::Open);
        assert_eq!(judge(&ratios(1.02, 0.2, 64), false), Verdict::Dropped);
        assert_eq!(judge(&ratios(1.005, 0.001, 64), false), Verdict::Dropped);
        let mut one_spike = vec![1.0; 8];
        one_spike[3] = 9.0;
        assert!(gain(&one_spike).is_some_and(|g| g == 1.0));
        assert_ne!(judge(&one_spike, false), Verdict::Gains);
    }

    #[test]
    fn the_best_proven_one_is_taken() {
        use Verdict::{Dropped, Gains};
        let k = (Dropped, 1.0);
        assert_eq!(settled(&[k, (Gains, 1.2), (Gains, 1.5), (Dropped, 1.9)]), 2);
        assert_eq!(settled(&[k, (Dropped, 1.9)]), 0);
        assert_eq!(settled(&[]), 0);
    }
}
