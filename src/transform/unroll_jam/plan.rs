//! What of a kernel it is done to, as plain data, or why it is not. Idea and soundness: [`super`].

use super::legality::Nest;
use crate::access::{Access, AccessId, AccessKind};
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::options::Options;
use crate::plan::analyses::Analyses;
use crate::plan::data::{
    LoopPlan, NoMerge, NoUnrollJam, Plan, Proposal, Refusal, ScalarReplacement, Storage, Test,
    UnrollJam,
};
use crate::plan::facts::Facts;
use crate::plan::{hull, merge};
use crate::tree::{LoopId, NodeId};

/// The plan that unrolls and jams some loop. Inner loops are tried first.
pub fn choose(f: &Analyses, options: &Options) -> Proposal {
    if options.unroll_jam == Some(1) {
        return Err(None);
    }
    let mut why = None;
    for l in f.tree.loop_ids().rev() {
        match version(f, l, options) {
            Ok(first) => return Ok(first.into()),
            Err(other) => why = why.max(Some(other)),
        }
    }
    let why = why.filter(|w| *w != NoUnrollJam::Shape);
    Err(why.map(Refusal::UnrollJam))
}

/// The plan that unrolls and jams `l`.
fn version(f: &Analyses, l: LoopId, options: &Options) -> Result<Plan, NoUnrollJam> {
    let nest = Nest::of(f, l)?;
    merge::check_threads(f, false).map_err(|why| match why {
        NoMerge::OwnArrays => NoUnrollJam::OwnArrays,
        _ => NoUnrollJam::Communicates,
    })?;
    check_values(f, &nest)?;
    let mut facts = Facts::default();
    add_trip(f, l, &mut facts)?;
    let offset = offset(f, l);
    let scalars = nest.scalars(f)?;
    nest.check_order(f, &scalars, &[], &mut facts)?;
    let requested = options.unroll_jam.or(options.force.then_some(4));
    let replicas = match requested {
        Some(n) => n,
        None => nest.replicas(f, &scalars)?,
    };
    let unroll_jam = UnrollJam {
        loop_: l,
        core: nest.core,
        replicas,
        offset,
        unrolled_over_tiles: None,
    };
    Ok(Plan {
        loops: vec![LoopPlan::Jammed(unroll_jam)],
        storage: scalars.into_iter().map(Storage::Register).collect(),
        tests: Test::all_sound(facts.list),
        ..Plan::default()
    })
}

/// The version with iterations of a loop jammed over its tiles, or why not; `None`: it has no such loop, or blocks are
/// merged, whose replicas share reads of tiles already. Inner loops are tried first.
pub fn over_tiles(
    f: &Analyses,
    version: &Plan,
    options: &Options,
) -> Result<Plan, Option<NoUnrollJam>> {
    // All that is legal in tiles stays as it is unless a number of iterations is asked for. Where LLVM packs pairs,
    // a body that it tears products in is taken back as a whole: not worth the risk.
    let wanted = match options.unroll_jam {
        None => !options.force && f.kernel.pairs.is_none(),
        Some(n) => n > 1,
    };
    let whole = version.regions.iter().all(|r| r.strip.is_none());
    let unmerged = version.merge.replicas() == 1 && version.loops.is_empty();
    if !(wanted && whole && unmerged) {
        return Err(None);
    }
    let mut why = None;
    let loops = f.tree.loop_ids().rev();
    for l in loops.filter(|l| is_in_region(f, version, *l)) {
        match version_over_tiles(f, version, l, options) {
            Ok(plan) => return Ok(plan),
            Err(other) => why = why.max(Some(other)),
        }
    }
    Err(why.filter(|w| *w != NoUnrollJam::Shape))
}

/// Whether a loop lies in a region, and holds none: no barrier stands in it.
fn is_in_region(f: &Analyses, version: &Plan, l: LoopId) -> bool {
    let node = f.tree.loop_(l).node;
    let mut regions = version.regions.iter().map(|r| r.node);
    let holds = |r: NodeId| r != node && f.tree.contains(node, r);
    regions.clone().any(|r| f.tree.contains(r, node)) && !regions.any(holds)
}

/// The version with `l` unrolled and jammed over its tiles.
fn version_over_tiles(
    f: &Analyses,
    version: &Plan,
    l: LoopId,
    options: &Options,
) -> Result<Plan, NoUnrollJam> {
    let nest = Nest::of(f, l)?;
    check_loop(f, l)?;
    check_values(f, &nest)?;
    // What an outer loop keeps in a register goes from iteration to iteration.
    let node = f.tree.loop_(l).node;
    let encloses = |s: &ScalarReplacement| f.tree.contains(f.tree.loop_(s.loop_).node, node);
    if version.scalars().any(encloses) {
        return Err(NoUnrollJam::Carried);
    }
    let mut facts = Facts::default();
    add_trip(f, l, &mut facts)?;
    // Where tiles are sure to gain, sums in memory are those of region loops.
    if !nest.scalars(f)?.is_empty() {
        return Err(NoUnrollJam::Stores);
    }
    let tiles = Served::of(f, version);
    nest.check_order(f, &[], &tiles.read_only, &mut facts)?;
    nest.check_tiles(f, &tiles.all)?;
    let unrolled = nest.unrolled_over_tiles(f);
    let replicas = match options.unroll_jam {
        Some(n) => n,
        None => nest.replicas_over_tiles(f, unrolled)?,
    };
    let mut plan = version.clone();
    plan.loops.push(LoopPlan::Jammed(UnrollJam {
        loop_: l,
        core: nest.core,
        replicas,
        offset: Poly::default(),
        unrolled_over_tiles: Some(unrolled),
    }));
    plan.require(facts.list);
    Ok(plan)
}

/// Accesses that a version's tiles serve.
struct Served {
    all: Vec<AccessId>,
    /// Loads from tiles that nobody stores to while they live.
    read_only: Vec<AccessId>,
}

impl Served {
    fn of(f: &Analyses, version: &Plan) -> Served {
        let is_load = |a: &AccessId| f.accesses.get(*a).kind == AccessKind::Load;
        let (mut all, mut read_only) = (Vec::new(), Vec::new());
        for t in version.tiles() {
            let members: Vec<AccessId> = t.members.iter().map(|m| m.access).collect();
            if t.write_back.is_empty() && members.iter().all(is_load) {
                read_only.extend(&members);
            }
            all.extend(members);
        }
        Served { all, read_only }
    }
}

/// What forbids to reorder anything in `l`. Outside of it threads may wait for each other, and update what others see:
/// all of the loop still comes behind what is before it, and before what is behind it.
fn check_loop(f: &Analyses, l: LoopId) -> Result<(), NoUnrollJam> {
    let reorders =
        |a: &Access| !a.is_volatile && matches!(a.kind, AccessKind::Load | AccessKind::Store);
    if f.kernel.is_clustered() || !f.accesses_in(l).all(reorders) {
        return Err(NoUnrollJam::Communicates);
    }
    let own = f.kernel.own_shared > 0 || f.kernel.dynamic_shared || f.kernel.has_variables();
    (!own).then_some(()).ok_or(NoUnrollJam::OwnArrays)
}

/// What of its values forbids that iterations of a nest run together.
fn check_values(f: &Analyses, nest: &Nest) -> Result<(), NoUnrollJam> {
    if f.fusing_loops().any(|x| nest.is_within(f, x)) {
        return Err(NoUnrollJam::Fuses);
    }
    nest.check_carried(f)
}

/// Adds the facts of the loop's count, which must be known where the loop begins.
fn add_trip(f: &Analyses, l: LoopId, facts: &mut Facts) -> Result<(), NoUnrollJam> {
    let t = f.affine.any_trip(l).ok_or(NoUnrollJam::Trip)?;
    let known = |a: Atom| !matches!(a, Atom::Iter(_) | Atom::Clamp(_) | Atom::Trip(_));
    if t.span.any(|a| !known(a)) || t.step.any(|a| !known(a)) {
        return Err(NoUnrollJam::Trip);
    }
    hull::add_trip(f.affine, facts, l).ok_or(NoUnrollJam::Trip)
}

/// By how many iterations a thread begins after the block's first, where all threads end together
/// and begin an iteration apart at most; else 0.
fn offset(f: &Analyses, l: LoopId) -> Poly {
    let Some(u) = &f.affine.divergent_trips[l.index()] else {
        return Poly::default();
    };
    let is_thread = |a: Atom| matches!(a, Atom::Tid(_));
    let end = u.start.plus(&u.trip.span);
    let Some((each, _)) = u.start.split(is_thread) else {
        return Poly::default();
    };
    let steps: Vec<_> = each.iter().map(|(a, c)| (*a, c.as_constant())).collect();
    let near = steps.iter().all(|(_, c)| matches!(c, Some(-1 | 1)));
    if end.any(is_thread) || u.trip.step.as_constant() != Some(1) || !near {
        return Poly::default();
    }
    let mut sum = Poly::default();
    for (a, c) in steps {
        let Atom::Tid(d) = a else { continue };
        sum = sum.plus(&match c {
            Some(1) => Poly::atom(a),
            _ => last_thread(d).minus(&Poly::atom(a)),
        });
    }
    sum
}

fn last_thread(d: Dim) -> Poly {
    Poly::atom(Atom::Ntid(d)).minus(&Poly::constant(1))
}
