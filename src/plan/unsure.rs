//! Candidates of which the model does not expect enough, or knows nothing: only a measurement can judge them.
//!
//! ```text
//! rounds of 16 iterations              first, as before
//! whole: tiles, merged 2x1x1 blocks    behind it, where the host measures what gains
//! ```
//! A version that is worth nothing costs its trials, a small share of a kernel's time. What was seen to gain nowhere
//! is left out: of merged blocks there is no more.

use super::attempt::attempt;
use super::context::Context;
use super::data::{Fact, KernelPlan, Plan, ScalarReplacement, Trait};
use super::reasons::Reasons;
use super::settle::Mode;
use crate::affine::{Atom, Poly};
use crate::missed::Missed;
use crate::transform::{own_tiles, unroll};

/// Whether there may be more candidates than `plan` has: nothing is staged, or blocks stay as they are.
pub fn may_have_more(plan: &KernelPlan) -> bool {
    let first = &plan.first;
    let open = matches!(plan.kernel_missed(), None | Some(Missed::DynamicShared));
    open && first.steps().is_none() && first.merge.replicas() == 1
}

/// The plan with what only a measurement can judge behind it: all that is legal in tiles, where nothing is staged,
/// and rounds, where something is. Where blocks are merged neither was seen to gain.
pub fn with_unsure(
    context: &Context,
    accumulators: Vec<ScalarReplacement>,
    mut plan: KernelPlan,
    reasons: &mut Reasons,
) -> KernelPlan {
    let (f, options) = (context.f, context.options);
    if !may_have_more(&plan) {
        return plan;
    }
    if own_tiles::has_barriers(f) {
        return plan.with_more(own_tiles::choose(f, options));
    }
    if !plan.first.regions.is_empty() {
        let unrolled = unroll::choose(f, options).ok();
        plan.whole.extend(unrolled.map(|u| u.first));
        return plan;
    }
    let missed = std::mem::take(&mut reasons.cluster_missed);
    let tiles = few_replicas(attempt(context, accumulators, Mode::All, reasons));
    if tiles.first.regions.is_empty() || hangs_on_iterations(&tiles.first) {
        reasons.cluster_missed = missed;
        return plan;
    }
    if plan.is_idle() {
        return tiles;
    }
    plan.whole.push(tiles.first);
    plan
}

/// The plan with versions behind it whose copies may read what the kernel does not (`mapped`). What gain there is hangs
/// on how often data lets the kernel read it. They stage all that is legal: the plan's own versions, which need no
/// memory but what the kernel reads, come first.
pub fn with_mapped(
    context: &Context,
    accumulators: Vec<ScalarReplacement>,
    mut plan: KernelPlan,
    reasons: &mut Reasons,
) -> KernelPlan {
    let some = context
        .candidates
        .iter()
        .any(|c| c.prospect.is(Trait::Mapped));
    if context.mapped || !some || plan.first.steps().is_some() || own_tiles::has_barriers(context.f)
    {
        return plan;
    }
    let mapped = Context {
        mapped: true,
        ..*context
    };
    let missed = std::mem::take(&mut reasons.cluster_missed);
    let mut tiles = attempt(&mapped, accumulators, Mode::All, reasons);
    let is_one = |p: &Plan| p.facts().any(Fact::is_of_host) && !hangs_on_iterations(p);
    tiles.alternatives.retain(is_one);
    if !is_one(&tiles.first) {
        reasons.cluster_missed = missed;
        return plan;
    }
    if plan.is_idle() {
        return tiles;
    }
    reasons.cluster_missed = missed;
    plan.whole.push(tiles.first);
    plan.whole.extend(tiles.alternatives.into_iter().take(1));
    plan
}

/// Whether a fact of `plan` is about an iteration: the host, which asks for all of them, would hardly ever let it in.
fn hangs_on_iterations(plan: &Plan) -> bool {
    let about = |p: &Poly| p.any(|a| matches!(a, Atom::Iter(_)));
    let hangs = |fact: &Fact| match fact {
        Fact::InRange { poly, .. } | Fact::Multiple { poly, .. } => about(poly),
        _ => false,
    };
    plan.facts().any(hangs)
}

/// One of a plan's versions: where blocks are merged that of half as many replicas, which more launches fill the chip
/// with.
fn few_replicas(mut plan: KernelPlan) -> KernelPlan {
    match plan.alternatives.is_empty() {
        true => plan,
        false => plan.alternatives.swap_remove(0).into(),
    }
}
