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
//! tests its own bounds; it is refused unless an unconditional access covers it.

use super::facts::Facts;
use super::shape::{Cluster, Shape};
use super::{ActiveSet, Bound, Fact, Reach, When};
use crate::access::{Access, AccessId, AccessKind, Accesses, ArrayId};
use crate::affine::{Affine, Atom, Guard, Poly, Sense};
use crate::kernel::Kernel;
use crate::missed::Missed;
use crate::tree::{ExitAt, LoopId, Node, NodeId, OpaqueReason, Tree};

/// The results of the stages before.
#[derive(Clone, Copy)]
pub struct Facets<'a> {
    /// The kernel.
    pub kernel: &'a Kernel,
    /// Its tree.
    pub tree: &'a Tree,
    /// Its accesses.
    pub accesses: &'a Accesses,
    /// Their indices.
    pub affine: &'a Affine,
}

/// A cluster that may be staged in a region.
#[derive(Clone, Debug)]
pub struct Legal {
    /// Elements surely read or written.
    pub active: Vec<ActiveSet>,
    /// Elements surely overwritten, to be written back, in boxes.
    pub write_back: Vec<ActiveSet>,
    /// Accesses of the cluster inside the region, as indices into the cluster.
    pub members: Vec<usize>,
    /// What the entry must test.
    pub facts: Facts,
    /// See [`super::Region::barrier_before`].
    pub barrier_before: bool,
}

impl Facets<'_> {
    /// The node of an access.
    pub fn node_of(&self, a: AccessId) -> Option<NodeId> {
        self.tree.node_of_block[self.accesses.get(a).block.index()]
    }
    fn is_inside(&self, region: NodeId, a: &Access) -> bool {
        self.tree.node_of_block[a.block.index()].is_some_and(|n| self.tree.contains(region, n))
    }
    /// Whether an atom changes while the region runs.
    pub fn varies_in(&self, region: NodeId, a: Atom) -> bool {
        match a {
            Atom::Tid(_) | Atom::Clamp(_) => true,
            Atom::Iter(l) => self.tree.contains(region, self.tree.loop_(l).node),
            _ => false,
        }
    }
    /// The innermost loop around the region that threads may leave at different times.
    fn divergent_spine_loop(&self, region: NodeId) -> Option<LoopId> {
        let outside = self.tree.ancestors(region).into_iter().skip(1);
        outside
            .filter_map(|n| match self.tree.node(n) {
                Node::Loop(l) => Some(*l),
                _ => None,
            })
            .find(|l| self.affine.uniform_trip(*l).is_none())
    }
}

/// Reasons that hold wherever an access might be staged.
pub fn refuse_access(f: &Facets, a: &Access) -> Option<Missed> {
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

/// Whether and how `cluster`, of this `shape`, may be staged in the region at `node`.
pub fn check(f: &Facets, cluster: &Cluster, shape: &Shape, node: NodeId) -> Result<Legal, Missed> {
    let members: Vec<usize> = (0..cluster.accesses.len())
        .filter(|i| f.is_inside(node, f.accesses.get(cluster.accesses[*i])))
        .collect();
    check_effects(f, node)?;
    let mut facts = Facts::default();
    for i in &members {
        let a = cluster.accesses[*i];
        let Some(address) = f.affine.address(a) else {
            return Err(Missed::NotAffine { access: a });
        };
        let missing = |at: LoopId| Missed::DivergentLoop { at };
        facts.add_ids(f.affine, &address.facts).map_err(missing)?;
        facts.add_poly(f.affine, &address.index).map_err(missing)?;
    }
    if !has_independent_terms(f, shape) {
        return Err(Missed::NotAffine {
            access: cluster.accesses[members[0]],
        });
    }
    let divergent = f.divergent_spine_loop(node);
    let moves =
        |d: &super::shape::ShapeDim| d.terms.iter().any(|(a, _)| !matches!(a, Atom::Iter(_)));
    if let Some(at) = divergent
        && shape.dims.iter().any(moves)
    {
        return Err(Missed::DivergentLoop { at });
    }
    let (active, stores) = active_sets(f, cluster, shape, node, &members, divergent, &mut facts)?;
    let write_back = match stores {
        Some(s) => check_write_back(cluster, shape, s, f, &members)?,
        None => Vec::new(),
    };
    let barrier_before = check_writes(f, cluster, node, &members, &mut facts)?;
    let mut legal = Legal {
        active,
        write_back,
        members,
        facts,
        barrier_before,
    };
    if !legal.write_back.is_empty() {
        check_stale(f, cluster, node, &mut legal)?;
    }
    Ok(legal)
}

/// Whether no variable moves two terms, as `tid` and a clamp of `tid` would: the extremes of a box
/// are reached by some thread only if its dimensions move independently.
fn has_independent_terms(f: &Facets, shape: &Shape) -> bool {
    let mut seen: Vec<Atom> = Vec::new();
    for (a, _) in shape.dims.iter().flat_map(|d| &d.terms) {
        let mut mine = Vec::new();
        underlying(f, *a, &mut mine);
        if mine.iter().any(|v| seen.contains(v)) {
            return false;
        }
        seen.extend(mine);
    }
    true
}

/// The thread indices and iteration numbers an atom depends on.
fn underlying(f: &Facets, a: Atom, out: &mut Vec<Atom>) {
    match a {
        Atom::Clamp(c) => {
            for b in f.affine.clamps[c.index()].varying.atoms() {
                underlying(f, b, out);
            }
        }
        Atom::Tid(_) | Atom::Iter(_) if !out.contains(&a) => out.push(a),
        _ => {}
    }
}

/// Barriers and unknown effects: none in the region, and none of the kernel's own where `lower`
/// would put them under a predicate.
fn check_effects(f: &Facets, node: NodeId) -> Result<(), Missed> {
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
    let fuses = |l: &&LoopId| f.tree.contains(node, f.tree.loop_(**l).node);
    if let Some(at) = f.accesses.fusing_loops.iter().find(fuses) {
        return Err(Missed::FusesAcrossIterations { at: *at });
    }
    for a in &f.accesses.list {
        let inside = f.is_inside(node, a);
        let access = a.id;
        match a.kind {
            AccessKind::Barrier if inside || guarded => return Err(Missed::OwnBarrier { access }),
            AccessKind::WarpOperation if inside => return Err(Missed::OwnBarrier { access }),
            // It may hold a barrier, as inline assembly or in a function that was not inlined.
            AccessKind::Unknown if inside || guarded => {
                return Err(Missed::UnknownEffect { access });
            }
            _ => {}
        }
    }
    Ok(())
}

/// How an access's guards read inside a region.
struct Conditions {
    bounds: Vec<Bound>,
    when: Vec<When>,
    /// Whether the access surely executes within them.
    exact: bool,
}

/// Active sets of the members that surely execute, and the set of the stores among them.
/// Members that may not execute must lie within what the others touch.
#[allow(clippy::too_many_arguments)]
fn active_sets(
    f: &Facets,
    cluster: &Cluster,
    shape: &Shape,
    node: NodeId,
    members: &[usize],
    divergent: Option<LoopId>,
    facts: &mut Facts,
) -> Result<(Vec<ActiveSet>, Option<ActiveSet>), Missed> {
    let mut sets: Vec<ActiveSet> = Vec::new();
    let mut riders: Vec<(AccessId, Conditions, Vec<Vec<i64>>)> = Vec::new();
    let mut stores: Option<ActiveSet> = None;
    for i in members {
        let access = cluster.accesses[*i];
        let c = conditions(f, shape, node, access, divergent, facts);
        let offsets = offset_vectors(shape, *i);
        let is_store = f.accesses.get(access).kind == AccessKind::Store;
        if !c.exact {
            if is_store {
                return Err(Missed::WrittenInRegion { access });
            }
            riders.push((access, c, offsets));
            continue;
        }
        if is_store {
            let s = stores.get_or_insert_with(|| ActiveSet {
                bounds: c.bounds.clone(),
                when: c.when.clone(),
                offsets: Vec::new(),
            });
            if s.bounds != c.bounds || s.when != c.when {
                return Err(Missed::WrittenInRegion { access });
            }
            add_offsets(&mut s.offsets, &offsets);
        }
        match sets
            .iter_mut()
            .find(|s| s.bounds == c.bounds && s.when == c.when)
        {
            Some(s) => add_offsets(&mut s.offsets, &offsets),
            None => sets.push(ActiveSet {
                bounds: c.bounds,
                when: c.when,
                offsets,
            }),
        }
    }
    for (access, c, offsets) in riders {
        let covers = |s: &&ActiveSet| {
            s.bounds.iter().all(|b| c.bounds.contains(b))
                && s.when.iter().all(|w| c.when.contains(w))
                && offsets.iter().all(|o| s.offsets.contains(o))
        };
        if !sets.iter().any(|s| covers(&s)) {
            return Err(Missed::UnboundedGuard { access });
        }
    }
    if sets.is_empty() {
        let access = cluster.accesses[members[0]];
        return Err(Missed::UnboundedGuard { access });
    }
    Ok((sets, stores))
}

fn add_offsets(to: &mut Vec<Vec<i64>>, more: &[Vec<i64>]) {
    for o in more {
        if !to.contains(o) {
            to.push(o.clone());
        }
    }
    to.sort();
}

/// The offset vectors of the cells that access `i` of the cluster touches.
fn offset_vectors(shape: &Shape, i: usize) -> Vec<Vec<i64>> {
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

/// Reads the guards of `access` as bounds inside the region.
fn conditions(
    f: &Facets,
    shape: &Shape,
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
    let divergent_node = divergent.map(|l| f.tree.loop_(l).node);
    for (at, g) in &f.affine.guards[access.index()] {
        // Threads still in a divergent loop around the region passed the tests before it, and at
        // least one is there whenever the region runs.
        if divergent_node.is_some_and(|n| f.tree.contains(*at, n)) {
            continue;
        }
        // Inside such a loop a bound on threads may leave none of those that are still there.
        let names_threads = |g: &Guard| match g {
            Guard::Linear { terms, .. } => terms.iter().any(|(a, _)| !matches!(a, Atom::Iter(_))),
            _ => false,
        };
        if divergent.is_some() && names_threads(g) {
            c.exact = false;
            continue;
        }
        if !add_condition(f, shape, node, g, &mut c, facts) {
            c.exact = false;
        }
    }
    let Some(leaf) = f.node_of(access) else {
        return c;
    };
    for l in f.tree.loops_around(leaf) {
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
            if f.affine.uniform_trip(l).is_some() && facts.add_trip(f.affine, l).is_ok() {
                let runs = Poly::atom(Atom::Trip(l)).minus(&Poly::constant(1));
                c.when.push(When::NotNegative(runs));
            } else {
                c.exact = false;
            }
        }
    }
    c.bounds
        .sort_by(|a, b| format!("{a:?}").cmp(&format!("{b:?}")));
    c
}

/// Adds one guard; false if it cannot be followed.
fn add_condition(
    f: &Facets,
    shape: &Shape,
    node: NodeId,
    guard: &Guard,
    c: &mut Conditions,
    facts: &mut Facts,
) -> bool {
    let mut needed = Facts::default();
    let ok = match guard {
        Guard::Opaque => false,
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
            let (inside, outside): (Vec<_>, Vec<_>) = terms
                .iter()
                .copied()
                .partition(|(a, _)| f.varies_in(node, *a));
            let limit = outside.iter().fold(limit.clone(), |l, (a, m)| {
                l.minus(&Poly::atom(*a).times_constant(*m))
            });
            let ok =
                needed.add_ids(f.affine, ids).is_ok() && needed.add_poly(f.affine, &limit).is_ok();
            ok && add_bound(shape, inside, *sense, limit, c)
        }
    };
    if ok {
        facts.extend(&needed);
    }
    ok
}

/// A bound that `lower` can apply: on one variable, or on the sum of a dimension.
fn add_bound(
    shape: &Shape,
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
    let is_sum = |d: &super::shape::ShapeDim| {
        let flipped: Vec<_> = d.terms.iter().map(|(a, m)| (*a, -m)).collect();
        // A sum bound is exact only if every value in between is taken: steps of one.
        d.terms.iter().any(|(_, m)| m.abs() == 1) && (d.terms == terms || flipped == terms)
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

/// A written tile must hold each element once, and its stores must cover full boxes: one for each
/// run of neighbouring offsets (fields of a record) in the innermost dimension.
fn check_write_back(
    cluster: &Cluster,
    shape: &Shape,
    set: ActiveSet,
    f: &Facets,
    members: &[usize],
) -> Result<Vec<ActiveSet>, Missed> {
    let store = members
        .iter()
        .map(|i| cluster.accesses[*i])
        .find(|a| f.accesses.get(*a).kind == AccessKind::Store)
        .unwrap_or(cluster.accesses[0]);
    let refused = Missed::WrittenInRegion { access: store };
    if shape
        .dims
        .iter()
        .any(|d| d.terms.len() > 1 || d.terms.iter().any(|(_, m)| m.abs() != 1))
    {
        return Err(refused);
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

/// Stores in the region against what is staged. Returns whether stores elsewhere in the kernel
/// may hit the array.
fn check_writes(
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
            if !own.iter().all(|a| fields_disjoint(f, *a, access)) {
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

/// While a written tile lives, its elements in global memory are stale: nothing else in the
/// region may read or write them there.
fn check_stale(
    f: &Facets,
    cluster: &Cluster,
    node: NodeId,
    legal: &mut Legal,
) -> Result<(), Missed> {
    let own: Vec<AccessId> = legal.members.iter().map(|i| cluster.accesses[*i]).collect();
    for o in &f.accesses.list {
        let access = o.id;
        let touches = matches!(
            o.kind,
            AccessKind::Load | AccessKind::Store | AccessKind::Atomic
        );
        if !touches || own.contains(&access) || !f.is_inside(node, o) {
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
        } else if !own.iter().all(|a| fields_disjoint(f, *a, access)) {
            return Err(Missed::WrittenInRegion { access });
        }
    }
    Ok(())
}

/// Whether two accesses of one array touch different fields of its records, whatever the indices:
/// all coefficients are multiples of the record's size and the constants differ within it.
fn fields_disjoint(f: &Facets, a: AccessId, b: AccessId) -> bool {
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
    ox + size(a) <= record && oy + size(b) <= record && (ox + size(a) <= oy || oy + size(b) <= ox)
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

fn add_reach_facts(f: &Facets, r: &Reach, facts: &mut Facts) -> Result<(), LoopId> {
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
fn add_access_facts(f: &Facets, id: AccessId, facts: &mut Facts) -> Result<(), LoopId> {
    if let Some(a) = f.affine.address(id) {
        facts.add_ids(f.affine, &a.facts)?;
        facts.add_poly(f.affine, &a.index)?;
    }
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
