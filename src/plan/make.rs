//! Makes the plan: clusters, places, agreement, profit, layout, promotions.

use super::candidate::{self, Candidate, Limits};
use super::extent::{self, Caps};
use super::facts::Facts;
use super::legality::{self, Facets};
use super::reasons::{Reasons, is_only_written};
use super::shape::{self, Cluster};
use super::{
    Plan, Promotion, abreast, apart, choose, columns, lift, overlap, prior, profit, promote,
    rounds, slide, stores, tally, unstaged, unsure, versions, whole,
};
use crate::access::{AccessId, Accesses, ArrayId};
use crate::affine::Affine;
use crate::kernel::alone::Alone;
use crate::kernel::{Kernel, Pairs};
use crate::missed::Missed;
use crate::options::Options;
use crate::target::STATIC_SHARED;
use crate::tree::{LoopId, Node, Tree};

/// Values alive at once up to which the original surely fits in the 64 registers that a block of
/// 1024 threads has. Kernels of known need take up to 15 registers more than the estimate, and the
/// one whose estimate is 56 takes all 64 (tests/pressure.rs).
pub const MOST_PRESSURE: u32 = 48;

/// Which candidates a plan has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Candidates {
    /// Those of which the model expects a gain, or which were seen to gain where it knows nothing.
    Expected,
    /// With what only a measurement can judge behind them ([`super::unsure`]).
    All,
}

/// Plans one kernel. `fuel`: how many more arrays may be staged.
pub fn make(
    kernel: &Kernel,
    tree: &Tree,
    accesses: &Accesses,
    affine: &Affine,
    options: &Options,
    fuel: Option<u32>,
    candidates: Candidates,
) -> Plan {
    let f = Facets {
        kernel,
        tree,
        accesses,
        affine,
    };
    if let Some(why) = refused_as_whole(kernel) {
        return Plan {
            kernel_missed: Some(why),
            ..at_most_rounds(&f, options)
        };
    }
    if let Some(why) = bits_at_risk(kernel) {
        return nothing(why);
    }
    // What LLVM has made of a body is looked at in the end; one without tiles could not be taken back then.
    let may_go_without = kernel.pairs.is_none() && fuel != Some(0);
    let mut reasons = Reasons::new(&f);
    reasons.refuse_arrays();
    let clusters = shape::collect_clusters(accesses, affine);
    let budget = budget(kernel, options);
    let ranked = rank(&f, &clusters, options, budget, &mut reasons);
    // An accumulator that can live in a register is better there than in a tile; only loops that
    // become regions keep one. So a first choice leaves accumulators out, and a second takes back
    // those whose loop did not become a region.
    let all = accumulators(&f);
    let context = Context {
        f: &f,
        clusters: &clusters,
        ranked: &ranked,
        options,
        fuel,
        budget,
    };
    let tallied = tally::choose(&f, options).filter(|_| !affine.inside && may_go_without);
    let mut plan = tallied.unwrap_or_else(|| in_tiles(&context, &all, &mut reasons));
    if plan.is_idle() && may_go_without {
        plan = without_tiles(&f, plan, options);
    }
    if candidates == Candidates::All && may_go_without {
        plan = unsure::with_unsure(&context, all, plan, &mut reasons);
    }
    if let Some(why) = no_version(kernel, options).filter(|_| !plan.is_idle()) {
        return nothing(why);
    }
    complete(&f, &mut plan, options);
    reasons.finish(&clusters, &mut plan);
    plan
}

/// Why nothing is staged in a kernel and its blocks stay as they are.
fn refused_as_whole(kernel: &Kernel) -> Option<Missed> {
    let dynamic = kernel.dynamic_shared.then_some(Missed::DynamicShared);
    dynamic.or(kernel.alone.map(Missed::from))
}

/// What such a kernel may have beside it.
fn at_most_rounds(f: &Facets, options: &Options) -> Plan {
    let plan = Plan::default();
    if options.host == Some(true) && may_have_rounds(f.kernel) {
        return rounds::choose(f, plan, options);
    }
    plan
}

/// Whether a copy of such a kernel may run loops in rounds: there may be a copy, and it has as much room and the same
/// sums.
fn may_have_rounds(kernel: &Kernel) -> bool {
    let once = kernel.alone == Some(Alone::AssemblyOnce);
    let fits = kernel.is_bounded() || kernel.pressure <= MOST_PRESSURE;
    !once && fits && !kernel.rearranges && kernel.pairs.is_none()
}

/// Adds what hangs on all that is chosen.
fn complete(f: &Facets, plan: &mut Plan, options: &Options) {
    if !f.affine.inside {
        whole::choose(f, plan, options);
    }
    apart::choose(f.kernel, plan);
    if !options.force {
        prior::choose(f, plan, options);
    }
}

/// The plan of a kernel in which nothing is done.
fn nothing(why: Missed) -> Plan {
    Plan {
        kernel_missed: Some(why),
        ..Plan::default()
    }
}

/// Bytes of shared memory that tiles may have.
fn budget(kernel: &Kernel, options: &Options) -> u32 {
    let limit = options.shared.unwrap_or(STATIC_SHARED).min(STATIC_SHARED);
    limit.saturating_sub(kernel.own_shared) / 16 * 16
}

/// Why bits might differ in whatever is made of a kernel.
fn bits_at_risk(kernel: &Kernel) -> Option<Missed> {
    if kernel.rearranges {
        return Some(Missed::RearrangedMath);
    }
    (kernel.pairs == Some(Pairs::Halves)).then_some(Missed::PackedMath)
}

/// Why a kernel cannot have a version, whatever that does.
fn no_version(kernel: &Kernel, options: &Options) -> Option<Missed> {
    if !kernel.is_bounded() && kernel.pressure > MOST_PRESSURE {
        return Some(Missed::RegisterPressure {
            need: kernel.pressure,
        });
    }
    (options.versions.1 == 0).then_some(Missed::LongCode)
}

/// The first way to choose that stages something.
fn in_tiles(context: &Context, accumulators: &[Promotion], reasons: &mut Reasons) -> Plan {
    let modes: &[Mode] = if context.f.affine.inside {
        &[Mode::Windows]
    } else if context.options.force {
        &[Mode::All]
    } else {
        &[Mode::Sure, Mode::Strips, Mode::Windows, Mode::Predicted]
    };
    let mut plan = Plan::default();
    for mode in modes {
        plan = attempt(context, accumulators.to_vec(), *mode, reasons);
        if !plan.regions.is_empty() {
            break;
        }
    }
    plan
}

/// The first of the ways without tiles that does something.
fn without_tiles(f: &Facets, plan: Plan, options: &Options) -> Plan {
    if f.affine.inside {
        return columns::choose(f, plan, options);
    }
    let mut plan = unstaged::choose(f, plan, options);
    if plan.is_idle() {
        plan = abreast::choose(f, plan, options);
    }
    if plan.is_idle() {
        plan = lift::choose(f, plan);
    }
    if plan.is_idle() {
        plan = rounds::choose(f, plan, options);
    }
    plan
}

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
    /// All, whole, in versions of merged blocks over which windows slide (`windows`).
    Windows,
    /// All, in versions that the model expects to gain.
    Predicted,
}

/// What a plan is made from.
pub(super) struct Context<'a> {
    pub f: &'a Facets<'a>,
    clusters: &'a [Cluster],
    ranked: &'a [Vec<Candidate>],
    pub options: &'a Options,
    fuel: Option<u32>,
    budget: u32,
}

/// The plan of one mode, with accumulators in registers where their loop becomes a region.
pub(super) fn attempt(
    context: &Context,
    mut accumulators: Vec<Promotion>,
    mode: Mode,
    reasons: &mut Reasons,
) -> Plan {
    let (f, clusters, options) = (context.f, context.clusters, context.options);
    let mut plan = Plan::default();
    for _ in 0..2 {
        let settled = settle(context, &accumulators, mode);
        let loops: Vec<LoopId> = region_loops(f, &settled.plan);
        let kept: Vec<Promotion> = accumulators
            .iter()
            .filter(|p| loops.contains(&p.loop_))
            .cloned()
            .collect();
        let done = kept.len() == accumulators.len();
        plan = versions::all(f, clusters, &settled, &kept, options);
        if matches!(mode, Mode::All | Mode::Sure) || !plan.regions.is_empty() {
            reasons.cluster_missed = settled.missed;
        }
        if done || accumulators.is_empty() {
            break;
        }
        accumulators = kept;
    }
    plan
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

/// Candidates of each cluster that is not `in_register`.
fn candidates(context: &Context, in_register: &[AccessId], mode: Mode) -> Vec<Vec<Candidate>> {
    let fits = |c: &&Candidate| match mode {
        Mode::Windows => c.strip.is_none(),
        Mode::Strips => c.strip.is_some(),
        Mode::All | Mode::Sure | Mode::Predicted => true,
    };
    let mut open: Vec<Vec<Candidate>> = Vec::new();
    for r in context.ranked.iter().filter(|r| !r.is_empty()) {
        let cluster = &context.clusters[r[0].cluster];
        if cluster.accesses.iter().any(|a| in_register.contains(a)) {
            continue;
        }
        open.push(r.iter().filter(fits).cloned().collect());
    }
    open.retain(|r| !r.is_empty());
    open
}

/// Chooses among `ranked` with `accumulators` left to registers.
fn settle(context: &Context, accumulators: &[Promotion], mode: Mode) -> Settled {
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
    let caps = Caps::choices(f.kernel, reads);
    let cuts = overlap::cuts(f, &candidates, &caps, options);
    let choice = choose::choose(f, clusters, &candidates, &cuts, budget);
    missed.extend(choice.missed);
    let mut plan = Plan {
        regions: choice.layout.regions,
        shared_bytes: choice.layout.bytes,
        ..Plan::default()
    };
    for r in &mut plan.regions {
        r.bulk = slide::copies_in_bulk(f, r);
    }
    facts.extend(&choice.layout.facts);
    add_promotions(f, &mut plan, accumulators, &mut facts);
    if !plan.regions.is_empty() {
        plan.facts = facts.list;
        crate::order::sort_by_key(&mut plan.facts, |f| {
            matches!(f, super::Fact::Disjoint { .. })
        });
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

/// Keeps the clusters of the first `fuel` arrays.
fn limit_fuel(
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

fn rank(
    f: &Facets,
    clusters: &[Cluster],
    options: &Options,
    budget: u32,
    reasons: &mut Reasons,
) -> Vec<Vec<Candidate>> {
    let reads = extent::thread_dimensions(f.affine);
    let caps = Caps::choices(f.kernel, reads);
    let limits = Limits {
        largest: caps[0],
        smallest: caps[caps.len() - 1],
        shortest: options
            .strip
            .unwrap_or(overlap::STRIPS[overlap::STRIPS.len() - 1]),
        reads,
        budget,
    };
    let mut out = Vec::new();
    for (i, c) in clusters.iter().enumerate() {
        if reasons.is_refused(c.array) {
            continue;
        }
        let only_stored = stores::is_only_stored(f, c);
        let worth = !only_stored || stores::places(f, c) != Err(Missed::OnlyStored);
        let refused = c
            .accesses
            .iter()
            .find_map(|a| legality::refuse_access(f, f.accesses.get(*a)));
        let ranked = match refused {
            _ if !worth => Err(Missed::OnlyStored),
            Some(m) => Err(m),
            None => candidate::candidates(f, i, c, &limits),
        };
        match ranked {
            Ok(r) => out.push(r),
            // An array that is also read has a reason why its reads are not staged.
            Err(_) if only_stored && !is_only_written(f, c.array) => {}
            Err(m) => reasons.early.push((c.array, m)),
        }
    }
    out
}

/// Promotable accumulators of every loop, innermost loops first where loops are nested.
fn accumulators(f: &Facets) -> Vec<Promotion> {
    let mut out: Vec<Promotion> = Vec::new();
    for l in 0..f.tree.loops.len() {
        for p in promote::find(f, LoopId(l as u32)) {
            out.push(p);
        }
    }
    out
}

fn region_loops(f: &Facets, plan: &Plan) -> Vec<LoopId> {
    plan.regions
        .iter()
        .filter_map(|r| match f.tree.node(r.node) {
            Node::Loop(l) => Some(*l),
            _ => None,
        })
        .collect()
}

/// Keeps those accumulators whose loop is a region and whose facts can be tested.
pub fn add_promotions(f: &Facets, plan: &mut Plan, accumulators: &[Promotion], facts: &mut Facts) {
    let loops = region_loops(f, plan);
    for p in accumulators.iter().filter(|p| loops.contains(&p.loop_)) {
        // A region inside the loop has looked at its own part of it only.
        let around = |r: &&super::Region| f.tree.contains(r.node, f.tree.loop_(p.loop_).node);
        let staged: Vec<AccessId> = plan
            .regions
            .iter()
            .filter(around)
            .flat_map(|r| r.tiles.iter().flat_map(|t| &t.members))
            .map(|m| m.access)
            .collect();
        if let Some(needed) = promote::facts(f, p, &staged) {
            facts.extend(&needed);
            plan.promotions.push(p.clone());
        }
    }
}
