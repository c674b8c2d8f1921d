//! Chooses, among legal candidates, the set whose tiles fit and whose reads per element sum
//! highest, as the explicit cache of MESI-CUDA does (Ohno 2014, Kamiya et al. 2013).
//!
//! Few candidates are searched exhaustively, for each cut (strip length, depth, block cap); ties go
//! to the cut named first and to program order. With more than [`EXHAUSTIVE`] the least frequent
//! are dropped one by one.

use super::analyses::Analyses;
use super::context::Context;
use super::data::Prospect;
use super::layout::{self, Layout};
use super::overlap::Cut;
use crate::access::ArrayId;
use crate::missed::Missed;

/// Sets of up to this many candidates are all tried.
const EXHAUSTIVE: usize = 8;

/// What was chosen.
pub struct Choice {
    /// The placed regions.
    pub layout: Layout,
    /// The candidates in it, as indices.
    pub picked: Vec<usize>,
    /// Arrays of clusters that did not fit, with the reason.
    pub missed: Vec<(ArrayId, Missed)>,
}

/// One candidate per cluster so that no region lies inside another's strips. `ranked` holds each
/// cluster's candidates, best first; clusters with more reuse choose first.
pub fn agree(f: &Analyses, ranked: Vec<Vec<Prospect>>) -> (Vec<Prospect>, Vec<(ArrayId, Missed)>) {
    let mut order: Vec<Vec<Prospect>> = ranked.into_iter().filter(|r| !r.is_empty()).collect();
    crate::order::sort_by(&mut order, |a, b| {
        b[0].reuse
            .total_cmp(&a[0].reuse)
            .then(a[0].cluster.cmp(&b[0].cluster))
    });
    let mut chosen: Vec<Prospect> = Vec::new();
    let mut missed = Vec::new();
    let clash = |a: &Prospect, b: &Prospect| {
        let is_in_strips_of = |outer: &Prospect, inner: &Prospect| {
            let ((node, strip), (at, of)) = (outer.place, inner.place);
            strip.is_some()
                && strip != of
                && f.tree.contains(node, at)
                && !(node == at && of.is_none())
        };
        is_in_strips_of(a, b) || is_in_strips_of(b, a)
    };
    for options in order {
        let array = options[0].array;
        match options
            .into_iter()
            .find(|c| !chosen.iter().any(|d| clash(c, d)))
        {
            Some(c) => chosen.push(c),
            None => missed.push((array, Missed::Nested)),
        }
    }
    crate::order::sort_by_key(&mut chosen, |c| c.cluster);
    (chosen, missed)
}

/// The best set that fits `budget` bytes.
pub fn choose(context: &Context, candidates: &[Prospect], cuts: &[Cut], budget: u32) -> Choice {
    let mut best: Option<(f64, Layout, Vec<usize>)> = None;
    let mut refused = Missed::UnboundedTile;
    for cut in cuts {
        let mut attempt = |subset: &[usize]| {
            let picked: Vec<&Prospect> = subset.iter().map(|i| &candidates[*i]).collect();
            match layout::lay_out(context, &picked, *cut, budget) {
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
        .map(|c| (c.array, refused))
        .collect();
    Choice {
        layout,
        picked: set,
        missed,
    }
}

/// The subset of highest summed reuse that `attempt` can lay out.
fn best_subset(
    candidates: &[Prospect],
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
