//! One way to stage, with the versions of merged blocks.

use super::context::Context;
use super::settle::{Mode, region_loops, settle};
use crate::plan::data::{KernelPlan, ScalarReplacement};
use crate::plan::reasons::Reasons;
use crate::plan::versions;
use crate::tree::LoopId;

/// The plan of one mode, with accumulators in registers where their loop becomes a region.
pub fn attempt(
    context: &Context,
    mut accumulators: Vec<ScalarReplacement>,
    mode: Mode,
    reasons: &mut Reasons,
) -> KernelPlan {
    let f = context.f;
    let mut plan = KernelPlan::default();
    for _ in 0..2 {
        let settled = settle(context, &accumulators, mode);
        let loops: Vec<LoopId> = region_loops(f, &settled.plan);
        let kept: Vec<ScalarReplacement> = accumulators
            .iter()
            .filter(|p| loops.contains(&p.loop_))
            .cloned()
            .collect();
        let done = kept.len() == accumulators.len();
        plan = versions::all(context, &settled, &kept);
        if matches!(mode, Mode::All | Mode::Sure) || !plan.first.regions.is_empty() {
            reasons.cluster_missed = settled.missed;
        }
        if done || accumulators.is_empty() {
            break;
        }
        accumulators = kept;
    }
    plan
}
