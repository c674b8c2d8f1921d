//! One version of a plan, for launches of every size.
//!
//! A kernel that holds its version itself asks whether the model is sure that a launch gains: that its grid fills the chip, that
//! loops are long. Of launches so small that a CPU runs them hardly any is served then. So a version is
//! tried alone, whatever it gains. Nothing may rest on that: that the bits stay the same says so.

use mesi::plan::{KernelPlan, Planned};

/// Leaves version `number` of `planned` (counted round and round) alone, for all launches, or nothing where the plan
/// has one version, which serves all launches already.
pub fn keep_one(planned: &mut Planned, number: u32) {
    let KernelPlan {
        first,
        alternatives: others,
        whole,
        ..
    } = std::mem::take(&mut planned.plan);
    let staged = 1 + others.len();
    let count = staged + whole.len();
    let number = number as usize % count;
    if count == 1 && first.pays().next().is_none() {
        return;
    }
    let all = std::iter::once(first).chain(others).chain(whole);
    let plan = all.into_iter().nth(number).unwrap_or_default();
    // These are about the kernel as a whole, also where the others are about blocks inside.
    if number >= staged
        && let Some(w) = planned.whole.take()
    {
        planned.found = w;
    }
    planned.plan = KernelPlan::from(plan.unpriced());
}
