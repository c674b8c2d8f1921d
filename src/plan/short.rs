//! The body of launches that a kernel's windows are too short in.
//!
//! ```text
//! first: 0 <= 16*trip(loop0)*trip(loop1) - ntid.x*ntid.y          a window of 3 x 3: the body for short loops, at once
//! short: loop1: rounds of 4 iterations, the rest before them one by one
//! ```
//! Versions of merged blocks cost the launches that they turn away registers and shared memory, so that fewer
//! warps run, and the first test. Those launches run loops of a few iterations, which clang's code for long ones is slow at
//! (`rounds::short`). So they get a body of their own, which does what the original does, in the same order. The
//! original remains for other launches that no version serves: loops may be long there, and are as fast as they were.
//! But where its loop would be told to stay rolled ([`super::quiet`]), that is by as many iterations as the body for short
//! loops runs in a round, and the original goes: two bodies of one kind would be a sixth of the kernel (`fir`).
//!
//! NB: a kernel whose loops do not run in rounds keeps its original alone, as do blocks inside (`plan::inside`),
//! which are planned on a tree with fewer ifs.

use super::legality::Facets;
use super::{Fact, Plan, rounds};
use crate::affine::Atom;
use crate::options::Options;
use crate::tree::LoopId;

/// Sets how short loops run, if the first test of `plan` leaves them to the original.
pub fn choose(f: &Facets, plan: &mut Plan, options: &Options) {
    if !plan.short_trips || f.affine.inside || options.rounds == Some(1) {
        return;
    }
    let told = |l: &LoopId| {
        plan.first.iter().any(|g| match g {
            Fact::InRange { poly, .. } => poly.any(|a| a == Atom::Trip(*l)),
            _ => false,
        })
    };
    let loops = (0..f.tree.loops.len() as u32).map(LoopId);
    let short = loops.filter(told).filter_map(|l| rounds::short(f, l));
    plan.short = short.collect();
}
