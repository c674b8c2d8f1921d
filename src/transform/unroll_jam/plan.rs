//! What of a kernel it is done to, as plain data, or why it is not. Idea and soundness: [`super`].

use super::legality::Nest;
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::options::Options;
use crate::plan::analyses::Analyses;
use crate::plan::data::{
    LoopPlan, NoMerge, NoUnrollJam, Plan, Proposal, Refusal, Storage, Test, UnrollJam,
};
use crate::plan::facts::Facts;
use crate::plan::{hull, merge};
use crate::tree::LoopId;

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
    if f.fusing_loops().any(|x| nest.is_within(f, x)) {
        return Err(NoUnrollJam::Fuses);
    }
    nest.check_carried(f)?;
    let mut facts = Facts::default();
    let offset = offset(f, l, &mut facts)?;
    let scalars = nest.scalars(f)?;
    nest.check_order(f, &scalars, &mut facts)?;
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
    };
    Ok(Plan {
        loops: vec![LoopPlan::Jammed(unroll_jam)],
        storage: scalars.into_iter().map(Storage::Register).collect(),
        tests: Test::all_sound(facts.list),
        ..Plan::default()
    })
}

/// By how many iterations a thread begins after the block's first, where all threads end together
/// and begin an iteration apart at most; else 0. Adds the facts of the loop's count.
fn offset(f: &Analyses, l: LoopId, facts: &mut Facts) -> Result<Poly, NoUnrollJam> {
    let t = f.affine.any_trip(l).ok_or(NoUnrollJam::Trip)?;
    let known = |a: Atom| !matches!(a, Atom::Iter(_) | Atom::Clamp(_) | Atom::Trip(_));
    if t.span.any(|a| !known(a)) || t.step.any(|a| !known(a)) {
        return Err(NoUnrollJam::Trip);
    }
    hull::add_trip(f.affine, facts, l).ok_or(NoUnrollJam::Trip)?;
    let Some(u) = &f.affine.divergent_trips[l.index()] else {
        return Ok(Poly::default());
    };
    let is_thread = |a: Atom| matches!(a, Atom::Tid(_));
    let end = u.start.plus(&u.trip.span);
    let Some((each, _)) = u.start.split(is_thread) else {
        return Ok(Poly::default());
    };
    let steps: Vec<_> = each.iter().map(|(a, c)| (*a, c.as_constant())).collect();
    let near = steps.iter().all(|(_, c)| matches!(c, Some(-1 | 1)));
    if end.any(is_thread) || u.trip.step.as_constant() != Some(1) || !near {
        return Ok(Poly::default());
    }
    let mut sum = Poly::default();
    for (a, c) in steps {
        let Atom::Tid(d) = a else { continue };
        sum = sum.plus(&match c {
            Some(1) => Poly::atom(a),
            _ => last_thread(d).minus(&Poly::atom(a)),
        });
    }
    Ok(sum)
}

fn last_thread(d: Dim) -> Poly {
    Poly::atom(Atom::Ntid(d)).minus(&Poly::constant(1))
}
