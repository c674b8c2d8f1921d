//! Whether a cluster may be staged in a region, and which elements are surely read there.
//!
//! Three hazards. The copy may touch memory the kernel would not have: so it is bounded by what
//! *anchors*, accesses that surely execute within known bounds, read. Somebody may write what is
//! staged: stores in the region must be of provably other memory, or be written back. Barriers
//! may stand where not all threads come: the region's place must be structured, and `lower`
//! makes it uniform.
//!
//! ```text
//! if (i < n)                    // linear: bounds tid.x
//!   for k: if (k != i)          // opaque: this access bounds nothing …
//!       s += x[k];              // … and if all accesses are so: UnboundedGuard
//! ```
//! Conservative: an access under an opaque condition could still be staged where each thread
//! tests its own bounds; it is refused unless an unconditional access covers it, or the host can ask whether all that
//! the copies read is memory (`mapped`).

use super::alias::check_others;
use super::analyses::Analyses;
use super::conditions::{Conditions, conditions};
use super::data::{ActiveSet, Footprint, add_offsets};
use super::facts::Facts;
use super::legal::Legal;
use super::mapped;
use super::shape::{Cluster, ShapeDim};
use super::united::united;
use crate::access::{Access, AccessId, AccessKind};
use crate::affine::{Atom, Guard, Poly};
use crate::missed::Missed;
use crate::tree::{LoopId, Node, NodeId, OpaqueReason};

/// The innermost loop around the region that threads may leave at different times.
fn divergent_spine_loop(f: &Analyses, region: NodeId) -> Option<LoopId> {
    let outside = f.tree.ancestors(region).into_iter().skip(1);
    outside
        .filter_map(|n| match f.tree.node(n) {
            Node::Loop(l) => Some(*l),
            _ => None,
        })
        .find(|l| f.affine.uniform_trip(*l).is_none())
}

/// Reasons that hold wherever an access might be staged.
pub fn refuse_access(f: &Analyses, a: &Access) -> Option<Missed> {
    let access = a.id;
    if a.is_volatile {
        return Some(Missed::Volatile { access });
    }
    match f.node_of(access).map(|n| f.tree.node(n)) {
        Some(Node::Opaque {
            why: OpaqueReason::SeveralExits,
            ..
        }) => Some(Missed::DataDependentExit { access }),
        Some(Node::Opaque { .. }) | None => Some(Missed::Unstructured { access }),
        _ => None,
    }
}

/// What is copied for accesses that may not execute.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Riders {
    /// Nothing: they must lie within what others surely touch.
    Covered,
    /// What they read if they execute, where that is memory as the host finds ([`mapped`]).
    Mapped,
}

/// Whether and how `cluster`, of this `shape`, may be staged in the region at `node`. The shape is told which of its
/// elements are surely read or written, or at least copied.
pub fn check(
    f: &Analyses,
    of: &Cluster,
    shape: &mut Footprint<ShapeDim>,
    (node, riders): (NodeId, Riders),
) -> Result<Legal, Missed> {
    debug_assert!((of.accesses.iter()).all(|a| f.is_within(node, f.accesses.get(*a))));
    check_effects(f, node)?;
    let mut facts = facts_of(f, of, node)?;
    // An iteration number means something only inside its loop.
    let is_known = |a: &Atom| match a {
        Atom::Iter(l) => {
            let at = f.tree.loop_(*l).node;
            f.tree.contains(node, at) || f.tree.contains(at, node)
        }
        _ => true,
    };
    let all_known = of.coefficients.keys().all(is_known);
    if !all_known || !has_independent_terms(f, shape, node) {
        return Err(Missed::NotAffine {
            access: of.accesses[0],
        });
    }
    let divergent = divergent_spine_loop(f, node);
    let moves = |d: &ShapeDim| d.terms.iter().any(|(a, _)| !matches!(a, Atom::Iter(_)));
    if let Some(at) = divergent
        && shape.dims.iter().any(moves)
    {
        return Err(Missed::DivergentLoop { at });
    }
    let sets = active_sets(f, of, shape, (node, divergent), &mut facts)?;
    let Sets { active, stores, .. } =
        sets.with_riders((f, divergent), (of, shape), riders, &mut facts)?;
    let active = united(active, &shape.dims);
    let write_back = match stores {
        Some(s) => check_write_back(of, shape, s, f)?,
        None => Vec::new(),
    };
    shape.active = active;
    let (barrier_before, barrier_after) = check_others(
        f,
        of,
        node,
        (!shape.active.is_empty(), !write_back.is_empty()),
        &mut facts,
    )?;
    Ok(Legal {
        write_back,
        facts,
        barrier_before,
        barrier_after,
    })
}

/// What the indices of a cluster rest on, and the lengths of loops around their region.
fn facts_of(f: &Analyses, cluster: &Cluster, node: NodeId) -> Result<Facts, Missed> {
    let mut facts = Facts::default();
    for a in cluster.accesses.iter().copied() {
        let address = f.affine.address(a);
        let address = address.ok_or(Missed::NotAffine { access: a })?;
        let missing = |at: LoopId| f.refuse_loop(at, a);
        facts.add_ids(f.affine, &address.facts).map_err(missing)?;
        facts.add_poly(f.affine, &address.index).map_err(missing)?;
    }
    // A loop with a region in it is counted, whoever names its iterations: its length must be what it seems.
    for l in f.tree.enclosing_loops(node) {
        if f.affine.uniform_trip(l).is_some() {
            let missing = |at: LoopId| f.refuse_loop(at, cluster.accesses[0]);
            facts.add_trip(f.affine, l).map_err(missing)?;
        }
    }
    Ok(facts)
}

/// Whether no variable moves two terms, as `tid` and a clamp of `tid` would, or an outer iteration that the inner
/// loop's trip count depends on, nor one term in two ways, as in `max(r + q, t)` where `r` bounds `q`: the extremes of
/// a box are reached by some thread only if its dimensions, and what those are made of, move independently.
fn has_independent_terms(f: &Analyses, shape: &Footprint<ShapeDim>, node: NodeId) -> bool {
    let mut seen: Vec<Atom> = Vec::new();
    let mut terms = shape.dims.iter().flat_map(|d| &d.terms);
    terms.all(|(a, _)| moves_by_itself(f, *a, node, &mut seen))
}

/// Adds to `seen` what varies in the region and `a` depends on; false if some of it is there.
fn moves_by_itself(f: &Analyses, a: Atom, node: NodeId, seen: &mut Vec<Atom>) -> bool {
    if !f.varies_in(node, a) {
        return true;
    }
    let made_of: Vec<Poly> = match a {
        Atom::Clamp(c) => {
            let c = &f.affine.clamps[c.index()];
            vec![c.varying.clone(), c.limit.clone()]
        }
        _ if seen.contains(&a) => return false,
        _ => {
            seen.push(a);
            match a {
                Atom::Iter(l) => f
                    .affine
                    .uniform_trip(l)
                    .map_or(Vec::new(), |t| vec![t.span.clone(), t.step.clone()]),
                _ => Vec::new(),
            }
        }
    };
    made_of.iter().all(|p| {
        let by_itself = |b: Atom| moves_by_itself(f, b, node, seen);
        // Products of what varies are enclosed, no more.
        p.split(|b| f.varies_in(node, b))
            .is_some_and(|(each, _)| each.into_keys().all(by_itself))
    })
}

/// Barriers and unknown effects: none in the region, and none of the kernel's own where `lower`
/// would put them under a predicate.
fn check_effects(f: &Analyses, node: NodeId) -> Result<(), Missed> {
    let guarded = f
        .tree
        .ancestors(node)
        .into_iter()
        .skip(1)
        .any(|n| match f.tree.node(n) {
            Node::If { .. } => true,
            Node::Loop(l) => f.affine.uniform_trip(*l).is_none(),
            _ => false,
        });
    // Threads that ended in the original, or went another way, come to the barriers of the strips. Others may then wait
    // in a warp operation for those of its mask, which the original had no need to.
    let parts = f
        .tree
        .enclosing_loops(node)
        .iter()
        .any(|l| f.affine.uniform_trip(*l).is_none())
        || f.accesses
            .iter()
            .any(|a| f.is_within(node, a) && is_parted(f, node, a));
    let contained = |l: &&LoopId| f.tree.contains(node, f.tree.loop_(**l).node);
    if let Some(at) = f.accesses.fusing_loops.iter().find(contained) {
        return Err(Missed::FusesAcrossIterations { at: *at });
    }
    if let Some(at) = f.affine.sharing.loops.iter().find(contained) {
        return Err(Missed::SharesProducts { at: *at });
    }
    for a in &f.accesses.list {
        let within = f.is_within(node, a);
        let access = a.id;
        match a.kind {
            AccessKind::Barrier if within || guarded => return Err(Missed::OwnBarrier { access }),
            AccessKind::WarpOperation if within || parts => {
                return Err(Missed::OwnBarrier { access });
            }
            // It may hold a barrier, as inline assembly or in a function that was not inlined.
            AccessKind::Unknown if within || guarded => {
                return Err(Missed::UnknownEffect { access });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether some threads of a block may come to `node`, around `a`, and others not.
fn is_parted(f: &Analyses, node: NodeId, a: &Access) -> bool {
    let guards = f.affine.guards[a.id.index()].iter();
    let mut enclosing = guards.filter(|(at, _)| !f.tree.contains(node, *at));
    enclosing.any(|(_, g)| {
        matches!(
            g,
            Guard::Linear { .. } | Guard::AllButOne { .. } | Guard::Opaque
        )
    })
}

/// What the members of a cluster touch.
struct Sets {
    /// Loads that surely execute; without loads there are none.
    active: Vec<ActiveSet>,
    /// The stores.
    stores: Option<ActiveSet>,
    /// Loads that may not execute, each with the conditions that can be followed.
    riders: Vec<(AccessId, ActiveSet)>,
}

/// The sets of the members of a cluster.
fn active_sets(
    f: &Analyses,
    cluster: &Cluster,
    shape: &Footprint<ShapeDim>,
    (node, divergent): (NodeId, Option<LoopId>),
    facts: &mut Facts,
) -> Result<Sets, Missed> {
    let mut sets = Sets {
        active: Vec::new(),
        stores: None,
        riders: Vec::new(),
    };
    let refused = |access| refused_store(access, cluster.only_stores);
    for (i, access) in cluster.accesses.iter().copied().enumerate() {
        let c = conditions(f, shape, node, access, divergent, facts);
        let offsets = offset_vectors(shape, i);
        let is_store = f.accesses.get(access).kind == AccessKind::Store;
        if !c.exact {
            if is_store {
                return Err(refused(access));
            }
            sets.riders.push((access, set_of(c, offsets)));
            continue;
        }
        if is_store {
            if !add_store(&mut sets.stores, c, &offsets) {
                return Err(refused(access));
            }
            // What is only stored need not be copied in; another block may own what lies between.
            continue;
        }
        sets.add(set_of(c, offsets));
    }
    Ok(sets)
}

fn set_of(c: Conditions, offsets: Vec<Vec<i64>>) -> ActiveSet {
    ActiveSet {
        bounds: c.bounds,
        within: Vec::new(),
        when: c.when,
        offsets,
    }
}

impl Sets {
    /// Adds what is copied.
    fn add(&mut self, set: ActiveSet) {
        let mut all = self.active.iter_mut();
        match all.find(|s| s.bounds == set.bounds && s.when == set.when) {
            Some(s) => add_offsets(&mut s.offsets, &set.offsets),
            None => self.active.push(set),
        }
    }

    /// The same with what is copied for members that may not execute, where others do not cover them.
    fn with_riders(
        mut self,
        (f, divergent): (&Analyses, Option<LoopId>),
        (cluster, shape): (&Cluster, &Footprint<ShapeDim>),
        riders: Riders,
        facts: &mut Facts,
    ) -> Result<Sets, Missed> {
        let mut uncovered = None;
        for (access, set) in std::mem::take(&mut self.riders) {
            if !self.active.iter().any(|s| covers(s, &set)) {
                uncovered = uncovered.or(Some(access));
                self.add(set);
            }
        }
        let none = self.active.is_empty() && !cluster.only_stores;
        let Some(access) = uncovered.or(none.then(|| cluster.accesses[0])) else {
            return Ok(self);
        };
        let refused = Missed::UnboundedGuard { access };
        if none || riders == Riders::Covered || divergent.is_some() || self.stores.is_some() {
            return Err(refused);
        }
        let fact = mapped::fact(f, cluster, (shape, &self.active), facts);
        facts.add(fact.ok_or(refused)?);
        Ok(self)
    }
}

/// Adds a store to the set of stores; false if it runs under other conditions.
fn add_store(stores: &mut Option<ActiveSet>, c: Conditions, offsets: &[Vec<i64>]) -> bool {
    let s = stores.get_or_insert_with(|| ActiveSet {
        bounds: c.bounds.clone(),
        within: Vec::new(),
        when: c.when.clone(),
        offsets: Vec::new(),
    });
    let same = s.bounds == c.bounds && s.when == c.when;
    if same {
        add_offsets(&mut s.offsets, offsets);
    }
    same
}

/// Whether all that `t` touches lies in a set.
fn covers(s: &ActiveSet, t: &ActiveSet) -> bool {
    s.bounds.iter().all(|b| t.bounds.contains(b))
        && s.when.iter().all(|w| t.when.contains(w))
        && t.offsets.iter().all(|o| s.offsets.contains(o))
}

/// The offset vectors of the cells that access `i` of the cluster touches.
fn offset_vectors(shape: &Footprint<ShapeDim>, i: usize) -> Vec<Vec<i64>> {
    let first: Vec<i64> = shape.dims.iter().map(|d| d.offsets[i].0).collect();
    let (lo, hi) = shape.dims[shape.dims.len() - 1].offsets[i];
    (lo..=hi)
        .map(|last| {
            let mut v = first.clone();
            let n = v.len();
            v[n - 1] = last;
            v
        })
        .collect()
}

/// A written tile must hold each element once, and its stores must cover full boxes: one for each
/// run of neighbouring offsets (fields of a record) in the innermost dimension.
fn check_write_back(
    cluster: &Cluster,
    shape: &Footprint<ShapeDim>,
    set: ActiveSet,
    f: &Analyses,
) -> Result<Vec<ActiveSet>, Missed> {
    let mut all = cluster.accesses.iter().copied();
    let store = all.find(|a| f.accesses.get(*a).kind == AccessKind::Store);
    let store = store.unwrap_or(cluster.accesses[0]);
    // A clamp may leave out values in between, which another block may own.
    let is_run = |(a, m): &(Atom, i64)| m.abs() == 1 && !matches!(a, Atom::Clamp(_));
    if shape
        .dims
        .iter()
        .any(|d| d.terms.len() > 1 || !d.terms.iter().all(is_run))
    {
        return Err(refused_store(store, cluster.only_stores));
    }
    // Where iterations or threads walk over each other's elements, boxes would overlap, and strips as well: `y[k] = …;
    // y[k+1] = …`.
    let fixed = |(g, d): (usize, &super::shape::ShapeDim)| {
        d.terms.is_empty() || set.offsets.iter().all(|o| o[g] == set.offsets[0][g])
    };
    if !shape.dims.iter().enumerate().all(fixed) {
        return Err(refused_store(store, cluster.only_stores));
    }
    // Sorted vectors: neighbours in the last dimension follow each other.
    let mut boxes: Vec<ActiveSet> = Vec::new();
    for o in &set.offsets {
        let last = o.len() - 1;
        let extends = |b: &&mut ActiveSet| {
            b.offsets
                .last()
                .is_some_and(|p| p[..last] == o[..last] && p[last] + 1 == o[last])
        };
        match boxes.last_mut().filter(extends) {
            Some(b) => b.offsets.push(o.clone()),
            None => boxes.push(ActiveSet {
                offsets: vec![o.clone()],
                ..set.clone()
            }),
        }
    }
    Ok(boxes)
}

/// The reason against a store whose elements a write-back cannot name.
pub fn refused_store(access: AccessId, only_stores: bool) -> Missed {
    if only_stores {
        Missed::InexactStore { access }
    } else {
        Missed::WrittenInRegion { access }
    }
}
