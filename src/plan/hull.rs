//! What a block may touch, and facts about it, where loops run a different number of times per thread.
//!
//! ```text
//! for (j = i; j < n; j++) c[j*n + i]     iteration 0: c[i*n + i]     last: c[(n-1)*n + i]
//! ```
//! An index that is linear in an iteration number lies between what it is at the first and at the
//! last iteration. Both are polynomials without that number, so their ranges over the block's threads
//! are exact where a box of threads times the longest run would reach far past the array. What is
//! found so is a superset: enough to tell arrays apart, not to copy.

use super::analyses::Analyses;
use super::data::{Fact, Footprint};
use super::facts::Facts;
use super::footprint::{add_footprint_facts, add_guard_facts, footprint_at};
use crate::access::{AccessId, ArrayId};
use crate::affine::{Affine, Atom, FactId, Poly, Range};
use crate::tree::LoopId;

/// Loops that one polynomial may need taken apart: each doubles its ends.
const MOST_LOOPS: usize = 3;

/// `p` at the first and at the last iteration of each loop in it that threads run a different number
/// of times; `p` itself where there is none. Every value that `p` takes in the kernel lies between two
/// of them. `None`: it is not linear in such a number, or a loop has no count.
pub fn ends(affine: &Affine, p: &Poly) -> Option<Vec<Poly>> {
    let mut open = vec![p.clone()];
    for _ in 0..=MOST_LOOPS {
        let Some(l) = open.iter().find_map(|p| divergent_loop(affine, p)) else {
            return open.iter().all(|p| is_uniform(affine, p)).then_some(open);
        };
        let mut next = Vec::new();
        for p in &open {
            next.extend(ends_of(affine, p, l)?);
        }
        open = next;
    }
    None
}

/// A loop of the polynomial without a count that all threads share.
fn divergent_loop(affine: &Affine, p: &Poly) -> Option<LoopId> {
    p.atoms().into_iter().find_map(|a| match a {
        Atom::Iter(l) => affine.uniform_trip(l).is_none().then_some(l),
        _ => None,
    })
}

/// Whether ranges at the entry need no number of such a loop.
fn is_uniform(affine: &Affine, p: &Poly) -> bool {
    p.atoms().into_iter().all(|a| match a {
        Atom::Iter(l) | Atom::Trip(l) => affine
            .uniform_trip(l)
            .is_some_and(|t| is_uniform(affine, &t.span) && is_uniform(affine, &t.step)),
        Atom::Clamp(c) => {
            let c = &affine.clamps[c.index()];
            is_uniform(affine, &c.varying) && is_uniform(affine, &c.limit)
        }
        _ => true,
    })
}

/// `p` at iteration 0 of `l`, and at the last.
///
/// The last is `ceil(span / step) - 1`, at most `(span - 1) / step`. Where the span is not positive,
/// which a loop tested after its body allows, there is iteration 0 alone, and the second end is merely
/// not needed.
fn ends_of(affine: &Affine, p: &Poly, l: LoopId) -> Option<Vec<Poly>> {
    let (coefficients, first) = p.split(|a| a == Atom::Iter(l))?;
    let Some(c) = coefficients.get(&Atom::Iter(l)) else {
        return Some(vec![first]);
    };
    let t = affine.any_trip(l)?;
    let each = c.divided_exactly(t.step.as_constant()?)?;
    let steps = t.span.minus(&Poly::constant(1));
    let last = first.plus(&each.times(&steps));
    Some(vec![first, last])
}

/// Adds facts about narrow arithmetic that hold for every thread and iteration. `None`: they cannot
/// be tested.
pub fn add_ids(affine: &Affine, facts: &mut Facts, ids: &[FactId]) -> Option<()> {
    for id in ids {
        let Range { poly, lo, hi } = &affine.facts[id.index()];
        add_range(affine, facts, poly, *lo, *hi)?;
    }
    Some(())
}

/// Adds that a value is in range for every thread and iteration.
pub fn add_range(affine: &Affine, facts: &mut Facts, p: &Poly, lo: i64, hi: i64) -> Option<()> {
    for end in ends(affine, p)? {
        facts.add_poly(affine, &end).ok()?;
        facts.add_range(&end, lo, hi);
    }
    Some(())
}

/// Adds what a loop's count rests on, and that it fits 31 bits.
pub fn add_trip(affine: &Affine, facts: &mut Facts, l: LoopId) -> Option<()> {
    if affine.uniform_trip(l).is_some() {
        return facts.add_trip(affine, l).ok();
    }
    let t = affine.any_trip(l)?;
    add_ids(affine, facts, &t.facts)?;
    let (lo, hi) = (i64::from(i32::MIN), i64::from(i32::MAX));
    add_range(affine, facts, &t.span, lo, hi)
}

/// Adds that what the accesses `a` may touch and what `b` may touch do not overlap, each list of one
/// array. `None`: that cannot be tested.
pub fn add_hulls(f: &Analyses, facts: &mut Facts, a: &[AccessId], b: &[AccessId]) -> Option<()> {
    let (a, b) = (footprints(f, facts, a)?, footprints(f, facts, b)?);
    facts.add(Fact::DisjointHulls { a, b });
    Some(())
}

/// Ranges of bytes such that each access lies between two of them; adds the facts they rest on.
fn footprints(f: &Analyses, facts: &mut Facts, list: &[AccessId]) -> Option<Vec<Footprint>> {
    let mut out = Vec::new();
    for a in list {
        let array: ArrayId = f.accesses.get(*a).array?;
        let address = f.affine.address(*a)?;
        add_ids(f.affine, facts, &address.facts)?;
        add_guard_facts(f, *a, facts).ok()?;
        for end in ends(f.affine, &address.index)? {
            facts.add_poly(f.affine, &end).ok()?;
            let r = footprint_at(f, array, *a, &end)?;
            add_footprint_facts(f, &r, facts).ok()?;
            if !out.contains(&r) {
                out.push(r);
            }
        }
    }
    Some(out)
}
