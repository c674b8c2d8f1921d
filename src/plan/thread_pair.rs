//! Guards that compare a thread's numbers along two dimensions, of which an index has one.
//!
//! ```text
//! if (x > y || y >= n) return;      rows x <= n - 1 and x <= nctaid.y * ntid.y - 1: some thread of the grid reads them
//! … a[x * k + i] …
//! ```
//! A row is read by some thread of the grid if one reads it that has the extreme of the other number: that of the grid,
//! or of what other guards leave. So a block may copy it, though no thread of its own may: it is there to be read. All
//! else that decides whether and what a thread reads must be the same whatever the other number is. Bounds by the grid's
//! extremes hold for merged blocks as they are.
//!
//! Refused needlessly: several such guards, factors other than 1 and -1.

use super::analyses::Analyses;
use super::conditions::Conditions;
use super::data::{Bound, Footprint};
use super::facts::Facts;
use super::global_ids::{is_apart, is_apart_from, is_global_bound, is_same};
use super::shape::ShapeDim;
use crate::affine::{Atom, Guard, Poly, Sense};
use crate::kernel::Dim;
use crate::tree::NodeId;

/// `n * factor + m * factor <= limit`, both factors 1 or -1, of which the index has `n` alone.
struct Pair {
    n: (Dim, i64),
    m: (Dim, i64),
    limit: Poly,
}

/// Whether a guard is one of these.
pub fn is_pair(guard: &Guard, shape: &Footprint<ShapeDim>) -> bool {
    Pair::of(guard, shape).is_some()
}

impl Pair {
    fn of(guard: &Guard, shape: &Footprint<ShapeDim>) -> Option<Pair> {
        let Guard::Linear {
            terms,
            sense,
            limit,
            ..
        } = guard
        else {
            return None;
        };
        let sign = match sense {
            Sense::AtMost => 1,
            Sense::AtLeast => -1,
        };
        let thread = |(a, k): (Atom, i64)| match a {
            Atom::Tid(d) if k.abs() == 1 => Some((d, sign * k)),
            _ => None,
        };
        let [a, b] = terms[..] else { return None };
        let (a, b) = (thread(a)?, thread(b)?);
        let in_dim = |g: &ShapeDim, d: Dim| g.terms.iter().any(|(a, _)| *a == Atom::Tid(d));
        let is_read = |d: Dim| shape.dims.iter().any(|g| in_dim(g, d));
        let (n, m) = match (is_read(a.0), is_read(b.0)) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            _ => return None,
        };
        Some(Pair {
            n,
            m,
            limit: limit.times_constant(sign),
        })
    }
}

/// Adds what such a guard says of the number in the index of an access at `leaf`; `None`: nothing.
pub fn add(
    (f, leaf): (&Analyses, NodeId),
    shape: &Footprint<ShapeDim>,
    guard: &Guard,
    c: &mut Conditions,
    facts: &mut Facts,
) -> Option<()> {
    let pair = Pair::of(guard, shape)?;
    let Guard::Linear { facts: ids, .. } = guard else {
        return None;
    };
    let (m, n) = (pair.m.0, pair.n.0);
    let is_of_m = |b: &Bound| b.terms == [(Atom::Tid(m), 1)];
    let is_alike = |b: &Bound| match is_of_m(b) {
        true => is_global_bound(f, b, m),
        false => is_apart(f, &b.limit, m),
    };
    let all_alike = is_alike_but_for((f, leaf), shape, m)
        && c.when.iter().all(|w| is_same(f, w, m))
        && c.bounds.iter().all(is_alike);
    if !all_alike {
        return None;
    }
    // The largest of the other number where it is subtracted, else the least.
    let first = |d: Dim| Poly::atom(Atom::Ctaid(d)).times(&Poly::atom(Atom::Ntid(d)));
    let (sense, end) = match pair.m.1 < 0 {
        true => {
            let all = Poly::atom(Atom::Nctaid(m)).times(&Poly::atom(Atom::Ntid(m)));
            let last = all.minus(&Poly::constant(1));
            (Sense::AtMost, last.minus(&first(m)))
        }
        false => (Sense::AtLeast, first(m).times_constant(-1)),
    };
    let by_others = c.bounds.iter().filter(|b| b.sense == sense && is_of_m(b));
    let ends: Vec<Poly> = by_others.map(|b| b.limit.clone()).chain([end]).collect();
    let mut needed = Facts::default();
    needed.add_ids(f.affine, ids).ok()?;
    for end in ends {
        let limit = pair.limit.minus(&end.times_constant(pair.m.1));
        needed.add_poly(f.affine, &limit).ok()?;
        let (sense, limit) = match pair.n.1 {
            1 => (Sense::AtMost, limit),
            _ => (Sense::AtLeast, limit.times_constant(-1)),
        };
        // Every number is 0 at least.
        let is_any = sense == Sense::AtLeast && limit == first(n).times_constant(-1);
        let bound = Bound {
            terms: vec![(Atom::Tid(n), 1)],
            sense,
            limit,
        };
        if !is_any && !c.bounds.contains(&bound) {
            c.bounds.push(bound);
        }
    }
    facts.extend(&needed);
    Some(())
}

/// Whether threads that differ along `m` alone read the same there, in as many iterations.
fn is_alike_but_for((f, leaf): (&Analyses, NodeId), shape: &Footprint<ShapeDim>, m: Dim) -> bool {
    let loops = f.tree.enclosing_loops(leaf);
    let mut trips = loops.iter().map(|l| f.affine.uniform_trip(*l));
    let is_element =
        |g: &ShapeDim| is_apart(f, &g.stride, m) && is_apart(f, &Poly::sum(&g.terms), m);
    trips.all(|t| t.is_some_and(|t| is_apart(f, &t.span, m) && is_apart(f, &t.step, m)))
        && is_apart(f, &shape.rest, m)
        && is_apart_from(f, shape.base, m)
        && shape.dims.iter().all(is_element)
}
