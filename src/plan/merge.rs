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
use super::context::Context;
use super::data::{Fact, Merge, NoMerge, Plan, Prospect, Region, Run, Storage, Test, Trait};
use super::global_ids::{Axis, follows, is_global, is_id, is_known, speaks_of_global_id};
use super::overlap::Cut;
use super::{layout, stores, whole_async, wide};
use crate::access::AccessKind;
use crate::affine::{Atom, Poly};
use crate::kernel::{Dim, ids};
use crate::tree::{LoopId, Node, NodeId};

/// What a merged version is made from.
pub struct Ingredients<'a> {
    /// What is staged.
    pub picked: &'a [&'a Prospect],
    /// Cuts to try, best first.
    pub cuts: &'a [Cut],
    /// Bytes of shared memory there are.
    pub budget: u32,
}

/// The plan that stages `picked` with `factor` blocks merged. Scalar replacement is left to the caller.
pub fn version(context: &Context, of: &Ingredients, factor: [u32; 3]) -> Result<Plan, NoMerge> {
    let f = context.f;
    check_kernel(f, false)?;
    // Consecutive ids would lie several rows apart, in the same banks (A A' on an H200: x13 so, against x31 by hand).
    let uncoalesced = of.picked.iter().any(|c| c.is(Trait::Uncoalesced));
    let consecutive = Dim::ALL.map(|d| {
        factor[d.index()] > 1
            && !stores::are_all(of.picked.iter().copied())
            && ids::only_global_id(f.kernel, d)
            && !(d == Dim::X && uncoalesced)
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
        ..Merge::default()
    };
    let place = |cut: &Cut| {
        let cut = Cut { merge, ..*cut };
        layout::lay_out(context, of.picked, cut, of.budget).ok()?
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

/// How many replicas along `d` should own consecutive ids; `None`: all.
fn run(picked: &[&Prospect], d: Dim) -> Option<u32> {
    match picked.iter().map(|c| c.runs[d.index()]).max() {
        Some(Run::Of(n)) => Some(n),
        _ => None,
    }
}

/// Checks a complete plan, scalars and their facts included, and makes its facts hold for every replica: those that do
/// not see the ids as the global id are tested at both ends.
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
    let axis = Axis::merged(d, plan.merge.along(d));
    for r in &plan.regions {
        let mut loops = f.tree.enclosing_loops(r.node);
        let contained = f.tree.loop_ids();
        loops.extend(contained.filter(|l| f.tree.contains(r.node, f.tree.loop_(*l).node)));
        let depends = |l: &LoopId| match &f.affine.trips[l.index()] {
            Ok(t) => [&t.span, &t.step]
                .into_iter()
                .any(|p| p.any(|a| is_id(f, a, axis))),
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
    if !plan.tiles().all(|t| follows(f, t, axis)) {
        return refused;
    }
    for fact in plan.facts() {
        let fine = match fact {
            Fact::InRange { poly, .. } => {
                is_known(f, poly, axis) && degree(poly, Atom::Ctaid(d)) <= 1
            }
            other => speaks_of_global_id(f, other, axis),
        };
        if !fine {
            return refused;
        }
    }
    Ok(())
}

/// Whether a tile has a dimension in the iterations of a loop.
fn plan_names(plan: &Plan, l: LoopId) -> bool {
    let tiles = plan.tiles();
    tiles
        .flat_map(|t| &t.footprint.dims)
        .flat_map(|g| &g.terms)
        .any(|(a, _)| *a == Atom::Iter(l))
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
