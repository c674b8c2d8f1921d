//! Chooses what of a kernel is staged, and where.

use super::analyses::Analyses;
use super::context::Context;
use crate::access::{AccessId, ArrayId};
use crate::missed::Missed;
use crate::plan::data::{Plan, Prospect, ScalarReplacement, Storage, Test, Trait};
use crate::plan::extent::MaxBlock;
use crate::plan::facts::Facts;
use crate::plan::whole_async;
use crate::plan::{choose, extent, overlap, profit, scalar_replacement};
use crate::tree::{LoopId, Node};

/// Which candidates are staged.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// All that are legal.
    All,
    /// Those that are sure to gain as they are (`profit`).
    Sure,
    /// The same in strips alone, for merged blocks: what short loops read fits whole, but is read in
    /// the loop's order, and strips leave room for the neighbours' tiles.
    Strips,
    /// All, whole, in versions of merged blocks that a transformation asks for (`transform::MERGED`).
    Merged,
    /// All, in versions that the model expects to gain.
    Predicted,
}

/// A choice of arrays and places.
pub struct Settled {
    /// The plan without merging.
    pub plan: Plan,
    /// What is staged.
    pub picked: Vec<Prospect>,
    /// Bytes of shared memory there are.
    pub budget: u32,
    /// How it was chosen.
    pub mode: Mode,
    /// Why clusters were not chosen.
    pub missed: Vec<(ArrayId, Missed)>,
}

/// Chooses among `ranked` with `accumulators` left to registers.
pub fn settle(context: &Context, accumulators: &[ScalarReplacement], mode: Mode) -> Settled {
    let (f, options) = (context.f, context.options);
    let in_register: Vec<AccessId> = accumulators
        .iter()
        .flat_map(|p| p.accesses.iter().copied())
        .collect();
    let mut missed = Vec::new();
    let mut open = candidates(context, &in_register, mode);
    limit_fuel(&mut open, context.fuel, &mut missed);
    let (agreed, nested) = choose::agree(f, open);
    missed.extend(nested);
    let mut facts = Facts::default();
    let mut budget = context.budget;
    let candidates = if !matches!(mode, Mode::Sure | Mode::Strips) {
        agreed
    } else {
        let measured = options.host == Some(true);
        let sure = profit::sure(f, &agreed, &in_register, measured);
        let left = agreed
            .iter()
            .filter(|c| !sure.iter().any(|s| s.cluster == c.cluster));
        missed.extend(left.map(|c| (c.array, Missed::NotProfitable)));
        budget = budget.min(profit::budget(&sure));
        sure
    };
    let reads = extent::thread_dimensions(f.affine);
    let max_block = MaxBlock::choices(f.kernel, reads);
    let cuts = overlap::cuts(f, &candidates, &max_block, options);
    let choice = choose::choose(context, &candidates, &cuts, budget);
    missed.extend(choice.missed);
    let mut plan = Plan {
        regions: choice.layout.regions,
        shared_bytes: choice.layout.bytes,
        ..Plan::default()
    };
    for r in &mut plan.regions {
        r.whole_async = whole_async::is_for(f, r);
    }
    facts.extend(&choice.layout.facts);
    add_scalars(f, &mut plan, accumulators, &mut facts);
    if !plan.regions.is_empty() {
        plan.tests = Test::all_sound(facts.list);
        plan.sort_tests();
    }
    let picked = choice.picked.iter().map(|i| candidates[*i].clone());
    Settled {
        plan,
        picked: picked.collect(),
        budget: context.budget,
        mode,
        missed,
    }
}

/// Prospects of each cluster that is not `in_register`, best first.
fn candidates(context: &Context, in_register: &[AccessId], mode: Mode) -> Vec<Vec<Prospect>> {
    let in_mode = |c: &&Prospect| match mode {
        Mode::Merged => !c.in_strips(),
        Mode::Strips => c.in_strips(),
        Mode::All | Mode::Sure | Mode::Predicted => true,
    };
    let worth = |c: &&Prospect| context.options.force || !c.is(Trait::Lost);
    let free = |c: &&Prospect| !c.members.iter().any(|a| in_register.contains(a));
    let gains = |c: &Prospect| c.reuse > 1.0 || c.is(Trait::Uncoalesced) || c.is(Trait::Strided);
    let gains = |c: &Prospect| context.options.force || gains(c);
    let only_copied = |c: &Prospect| mode == Mode::All && !gains(c);
    let may_be =
        |c: &&Prospect| !only_copied(c) && (!c.is(Trait::Mapped) || context.mapped && gains(c));
    let all = context.candidates.iter().map(|c| &c.prospect);
    let open: Vec<Prospect> = all
        .filter(free)
        .filter(may_be)
        .filter(in_mode)
        .filter(worth)
        .cloned()
        .collect();
    let by_cluster = open.chunk_by(|a, b| a.cluster == b.cluster);
    by_cluster.map(<[Prospect]>::to_vec).collect()
}

/// Keeps the clusters of the first `fuel` arrays.
fn limit_fuel(
    open: &mut Vec<Vec<Prospect>>,
    fuel: Option<u32>,
    missed: &mut Vec<(ArrayId, Missed)>,
) {
    let Some(fuel) = fuel else { return };
    let mut arrays: Vec<ArrayId> = open.iter().map(|r| r[0].array).collect();
    crate::order::sort(&mut arrays);
    arrays.dedup();
    arrays.truncate(fuel as usize);
    open.retain(|r| {
        let keep = arrays.contains(&r[0].array);
        if !keep {
            missed.push((r[0].array, Missed::OutOfFuel));
        }
        keep
    });
}

pub fn region_loops(f: &Analyses, plan: &Plan) -> Vec<LoopId> {
    plan.regions
        .iter()
        .filter_map(|r| match f.tree.node(r.node) {
            Node::Loop(l) => Some(*l),
            _ => None,
        })
        .collect()
}

/// Keeps those accumulators whose loop is a region and whose facts can be tested.
pub fn add_scalars(f: &Analyses, plan: &mut Plan, all: &[ScalarReplacement], facts: &mut Facts) {
    let loops = region_loops(f, plan);
    for p in all.iter().filter(|p| loops.contains(&p.loop_)) {
        // A region inside the loop has looked at its own part of it only.
        let encloses = |r: &&super::Region| f.tree.contains(r.node, f.tree.loop_(p.loop_).node);
        let staged: Vec<AccessId> = plan
            .regions
            .iter()
            .filter(encloses)
            .flat_map(|r| r.tiles.iter().flat_map(|t| &t.members))
            .map(|m| m.access)
            .collect();
        if let Some(needed) = scalar_replacement::facts(f, p, &staged) {
            facts.extend(&needed);
            plan.storage.push(Storage::Register(p.clone()));
        }
    }
}
