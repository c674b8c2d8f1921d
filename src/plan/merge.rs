//! Whether neighbouring blocks may be done by one, and the plan that does so.
//!
//! ```text
//! row = ctaid.y*ntid.y + tid.y      4 blocks along y: rows of one leader, 0 <= tid.y < 4*ntid.y
//! ```
//! A thread of the leader runs the same thread of the others as further *replicas*. For tiles, facts
//! and bounds the merged blocks are one block with more threads, which is exact only where a
//! dimension's ids occur as the global id: then moving one block on and `ntid` threads back changes
//! nothing, and that is what is tested of every polynomial. All blocks of a group compute their
//! facts from the leader's ids, so they decide alike.
//!
//! Tiles may be written where all of the plan's are store tiles of whole regions: each merged block then
//! fills its part, and all are written back together. Their replicas stay a block apart, so that
//! neighbouring threads load side by side.
//!
//! Refused: anything by which threads or blocks communicate, and private arrays, of which a thread
//! has only one.

use super::analyses::Analyses;
use super::candidate::Candidate;
use super::data::{
    ActiveSet, Bound, Fact, Footprint, Merge, NoMerge, Plan, Region, Steps, Storage, Test, Tile,
    When, Within,
};
use super::overlap::Cut;
use super::shape::Cluster;
use super::{layout, stores, whole_async, wide};
use crate::access::AccessKind;
use crate::affine::{Atom, Poly};
use crate::kernel::{Dim, ids};
use crate::tree::{LoopId, Node, NodeId};

/// What a merged version is made from.
pub struct Ingredients<'a> {
    /// All clusters.
    pub clusters: &'a [Cluster],
    /// The candidates staged.
    pub picked: &'a [&'a Candidate],
    /// Cuts to try, best first.
    pub cuts: &'a [Cut],
    /// Bytes of shared memory there are.
    pub budget: u32,
}

/// The plan that stages `picked` with `factor` blocks merged. Scalar replacement is left to the caller.
pub fn version(f: &Analyses, of: &Ingredients, factor: [u32; 3]) -> Result<Plan, NoMerge> {
    check_kernel(f, false)?;
    let consecutive = Dim::ALL.map(|d| {
        factor[d.index()] > 1
            && !stores::are_all(of.picked.iter().copied())
            && ids::only_global_id(f.kernel, d)
            && !(d == Dim::X && of.picked.iter().any(|c| walks_rows(c)))
    });
    let runs = Dim::ALL.map(|d| run(of.picked, d).filter(|_| consecutive[d.index()]));
    let merge = Merge {
        factor,
        consecutive,
        run: Dim::ALL.map(|d| match factor[d.index()] {
            r if consecutive[d.index()] => r.min(runs[d.index()].unwrap_or(r)),
            _ => 1,
        }),
        square: runs[0].is_some() && runs[1].is_some(),
        compacted: false,
    };
    let place = |cut: &Cut| {
        let cut = Cut { merge, ..*cut };
        layout::lay_out(f, of.clusters, of.picked, cut, of.budget).ok()?
    };
    let laid_out = of.cuts.iter().find_map(place).ok_or(NoMerge::OverBudget)?;
    let facts = laid_out.facts;
    let mut regions = laid_out.regions;
    for r in &mut regions {
        r.whole_async = whole_async::is_for(f, r);
    }
    let plan = Plan {
        regions,
        shared_bytes: laid_out.bytes,
        tests: Test::all_sound(facts.list),
        merge,
        ..Plan::default()
    };
    check_regions(f, &plan)?;
    Ok(plan)
}

/// Whether neighbouring threads read a column of the tile: consecutive ids would lie several rows
/// apart, in the same banks (A A' on an H200: x13 so, against x31 by hand).
fn walks_rows(c: &Candidate) -> bool {
    let outer = c.shape.dims.split_last().map_or(&[][..], |(_, o)| o);
    let mut terms = outer.iter().flat_map(|d| &d.terms);
    terms.any(|(a, _)| *a == Atom::Tid(Dim::X))
}

/// How many replicas along `d` should own consecutive ids; `None`: all, as for windows, of which
/// neighbouring replicas read the same.
///
/// Along memory, as many as one read of 16 bytes serves: a warp's reads then follow each other, and
/// with longer runs they would lie in the same banks. Rows of a strip are padded by 16 bytes, so
/// that rows four apart begin in different banks, but not rows eight apart.
fn run(picked: &[&Candidate], d: Dim) -> Option<u32> {
    let mut most = None;
    for c in picked {
        let names = |t: &[(Atom, i64)]| t.iter().any(|(a, _)| *a == Atom::Tid(d));
        for (g, dim) in c.shape.dims.iter().enumerate() {
            if !names(&dim.terms) {
                continue;
            }
            let mut offsets = dim.offsets.iter();
            if dim.terms.len() > 1 || offsets.any(|o| *o != dim.offsets[0]) {
                return None;
            }
            let along = g + 1 == c.shape.dims.len();
            let wanted = if along { (16 / c.shape.size).max(1) } else { 4 };
            most = most.max(Some(wanted));
        }
    }
    most
}

/// Checks a complete plan, scalars and their facts included, and makes its facts hold for every
/// replica: those that do not see the ids as the global id are tested at both ends.
pub fn complete(f: &Analyses, plan: &mut Plan) -> Result<(), NoMerge> {
    let merge = plan.merge;
    for d in Dim::ALL.into_iter().filter(|d| merge.along(*d) > 1) {
        check_dimension(f, plan, d)?;
        let last = i64::from(merge.along(d)) - 1;
        let moved = Poly::atom(Atom::Ctaid(d)).plus(&Poly::constant(last));
        let mut more = Vec::new();
        plan.tests.retain(|test| {
            let Test::Sound(Fact::InRange { poly, lo, hi }) = test else {
                return true;
            };
            if is_global(poly, d) {
                return true;
            }
            let at = |to: &Poly| poly.substitute(Atom::Ctaid(d), to);
            more.push(Fact::InRange {
                poly: at(&moved),
                lo: *lo,
                hi: *hi,
            });
            // What is 0 in block 0 lies between 0 and what the last block has.
            !(at(&Poly::default()).is_zero() && *lo <= 0 && *hi >= 0)
        });
        plan.require(more);
    }
    plan.sort_tests();
    let wide = wide::find(f, plan.merge).into_iter().map(Storage::Wide);
    plan.storage.extend(wide);
    Ok(())
}

/// What forbids merging in the whole kernel; atomics do not where `in_any_order` they may come.
pub fn check_kernel(f: &Analyses, in_any_order: bool) -> Result<(), NoMerge> {
    check_threads(f, in_any_order)?;
    // Replicas run loops together outside regions as well.
    if f.fusing_loops().next().is_some() {
        return Err(NoMerge::Fuses);
    }
    match ids::asks_elsewhere(f.kernel) {
        true => Err(NoMerge::AsksElsewhere),
        false => Ok(()),
    }
}

/// What forbids that threads do their work in another order, or others' work with it.
pub fn check_threads(f: &Analyses, in_any_order: bool) -> Result<(), NoMerge> {
    let is_allowed = |k: AccessKind| {
        matches!(k, AccessKind::Load | AccessKind::Store)
            || (in_any_order && k == AccessKind::Atomic)
    };
    let mut list = f.accesses.iter();
    if f.kernel.is_clustered() || list.any(|a| !is_allowed(a.kind) || a.is_volatile) {
        return Err(NoMerge::Communicates);
    }
    if f.kernel.own_shared > 0 || f.kernel.dynamic_shared || f.kernel.has_variables() {
        return Err(NoMerge::OwnArrays);
    }
    Ok(())
}

/// Regions must have tiles that are only read, or only stored to, and be reached by uniform loops.
fn check_regions(f: &Analyses, plan: &Plan) -> Result<(), NoMerge> {
    let written = |r: &Region| r.tiles.iter().any(|t| !t.write_back.is_empty());
    let is_straight_store = |r: &Region| r.only_stores() && is_straight(f, r.node);
    if plan.regions.iter().any(written) && !plan.regions.iter().all(is_straight_store) {
        return Err(NoMerge::Region);
    }
    for r in &plan.regions {
        if f.tree
            .enclosing_loops(r.node)
            .iter()
            .any(|l| f.affine.uniform_trip(*l).is_none())
        {
            return Err(NoMerge::Trip);
        }
    }
    Ok(())
}

/// Whether nothing branches in a node.
fn is_straight(f: &Analyses, node: NodeId) -> bool {
    match f.tree.node(node) {
        Node::Seq(children) => children.iter().all(|c| is_straight(f, *c)),
        Node::Block(_) | Node::Edge(_) | Node::Return(_) => true,
        _ => false,
    }
}

fn check_dimension(f: &Analyses, plan: &Plan, d: Dim) -> Result<(), NoMerge> {
    let refused = Err(NoMerge::NotGlobalId(d));
    for r in &plan.regions {
        let mut loops = f.tree.enclosing_loops(r.node);
        let contained = f.tree.loop_ids();
        loops.extend(contained.filter(|l| f.tree.contains(r.node, f.tree.loop_(*l).node)));
        let depends = |l: &LoopId| match &f.affine.trips[l.index()] {
            Ok(t) => [&t.span, &t.step]
                .into_iter()
                .any(|p| p.any(|a| is_id(f, a, d))),
            Err(_) => true,
        };
        let on_spine = |l: &&LoopId| {
            let node = f.tree.loop_(**l).node;
            f.tree.contains(node, r.node) || plan_names(plan, **l)
        };
        if loops.iter().filter(on_spine).any(depends) {
            return Err(NoMerge::Trip);
        }
    }
    let tiles = || plan.tiles();
    if !tiles().all(|t| is_global_tile(f, t, d)) {
        return refused;
    }
    for fact in plan.facts() {
        let fine = match fact {
            Fact::InRange { poly, .. } => is_known(f, poly, d) && degree(poly, Atom::Ctaid(d)) <= 1,
            Fact::Disjoint { a, b } => is_global_footprint(f, a, d) && is_global_footprint(f, b, d),
            Fact::DisjointHulls { a, b } => a.iter().chain(b).all(|r| is_global_footprint(f, r, d)),
            // A gate, of what is known of the launch.
            Fact::Multiple { .. } => true,
        };
        if !fine {
            return refused;
        }
    }
    Ok(())
}

/// Whether all facts speak of the global ids along `d`, so that the whole grid can be tested as one block.
pub fn is_about_grid(f: &Analyses, plan: &Plan, d: Dim) -> bool {
    plan.facts().all(|fact| speaks_of_global_id(f, fact, d))
}

/// Whether a fact speaks of the global id along `d`, or of no id along it.
pub fn speaks_of_global_id(f: &Analyses, fact: &Fact, d: Dim) -> bool {
    match fact {
        Fact::InRange { poly, .. } => is_global(poly, d) && is_known(f, poly, d),
        Fact::Disjoint { a, b } => is_global_footprint(f, a, d) && is_global_footprint(f, b, d),
        Fact::DisjointHulls { a, b } => a.iter().chain(b).all(|r| is_global_footprint(f, r, d)),
        Fact::Multiple { .. } => true,
    }
}

/// Whether a tile has a dimension in the iterations of a loop.
fn plan_names(plan: &Plan, l: LoopId) -> bool {
    let tiles = plan.tiles();
    tiles
        .flat_map(|t| &t.footprint.dims)
        .flat_map(|g| &g.terms)
        .any(|(a, _)| *a == Atom::Iter(l))
}

fn is_global_tile(f: &Analyses, t: &Tile, d: Dim) -> bool {
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
fn is_global_footprint<D: Steps>(f: &Analyses, r: &Footprint<D>, d: Dim) -> bool {
    let index = r.index();
    r.active.iter().all(|s| is_global_set(f, s, d))
        && is_global(&index, d)
        && is_known(f, &index, d)
        && !reads_block(f, r.base, d)
}

/// Whether who touches it does.
fn is_global_set(f: &Analyses, s: &ActiveSet, d: Dim) -> bool {
    s.bounds.iter().all(|b| is_global_bound(f, b, d)) && s.when.iter().all(|w| is_same(f, w, d))
}

fn is_global_bound(f: &Analyses, b: &Bound, d: Dim) -> bool {
    let p = Poly::sum(&b.terms).minus(&b.limit);
    is_global(&p, d) && is_known(f, &p, d)
}

/// Whether a condition is the same for all merged blocks.
fn is_same(f: &Analyses, w: &When, d: Dim) -> bool {
    match w {
        When::Is { value, .. } => !reads_block(f, *value, d),
        When::NotNegative(p) => is_known(f, p, d) && !p.any(|a| is_id(f, a, d)),
    }
}

/// Whether a block on and `ntid` threads back changes nothing.
fn is_global(p: &Poly, d: Dim) -> bool {
    let (tid, ctaid) = (Atom::Tid(d), Atom::Ctaid(d));
    let back = Poly::atom(tid).minus(&Poly::atom(Atom::Ntid(d)));
    let on = Poly::atom(ctaid).plus(&Poly::constant(1));
    p.substitute(ctaid, &on).substitute(tid, &back) == *p
}

/// Whether what symbols, clamps, trip counts and iteration numbers, which those bound, stand for follows the global id
/// too.
pub fn is_known(f: &Analyses, p: &Poly, d: Dim) -> bool {
    p.atoms().into_iter().all(|a| match a {
        Atom::Symbol(s) => !reads_block(f, f.affine.symbols[s.index()].value, d),
        Atom::Clamp(c) => {
            let c = &f.affine.clamps[c.index()];
            is_global(&c.varying, d)
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
pub fn is_id(f: &Analyses, a: Atom, d: Dim) -> bool {
    match a {
        Atom::Tid(x) | Atom::Ctaid(x) => x == d,
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

fn reads_block(f: &Analyses, v: crate::kernel::ValueId, d: Dim) -> bool {
    let mut dims = [false; 3];
    dims[d.index()] = true;
    ids::reads_block_id(f.kernel.value(v), dims)
}

fn degree(p: &Poly, a: Atom) -> usize {
    let of = |m: &crate::affine::Monomial| m.iter().filter(|x| **x == a).count();
    p.terms().map(|(m, _)| of(m)).max().unwrap_or(0)
}

/// What numbers of blocks have to fit where the grid's first blocks lead: those along x and y together.
pub fn block_numbers_fit(plan: &Plan) -> Option<Fact> {
    let both = [Dim::X, Dim::Y].iter().all(|d| plan.merge.along(*d) > 1);
    both.then(|| Fact::InRange {
        poly: Poly::atom(Atom::Nctaid(Dim::X)).times(&Poly::atom(Atom::Nctaid(Dim::Y))),
        lo: 0,
        hi: i64::from(i32::MAX),
    })
}
