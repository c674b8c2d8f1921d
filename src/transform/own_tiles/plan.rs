//! Which blocks are merged, as plain data, or why none. Idea and soundness: [`super`].

use super::legality;
use crate::access::AccessKind;
use crate::kernel::ids;
use crate::machine::tuning::own_tiles::{FLAT, PLANE};
use crate::options::Options;
use crate::plan::analyses::Analyses;
use crate::plan::data::{KernelPlan, LockstepPlan, Merge, NoMerge, Plan, Refusal};

/// Whether threads of a block wait for each other, or have shared memory: no other way to merge takes such a kernel.
pub fn has_barriers(f: &Analyses) -> bool {
    let together = |k: AccessKind| matches!(k, AccessKind::Barrier | AccessKind::WarpOperation);
    f.kernel.own_shared > 0 || f.accesses.list.iter().any(|a| together(a.kind))
}

/// `plan` with versions of merged blocks behind it, of which only a measurement can tell what they gain.
pub fn choose(f: &Analyses, mut plan: KernelPlan, options: &Options) -> KernelPlan {
    let forced = options.merge.map(|factor| vec![factor]);
    let [_, y, z] = ids::dimensions(f.kernel);
    let usual = if y || z {
        PLANE.to_vec()
    } else {
        FLAT.to_vec()
    };
    let mut versions = Vec::new();
    for factor in forced.clone().unwrap_or(usual) {
        match version(f, factor) {
            Ok(version) => versions.push(version),
            Err(why) if forced.is_some() => return plan.refused(Some(Refusal::Merge(why))),
            Err(_) => {}
        }
    }
    if plan.is_idle() && !versions.is_empty() {
        plan.first = versions.remove(0);
    }
    plan.whole.extend(versions);
    plan
}

/// The version that merges `factor` blocks.
fn version(f: &Analyses, factor: [u32; 3]) -> Result<Plan, NoMerge> {
    let merge = Merge {
        factor,
        ..Merge::default()
    };
    let replicas = merge.replicas();
    legality::check(f, replicas)?;
    let all = f.accesses.list.iter();
    let loads = all.filter(|a| a.kind == AccessKind::Load).count() as u32 * replicas;
    Ok(Plan {
        merge,
        // As if each array had a part for each replica.
        shared_bytes: f.kernel.own_shared * (replicas - 1),
        lockstep: Some(LockstepPlan {
            keeps_barriers: true,
            requested: loads,
            loaded: loads,
            ..LockstepPlan::default()
        }),
        ..Plan::default()
    })
}
