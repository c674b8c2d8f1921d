//! Footprints in dimensions of sums of threads' numbers, where conditions limit such sums.
//!
//! ```text
//! if (i < n && k < n - i)  c[i * n + i + k]
//!     by number:  i <= n - 1,  k <= all threads        4*n + 4 bytes for each i, 4 for each k: far behind the last row
//!     by sum:     i <= n - 1,  i + k <= n - 1          4*n bytes for each i, 4 for each i + k: up to cell n*n - 1
//! ```
//! An index is a sum of products of numbers of threads and of strides, which are products of what all threads share:
//! what is taken times one stride is one dimension. Any way to cut an index into dimensions has all of its bytes, as
//! each dimension has all values of its sum. One in which conditions limit the sums has fewer besides.
//!
//! A limit on a sum follows from conditions that give it when they are added up, a few times each, but for numbers that
//! are not negative: `k <= i - 1` and `i <= n - 1` give `k <= n - 2`, `2*i + k <= m` gives `i + k <= m`.
//!
//! Not done: sums with iteration numbers in them, whose limits loops give anyway.

use super::data::{ActiveSet, Bound, Dimension};
use crate::affine::{Affine, Atom, Guard, Monomial, Poly, Sense, gcd};
use crate::kernel::Dim;
use std::collections::BTreeMap;

/// A sum of multiples, sorted by atom.
type Terms = Vec<(Atom, i64)>;

/// Whether a guard limits a sum of several threads' numbers by a value that is fixed in the kernel, and what it rests
/// on can be tested of any block.
pub fn is_sum_bound(affine: &Affine, guard: &Guard) -> bool {
    let Guard::Linear {
        terms,
        limit,
        facts,
        ..
    } = guard
    else {
        return false;
    };
    let is_thread = |a: Atom| matches!(a, Atom::Tid(_));
    let is_shared = |a: Atom| !matches!(a, Atom::Iter(_) | Atom::Trip(_) | Atom::Clamp(_));
    let mut rests_on = facts.iter().map(|x| &affine.facts[x.index()].poly);
    terms.len() > 1
        && terms.iter().all(|(a, _)| is_thread(*a))
        && !limit.any(|a| !is_shared(a))
        && rests_on.all(|p| p.atoms().into_iter().all(is_shared))
}

/// Puts the limits on sums of several numbers to use that active sets have: the dimensions of a footprint are such sums
/// then, if that limits one, or else as they are, without these limits.
pub fn cut_by_sums(dims: &mut Vec<Dimension>, active: &mut [ActiveSet]) {
    if !active.iter().any(|s| s.bounds.iter().any(is_sum)) {
        return;
    }
    let sums = by_stride(dims);
    let limits: Vec<Vec<Bound>> = active.iter().map(|s| limits(s, &sums)).collect();
    active
        .iter_mut()
        .for_each(|s| s.bounds.retain(|b| !is_sum(b)));
    if limits.iter().all(Vec::is_empty) {
        return;
    }
    let taken = |dims: &[Dimension]| dims.iter().filter(|d| !d.terms.is_empty()).count();
    let (before, now) = (taken(dims), taken(&sums));
    for (set, limits) in active.iter_mut().zip(limits) {
        set.bounds.extend(limits);
        for offset in &mut set.offsets {
            offset.splice(..before, vec![0; now]);
        }
    }
    *dims = sums;
}

fn is_sum(b: &Bound) -> bool {
    b.terms.len() > 1
}

/// Dimensions of the same index, those with terms first, each of which has one product of shared numbers as its stride.
fn by_stride(dims: &[Dimension]) -> Vec<Dimension> {
    let mut by: BTreeMap<Monomial, BTreeMap<Atom, i64>> = BTreeMap::new();
    for d in dims {
        for (m, c) in d.stride.terms() {
            for (a, times) in &d.terms {
                *by.entry(m.clone()).or_default().entry(*a).or_default() += c * times;
            }
        }
    }
    let dimension = |(m, sum): (Monomial, BTreeMap<Atom, i64>)| {
        let step = sum.values().fold(0, |g, c| gcd(g, *c)).max(1);
        let mut stride = Poly::default();
        stride.add_term(m, step);
        let terms = sum.into_iter().map(|(a, c)| (a, c / step));
        Dimension {
            stride,
            terms: terms.filter(|(_, c)| *c != 0).collect(),
        }
    };
    let summed = by.into_iter().map(dimension);
    let summed = summed.filter(|d| !d.terms.is_empty());
    let others = dims.iter().filter(|d| d.terms.is_empty()).cloned();
    summed.chain(others).collect()
}

/// Limits on the dimensions' sums that follow from a set's limits and that its limits on single numbers do not give.
fn limits(set: &ActiveSet, dims: &[Dimension]) -> Vec<Bound> {
    let mut known: Vec<(Terms, Poly)> = set.bounds.iter().filter_map(at_most).collect();
    // Limits on more numbers first: those on single ones are in use anyway.
    crate::order::sort_by_key(&mut known, |(terms, _)| std::cmp::Reverse(terms.len()));
    let mut out = Vec::new();
    let mut add = |terms: &Terms, sense: Sense| {
        let sign = if sense == Sense::AtMost { 1 } else { -1 };
        let found = times(terms, sign).and_then(|t| most(&t, &known, Dim::ALL.len()));
        let bound = |limit: Poly| Bound {
            terms: terms.clone(),
            sense,
            limit: limit.times_constant(sign),
        };
        let new = found.filter(|(_, is_by_sum)| *is_by_sum);
        let new = new.map(|(limit, _)| bound(limit));
        out.extend(new.filter(|b| is_sum(b) || !set.bounds.contains(b)));
    };
    for terms in dims.iter().map(|d| &d.terms).filter(|t| !t.is_empty()) {
        add(terms, Sense::AtMost);
        add(terms, Sense::AtLeast);
    }
    out
}

/// A bound as a sum that is no greater than a limit.
fn at_most(b: &Bound) -> Option<(Terms, Poly)> {
    match b.sense {
        Sense::AtMost => Some((b.terms.clone(), b.limit.clone())),
        Sense::AtLeast => Some((times(&b.terms, -1)?, b.limit.times_constant(-1))),
    }
}

fn times(terms: &[(Atom, i64)], c: i64) -> Option<Terms> {
    let each = terms.iter().map(|(a, m)| Some((*a, m.checked_mul(c)?)));
    each.collect()
}

/// What a sum is at most, by so many of what is known added up, and whether a limit on several numbers is among them.
fn most(sum: &[(Atom, i64)], known: &[(Terms, Poly)], added: usize) -> Option<(Poly, bool)> {
    let Some((atom, c)) = sum.iter().find(|(_, c)| *c > 0) else {
        return above(sum).map(|p| (p, false));
    };
    let left = added.checked_sub(1)?;
    known.iter().find_map(|(terms, limit)| {
        let (_, each) = terms.iter().find(|(a, _)| a == atom)?;
        let is_part = *each > 0 && c % each == 0;
        let often = is_part.then(|| c / each)?;
        let rest = without(sum, &times(terms, often)?)?;
        let (rest, is_by_sum) = most(&rest, known, left)?;
        let limit = rest.plus(&limit.times_constant(often));
        Some((limit, is_by_sum || terms.len() > 1))
    })
}

/// What a sum without positive multiples is at most, which is 0, and more by the blocks in front of a thread's: of its
/// number in the grid nothing is left then, and the limit is one for all blocks.
fn above(sum: &[(Atom, i64)]) -> Option<Poly> {
    let mut most = Poly::default();
    for (atom, c) in sum {
        match atom {
            Atom::Tid(d) => most.add_term(vec![Atom::Ctaid(*d), Atom::Ntid(*d)], c.checked_neg()?),
            a if a.is_nonnegative() => {}
            _ => return None,
        }
    }
    Some(most)
}

/// The difference of two sums.
fn without(sum: &[(Atom, i64)], other: &[(Atom, i64)]) -> Option<Terms> {
    let mut all: BTreeMap<Atom, i64> = sum.iter().copied().collect();
    for (a, c) in other {
        let left = all.entry(*a).or_default();
        *left = left.checked_sub(*c)?;
    }
    Some(all.into_iter().filter(|(_, c)| *c != 0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::SymbolId;

    const K: Atom = Atom::Tid(Dim::X);
    const I: Atom = Atom::Tid(Dim::Y);

    fn n() -> Poly {
        Poly::atom(Atom::Symbol(SymbolId(0)))
    }

    /// `n - 1` without the blocks along these dimensions.
    fn last(dims: &[Dim]) -> Poly {
        let blocks = |d: &Dim| Poly::atom(Atom::Ctaid(*d)).times(&Poly::atom(Atom::Ntid(*d)));
        let last = n().minus(&Poly::constant(1));
        dims.iter().fold(last, |p, d| p.minus(&blocks(d)))
    }

    fn at_most(terms: &[(Atom, i64)], limit: Poly) -> Bound {
        Bound {
            terms: terms.to_vec(),
            sense: Sense::AtMost,
            limit,
        }
    }

    fn index(dims: &[Dimension]) -> Poly {
        dims.iter().fold(Poly::default(), |p, d| {
            p.plus(&d.stride.times(&Poly::sum(&d.terms)))
        })
    }

    #[test]
    fn an_index_is_cut_into_sums_that_conditions_limit() {
        // c[i * n + i + k], of 4 bytes
        let row = n().times_constant(4);
        let dims = vec![
            Dimension::along(K, Poly::constant(4)),
            Dimension::along(I, row.plus(&Poly::constant(4))),
            Dimension::of_bytes(),
        ];
        let rows = at_most(&[(I, 1)], last(&[Dim::Y]));
        let sum = at_most(&[(K, 1), (I, 1)], last(&[Dim::X, Dim::Y]));
        let set = |bounds: &[&Bound]| ActiveSet {
            bounds: bounds.iter().map(|b| (*b).clone()).collect(),
            offsets: vec![vec![0, 0, 0]],
            ..ActiveSet::default()
        };
        let (mut cut, mut active) = (dims.clone(), [set(&[&sum, &rows])]);
        cut_by_sums(&mut cut, &mut active);
        assert_eq!(index(&cut), index(&dims));
        let terms: Vec<_> = cut.iter().map(|d| &d.terms[..]).collect();
        assert_eq!(terms, [&[(K, 1), (I, 1)][..], &[(I, 1)], &[]]);
        assert_eq!(active, [set(&[&rows, &sum])]);
        let (mut same, mut without) = (dims.clone(), [set(&[&rows])]);
        cut_by_sums(&mut same, &mut without);
        assert_eq!((same, without), (dims, [set(&[&rows])]));
    }

    #[test]
    fn limits_are_added_up() {
        // k <= i - 1, i <= n - 1
        let below = Bound {
            terms: vec![(K, 1), (I, -1)],
            sense: Sense::AtMost,
            limit: Poly::constant(-1),
        };
        let set = ActiveSet {
            bounds: vec![below, at_most(&[(I, 1)], n().minus(&Poly::constant(1)))],
            ..ActiveSet::default()
        };
        let limits = limits(&set, &[Dimension::along(K, Poly::constant(4))]);
        assert_eq!(limits, [at_most(&[(K, 1)], n().minus(&Poly::constant(2)))]);
    }

    #[test]
    fn a_limit_on_a_part_says_nothing_of_the_whole() {
        let set = ActiveSet {
            bounds: vec![at_most(&[(K, 1), (I, 1)], n())],
            ..ActiveSet::default()
        };
        let other = Dimension {
            stride: Poly::constant(4),
            terms: vec![(K, 1), (Atom::Tid(Dim::Z), 1)],
        };
        assert_eq!(limits(&set, &[other]), []);
    }

    #[test]
    fn a_limit_on_the_whole_is_one_on_a_part_in_all_blocks() {
        let set = ActiveSet {
            bounds: vec![at_most(&[(K, 1), (I, 1)], last(&[Dim::X, Dim::Y]))],
            ..ActiveSet::default()
        };
        let limits = limits(&set, &[Dimension::along(K, Poly::constant(4))]);
        assert_eq!(limits, [at_most(&[(K, 1)], last(&[Dim::X]))]);
    }
}
