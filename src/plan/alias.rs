//! Whether anything writes what is staged while it is, or reads what a written tile holds.
//!
//! Other arrays are told apart by `noalias`, by being globals, or by an address test at entry; other
//! accesses of the same array only by touching different fields of its records.

use super::facts::Facts;
use super::legality::{Facets, Legal, add_offsets};
use super::shape::Cluster;
use super::{ActiveSet, Bound, Fact, Reach, Tallied, When, hull};
use crate::access::{AccessId, AccessKind, ArrayId};
use crate::affine::{Address, Atom, Guard, Poly};
use crate::missed::Missed;
use crate::tree::{LoopId, NodeId};

/// Stores in the region against what is staged. Returns whether stores elsewhere in the kernel
/// may hit the array.
pub fn check_writes(
    f: &Facets,
    cluster: &Cluster,
    node: NodeId,
    members: &[usize],
    facts: &mut Facts,
) -> Result<bool, Missed> {
    let mut barrier_before = false;
    let own: Vec<AccessId> = members.iter().map(|i| cluster.accesses[*i]).collect();
    for s in &f.accesses.list {
        let access = s.id;
        if !matches!(s.kind, AccessKind::Store | AccessKind::Atomic) || own.contains(&access) {
            continue;
        }
        let Some(array) = s.array else {
            if f.is_inside(node, s) {
                return Err(Missed::MayAlias { access });
            }
            barrier_before = true;
            continue;
        };
        if f.accesses.surely_distinct(array, cluster.array) {
            continue;
        }
        if !f.is_inside(node, s) {
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
        disjoint(f, cluster.array, &own, array, access, facts)?;
    }
    // Unknown effects and atomics outside were allowed; they may store too.
    barrier_before |= f
        .accesses
        .list
        .iter()
        .any(|a| a.kind == AccessKind::Unknown && !f.is_inside(node, a));
    Ok(barrier_before)
}

/// Requires that what `own` touches and what `other` touches do not overlap.
pub fn disjoint(
    f: &Facets,
    own_array: ArrayId,
    own: &[AccessId],
    other_array: ArrayId,
    other: AccessId,
    facts: &mut Facts,
) -> Result<(), Missed> {
    let missed = Missed::MayAlias { access: other };
    let a = reach(f, own_array, own).ok_or(missed)?;
    let b = reach(f, other_array, &[other]).ok_or(missed)?;
    for id in own.iter().chain([&other]) {
        add_access_facts(f, *id, facts).map_err(|_| missed)?;
    }
    for r in [&a, &b] {
        add_reach_facts(f, r, facts).map_err(|_| missed)?;
    }
    facts.add(Fact::Disjoint { a, b });
    Ok(())
}

/// Requires that the cells of a tally and what `other` touches do not overlap.
pub fn cells_apart(
    f: &Facets,
    cells: &Tallied,
    other: AccessId,
    facts: &mut Facts,
) -> Result<(), Missed> {
    let missed = Missed::MayAlias { access: other };
    let array = f.accesses.get(other).array.ok_or(missed)?;
    let b = reach(f, array, &[other]).ok_or(missed)?;
    add_access_facts(f, other, facts).map_err(|_| missed)?;
    add_reach_facts(f, &b, facts).map_err(|_| missed)?;
    let a = cells.reach();
    facts.add(Fact::Disjoint { a, b });
    Ok(())
}

/// While a written tile lives, its elements in global memory are stale: nothing else in the
/// region may read or write them there. What surely comes before the stores of a store tile may:
/// they are delayed, and a barrier stands before the write-back, so it comes before them still.
pub fn check_stale(
    f: &Facets,
    cluster: &Cluster,
    node: NodeId,
    legal: &mut Legal,
) -> Result<(), Missed> {
    let own: Vec<AccessId> = legal.members.iter().map(|i| cluster.accesses[*i]).collect();
    let first = own.iter().min().copied();
    // Without a loop, tree order is the order of execution.
    let in_order =
        legal.only_stores() && !f.tree.loops.iter().any(|l| f.tree.contains(node, l.node));
    for o in &f.accesses.list {
        let access = o.id;
        let touches = matches!(
            o.kind,
            AccessKind::Load | AccessKind::Store | AccessKind::Atomic
        );
        if !touches || own.contains(&access) || !f.is_inside(node, o) {
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
            disjoint(f, cluster.array, &own, array, access, &mut legal.facts)?;
        } else if !own
            .iter()
            .all(|a| fields_disjoint(f, *a, access, &mut legal.facts))
        {
            return Err(Missed::WrittenInRegion { access });
        }
    }
    Ok(())
}

/// Whether something behind the region may touch what it writes back. Where the region runs once,
/// tree order is the order of execution; where it runs again, a barrier stands behind it anyway.
pub fn is_touched_after(f: &Facets, cluster: &Cluster, node: NodeId, members: &[usize]) -> bool {
    let last = members.iter().map(|i| cluster.accesses[*i]).max();
    let after = |a: &&crate::access::Access| Some(a.id) > last && !f.is_inside(node, a);
    f.accesses.list.iter().filter(after).any(|a| match a.kind {
        AccessKind::Load | AccessKind::Store | AccessKind::Atomic => a
            .array
            .is_none_or(|x| !f.accesses.surely_distinct(x, cluster.array)),
        // A fence may publish what was stored before it.
        AccessKind::Unknown => true,
        AccessKind::Barrier | AccessKind::WarpOperation => false,
    })
}

/// Records of so many bytes, a power of two, stay apart whether an index wraps or not: the width of each is a multiple of them.
const WRAPS_WHOLE: i64 = 256;

/// Whether two accesses of one array touch different fields of its records, whatever the indices:
/// all coefficients are multiples of the record's size and the constants differ within it. Adds facts that the indices are
/// what they seem: `3*(i + n) + 1`, wrapped, may be a multiple of 3.
fn fields_disjoint(f: &Facets, a: AccessId, b: AccessId, facts: &mut Facts) -> bool {
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
    let apart = ox + size(a) <= oy || oy + size(b) <= ox;
    let inside = ox + size(a) <= record && oy + size(b) <= record;
    // In blocks inside, facts also say that clamps change nothing; the limit of one may be another field.
    let whole = record <= WRAPS_WHOLE && record.count_ones() == 1 && !f.affine.inside;
    inside && apart && (whole || [x, y].iter().all(|x| add_exact(f, x, facts).is_some()))
}

/// Adds that an address is its polynomial for every thread and iteration, also where loops run a different number of times per thread.
fn add_exact(f: &Facets, address: &Address, facts: &mut Facts) -> Option<()> {
    hull::add_ids(f.affine, facts, &address.facts)?;
    for end in hull::ends(f.affine, &address.index)? {
        facts.add_poly(f.affine, &end).ok()?;
    }
    Some(())
}

/// The bytes that accesses with equal coefficients touch in a block; `None` if a loop's range is
/// not known at entry or an address is not affine.
fn reach(f: &Facets, array: ArrayId, accesses: &[AccessId]) -> Option<Reach> {
    let mut dims: Vec<(Poly, Vec<(Atom, i64)>)> = Vec::new();
    let mut rest: Option<Poly> = None;
    let mut active: Vec<ActiveSet> = Vec::new();
    let mut size = 0;
    for id in accesses {
        let address = f.affine.address(*id)?;
        let (coefficients, r) = address.index.split(Atom::varies)?;
        let mine: Vec<_> = coefficients
            .iter()
            .map(|(a, c)| (c.clone(), vec![(*a, 1)]))
            .collect();
        let base = rest.get_or_insert_with(|| r.clone());
        if active.is_empty() {
            dims = mine;
        } else if dims != mine {
            return None;
        }
        let delta = r.minus(base);
        let constant = delta.as_constant();
        if constant.is_none() {
            // Offsets in symbolic strides: one dimension of offsets per access is not worth it;
            // the accesses get reaches of their own through the caller's loop over stores.
            return reach_of_symbolic(f, array, accesses);
        }
        size = size.max(f.accesses.get(*id).size);
        let mut s = reach_conditions(f, *id);
        let mut offsets = vec![0; dims.len() + 1];
        offsets[dims.len()] = constant?;
        match active
            .iter_mut()
            .find(|x| x.bounds == s.bounds && x.when == s.when)
        {
            Some(x) => add_offsets(&mut x.offsets, &[offsets]),
            None => {
                s.offsets.push(offsets);
                active.push(s);
            }
        }
    }
    dims.push((Poly::constant(1), Vec::new()));
    let base = f.affine.base(array);
    Some(Reach {
        array,
        base,
        rest: rest?,
        dims,
        active,
        size,
    })
}

/// The bytes that an access touches in a block where `index` is its address past the array's base;
/// `None` if two varying numbers are multiplied in it.
pub fn reach_at(f: &Facets, array: ArrayId, access: AccessId, index: &Poly) -> Option<Reach> {
    let (coefficients, rest) = index.split(Atom::varies)?;
    let own = |(a, c): (Atom, Poly)| (c, vec![(a, 1)]);
    let mut dims: Vec<_> = coefficients.into_iter().map(own).collect();
    dims.push((Poly::constant(1), Vec::new()));
    let mut set = reach_conditions(f, access);
    set.offsets.push(vec![0; dims.len()]);
    Some(Reach {
        array,
        base: f.affine.base(array),
        rest,
        dims,
        active: vec![set],
        size: f.accesses.get(access).size,
    })
}

/// As [`reach`], for accesses whose constants differ by symbolic strides: each such difference is
/// a dimension of its own.
fn reach_of_symbolic(f: &Facets, array: ArrayId, accesses: &[AccessId]) -> Option<Reach> {
    let first = f.affine.address(accesses[0])?;
    let (coefficients, rest) = first.index.split(Atom::varies)?;
    let mut dims: Vec<(Poly, Vec<(Atom, i64)>)> = coefficients
        .iter()
        .map(|(a, c)| (c.clone(), vec![(*a, 1)]))
        .collect();
    let plain = dims.len();
    let mut deltas = Vec::new();
    for id in accesses {
        let (_, r) = f.affine.address(*id)?.index.split(Atom::varies)?;
        let d = r.minus(&rest);
        for (m, _) in d.terms() {
            let mut p = Poly::default();
            p.add_term(m.clone(), 1);
            if !dims[plain..].iter().any(|(q, _)| *q == p) {
                dims.push((p, Vec::new()));
            }
        }
        deltas.push(d);
    }
    let mut active: Vec<ActiveSet> = Vec::new();
    let mut size = 0;
    for (id, d) in accesses.iter().zip(&deltas) {
        size = size.max(f.accesses.get(*id).size);
        let mut s = reach_conditions(f, *id);
        let offsets = dims
            .iter()
            .enumerate()
            .map(|(g, (p, _))| {
                let m = p.terms().next().map(|(m, _)| m.clone()).unwrap_or_default();
                if g < plain {
                    0
                } else {
                    d.terms().find(|(n, _)| **n == m).map_or(0, |(_, c)| c)
                }
            })
            .collect();
        match active
            .iter_mut()
            .find(|x| x.bounds == s.bounds && x.when == s.when)
        {
            Some(x) => add_offsets(&mut x.offsets, &[offsets]),
            None => {
                s.offsets.push(offsets);
                active.push(s);
            }
        }
    }
    let base = f.affine.base(array);
    Some(Reach {
        array,
        base,
        rest,
        dims,
        active,
        size,
    })
}

/// The single-variable bounds of an access's guards: enough for a range, and always a superset.
fn reach_conditions(f: &Facets, access: AccessId) -> ActiveSet {
    let mut s = ActiveSet {
        bounds: Vec::new(),
        when: Vec::new(),
        offsets: Vec::new(),
    };
    for (_, g) in &f.affine.guards[access.index()] {
        match g {
            Guard::Uniform { value, wanted } => {
                s.when.push(When::Is {
                    value: *value,
                    wanted: *wanted,
                });
            }
            Guard::Linear {
                terms,
                sense,
                limit,
                ..
            } if is_thread_bound(terms, limit) => {
                s.bounds.push(Bound {
                    terms: terms.clone(),
                    sense: *sense,
                    limit: limit.clone(),
                });
            }
            _ => {}
        }
    }
    s
}

/// Adds what the evaluation of a range at entry rests on.
pub fn add_reach_facts(f: &Facets, r: &Reach, facts: &mut Facts) -> Result<(), LoopId> {
    facts.add_poly(f.affine, &r.rest)?;
    for (stride, terms) in &r.dims {
        let sum = terms.iter().fold(Poly::default(), |s, (a, m)| {
            s.plus(&Poly::atom(*a).times_constant(*m))
        });
        facts.add_poly(f.affine, &stride.times(&sum))?;
    }
    for s in &r.active {
        for b in &s.bounds {
            facts.add_poly(f.affine, &b.limit)?;
        }
    }
    Ok(())
}

/// The facts behind an access's address and behind the bounds its guards give.
pub fn add_access_facts(f: &Facets, id: AccessId, facts: &mut Facts) -> Result<(), LoopId> {
    if let Some(a) = f.affine.address(id) {
        facts.add_ids(f.affine, &a.facts)?;
        facts.add_poly(f.affine, &a.index)?;
    }
    add_guard_facts(f, id, facts)
}

/// The facts behind the bounds on threads that an access's guards give.
pub fn add_guard_facts(f: &Facets, id: AccessId, facts: &mut Facts) -> Result<(), LoopId> {
    for (_, g) in &f.affine.guards[id.index()] {
        if let Guard::Linear {
            terms,
            limit,
            facts: ids,
            ..
        } = g
            && is_thread_bound(terms, limit)
        {
            facts.add_ids(f.affine, ids)?;
        }
    }
    Ok(())
}

/// Whether a linear guard bounds one thread index by a value that is fixed in the kernel.
fn is_thread_bound(terms: &[(Atom, i64)], limit: &Poly) -> bool {
    terms.len() == 1
        && terms[0].1 == 1
        && matches!(terms[0].0, Atom::Tid(_))
        && !limit.any(|a| matches!(a, Atom::Iter(_)))
}
