//! The version that merges so many blocks without tiles, as plain data. Idea and soundness: [`super`].

use super::carried_loads::carried_loads;
use super::legality::{compares_ids_only, groups, guards};
use crate::access::AccessKind;
use crate::affine::MachineAddress;
use crate::kernel::{Dim, ids};
use crate::plan::analyses::Analyses;
use crate::plan::data::{LockstepPlan, Merge, NoMerge, Plan, Test, Workers};
use crate::plan::facts::Facts;
use crate::plan::replica_address::{is_resolved, machine_address, replica_address};
use crate::plan::{merge, wide};

/// The plan that merges `factor` blocks without staging anything.
pub fn version(f: &Analyses, factor: [u32; 3]) -> Result<Plan, NoMerge> {
    version_of(f, factor, Order::Kept, false)
}

/// What may be done with the order of updates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Nothing: there are no atomics.
    Kept,
    /// The plan is to do what the kernel updates atomically in another order.
    Any,
}

/// The same, for kernels that update cells atomically as well. `side_by_side`: replicas along x own consecutive ids, so
/// that a thread loads all of theirs at once.
pub fn version_of(
    f: &Analyses,
    factor: [u32; 3],
    order: Order,
    side_by_side: bool,
) -> Result<Plan, NoMerge> {
    merge::check_kernel(f, order != Order::Kept)?;
    let merge = Merge {
        run: factor,
        square: false,
        factor,
        // Along x neighbouring threads must stay neighbours for their accesses to coalesce, unless a thread's replicas
        // load at once.
        consecutive: Dim::ALL.map(|d| {
            let stays = d == Dim::X && !side_by_side;
            factor[d.index()] > 1 && !stays && ids::only_global_id(f.kernel, d)
        }),
        ..Merge::default()
    };
    let mut lockstep = LockstepPlan {
        guards: guards(f),
        at_edges: compares_ids_only(f),
        ..LockstepPlan::default()
    };
    let mut facts = Facts::default();
    let mut shared = Vec::new();
    for group in groups(f, merge) {
        let mut wanted = facts.clone();
        let known = group.iter().all(|a| {
            let address = f.affine.machine_address[a.index()].as_ref();
            address.is_some_and(|(_, ids)| wanted.add_ids(f.affine, ids).is_ok())
        });
        if known {
            facts = wanted;
            shared.extend(group);
        }
    }
    crate::order::sort(&mut shared);
    shared.dedup();
    lockstep.loads = shared;
    lockstep.carried = carried_loads(f, merge, &mut facts);
    if side_by_side {
        lockstep.at_once = wide::loads(f, merge);
    }
    lockstep.addresses = count(f, merge, &lockstep);
    let mut plan = Plan {
        merge,
        tests: Test::all_sound(facts.list),
        workers: Workers::Lockstep(lockstep),
        ..Plan::default()
    };
    merge::complete(f, &mut plan)?;
    Ok(plan)
}

/// Loads of all replicas: each by itself, and with those found by address counted once.
fn count(f: &Analyses, merge: Merge, lockstep: &LockstepPlan) -> (u32, u32) {
    let places = merge.places();
    let (mut requested, mut loaded) = (0, 0);
    let mut known: Vec<(crate::access::ArrayId, MachineAddress)> = Vec::new();
    for a in f.accesses.of_kind(AccessKind::Load) {
        let known_address = machine_address(f, a.id).filter(|x| is_resolved(f, x, merge));
        let (Some(array), Some(address)) = (a.array, known_address) else {
            requested += places.len() as u32;
            loaded += places.len() as u32;
            continue;
        };
        let mut mine: Vec<MachineAddress> = places
            .iter()
            .map(|p| replica_address(address, merge, *p))
            .collect();
        crate::order::sort(&mut mine);
        mine.dedup();
        requested += mine.len() as u32;
        if let Some((_, reuse)) = lockstep.carried.iter().find(|(x, _)| *x == a.id) {
            loaded += mine.len() as u32 / reuse.replicas(merge.factor);
            continue;
        }
        if !lockstep.loads.contains(&a.id) {
            loaded += mine.len() as u32;
            continue;
        }
        for p in mine {
            if !known.contains(&(array, p.clone())) {
                loaded += 1;
                known.push((array, p));
            }
        }
    }
    (requested, loaded)
}
