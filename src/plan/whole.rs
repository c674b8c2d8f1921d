//! What windows run without tiles: further candidates, about the kernel as a whole.
//!
//! ```text
//! whole: merge 4x1x1 blocks                                       4 lanes read the mask once
//! whole: loop1: rounds of 4 iterations, the rest before them one by one
//! ```
//! A thread with a short window runs a few iterations, and what it does to find its place takes more instructions than
//! the window itself. Lanes share that: blocks are merged, nothing is staged, and loops stay as they are written. Where
//! few blocks are left by that, the original's loops in rounds remain (`rounds::short`). Kernels that clamp have
//! another way in both, without clamps ([`super::clear`]). Which of all these is fastest for a launch is measured while
//! the program runs.
//!
//! Versions with tiles may be about blocks inside. These are not: they serve all blocks.

use super::data::Plan;
use super::facets::Facets;
use super::lane_address::is_out_of_place;
use super::{clear, extent, rounds, unstaged, windows};
use crate::machine::tuning::whole::{LANES, LANES_OF_CLAMPED};
use crate::options::Options;
use crate::tree::{LoopId, Node};

/// Sets what windows run without tiles. `f` is the kernel as a whole.
pub fn choose(f: &Facets, plan: &mut Plan, options: &Options) {
    if f.kernel.pairs.is_some() || !windows::are_all(plan) {
        return;
    }
    let factor = match f.affine.clamps.is_empty() {
        true => LANES,
        false => LANES_OF_CLAMPED,
    };
    let lanes = options.merge.is_none().then(|| together(f, factor));
    let lanes = lanes.flatten().into_iter();
    plan.whole = lanes.chain(in_rounds(f, options)).collect();
    let clear = clear::find(f);
    for p in plan.whole.iter_mut().filter(|_| clear.is_some()) {
        p.rounds = p.rounds.iter().map(rounds::clear).collect();
        p.clear.clone_from(&clear);
    }
}

/// The original with its loops in rounds.
fn in_rounds(f: &Facets, options: &Options) -> Option<Plan> {
    if options.rounds == Some(1) {
        return None;
    }
    let loops = (0..f.tree.loops.len() as u32).map(LoopId);
    let rounds: Vec<_> = loops.filter_map(|l| rounds::short(f, l)).collect();
    (!rounds.is_empty()).then(|| Plan {
        rounds,
        ..Plan::default()
    })
}

/// Lanes without tiles, where all of them run each loop equally often and store to places of their own.
fn together(f: &Facets, factor: [u32; 3]) -> Option<Plan> {
    let [_, y, z] = extent::thread_dimensions(f.affine);
    let joint = |l| f.affine.uniform_trip(LoopId(l)).is_some();
    let opaque = |n: &Node| matches!(n, Node::Opaque { .. });
    if !y
        || z
        || !(0..f.tree.loops.len() as u32).all(joint)
        || f.tree.nodes.iter().any(opaque)
        || !is_out_of_place(f)
    {
        return None;
    }
    let mut plan = unstaged::version(f, factor).ok()?;
    let ifs = f.tree.nodes.iter().filter(|n| matches!(n, Node::If { .. }));
    let lanes = plan.together.as_mut()?;
    lanes.rolled = true;
    let guarded = ifs.count() == lanes.guards.len();
    (guarded && unstaged::stores_apart(f, plan.merge)).then_some(plan)
}
