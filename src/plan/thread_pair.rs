//! Guards that compare a thread's numbers along two dimensions, of which an index has one.
//!
//! ```text
//! if (x > y || y >= n) return;      x <= n - 1 and x <= nctaid.y * ntid.y - 1:
//! … a[x * k + i] …                  some thread of the grid reads these rows
//! ```
//! A row is read by some thread of the grid if one reads it that has the extreme of the other number: that of the grid,
//! or of what other guards leave. So a block may copy it, though no thread of its own may: it is there to be read. All
//! else that decides whether and what a thread reads must be the same whatever the other number is, and the guard has
//! to speak of its global id: that of a thread in its block is in another block, too, with other rows. Bounds by the
//! grid's extremes hold for merged blocks as they are.
//!
//! Refused needlessly: several such guards, factors other than 1 and -1.

use super::analyses::Analyses;
use super::data::{Bound, Footprint, When};
use super::facts::Facts;
use super::global_ids::{
    is_free_of, is_global, is_global_bound, is_known, is_same, is_value_free_of,
};
use super::shape::ShapeDim;
use crate::affine::{Atom, FactId, Guard, Poly, Sense};
use crate::kernel::Dim;
use crate::tree::NodeId;

/// `n * factor + m * factor <= limit`, both factors 1 or -1, of which the index has `n` alone.
pub struct Pair<'a> {
    n: (Dim, i64),
    m: (Dim, i64),
    limit: Poly,
    facts: &'a [FactId],
    /// Whether threads that differ in the global id along `m` alone are let pass by that, and read the same there, in
    /// as many iterations.
    reads_same: bool,
}

/// What a guard says of an access at `leaf`, if it is one of these.
pub fn find<'a>(
    (f, leaf): (&Analyses, NodeId),
    guard: &'a Guard,
    shape: &Footprint<ShapeDim>,
) -> Option<Pair<'a>> {
    let Guard::Linear {
        terms,
        sense,
        limit,
        facts,
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
    // Of the thread's number in its block another block has the extreme, too, with other rows.
    let limit = limit.times_constant(sign);
    let of_ids = Poly::sum(&[(Atom::Tid(n.0), n.1), (Atom::Tid(m.0), m.1)]).minus(&limit);
    let compares_global_id = is_global(&of_ids, m.0) && is_known(f, &of_ids, m.0);
    let is_free = |p: &Poly| is_free_of(f, p, m.0);
    let loops = f.tree.enclosing_loops(leaf);
    let mut trips = loops.iter().map(|l| f.affine.uniform_trip(*l));
    let mut dims = shape.dims.iter();
    let reads_same = compares_global_id
        && trips.all(|t| t.is_some_and(|t| is_free(&t.span) && is_free(&t.step)))
        && is_free(&shape.rest)
        && is_value_free_of(f, shape.base, m.0)
        && dims.all(|g| is_free(&g.stride) && is_free(&Poly::sum(&g.terms)));
    Some(Pair {
        n,
        m,
        limit,
        facts,
        reads_same,
    })
}

/// Adds what such a guard says of the number in the index; `None`: nothing, as what else decides whether a thread reads
/// it, `when` and `bounds`, may be other for the thread that has the extreme of the other number.
pub fn add(
    f: &Analyses,
    pair: &Pair,
    when: &[When],
    bounds: &mut Vec<Bound>,
    facts: &mut Facts,
) -> Option<()> {
    let (m, n) = (pair.m.0, pair.n.0);
    let is_of_m = |b: &Bound| b.terms == [(Atom::Tid(m), 1)];
    let is_alike = |b: &Bound| match is_of_m(b) {
        true => is_global_bound(f, b, m),
        false => is_free_of(f, &b.limit, m),
    };
    let all_alike =
        pair.reads_same && when.iter().all(|w| is_same(f, w, m)) && bounds.iter().all(is_alike);
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
    let by_others = bounds.iter().filter(|b| b.sense == sense && is_of_m(b));
    let ends: Vec<Poly> = by_others.map(|b| b.limit.clone()).chain([end]).collect();
    let mut needed = Facts::default();
    needed.add_ids(f.affine, pair.facts).ok()?;
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
        if !is_any && !bounds.contains(&bound) {
            bounds.push(bound);
        }
    }
    facts.extend(&needed);
    Some(())
}
