//! Chooses what of a kernel is staged, and where.

use super::analyses::Analyses;
use super::places::{is_only_stored, places};
use crate::access::{AccessId, ArrayId};
use crate::missed::Missed;
use crate::options::Options;
use crate::plan::candidate::{Candidate, Limits};
use crate::plan::data::{Plan, ScalarReplacement, Storage, Test};
use crate::plan::extent::MaxBlock;
use crate::plan::facts::Facts;
use crate::plan::reasons::{Reasons, is_only_written};
use crate::plan::shape::Cluster;
use crate::plan::whole_async;
use crate::plan::{candidate, choose, extent, legality, overlap, profit, scalar_replacement};
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

/// What a plan is made from.
pub struct Context<'a> {
    /// The kernel.
    pub f: &'a Analyses<'a>,
    /// All clusters.
    pub clusters: &'a [Cluster],
    /// Of each cluster that may be staged, the places, best first.
    pub ranked: &'a [Vec<Candidate>],
    /// The options.
    pub options: &'a Options,
    /// How many more arrays may be staged.
    pub fuel: Option<u32>,
    /// Bytes of shared memory there are.
    pub budget: u32,
}

/// A choice of arrays and places.
pub struct Settled {
    /// The plan without merging.
    pub plan: Plan,
    /// What is staged.
    pub picked: Vec<Candidate>,
    /// Bytes of shared memory there are.
    pub budget: u32,
    /// How it was chosen.
    pub mode: Mode,
    /// Why clusters were not chosen.
    pub missed: Vec<(usize, Missed)>,
}

/// Chooses among `ranked` with `accumulators` left to registers.
pub fn settle(context: &Context, accumulators: &[ScalarReplacement], mode: Mode) -> Settled {
    let (f, clusters, options) = (context.f, context.clusters, context.options);
    let in_register: Vec<AccessId> = accumulators
        .iter()
        .flat_map(|p| p.accesses.iter().copied())
        .collect();
    let mut missed = Vec::new();
    let mut open = candidates(context, &in_register, mode);
    limit_fuel(clusters, &mut open, context.fuel, &mut missed);
    let (agreed, nested) = choose::agree(f, open);
    missed.extend(nested);
    let mut facts = Facts::default();
    let mut budget = context.budget;
    let candidates = if !matches!(mode, Mode::Sure | Mode::Strips) {
        agreed
    } else {
        let sure = profit::sure(f, clusters, &agreed, &in_register);
        let left = agreed
            .iter()
            .filter(|c| !sure.iter().any(|s| s.cluster == c.cluster));
        missed.extend(left.map(|c| (c.cluster, Missed::NotProfitable)));
        budget = budget.min(profit::budget(&sure));
        sure
    };
    let reads = extent::thread_dimensions(f.affine);
    let max_block = MaxBlock::choices(f.kernel, reads);
    let cuts = overlap::cuts(f, &candidates, &max_block, options);
    let choice = choose::choose(f, clusters, &candidates, &cuts, budget);
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

/// Candidates of each cluster that is not `in_register`.
pub fn candidates(context: &Context, in_register: &[AccessId], mode: Mode) -> Vec<Vec<Candidate>> {
    let in_mode = |c: &&Candidate| match mode {
        Mode::Merged => c.strip.is_none(),
        Mode::Strips => c.strip.is_some(),
        Mode::All | Mode::Sure | Mode::Predicted => true,
    };
    let is_lost = |c: &Candidate| c.is_lost_in_guards() || c.copies_more_than_is_read();
    let worth = |c: &&Candidate| context.options.force || !is_lost(c);
    let mut open: Vec<Vec<Candidate>> = Vec::new();
    for r in context.ranked.iter().filter(|r| !r.is_empty()) {
        let cluster = &context.clusters[r[0].cluster];
        if cluster.accesses.iter().any(|a| in_register.contains(a)) {
            continue;
        }
        open.push(r.iter().filter(in_mode).filter(worth).cloned().collect());
    }
    open.retain(|r| !r.is_empty());
    open
}

/// Keeps the clusters of the first `fuel` arrays.
pub fn limit_fuel(
    clusters: &[Cluster],
    open: &mut Vec<Vec<Candidate>>,
    fuel: Option<u32>,
    missed: &mut Vec<(usize, Missed)>,
) {
    let Some(fuel) = fuel else { return };
    let mut arrays: Vec<ArrayId> = open.iter().map(|r| clusters[r[0].cluster].array).collect();
    crate::order::sort(&mut arrays);
    arrays.dedup();
    arrays.truncate(fuel as usize);
    open.retain(|r| {
        let keep = arrays.contains(&clusters[r[0].cluster].array);
        if !keep {
            missed.push((r[0].cluster, Missed::OutOfFuel));
        }
        keep
    });
}

pub fn rank(
    f: &Analyses,
    clusters: &[Cluster],
    options: &Options,
    budget: u32,
    reasons: &mut Reasons,
) -> Vec<Vec<Candidate>> {
    let reads = extent::thread_dimensions(f.affine);
    let max_block = MaxBlock::choices(f.kernel, reads);
    let limits = Limits {
        largest: max_block[0],
        smallest: max_block[max_block.len() - 1],
        shortest: options.strip.unwrap_or(
            crate::machine::tuning::overlap::STRIPS
                [crate::machine::tuning::overlap::STRIPS.len() - 1],
        ),
        reads,
        budget,
    };
    let mut out = Vec::new();
    for (i, c) in clusters.iter().enumerate() {
        if reasons.is_refused(c.array) {
            continue;
        }
        let refused = c
            .accesses
            .iter()
            .find_map(|a| legality::refuse_access(f, f.accesses.get(*a)));
        let ranked = match (places(f, c), refused) {
            (Err(m), _) | (_, Some(m)) => Err(m),
            (Ok(places), None) => candidate::candidates(f, i, c, places, &limits),
        };
        match ranked {
            Ok(r) => out.push(r),
            // An array that is also read has a reason why its reads are not staged.
            Err(_) if is_only_stored(f, c) && !is_only_written(f, c.array) => {}
            Err(m) => reasons.early.push((c.array, m)),
        }
    }
    out
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
