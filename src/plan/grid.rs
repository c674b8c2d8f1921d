//! Facts of a version that are asked of all blocks of a grid at once, by the host: then no block has to ask, and the
//! version needs no other body behind the question.
//!
//! ```text
//! 0 <= ctaid.x*ntid.x + tid.x < 2^31     joined: ctaid.x = 0, tid.x < ntid.x*nctaid.x   as if the grid were one block
//! row ctaid.y of a and of c do not meet  apart:  ctaid.y = 0 to nctaid.y - 1, whatever tid.y is
//! ```
//! Soundness: what is asked is at least what every block would ask. Joined, a thread's ids are those of one thread of
//! one block of the grid, so the question is exact. Apart, ids that no block has together may be among those asked
//! about; nothing is missed.
//!
//! Left to the blocks: facts about bytes of one array (a block's own rows are apart from its neighbours', those of the
//! grid from none), facts of interior blocks (others run the original), and guards about ids that are not joined, as
//! the range of the others would be too large and launches be turned away that blocks admit.

use super::analyses::Analyses;
use super::data::{Fact, Footprint, Plan, When};
use super::global_ids::{is_id, speaks_of_global_id};
use crate::affine::Atom;
use crate::kernel::Dim;

/// How the ids along one dimension run over the grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Along {
    /// As those of one block as large as the grid.
    Joined,
    /// The block's number over all of them, and the thread's by itself.
    Each,
}

/// How `fact` of `plan` is asked of the whole grid; `None`: each block asks it.
pub fn over_grid(f: &Analyses, plan: &Plan, fact: &Fact) -> Option<[Along; 3]> {
    let names = |d: Dim| names_id(f, fact, d);
    let of_ids = Dim::ALL.into_iter().any(names);
    if of_ids && (f.affine.interior || is_of_one_array(fact)) {
        return None;
    }
    let mut along = [Along::Joined; 3];
    for d in Dim::ALL {
        if speaks_of_global_id(f, fact, d) {
            continue;
        }
        // A merged block's number is its leader's, and its threads' numbers go beyond the grid: that is a little more
        // than each block asks.
        let bytes = footprints(fact).next().is_some();
        let merged = plan.merge.along(d) > 1;
        if bytes && (merged || footprints(fact).any(|r| guards_by_id(f, r, d))) {
            return None;
        }
        along[d.index()] = Along::Each;
    }
    Some(along)
}

/// What a fact about bytes speaks of.
fn footprints(fact: &Fact) -> impl Iterator<Item = &Footprint> {
    let (a, b) = match fact {
        Fact::Disjoint { a, b } => (std::slice::from_ref(a), std::slice::from_ref(b)),
        Fact::DisjointHulls { a, b } => (&a[..], &b[..]),
        Fact::Mapped { bytes } => (std::slice::from_ref(bytes), &[][..]),
        _ => (&[][..], &[][..]),
    };
    a.iter().chain(b)
}

/// Whether a fact is about places in one array.
fn is_of_one_array(fact: &Fact) -> bool {
    match fact {
        Fact::Disjoint { a, b } => a.base == b.base,
        Fact::DisjointHulls { a, b } => a.iter().any(|x| b.iter().any(|y| x.base == y.base)),
        _ => false,
    }
}

/// Whether a fact names ids along `d`.
fn names_id(f: &Analyses, fact: &Fact, d: Dim) -> bool {
    let id = |a: Atom| is_id(f, a, d);
    match fact {
        Fact::InRange { poly, .. } | Fact::Multiple { poly, .. } => poly.any(id),
        _ => footprints(fact).any(|r| {
            let mut dims = r.dims.iter();
            let named = dims.any(|g| g.stride.any(id) || g.terms.iter().any(|(a, _)| id(*a)));
            named || r.rest.any(id) || guards_by_id(f, r, d)
        }),
    }
}

/// Whether who touches the bytes hangs on ids along `d`.
fn guards_by_id(f: &Analyses, r: &Footprint, d: Dim) -> bool {
    let id = |a: Atom| is_id(f, a, d);
    r.active.iter().any(|s| {
        let bounds = s.bounds.iter();
        let mut bounds = bounds.map(|b| b.limit.any(id) || b.terms.iter().any(|(a, _)| id(*a)));
        // A condition that is a value is asked as the entry finds it: of no block in particular, or not by the host at
        // all.
        let mut when = s.when.iter();
        bounds.any(|b| b) || when.any(|w| matches!(w, When::NotNegative(p) if p.any(id)))
    })
}
