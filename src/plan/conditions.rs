//! The guards of an access as bounds inside a region.
//!
//! A linear guard over one variable bounds that variable; one over exactly a dimension's terms bounds the dimension's
//! coordinate; one over a thread's numbers along two dimensions, of which the index has one, bounds that by the
//! extremes of the other (`thread_pair.rs`); what does not vary in the region becomes a `When`. One that leaves out a
//! thread (`if (j == i) continue`) bounds nothing where the grid's first threads surely read the same
//! ([`others_read_it`]). A guard that is none of these leaves the access inexact: it may execute, so it bounds nothing.

use super::analyses::{Analyses, is_launch_wide, underlying};
use super::data::{Bound, Fact, Footprint, When};
use super::facts::Facts;
use super::shape::ShapeDim;
use super::thread_pair;
use crate::access::AccessId;
use crate::affine::{Atom, FactId, Guard, Poly, Sense};
use crate::kernel::{Dim, ids};
use crate::tree::{ExitAt, LoopId, NodeId};

/// How an access's guards read inside a region.
pub struct Conditions {
    /// Bounds on varying atoms.
    pub bounds: Vec<Bound>,
    /// Block-uniform conditions.
    pub when: Vec<When>,
    /// Whether the access surely executes within them.
    pub exact: bool,
}

/// Reads the guards of `access` as bounds inside the region.
pub fn conditions(
    f: &Analyses,
    shape: &Footprint<ShapeDim>,
    node: NodeId,
    access: AccessId,
    divergent: Option<LoopId>,
    facts: &mut Facts,
) -> Conditions {
    let mut c = Conditions {
        bounds: Vec::new(),
        when: Vec::new(),
        exact: true,
    };
    let leaf = f.node_of(access);
    let divergent_node = divergent.map(|l| f.tree.loop_(l).node);
    let mut pairs = Vec::new();
    for (at, g) in &f.affine.guards[access.index()] {
        // Threads still in a divergent loop around the region passed the tests before it, and at
        // least one is there whenever the region runs.
        if divergent_node.is_some_and(|n| f.tree.contains(*at, n)) {
            continue;
        }
        // Inside such a loop a bound on threads may leave none of those that are still there.
        let names_threads = |g: &Guard| match g {
            Guard::Linear { terms, .. } => terms.iter().any(|(a, _)| !matches!(a, Atom::Iter(_))),
            Guard::AllButOne { .. } => true,
            _ => false,
        };
        if divergent.is_some() && names_threads(g) {
            c.exact = false;
            continue;
        }
        if let Guard::AllButOne { dim, facts: ids } = g {
            c.exact &= others_read_it(f, shape, access, *dim, ids, facts).is_some();
            continue;
        }
        if let Some(pair) = leaf.and_then(|l| thread_pair::find((f, l), g, shape)) {
            pairs.push(pair);
        } else if !add_condition(f, shape, node, g, &mut c, facts) {
            c.exact = false;
        }
    }
    let Some(leaf) = leaf else { return c };
    add_loops(f, shape, node, leaf, &mut c, facts);
    // What else has to hold of a thread is known by now.
    c.exact &= match &pairs[..] {
        [] => true,
        [pair] => thread_pair::add(f, pair, &c.when, &mut c.bounds, facts).is_some(),
        _ => false,
    };
    if bounds_a_dependent_trip(f, shape, node, &c.bounds) {
        c.exact = false;
    }
    crate::order::sort(&mut c.bounds);
    c
}

/// Adds that loops of the region around an access's node `leaf` run at all.
fn add_loops(
    f: &Analyses,
    shape: &Footprint<ShapeDim>,
    node: NodeId,
    leaf: NodeId,
    c: &mut Conditions,
    facts: &mut Facts,
) {
    for l in f.tree.enclosing_loops(leaf) {
        let loop_ = f.tree.loop_(l);
        if !f.tree.contains(node, loop_.node) {
            continue;
        }
        let mentioned = shape
            .dims
            .iter()
            .any(|d| d.terms.iter().any(|(a, _)| *a == Atom::Iter(l)));
        // A loop tested after its body runs it; one tested before may not.
        if !mentioned && loop_.exit_at == ExitAt::Header {
            let fixed = !f.trip_atoms(l).iter().any(|a| f.varies_in(node, *a));
            let known = f.affine.uniform_trip(l).is_some();
            if known && fixed && facts.add_trip(f.affine, l).is_ok() {
                let runs = Poly::atom(Atom::Trip(l)).minus(&Poly::constant(1));
                c.when.push(When::NotNegative(runs));
            } else {
                c.exact = false;
            }
        }
    }
}

/// Whether a bound cuts an iteration whose range changes inside the region, or one that the range
/// of a dimension's own iteration depends on: then the box is no product of ranges.
///
/// Conservative: a bound that leaves the longest run in would do no harm.
fn bounds_a_dependent_trip(
    f: &Analyses,
    shape: &Footprint<ShapeDim>,
    node: NodeId,
    bounds: &[Bound],
) -> bool {
    // Also through the trip counts of loops in between: `for (q <= r) for (k <= q)`.
    let varying = |a: Atom| -> Vec<Atom> {
        let Atom::Iter(l) = a else { return Vec::new() };
        let mut out = Vec::new();
        let atoms = f.trip_atoms(l).into_iter();
        atoms.for_each(|b| underlying(f, b, node, &mut out));
        out
    };
    let bounded: Vec<Atom> = bounds
        .iter()
        .flat_map(|b| b.terms.iter().map(|(a, _)| *a))
        .collect();
    let terms = shape.dims.iter().flat_map(|d| &d.terms);
    bounded.iter().any(|a| !varying(*a).is_empty())
        || terms
            .flat_map(|(a, _)| varying(*a))
            .any(|a| bounded.contains(&a))
}

/// Whether what all threads but one along `dim` read some thread surely reads: the same everywhere in the grid, so that
/// of the first threads of the first block, one more than there are such conditions, one does, and what a block copies
/// there is memory that the original reads. `None`: no thread may.
fn others_read_it(
    f: &Analyses,
    shape: &Footprint<ShapeDim>,
    access: AccessId,
    dim: Dim,
    exact: &[FactId],
    facts: &mut Facts,
) -> Option<()> {
    let is_whole = |p: &Poly| is_launch_wide(f, p);
    let is_uniform_iteration = |(a, _): &(Atom, i64)| match a {
        Atom::Iter(l) => is_whole(&Poly::atom(Atom::Trip(*l))),
        _ => false,
    };
    let mut dims = shape.dims.iter();
    let is_same = dims.all(|d| is_whole(&d.stride) && d.terms.iter().all(is_uniform_iteration));
    (is_same && is_whole(&shape.rest)).then_some(())?;
    let mut needed = Facts::default();
    needed.add_ids(f.affine, exact).ok()?;
    let guards = &f.affine.guards[access.index()];
    let is_such = |g: &Guard| matches!(g, Guard::AllButOne { dim: d, .. } if *d == dim);
    let left_out = guards.iter().filter(|(_, g)| is_such(g)).count() as i64;
    needed.add(Fact::at_least(Poly::atom(Atom::Ntid(dim)), left_out + 1));
    for (_, g) in guards {
        match g {
            g if is_such(g) => {}
            Guard::Uniform { value, .. }
                if !ids::reads_block_id(f.kernel.value(*value), [true; 3]) => {}
            Guard::Linear {
                terms,
                sense: Sense::AtMost,
                limit,
                facts: exact,
            } if *terms == [(Atom::Tid(dim), 1)] => {
                let first = limit.substitute(Atom::Ctaid(dim), &Poly::default());
                is_whole(&first).then_some(())?;
                needed.add_ids(f.affine, exact).ok()?;
                needed.add_poly(f.affine, &first).ok()?;
                needed.add(Fact::at_least(first, left_out));
            }
            _ => return None,
        }
    }
    facts.extend(&needed);
    Some(())
}

/// Adds one guard; false if it cannot be followed.
fn add_condition(
    f: &Analyses,
    shape: &Footprint<ShapeDim>,
    node: NodeId,
    guard: &Guard,
    c: &mut Conditions,
    facts: &mut Facts,
) -> bool {
    let mut needed = Facts::default();
    let ok = match guard {
        Guard::Opaque | Guard::AllButOne { .. } => false,
        Guard::Uniform { value, wanted } => {
            c.when.push(When::Is {
                value: *value,
                wanted: *wanted,
            });
            true
        }
        Guard::Fixed { poly, facts: ids } => {
            let ok =
                needed.add_ids(f.affine, ids).is_ok() && needed.add_poly(f.affine, poly).is_ok();
            if ok {
                c.when.push(When::NotNegative(poly.clone()));
            }
            ok
        }
        Guard::Linear {
            terms,
            sense,
            limit,
            facts: ids,
        } => {
            let (inner, outside): (Vec<_>, Vec<_>) = terms
                .iter()
                .copied()
                .partition(|(a, _)| f.varies_in(node, *a));
            let limit = outside.iter().fold(limit.clone(), |l, (a, m)| {
                l.minus(&Poly::atom(*a).times_constant(*m))
            });
            // Also the bounded variables themselves need a range.
            let sum = inner.iter().fold(limit.clone(), |s, (a, m)| {
                s.plus(&Poly::atom(*a).times_constant(*m))
            });
            let ok =
                needed.add_ids(f.affine, ids).is_ok() && needed.add_poly(f.affine, &sum).is_ok();
            ok && add_bound((f, node), shape, inner, *sense, limit, c)
        }
    };
    if ok {
        facts.extend(&needed);
    }
    ok
}

/// Whether a variable takes every value between its least and its greatest: `max(2*tid.x - r, 0)` does not.
fn moves_by_one(f: &Analyses, node: NodeId, a: Atom) -> bool {
    let Atom::Clamp(c) = a else { return true };
    let clamp = &f.affine.clamps[c.index()];
    let moves = |a: &Atom| a.varies() && f.varies_in(node, *a);
    if clamp.limit.any(|a| moves(&a)) {
        return false;
    }
    let mut moving = clamp.varying.terms().filter(|(m, _)| m.iter().any(moves));
    let first = moving.next();
    first.is_none_or(|(m, c)| c.abs() == 1 && m.len() == 1 && moves_by_one(f, node, m[0]))
        && moving.next().is_none()
}

/// A bound that `lower` can apply: on one variable, or on the sum of a dimension.
fn add_bound(
    (f, node): (&Analyses, NodeId),
    shape: &Footprint<ShapeDim>,
    terms: Vec<(Atom, i64)>,
    sense: Sense,
    limit: Poly,
    c: &mut Conditions,
) -> bool {
    let Some((first, m)) = terms.first().copied() else {
        let p = match sense {
            Sense::AtLeast => limit.times_constant(-1),
            Sense::AtMost => limit,
        };
        c.when.push(When::NotNegative(p));
        return true;
    };
    // Terms moved to the limit may have left a negative first multiplier.
    let (terms, sense, limit) = if m < 0 {
        let t: Vec<_> = terms.iter().map(|(a, m)| (*a, -m)).collect();
        let s = if sense == Sense::AtLeast {
            Sense::AtMost
        } else {
            Sense::AtLeast
        };
        (t, s, limit.times_constant(-1))
    } else {
        (terms, sense, limit)
    };
    let single = terms.len() == 1 && terms[0].1 == 1 && !matches!(first, Atom::Clamp(_));
    let is_sum = |d: &ShapeDim| {
        let flipped: Vec<_> = d.terms.iter().map(|(a, m)| (*a, -m)).collect();
        // A sum bound is exact only if every value in between is taken: steps of one. (Larger
        // steps beside long enough smaller ones would do too.)
        let by_ones = |(a, m): &(Atom, i64)| m.abs() == 1 && moves_by_one(f, node, *a);
        d.terms.iter().all(by_ones) && (d.terms == terms || flipped == terms)
    };
    if !(single || shape.dims.iter().any(is_sum)) {
        return false;
    }
    let b = Bound {
        terms,
        sense,
        limit,
    };
    if !c.bounds.contains(&b) {
        c.bounds.push(b);
    }
    true
}
