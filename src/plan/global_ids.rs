//! Whether what is said of a block holds for merged blocks as for one with more threads: a dimension's ids occur as the
//! global id alone. Then moving one block on and `ntid` threads back changes nothing, and that is what is tested of
//! every polynomial.

use super::analyses::Analyses;
use super::data::{ActiveSet, Bound, Fact, Footprint, Plan, Steps, Tile, When, Within};
use crate::affine::{Atom, Poly};
use crate::kernel::{Dim, ids};

/// A dimension, and how many of its blocks one does the work of: what is the same for these tells none from another.
#[derive(Clone, Copy)]
pub struct Axis {
    d: Dim,
    blocks: u32,
}

impl Axis {
    /// Blocks that are merged.
    pub fn merged(d: Dim, blocks: u32) -> Axis {
        Axis { d, blocks }
    }
}

impl From<Dim> for Axis {
    fn from(d: Dim) -> Axis {
        Axis { d, blocks: 1 }
    }
}

/// Whether all facts speak of the global ids along `d`, so that the whole grid can be tested as one block.
pub fn is_about_grid(f: &Analyses, plan: &Plan, d: Dim) -> bool {
    plan.facts().all(|fact| speaks_of_global_id(f, fact, d))
}

/// Whether a fact speaks of the global id along `d`, or of no id along it.
pub fn speaks_of_global_id(f: &Analyses, fact: &Fact, d: impl Into<Axis>) -> bool {
    let d = d.into();
    match fact {
        Fact::InRange { poly, .. } => is_global(poly, d.d) && is_known(f, poly, d),
        Fact::Disjoint { a, b } => [a, b].iter().all(|r| is_global_footprint(f, r, d)),
        Fact::DisjointHulls { a, b } => a.iter().chain(b).all(|r| is_global_footprint(f, r, d)),
        Fact::Mapped { bytes } => is_global_footprint(f, bytes, d),
        Fact::Multiple { .. } => true,
    }
}

/// Whether what a tile holds follows the global id along `d`, and what is written back of it.
pub fn follows(f: &Analyses, t: &Tile, d: Axis) -> bool {
    let dims = &t.footprint.dims;
    let of_element = |w: &Within| Bound {
        terms: dims[w.dim].terms.clone(),
        sense: w.sense,
        limit: w.limit.clone(),
    };
    let sets = t.footprint.active.iter().chain(&t.write_back);
    let mut within = sets.flat_map(|s| &s.within).map(of_element);
    !dims.iter().any(|g| g.stride.any(|a| is_id(f, a, d)))
        && within.all(|b| is_global_bound(f, &b, d))
        && t.write_back.iter().all(|s| is_global_set(f, s, d))
        && is_global_footprint(f, &t.footprint, d)
}

/// Whether what is touched follows the global id along `d`.
fn is_global_footprint<D: Steps>(f: &Analyses, r: &Footprint<D>, d: Axis) -> bool {
    let index = r.index();
    r.active.iter().all(|s| is_global_set(f, s, d))
        && is_global(&index, d.d)
        && is_known(f, &index, d)
        && !reads_block(f, r.base, d)
}

/// Whether who touches it does.
fn is_global_set(f: &Analyses, s: &ActiveSet, d: Axis) -> bool {
    s.bounds.iter().all(|b| is_global_bound(f, b, d)) && s.when.iter().all(|w| is_same(f, w, d))
}

/// Whether a bound follows the global id along `d`.
pub fn is_global_bound(f: &Analyses, b: &Bound, d: impl Into<Axis>) -> bool {
    let (p, d) = (Poly::sum(&b.terms).minus(&b.limit), d.into());
    is_global(&p, d.d) && is_known(f, &p, d)
}

/// Whether a condition is the same for all merged blocks.
pub fn is_same(f: &Analyses, w: &When, d: impl Into<Axis>) -> bool {
    let d = d.into();
    match w {
        When::Is { value, .. } => !reads_block(f, *value, d),
        When::NotNegative(p) => is_known(f, p, d) && !p.any(|a| is_id(f, a, d)),
    }
}

/// Whether a block on and `ntid` threads back changes nothing.
pub fn is_global(p: &Poly, d: Dim) -> bool {
    let (tid, ctaid) = (Atom::Tid(d), Atom::Ctaid(d));
    let back = Poly::atom(tid).minus(&Poly::atom(Atom::Ntid(d)));
    let on = Poly::atom(ctaid).plus(&Poly::constant(1));
    p.substitute(ctaid, &on).substitute(tid, &back) == *p
}

/// Whether what symbols, clamps, trip counts and iteration numbers, which those bound, stand for follows the global id
/// too.
pub fn is_known(f: &Analyses, p: &Poly, d: impl Into<Axis>) -> bool {
    let d = d.into();
    p.atoms().into_iter().all(|a| match a {
        Atom::Symbol(s) => !reads_block(f, f.affine.symbols[s.index()].value, d),
        Atom::Clamp(c) => {
            let c = &f.affine.clamps[c.index()];
            is_global(&c.varying, d.d)
                && is_known(f, &c.varying, d)
                && is_known(f, &c.limit, d)
                && !c.limit.any(|a| is_id(f, a, d))
        }
        Atom::Iter(l) | Atom::Trip(l) => f.affine.trips[l.index()].as_ref().is_ok_and(|t| {
            [&t.span, &t.step]
                .into_iter()
                .all(|p| is_known(f, p, d) && !p.any(|a| is_id(f, a, d)))
        }),
        _ => true,
    })
}

/// Whether an atom's value hangs on ids along `d`. That of an iteration number does not, but how far it goes
/// ([`is_known`]).
pub fn is_id(f: &Analyses, a: Atom, d: impl Into<Axis>) -> bool {
    let d = d.into();
    match a {
        Atom::Tid(x) | Atom::Ctaid(x) => x == d.d,
        Atom::Symbol(s) => reads_block(f, f.affine.symbols[s.index()].value, d),
        Atom::Clamp(c) => {
            let c = &f.affine.clamps[c.index()];
            [&c.varying, &c.limit]
                .into_iter()
                .any(|p| p.any(|a| is_id(f, a, d)))
        }
        Atom::Trip(l) => f.affine.trips[l.index()].as_ref().is_ok_and(|t| {
            let mut parts = [&t.span, &t.step].into_iter();
            parts.any(|p| p.any(|a| is_id(f, a, d)))
        }),
        _ => false,
    }
}

/// Whether nothing in it hangs on ids along `d`.
pub fn is_free_of(f: &Analyses, p: &Poly, d: Dim) -> bool {
    is_known(f, p, d) && !p.any(|a| is_id(f, a, d))
}

/// The same of a value of the kernel's entry.
pub fn is_value_free_of(f: &Analyses, v: crate::kernel::ValueId, d: Dim) -> bool {
    !reads_block(f, v, d.into())
}

fn reads_block(f: &Analyses, v: crate::kernel::ValueId, Axis { d, blocks }: Axis) -> bool {
    let is_same = |v| blocks > 1 && ids::is_of_group(v, d, blocks);
    ids::reads_block_id_but(f.kernel.value(v), Dim::ALL.map(|x| x == d), is_same)
}
