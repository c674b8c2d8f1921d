//! What runs without tiles beside reuse that loops carry: further candidates, about the kernel as a whole.
//!
//! ```text
//! whole: merge 4x1x1 blocks                                       4 replicas read the mask once
//! whole: loop1: unrolled by 4 iterations, the rest before them one by one
//! ```
//! A thread with a short window runs a few iterations, and what it does to find its place takes more instructions than
//! the window itself. Replicas share that: blocks are merged, nothing is staged, and loops stay as they are written.
//! Where few blocks are left by that, the original's loops unrolled remain (`unroll::short`). Kernels that clamp have
//! another way in both, without clamps ([`unclamped`]). Which of all these is fastest for a launch is measured while
//! the program runs.
//!
//! Versions with tiles may be about interior blocks. These are not: they serve all blocks.

use super::analyses::Analyses;
use super::data::{KernelPlan, LoopPlan, Plan};
use super::extent;
use crate::machine::tuning::whole::{REPLICAS, REPLICAS_OF_CLAMPED};
use crate::options::Options;
use crate::transform::lockstep::layers;
use crate::transform::{unclamped, unroll};

/// That beside `plan`, if loops carry reuse of all that its tiles hold. `f` is the kernel as a whole.
pub fn propose(f: &Analyses, plan: &KernelPlan, options: &Options) -> Option<Vec<Plan>> {
    if f.kernel.pairs.is_some() || !plan.versions().all(Plan::reuses_all) {
        return None;
    }
    let factor = match f.affine.clamps.is_empty() {
        true => REPLICAS,
        false => REPLICAS_OF_CLAMPED,
    };
    let merged = options.merge.is_none().then(|| in_lockstep(f, factor));
    let all = merged.flatten().into_iter();
    let all = all.chain(in_unrolled_loops(f, options));
    let Some(unclamped) = unclamped::find(f).map(LoopPlan::Unclamped) else {
        return Some(all.collect());
    };
    let without_clamps = |p: Plan| {
        let unrolled = p.unrolled().map(unroll::unclamped);
        let unrolled = unrolled.map(LoopPlan::Unrolled);
        let loops = unrolled.chain([unclamped.clone()]).collect();
        Plan { loops, ..p }
    };
    Some(all.map(without_clamps).collect())
}

/// The original with its loops unrolled.
fn in_unrolled_loops(f: &Analyses, options: &Options) -> Option<Plan> {
    if options.unroll == Some(1) {
        return None;
    }
    let loops = f.tree.loop_ids();
    let unrolled = loops.filter_map(|l| unroll::short(f, l));
    let loops: Vec<LoopPlan> = unrolled.map(LoopPlan::Unrolled).collect();
    (!loops.is_empty()).then(|| Plan {
        loops,
        ..Plan::default()
    })
}

/// Replicas without tiles.
fn in_lockstep(f: &Analyses, factor: [u32; 3]) -> Option<Plan> {
    let [_, y, z] = extent::thread_dimensions(f.affine);
    (y && !z).then(|| layers::rolled(f, factor))?
}
