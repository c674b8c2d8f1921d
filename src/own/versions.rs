//! Which versions of a plan, and of its copy's, become kernels of their own.

use crate::access;
use crate::choice::Relaunch;
use crate::kernel::Kernel;
use crate::names::MOST_VERSIONS;
use crate::plan::{Fact, KernelPlan, Plan, Planned, Refusal};
use crate::transform::recast::Recast;
use crate::transform::rewrite::Way;
use crate::transform::way::Leaves;

/// One version, and when the model is sure that it gains.
pub struct Version {
    /// What is done.
    pub plan: Plan,
    /// Why arrays are left alone: of the version that the model prefers, which was asked about them.
    pub refusals: Vec<Refusal>,
    /// Whether it is about the kernel as a whole, where the first is about interior blocks.
    pub of_whole: bool,
    /// What a launch meets that surely gains. Nothing rests on it.
    pub pays: Vec<Fact>,
}

/// What versions are made of.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The kernel, or its copy.
    pub kernel: &'a Kernel,
    /// Its plan.
    pub planned: &'a Planned,
    /// The user's kernel, and how a version's launch is made from one of it, where this is a copy that is launched in
    /// another way.
    pub relaunch: Option<(&'a Kernel, &'a dyn Relaunch)>,
    /// The copy, where it is one.
    pub recast: Option<&'a Recast>,
}

/// The versions that are made of plans, `most` at most with those that are written in another way; and whether there is
/// room for more.
pub fn choose<'a>(
    kernel: &'a Kernel,
    planned: &'a Planned,
    (recast, rewrites): (Option<&'a Recast>, &[Way]),
    most: usize,
) -> (Vec<(Source<'a>, Version)>, bool) {
    // Only a measurement can say whether warps in place of threads, or tensor cores, gain: a place is theirs, unless
    // they gain in small launches alone.
    let rewrites = || rewrites.iter().map(|w| w.rewrite);
    let kept = rewrites().filter(|r| !r.takes_spare_place()).count();
    let planned_most = most.saturating_sub(kept).max(1);
    let leaves = rewrites().map(|r| r.leaves()).min();
    let leaves = leaves.filter(|_| most > 1).unwrap_or(Leaves::All);
    // Those for the smallest launches, which come last, must not have lost their place to others that go.
    let looked_at = match leaves {
        Leaves::Small | Leaves::LargeAndSmall => most,
        Leaves::Staging | Leaves::All => planned_most,
    };
    let mut versions = all_versions(kernel, planned, recast, looked_at);
    // What asks the host for memory is behind all others: it leaves its place to what takes a spare one.
    if rewrites().any(|r| r.takes_spare_place()) {
        let asks = |v: &(Source, Version)| v.1.plan.facts().any(Fact::is_of_host);
        while versions.len() >= planned_most && versions.last().is_some_and(asks) {
            versions.pop();
        }
    }
    // What loads early in a thread's iterations gains least where these are threads in a copy: where that copy and a
    // rewrite that takes a spare place would have one place for both, it leaves its own.
    if asks_for_place(kernel, recast) && rewrites().any(|r| r.takes_spare_place()) {
        let is_whole = |v: &(Source, Version)| v.1.of_whole && v.0.recast.is_none();
        if versions.len() + 1 >= planned_most && versions.last().is_some_and(is_whole) {
            versions.pop();
        }
    }
    let has_room = versions.len() < planned_most;
    keep(leaves, &mut versions);
    versions.truncate(planned_most);
    (versions, has_room)
}

/// Whether a copy is to be a version as it is: nothing is staged in it, and what else is done to it may gain less than
/// its threads' places. LLVM may make one of blocks that the kernel keeps apart, since what `x` is compared with is
/// known there.
pub fn asks_for_place(kernel: &Kernel, recast: Option<&Recast>) -> bool {
    let is_one = |r: &Recast| r.is_version() && r.relaunch().is_some();
    recast.is_some_and(is_one) && !access::crosses_blocks(kernel)
}

/// The versions of plans, `most` at most: those of the copy come first, but the kernel's own get a place.
fn all_versions<'a>(
    kernel: &'a Kernel,
    planned: &'a Planned,
    recast: Option<&'a Recast>,
    most: usize,
) -> Vec<(Source<'a>, Version)> {
    let most = most.min(MOST_VERSIONS);
    // What is done without tiles does not take a place from a copy's tiles.
    let gives_way = recast.is_some_and(|r| {
        r.supersedes() || r.planned.plan.first.stages() && !planned.plan.first.stages()
    });
    let is_replaced = gives_way && !recast.is_some_and(Recast::leaves_places);
    let own = into_versions(&planned.plan, if is_replaced { 0 } else { most });
    let places = match gives_way || own.is_empty() {
        true => most,
        false => most.saturating_sub(1).max(1),
    };
    let source = Source {
        kernel,
        planned,
        relaunch: None,
        recast: None,
    };
    let own = own.into_iter().map(|v| (source, v));
    let recast = recast.into_iter().flat_map(|r| {
        let source = Source {
            kernel: &r.kernel,
            planned: &r.planned,
            relaunch: r.relaunch().map(|how| (kernel, how)),
            recast: Some(r),
        };
        // Where a loop is only unrolled, LLVM decides what is fused.
        let unsure = r.may_fuse_others(kernel);
        let versions = into_versions(&r.planned.plan, places).into_iter();
        let sure = versions.filter(move |v| !unsure || !v.of_whole && !v.plan.unrolls());
        sure.map(move |v| (source, v))
    });
    recast.chain(own).take(most).collect()
}

/// Takes a plan apart: its versions in the order in which the model prefers them, `most` at most.
fn into_versions(plan: &KernelPlan, most: usize) -> Vec<Version> {
    let version_of = |p: &Plan, of_whole| Version {
        pays: p.pays().cloned().collect(),
        of_whole,
        refusals: Vec::new(),
        plan: p.clone().unpriced(),
    };
    let first = Version {
        refusals: plan.refusals.clone(),
        ..version_of(&plan.first, false)
    };
    let others = plan.alternatives.iter().map(|p| version_of(p, false));
    std::iter::once(first)
        .chain(others)
        .chain(plan.whole.iter().map(|p| version_of(p, true)))
        .filter(|v| !v.plan.is_idle())
        .take(most.min(MOST_VERSIONS))
        .collect()
}

/// Keeps those of a plan's versions that `leaves` says. In their order the first is for the largest launches, the last
/// that stages something for the smallest.
fn keep(leaves: Leaves, versions: &mut Vec<(Source, Version)>) {
    if leaves == Leaves::All || versions.iter().all(|v| v.1.of_whole) {
        return;
    }
    // What is not staged is said once, with the first version that there is.
    let refusals = std::mem::take(&mut versions[0].1.refusals);
    versions.retain(|v| !v.1.of_whole);
    let of_copy = versions[0].0.recast.is_some();
    let is_of_first = |v: &(Source, Version)| v.0.recast.is_some() == of_copy;
    let last = versions.iter().rposition(is_of_first).unwrap_or(0);
    let from = match leaves {
        Leaves::Small => 0,
        Leaves::LargeAndSmall => 1,
        Leaves::Staging | Leaves::All => last,
    };
    versions.drain(from.min(last)..last);
    versions[0].1.refusals = refusals;
}
