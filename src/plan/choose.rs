//! Chooses, among legal candidates, the set whose tiles fit and whose reads per element sum
//! highest, as the explicit cache of MESI-CUDA does (Ohno 2014, Kamiya et al. 2013).
//!
//! Few candidates are searched exhaustively, for each cut (strip length, depth, block cap); ties go
//! to the cut named first and to program order. With more than [`EXHAUSTIVE`] the least frequent
//! are dropped one by one.

use super::analyses::Analyses;
use super::candidate::Candidate;
use super::layout::{self, Layout};
use super::overlap::Cut;
use super::shape::Cluster;
use crate::missed::Missed;

/// Sets of up to this many candidates are all tried.
const EXHAUSTIVE: usize = 8;

/// What was chosen.
pub struct Choice {
    /// The placed regions.
    pub layout: Layout,
    /// The candidates in it, as indices.
    pub picked: Vec<usize>,
    /// Clusters that did not fit, with the reason.
    pub missed: Vec<(usize, Missed)>,
}

/// One candidate per cluster so that no region lies inside another's strips. `ranked` holds each
/// cluster's candidates, best first; clusters with more reuse choose first.
pub fn agree(f: &Analyses, ranked: Vec<Vec<Candidate>>) -> (Vec<Candidate>, Vec<(usize, Missed)>) {
    let mut order: Vec<Vec<Candidate>> = ranked.into_iter().filter(|r| !r.is_empty()).collect();
    crate::order::sort_by(&mut order, |a, b| {
        b[0].reuse
            .total_cmp(&a[0].reuse)
            .then(a[0].cluster.cmp(&b[0].cluster))
    });
    let mut chosen: Vec<Candidate> = Vec::new();
    let mut missed = Vec::new();
    let clash = |a: &Candidate, b: &Candidate| {
        let is_in_strips_of = |outer: &Candidate, inner: &Candidate| {
            outer.strip.is_some()
                && outer.strip != inner.strip
                && f.tree.contains(outer.node, inner.node)
                && !(outer.node == inner.node && inner.strip.is_none())
        };
        is_in_strips_of(a, b) || is_in_strips_of(b, a)
    };
    for options in order {
        let cluster = options[0].cluster;
        match options
            .into_iter()
            .find(|c| !chosen.iter().any(|d| clash(c, d)))
        {
            Some(c) => chosen.push(c),
            None => missed.push((cluster, Missed::Nested)),
        }
    }
    crate::order::sort_by_key(&mut chosen, |c| c.cluster);
    (chosen, missed)
}

/// The best set that fits `budget` bytes.
pub fn choose(
    f: &Analyses,
    clusters: &[Cluster],
    candidates: &[Candidate],
    cuts: &[Cut],
    budget: u32,
) -> Choice {
    let mut best: Option<(f64, Layout, Vec<usize>)> = None;
    let mut refused = Missed::UnboundedTile;
    for cut in cuts {
        let mut attempt = |subset: &[usize]| {
            let picked: Vec<&Candidate> = subset.iter().map(|i| &candidates[*i]).collect();
            match layout::lay_out(f, clusters, &picked, *cut, budget) {
                Ok(l) => l,
                Err(m) => {
                    refused = m;
                    None
                }
            }
        };
        if let Some((value, layout, set)) = best_subset(candidates, &mut attempt)
            && best.as_ref().is_none_or(|(b, ..)| value > *b)
        {
            best = Some((value, layout, set));
        }
    }
    let (_, layout, set) = best.unwrap_or_default();
    let chosen: Vec<usize> = set.iter().map(|i| candidates[*i].cluster).collect();
    let missed = candidates
        .iter()
        .filter(|c| !chosen.contains(&c.cluster))
        .map(|c| (c.cluster, refused))
        .collect();
    Choice {
        layout,
        picked: set,
        missed,
    }
}

/// The subset of highest summed reuse that `attempt` can lay out.
fn best_subset(
    candidates: &[Candidate],
    attempt: &mut impl FnMut(&[usize]) -> Option<Layout>,
) -> Option<(f64, Layout, Vec<usize>)> {
    let value = |set: &[usize]| {
        set.iter()
            .map(|i| candidates[*i].reuse.max(0.01))
            .sum::<f64>()
    };
    let all: Vec<usize> = (0..candidates.len()).collect();
    if all.is_empty() {
        return None;
    }
    if let Some(l) = attempt(&all) {
        return Some((value(&all), l, all));
    }
    if all.len() > EXHAUSTIVE {
        let mut set = all;
        while set.len() > 1 {
            let least = set
                .iter()
                .enumerate()
                .min_by(|a, b| candidates[*a.1].reuse.total_cmp(&candidates[*b.1].reuse))?
                .0;
            set.remove(least);
            if let Some(l) = attempt(&set) {
                return Some((value(&set), l, set));
            }
        }
        return None;
    }
    let mut subsets: Vec<Vec<usize>> = (1u32..(1 << all.len()) - 1)
        .map(|mask| all.iter().copied().filter(|i| mask >> i & 1 == 1).collect())
        .collect();
    // There may be thousands.
    subsets.sort_by(|a: &Vec<usize>, b| value(b).total_cmp(&value(a)));
    subsets
        .into_iter()
        .find_map(|s| attempt(&s).map(|l| (value(&s), l, s)))
}
