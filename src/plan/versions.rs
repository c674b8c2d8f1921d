//! The versions of a kernel's plan, in the order in which the model prefers them.
//!
//! The first has blocks merged where that is legal and wanted; the others are for launches that
//! are too small for it, or whose facts do not hold. Which is fastest for a launch is measured.

use super::analyses::Analyses;
use super::context::Context;
use super::data::{KernelPlan, NoMerge, Plan, Refusal, Region, ScalarReplacement, Tile, Trait};
use super::extent::{self, MaxBlock};
use super::facts::Facts;
use super::merge::{self, Ingredients};
use super::model::{self, Shape};
use super::overlap::Cut;
use super::settle::{Mode, Settled, add_scalars};
use super::{cuts, stores};
use crate::access::{Access, AccessKind};
use crate::affine::Atom;
use crate::machine::target::Target;
use crate::machine::tuning::versions::{FACTORS, FOR_DOUBLES, LARGEST, MIDDLE, SMALLEST};
use crate::options::Options;
use crate::transform::{MERGED, compacted};

/// The plan with its alternatives.
pub fn all(context: &Context, settled: &Settled, accumulators: &[ScalarReplacement]) -> KernelPlan {
    let (f, options) = (context.f, context.options);
    let plan = settled.plan.clone();
    if plan.regions.is_empty() {
        return plan.into();
    }
    let source = Source {
        context,
        settled,
        accumulators,
    };
    match options.merge {
        Some([1, 1, 1]) => return unmerged(f, settled).into(),
        Some(factor) => return source.as_requested(plan, factor),
        None => {}
    }
    let Some(target) = Target::of_sm(f.kernel.sm) else {
        return unmerged(f, settled).into();
    };
    let reads = extent::thread_dimensions(f.affine);
    match settled.mode {
        // Where plain staging is not sure to pay, merging it was seen to lose to half the time as often
        // as not, but for what transformations ask for: that is before.
        Mode::Predicted => return unmerged(f, settled).into(),
        Mode::Merged => {
            let merge = |factor, bytes| source.merged_within(factor, bytes);
            let all = MERGED.iter().map(|m| (m.choose)(f, target, reads, &merge));
            let first = all.into_iter().find(|v| !v.is_empty());
            return first_of(first.unwrap_or_default(), options);
        }
        _ => {}
    }
    if stores::are_all(&settled.picked) {
        let rest = unmerged(f, settled);
        return stores::merged(rest, &settled.picked, &|factor| source.merged(factor));
    }
    let best = source.best(&plan, target, reads);
    let rest = unmerged(f, settled);
    match best {
        Ok(first) => first_of(source.with_smaller(first, rest, reads), options),
        Err(why) => KernelPlan::from(rest).refused(why.map(Refusal::Merge)),
    }
}

/// What versions are made of.
struct Source<'a> {
    context: &'a Context<'a>,
    settled: &'a Settled,
    accumulators: &'a [ScalarReplacement],
}

impl Source<'_> {
    /// With as many replicas as the option says.
    fn as_requested(&self, plan: Plan, factor: [u32; 3]) -> KernelPlan {
        match self.merged(factor) {
            // Interior blocks are told by facts that only such versions have.
            first if self.context.f.affine.interior => first
                .ok()
                .filter(|p| MERGED.iter().any(|m| (m.is_one)(self.context.f, p)))
                .unwrap_or_default()
                .into(),
            Ok(first) => first_of(vec![first, plan], self.context.options),
            Err(why) => KernelPlan::from(plan).refused(Some(Refusal::Merge(why))),
        }
    }

    /// The same in up to `bytes` of tiles.
    fn merged_within(&self, factor: [u32; 3], bytes: u32) -> Result<Plan, NoMerge> {
        let settled = Settled {
            budget: self.settled.budget.min(bytes),
            plan: Plan::default(),
            picked: self.settled.picked.clone(),
            mode: self.settled.mode,
            missed: Vec::new(),
        };
        let source = Source {
            settled: &settled,
            ..*self
        };
        source.merged(factor)
    }

    /// The merge that the model expects most of; `Err`: there is none, and why the first that was tried is not.
    fn best(
        &self,
        plan: &Plan,
        target: &Target,
        reads: [bool; 3],
    ) -> Result<Plan, Option<NoMerge>> {
        let gain = |p: &Plan| {
            let forecast = model::forecast(self.context.f, p, target, Shape::of(p));
            let large = forecast.large().map_or(0.0, |l| l.gain());
            (large, model::verdict(&forecast))
        };
        let gain_unmerged = gain(plan).0;
        let mut best: Option<(f64, Plan)> = None;
        let mut why = None;
        for factor in FACTORS {
            if [0, 1, 2].iter().any(|d| factor[*d] > 1 && !reads[*d]) {
                continue;
            }
            if factor == LARGEST && is_heavy(plan) {
                continue;
            }
            let version = match self.merged(factor) {
                Ok(v) => with_registers(v),
                Err(e) => {
                    why = why.or(Some(e));
                    continue;
                }
            };
            if shares_little(&version) {
                continue;
            }
            let (large, worth) = gain(&version);
            let better = large >= gain_unmerged * crate::machine::tuning::forecast::MARGIN
                && large >= crate::machine::tuning::forecast::MARGIN;
            if worth && better && best.as_ref().is_none_or(|(g, _)| large > *g * 1.02) {
                best = Some((large, version));
            }
        }
        best.map(|(_, first)| first).ok_or(why)
    }

    /// The best merge, and what smaller blocks and grids get; `rest`: without merging.
    fn with_smaller(&self, first: Plan, rest: Plan, reads: [bool; 3]) -> Vec<Plan> {
        let [_, y, _] = first.merge.factor;
        let smaller = match first.merge.factor {
            LARGEST => MIDDLE,
            other => other.map(|r| r.div_ceil(2)),
        };
        let mut list = Vec::new();
        let small = cuts::of_small_blocks(self.context.f, reads, self.context.options);
        if let Some(c) = small.filter(|_| first.merge.factor == LARGEST)
            && let Ok(v) = self.cut(&[c], LARGEST)
        {
            list.push(with_registers(v));
        }
        list.push(first);
        if smaller.iter().product::<u32>() > 1
            && smaller != SMALLEST
            && let Ok(v) = self.merged(smaller)
        {
            list.push(v);
        }
        let most = list.iter().map(|p| p.shared_bytes).max().unwrap_or(0);
        let wide = cuts::of_wide_blocks(self.context.f, reads, self.context.options)
            .into_iter()
            .find_map(|c| {
                let v = self.cut(&[c], SMALLEST).ok();
                v.filter(|v| v.shared_bytes <= most)
            });
        match wide.map_or_else(|| self.merged(SMALLEST), Ok) {
            Ok(v) if y > 1 => {
                list.push(v);
            }
            _ if !rest.regions.is_empty() => list.push(rest),
            _ => {}
        }
        list
    }

    /// A version with `factor` blocks merged.
    fn merged(&self, factor: [u32; 3]) -> Result<Plan, NoMerge> {
        let max_block = MaxBlock::choices(
            self.context.f.kernel,
            extent::thread_dimensions(self.context.f.affine),
        );
        let cuts = cuts::merged(&max_block, self.context.options);
        self.cut(&cuts, factor)
    }

    /// A version with `factor` blocks merged, its strips cut in the first of these ways that is possible.
    fn cut(&self, cuts: &[Cut], factor: [u32; 3]) -> Result<Plan, NoMerge> {
        let (f, settled) = (self.context.f, self.settled);
        // Beside others, store tiles are one block's; without them its threads store as the original does.
        let stores = stores::are_all(&settled.picked);
        let picked: Vec<_> = settled
            .picked
            .iter()
            .filter(|c| stores || !c.is(Trait::OnlyStores))
            .collect();
        if picked.is_empty() {
            return Err(NoMerge::Region);
        }
        let mut budget = settled.budget;
        if stores {
            budget = budget.min(stores::budget(&settled.picked) * factor.iter().product::<u32>());
        }
        let of = Ingredients {
            picked: &picked,
            cuts,
            budget,
        };
        let mut plan = merge::version(self.context, &of, factor)?;
        let mut facts = Facts::default();
        add_scalars(f, &mut plan, self.accumulators, &mut facts);
        let assumed = facts.add_ids(f.affine, &f.affine.assumed);
        assumed.map_err(|_| NoMerge::Trip)?;
        plan.require(facts.list);
        merge::complete(f, &mut plan)?;
        plan.merge.compacted = compacted::may(f, &plan);
        plan.require(merge::block_numbers_fit(&plan).filter(|_| plan.merge.compacted));
        Ok(plan)
    }
}

/// Whether two replicas share nothing but cells that all threads read. Threads have half of those reads then, and half
/// as many warps hide them (`interaction4`, 147456 bodies on an H200: x1.37, not merged x1.82).
fn shares_little(plan: &Plan) -> bool {
    let mut tiles = plan.tiles();
    let follows = |t: &Tile| {
        let mut terms = t.footprint.dims.iter().flat_map(|d| &d.terms);
        terms.any(|(a, _)| matches!(a, Atom::Tid(_)))
    };
    plan.merge.replicas() == 2 && !tiles.any(follows)
}

/// Gives a version the registers for its replicas' sums, where each takes two.
fn with_registers(plan: Plan) -> Plan {
    let has_doubles = plan.tiles().any(|t| t.footprint.size == 8);
    let doubles = plan.merge.factor == LARGEST && has_doubles;
    Plan {
        registers: doubles.then_some(FOR_DOUBLES),
        ..plan
    }
}

/// Whether a replica's sum takes more than two registers, or an address where it is kept.
fn is_heavy(plan: &Plan) -> bool {
    let mut tiles = plan.tiles();
    plan.has_scalars() || tiles.any(|t| t.footprint.size > 8)
}

/// The version without merging, where it is worth it by itself.
fn unmerged(f: &Analyses, settled: &Settled) -> Plan {
    let plan = settled.plan.clone();
    let Some(target) = Target::of_sm(f.kernel.sm) else {
        return Plan::default();
    };
    let forecast = model::forecast(f, &plan, target, Shape::of(&plan));
    let gains = forecast
        .large()
        .is_some_and(|l| l.gain() >= crate::machine::tuning::forecast::MARGIN);
    match settled.mode {
        Mode::Sure if !gains => return Plan::default(),
        Mode::All | Mode::Sure => return plan,
        Mode::Merged | Mode::Strips => return Plan::default(),
        Mode::Predicted => {}
    }
    // A window copied whole: mavg_edges measured x0.78 to x1.47, by the block; one of 7 taps that is not a
    // loop any more, with tests at the edges, x0.18. What is clamped is a window, too.
    let moves = |t: &Tile| {
        t.footprint.dims.iter().any(|d| {
            let has = |wanted: fn(&Atom) -> bool| d.terms.iter().any(|(a, _)| wanted(a));
            let along = has(|a| matches!(a, Atom::Iter(_))) || d.high > d.low;
            has(|a| matches!(a, Atom::Tid(_))) && along || has(|a| matches!(a, Atom::Clamp(_)))
        })
    };
    let whole = |r: &&Region| r.strip.is_none();
    let mut wholes = plan.regions.iter().filter(whole);
    if wholes.any(|r| r.tiles.iter().any(moves)) {
        return Plan::default();
    }
    // Copied again in every iteration of a loop around it: trip_shrinking measured x0.70.
    let again = |r: &Region| {
        let outer = f.tree.enclosing_loops(r.node);
        r.strip.is_none() && outer.iter().any(|l| f.tree.loop_(*l).node != r.node)
    };
    let unsure = plan.regions.iter().any(|r| again(r) || recurs(f, r));
    match model::verdict(&forecast) && !unsure {
        true => plan,
        false => Plan::default(),
    }
}

/// Whether an iteration of a strip's loop loads from global memory what earlier ones stored there: then the iterations
/// wait for each other, whatever the tiles bring, and the model does not know for how long (a tridiagonal solver, two
/// quotients an iteration, on an H200: x2.15 expected, x0.88 measured).
fn recurs(f: &Analyses, region: &Region) -> bool {
    let Some(strip) = region.strip else {
        return false;
    };
    let served = |a: &&Access| {
        let mut members = region.tiles.iter().flat_map(|t| &t.members);
        members.any(|m| m.access == a.id)
    };
    let mine = || f.accesses_in(strip.loop_).filter(|a| !served(a));
    let index = |a: &Access| f.affine.address(a.id).map(|a| &a.index);
    let of = |kind| mine().filter(move |a| a.kind == kind);
    of(AccessKind::Store).any(|s| {
        let mut loads = of(AccessKind::Load);
        let own = |l: &Access| index(l).is_some() && index(l) == index(s);
        loads.any(|l| l.array.is_some() && l.array == s.array && !own(l))
    })
}

/// The first, with the others as its alternatives; those that the options leave out apart.
pub fn first_of(list: Vec<Plan>, options: &Options) -> KernelPlan {
    let (skip, most) = options.versions;
    // None is refused by `make`, which has to see that there were some.
    let kept = list.into_iter().skip(skip).take(most.max(1));
    let mut list: Vec<Plan> = kept.collect();
    if list.is_empty() {
        return KernelPlan::default();
    }
    KernelPlan {
        first: list.remove(0),
        alternatives: list,
        ..KernelPlan::default()
    }
}
