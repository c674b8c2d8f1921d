//! Whether anything writes what is staged while it is, or reads what a written tile holds.
//!
//! Other arrays are told apart by `noalias`, by being globals, or by an address test at entry; other
//! accesses of the same array only by touching different fields of its records.

use super::analyses::Analyses;
use super::facts::Facts;
use super::footprint::{add_disjoint, footprint};
use super::hull;
use super::shape::Cluster;
use crate::access::{Access, AccessId, AccessKind, ArrayId};
use crate::affine::{Address, Poly};
use crate::missed::Missed;
use crate::tree::NodeId;
use std::collections::{BTreeMap, BTreeSet};

/// What else the kernel touches, against a cluster whose tile holds what it reads, and is written back if it writes.
/// Returns whether a barrier must stand before its copy, and whether one behind what is written back.
pub fn check_others(
    f: &Analyses,
    cluster: &Cluster,
    node: NodeId,
    (reads, writes): (bool, bool),
    facts: &mut Facts,
) -> Result<(bool, bool), Missed> {
    // A store tile copies nothing in, so earlier stores need not be seen; and those inside the
    // region are among what `check_stale` looks at.
    let barrier_before = reads && check_writes(f, cluster, node, facts)?;
    if !writes {
        return Ok((barrier_before, false));
    }
    check_stale(f, cluster, (node, !reads), facts)?;
    Ok((barrier_before, is_touched_after(f, cluster, node)))
}

/// Stores in the region against what is staged. Returns whether stores elsewhere in the kernel
/// may hit the array.
fn check_writes(
    f: &Analyses,
    cluster: &Cluster,
    node: NodeId,
    facts: &mut Facts,
) -> Result<bool, Missed> {
    let mut barrier_before = false;
    let own = &cluster.accesses;
    for s in &f.accesses.list {
        let access = s.id;
        if !s.writes() || own.contains(&access) {
            continue;
        }
        let Some(array) = s.array else {
            if f.is_within(node, s) {
                return Err(Missed::MayAlias { access });
            }
            barrier_before = true;
            continue;
        };
        if f.accesses.surely_distinct(array, cluster.array) {
            continue;
        }
        if !f.is_within(node, s) {
            barrier_before = true;
            continue;
        }
        if array == cluster.array {
            if s.kind == AccessKind::Atomic {
                return Err(Missed::Atomic { access });
            }
            if !own.iter().all(|a| fields_disjoint(f, *a, access, facts)) {
                return Err(Missed::WrittenInRegion { access });
            }
            continue;
        }
        disjoint(f, cluster.array, own, array, access, facts)?;
    }
    // Unknown effects and atomics outside were allowed; they may store too.
    barrier_before |= f
        .accesses
        .iter()
        .any(|a| a.kind == AccessKind::Unknown && !f.is_within(node, a));
    Ok(barrier_before)
}

/// Requires that what `own` touches and what `other` touches do not overlap.
pub fn disjoint(
    f: &Analyses,
    own_array: ArrayId,
    own: &[AccessId],
    other_array: ArrayId,
    other: AccessId,
    facts: &mut Facts,
) -> Result<(), Missed> {
    let missed = Missed::MayAlias { access: other };
    let a = footprint(f, own_array, own).ok_or(missed)?;
    let b = footprint(f, other_array, &[other]).ok_or(missed)?;
    let touch = own.iter().chain([&other]);
    add_disjoint(f, touch, (a, b), facts).ok_or(missed)
}

/// Requires that accesses of different arrays do not overlap, given in pairs: of all of two arrays together where they
/// have equal coefficients, so that a kernel of many accesses rests on few facts. `None`: that cannot be tested.
pub fn all_disjoint(f: &Analyses, pairs: &[(&Access, &Access)], facts: &mut Facts) -> Option<()> {
    let mut by_arrays = BTreeMap::<(ArrayId, ArrayId), Vec<[AccessId; 2]>>::new();
    for (s, a) in pairs {
        let arrays = (s.array?, a.array?);
        by_arrays.entry(arrays).or_default().push([s.id, a.id]);
    }
    for ((mine, other), pairs) in &by_arrays {
        let [own, others] = [0, 1].map(|k| {
            let all: BTreeSet<AccessId> = pairs.iter().map(|p| p[k]).collect();
            Vec::from_iter(all)
        });
        let sets = footprint(f, *mine, &own).zip(footprint(f, *other, &others));
        if let Some(sets) = sets {
            add_disjoint(f, own.iter().chain(&others), sets, facts)?;
            continue;
        }
        for [s, a] in pairs {
            disjoint(f, *mine, &[*s], *other, *a, facts).ok()?;
        }
    }
    Some(())
}

/// While a written tile lives, its elements in global memory are stale: nothing else in the
/// region may read or write them there. What surely comes before the stores of a store tile may:
/// they are delayed, and a barrier stands before the write-back, so it comes before them still.
fn check_stale(
    f: &Analyses,
    cluster: &Cluster,
    (node, only_stores): (NodeId, bool),
    facts: &mut Facts,
) -> Result<(), Missed> {
    let own = &cluster.accesses;
    let first = own.iter().min().copied();
    // Without a loop, tree order is the order of execution.
    let in_order = only_stores && !f.tree.loops.iter().any(|l| f.tree.contains(node, l.node));
    for o in &f.accesses.list {
        let access = o.id;
        let touches = matches!(
            o.kind,
            AccessKind::Load | AccessKind::Store | AccessKind::Atomic
        );
        if !touches || own.contains(&access) || !f.is_within(node, o) {
            continue;
        }
        if in_order && Some(access) < first {
            continue;
        }
        let Some(array) = o.array else {
            return Err(Missed::MayAlias { access });
        };
        if f.accesses.surely_distinct(array, cluster.array) {
            continue;
        }
        if array != cluster.array {
            disjoint(f, cluster.array, own, array, access, facts)?;
        } else if !own.iter().all(|a| fields_disjoint(f, *a, access, facts)) {
            return Err(Missed::WrittenInRegion { access });
        }
    }
    Ok(())
}

/// Whether something behind the region may touch what it writes back. Where the region runs once,
/// tree order is the order of execution; where it runs again, a barrier stands behind it anyway.
fn is_touched_after(f: &Analyses, cluster: &Cluster, node: NodeId) -> bool {
    let last = cluster.accesses.iter().copied().max();
    let after = |a: &&crate::access::Access| Some(a.id) > last && !f.is_within(node, a);
    f.accesses.iter().filter(after).any(|a| match a.kind {
        AccessKind::Load | AccessKind::Store | AccessKind::Atomic => a
            .array
            .is_none_or(|x| !f.accesses.surely_distinct(x, cluster.array)),
        // A fence may publish what was stored before it.
        AccessKind::Unknown => true,
        AccessKind::Barrier | AccessKind::WarpOperation => false,
    })
}

/// Records of so many bytes, a power of two, stay apart whether an index wraps or not: the width of each is a multiple
/// of them.
const WRAPS_WHOLE: i64 = 256;

/// Whether two accesses of one array touch different fields of its records, whatever the indices: all coefficients are
/// multiples of the record's size and the constants differ within it. Adds facts that the indices are what they seem:
/// `3*(i + n) + 1`, wrapped, may be a multiple of 3.
fn fields_disjoint(f: &Analyses, a: AccessId, b: AccessId, facts: &mut Facts) -> bool {
    let (Some(x), Some(y)) = (f.affine.address(a), f.affine.address(b)) else {
        return false;
    };
    let mut record = 0;
    for p in [&x.index, &y.index] {
        let c = Poly::constant(p.constant_term());
        record = crate::affine::gcd(record, p.minus(&c).content());
    }
    if record == 0 {
        return false;
    }
    let size = |a: AccessId| i64::from(f.accesses.get(a).size);
    let (ox, oy) = (
        x.index.constant_term().rem_euclid(record),
        y.index.constant_term().rem_euclid(record),
    );
    let separate = ox + size(a) <= oy || oy + size(b) <= ox;
    let in_record = ox + size(a) <= record && oy + size(b) <= record;
    // In interior blocks, facts also say that clamps change nothing; the limit of one may be another field.
    let whole = record <= WRAPS_WHOLE && record.count_ones() == 1 && !f.affine.interior;
    in_record && separate && (whole || [x, y].iter().all(|x| add_exact(f, x, facts).is_some()))
}

/// Adds that an address is its polynomial for every thread and iteration, also where loops run a different number of
/// times per thread.
fn add_exact(f: &Analyses, address: &Address, facts: &mut Facts) -> Option<()> {
    hull::add_ids(f.affine, facts, &address.facts)?;
    for end in hull::ends(f.affine, &address.index)? {
        facts.add_poly(f.affine, &end).ok()?;
    }
    Some(())
}
