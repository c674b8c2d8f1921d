//! Whether copies may read what the kernel itself may not: the host asks the driver whether all of that is memory.
//!
//! ```text
//! for k < n: if (mask[k]) s += x[k]     the copy reads x[0 ..= n - 1], whatever mask is
//! fact: array1 + (4)*(iter(loop0)) in one allocation
//! ```
//! The copies of a region read no byte below the lowest or above the highest of its active sets, each without the
//! conditions that cannot be followed. Over the whole grid that is a range of bytes which the host works out, as it
//! does for ranges that must not overlap (`grid`). Where all of it is one allocation that the device may read, no copy
//! faults. What is copied and not read by the kernel decides nothing: the body is under its conditions as before.
//!
//! Nobody may write there meanwhile, or a block would read what another one has not written yet, if only to throw it
//! away: nothing in the kernel writes the array, and it is disjoint from what is written. Nor may a condition tell that
//! somebody else has just written: the kernel has no volatile reads, and uses no atomic's result.
//!
//! Left alone: arrays of the file (`__device__`), whose address the host does not know here; kernels that several files
//! may have, as a version that another file's host launches must test itself; interior blocks, loops that threads leave
//! at different times, tiles that are written, and what hangs on numbers that lie in memory.

use super::alias;
use super::analyses::Analyses;
use super::data::{ActiveSet, Dimension, Fact, Footprint, Plan, Steps, When};
use super::facts::Facts;
use super::grid::over_grid;
use super::shape::{Cluster, ShapeDim};
use crate::access::{AccessId, AccessKind, ArrayId};
use crate::affine::{Atom, Poly};
use crate::kernel::ids;

/// That what the copies of `sets` read is memory, and in `facts` what keeps others from writing
/// there; `None`: the host cannot tell, or somebody may.
pub fn fact(
    f: &Analyses,
    cluster: &Cluster,
    (shape, sets): (&Footprint<ShapeDim>, &[ActiveSet]),
    facts: &mut Facts,
) -> Option<Fact> {
    let is_shared = f.kernel.function.value().is_mergeable();
    let base = f.kernel.value(shape.base);
    if is_shared || f.affine.interior || !ids::is_of_launch(f.kernel.function, base) {
        return None;
    }
    let dims = shape.dims.iter().map(|d| Dimension {
        stride: d.stride.clone(),
        terms: d.terms.clone(),
    });
    let bytes = Footprint {
        array: shape.array,
        base: shape.base,
        rest: shape.rest.clone(),
        dims: dims.collect(),
        active: sets.iter().map(|s| known(f, s)).collect(),
        size: shape.size,
    };
    let bytes = in_grid(f, bytes)?;
    ignores_writers(f).then_some(())?;
    require_disjoint(f, (cluster.array, &cluster.accesses), facts)?;
    Some(Fact::Mapped { bytes })
}

/// A set with no conditions but those that the host can tell.
fn known(f: &Analyses, set: &ActiveSet) -> ActiveSet {
    let mut set = set.clone();
    set.bounds
        .retain(|b| is_known(f, &b.limit) && is_known(f, &Poly::sum(&b.terms)));
    set.when
        .retain(|w| matches!(w, When::NotNegative(p) if is_known(f, p)));
    set
}

/// What is asked of the whole grid; `None`: the host cannot tell. Who touches it is left out where ids of threads and
/// blocks run by themselves.
fn in_grid(f: &Analyses, bytes: Footprint) -> Option<Footprint> {
    let of_dims = |d: &Dimension| is_known(f, d.stride()) && is_known(f, &Poly::sum(d.terms()));
    (is_known(f, &bytes.rest) && bytes.dims.iter().all(of_dims)).then_some(())?;
    let is_decidable = |bytes: &Footprint| {
        let bytes = bytes.clone();
        over_grid(f, &Plan::default(), &Fact::Mapped { bytes }).is_some()
    };
    if is_decidable(&bytes) {
        return Some(bytes);
    }
    let offsets = bytes.active.iter().map(|s| s.offsets.clone());
    let active = offsets.map(ActiveSet::always).collect();
    Some(Footprint { active, ..bytes }).filter(is_decidable)
}

/// Whether the host can tell what a number's range is.
fn is_known(f: &Analyses, p: &Poly) -> bool {
    p.atoms().into_iter().all(|a| match a {
        Atom::Symbol(s) => {
            let value = f.kernel.value(f.affine.symbols[s.index()].value);
            ids::is_of_launch(f.kernel.function, value)
        }
        Atom::Iter(l) | Atom::Trip(l) => {
            let trip = f.affine.uniform_trip(l);
            trip.is_some_and(|t| is_known(f, &t.span) && is_known(f, &t.step))
        }
        Atom::Clamp(c) => {
            let c = &f.affine.clamps[c.index()];
            is_known(f, &c.varying) && is_known(f, &c.limit)
        }
        Atom::Tid(_) | Atom::Ctaid(_) | Atom::Ntid(_) | Atom::Nctaid(_) => true,
    })
}

/// Whether no condition can tell that somebody else has just written: nothing is read that others may change meanwhile.
fn ignores_writers(f: &Analyses) -> bool {
    f.accesses.iter().all(|a| match a.kind {
        AccessKind::Atomic => f.kernel.value(a.value).users().is_empty(),
        _ => !a.is_volatile,
    })
}

/// Adds that nothing that the kernel writes is of the array that `own` read; `None`: something may be.
fn require_disjoint(
    f: &Analyses,
    (array, own): (ArrayId, &[AccessId]),
    facts: &mut Facts,
) -> Option<()> {
    let mut needed = Facts::default();
    for a in f.accesses.iter() {
        let other = match (a.kind, a.array) {
            (AccessKind::Load | AccessKind::Barrier | AccessKind::WarpOperation, _) => continue,
            (AccessKind::Unknown, _) | (_, None) => return None,
            (_, Some(other)) if other == array => return None,
            (AccessKind::Store | AccessKind::Atomic, Some(other)) => other,
        };
        if !f.accesses.surely_distinct(array, other) {
            alias::disjoint(f, array, own, other, a.id, &mut needed).ok()?;
        }
    }
    facts.extend(&needed);
    Some(())
}
