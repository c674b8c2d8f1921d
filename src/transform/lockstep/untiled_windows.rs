//! Windows that replicas slide over without a tile: columns of an image, planes of a solid.
//!
//! ```text
//! for k: sum += x[(row + k)*w + column]         replica j reads in iteration k + 1 what j + 1 read in iteration k
//! ```
//! Where replicas own neighbouring rows, all but the last of them find what they read in a register, and an iteration
//! loads one element for all. Nothing is loaded that the original would not have loaded then: the first iteration loads
//! for every replica, each of the others for the last one. So no bounds are asked, and no tile is filled; neighbouring
//! threads read neighbouring columns, which coalesces as it did. In tiles such windows measured x0.8 to x1.37 (33 rows)
//! and x0.75 (9).
//!
//! Sound because addresses of both are equal as polynomials, in the width that the machine adds them up in
//! ([`crate::affine::MachineAddress`]), nothing in the loop writes, and what other blocks write has no order with it.

use super::version as lockstep;
use crate::access::{Access, AccessId};
use crate::kernel::Dim;
use crate::machine::target::REGISTER_STEP;
use crate::machine::tuning::replica_address::{COALESCED, MOST_INSTRUCTIONS};
use crate::machine::tuning::untiled_windows::{ELEMENT, FIT, LEFT, MOST, REPLICAS, SCHEDULED};
use crate::options::Options;
use crate::plan::analyses::Analyses;
use crate::plan::data::{KernelPlan, Plan, Proposal};
use crate::plan::facts::Facts;
use crate::plan::replica_address::is_out_of_place;
use crate::tree::LoopId;

/// The version for interior blocks.
pub fn choose(f: &Analyses, options: &Options) -> Proposal {
    let version = match options.merge {
        Some([1, 1, 1]) => None,
        Some(factor) => along(f, factor),
        None => by_default(f),
    };
    version.map(KernelPlan::from).ok_or(None)
}

/// The version for a kernel all of whose loops slide over columns. `f` may be the kernel as interior blocks see it.
pub fn by_default(f: &Analyses) -> Option<Plan> {
    let instructions: usize = f.kernel.blocks.iter().map(|b| b.instructions().len()).sum();
    let qualifies = !f.tree.loops.is_empty()
        && instructions <= MOST_INSTRUCTIONS
        && is_coalesced(f)
        && is_out_of_place(f);
    qualifies.then(|| along(f, [1, REPLICAS, 1])).flatten()
}

/// The version with so many replicas, if every loop slides and most loads go.
fn along(f: &Analyses, factor: [u32; 3]) -> Option<Plan> {
    let mut plan = lockstep::version(f, factor).ok()?;
    let lockstep = plan.lockstep()?;
    let carries = |l: u32| lockstep.carried.iter().any(|(_, r)| r.loop_ == LoopId(l));
    let left = f64::from(lockstep.addresses.1) / f64::from(lockstep.addresses.0.max(1));
    let all = (0..f.tree.loops.len() as u32).all(carries);
    let is_small = |a: AccessId| f.accesses.get(a).size <= ELEMENT;
    if !all
        || !lockstep.carried.iter().all(|(a, _)| is_small(*a))
        || left > LEFT
        || !super::stores_are_disjoint(f, plan.merge)
    {
        return None;
    }
    let mut facts = Facts::default();
    facts.add_ids(f.affine, &f.affine.assumed).ok()?;
    plan.require(facts.list);
    plan.registers = registers(f, &plan);
    Some(plan)
}

/// The registers that a version takes whose replicas keep windows in many columns: what the original keeps, and a
/// window of each column. What spills there spills in every iteration. `None`: those of versions without tiles do.
fn registers(f: &Analyses, plan: &Plan) -> Option<u32> {
    let words = |a: AccessId| f.accesses.get(a).size.div_ceil(4);
    let carries = plan.lockstep().into_iter().flat_map(|t| &t.carried);
    let column_wise: u32 = carries.map(|(a, _)| words(*a)).sum();
    let alive = f.kernel.pressure() + column_wise * plan.merge.replicas();
    (alive > FIT).then(|| {
        (alive + SCHEDULED)
            .next_multiple_of(REGISTER_STEP)
            .min(MOST)
    })
}

/// Whether neighbouring threads access neighbouring elements, or the same one, everywhere. By indices, as loops have
/// them: straight code is asked without facts ([`lockstep`]).
fn is_coalesced(f: &Analyses) -> bool {
    let step = |a: &Access| f.step_along(a.id, Dim::X)?.as_constant();
    let mut all = f.accesses.iter();
    all.all(|a| step(a).is_some_and(|s| s.abs() <= COALESCED))
}
