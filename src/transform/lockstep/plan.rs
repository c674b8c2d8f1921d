//! What of a kernel it is done to, as plain data, or why it is not. Idea and soundness: [`super`].

use super::carried_loads::carried_loads;
use super::legality::{compares_ids_only, groups, guards};
use crate::access::AccessKind;
use crate::affine::MachineAddress;
use crate::kernel::{Dim, ids};
use crate::machine::target::Target;
use crate::machine::tuning::replica_address::{COALESCED, MOST_INSTRUCTIONS};
use crate::options::Options;
use crate::plan::analyses::Analyses;
use crate::plan::data::{
    KernelPlan, LockstepPlan, Merge, NoMerge, Plan, Proposal, Refusal, Test, Workers,
};
use crate::plan::facts::Facts;
use crate::plan::model::{self, Shape};
use crate::plan::replica_address::{is_out_of_place, machine_address, replica_address};
use crate::plan::{extent, merge, wide};
use crate::tree::Node;

/// The plan that merges `factor` blocks without staging anything.
pub fn version(f: &Analyses, factor: [u32; 3]) -> Result<Plan, NoMerge> {
    version_of(f, factor, Order::Kept)
}

/// What may be done with the order of updates.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Nothing: there are no atomics.
    Kept,
    /// The plan is to do what the kernel updates atomically in another order.
    Any {
        /// Whether replicas along x own consecutive ids, so that a thread loads all of theirs at once.
        side_by_side: bool,
    },
}

/// The same, for kernels that update cells atomically as well.
pub fn version_of(f: &Analyses, factor: [u32; 3], order: Order) -> Result<Plan, NoMerge> {
    merge::check_kernel(f, order != Order::Kept)?;
    let side_by_side = order == Order::Any { side_by_side: true };
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
    (lockstep.requested, lockstep.loaded) = count(f, merge, &lockstep);
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
        let (Some(array), Some(address)) = (a.array, machine_address(f, a.id)) else {
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

/// The version without tiles for a kernel of which nothing is staged.
pub fn choose(f: &Analyses, options: &Options) -> Proposal {
    match options.merge {
        Some([1, 1, 1]) => Err(None),
        Some(factor) => match version(f, factor) {
            Ok(first) => Ok(first.into()),
            Err(why) => Err(Some(Refusal::Merge(why))),
        },
        None => by_default(f).ok_or(None),
    }
}

/// The version that is sure to gain: a thread of such a kernel loads a few neighbours' elements,
/// stores one, and ends. Too few bytes are in flight to fill the memory's pipes, and blocks come and go;
/// replicas add bytes, and share what they load. Measured on an H200, large grids:
///
/// | kernel | replicas | gain |
/// |---|---|---|
/// | saxpy, moving averages of 3, 5, 7, blocks of 256 | 4x1x1 | x1.28, x1.29, x1.32, x1.37 |
/// | 5-point stencil, 32x8 and 16x16 | 2x2x1 | x1.50, x1.53 |
/// | maximum of 3x3 | 2x2x1 | x1.10 |
/// | 9-point stencil with clamps, 16x16 and 32x8 | 2x2x1 | x1.31, x1.34 |
/// | 7-point stencil in 3-D, 32x4x2 and 8x8x4 | 1x4x1 | x1.40, x1.19 |
/// | radius 4 in 3-D, 32x4x1 and 8x8x4 | 1x2x1 | x1.14, x1.22 |
///
/// Loops inside (gather x0.97, sparse rows x0.71, a march along z x0.46) are left alone: unsure means
/// hands off.
fn by_default(f: &Analyses) -> Option<KernelPlan> {
    if !loads_any(f) || !is_short(f) || !is_coalesced(f) || !is_out_of_place(f) {
        return None;
    }
    let target = Target::of_sm(f.kernel.sm)?;
    let reads = extent::thread_dimensions(f.affine);
    let (four, two) = match reads {
        [_, _, true] => ([1, 4, 1], [1, 2, 1]),
        [_, true, _] => ([2, 2, 1], [1, 2, 1]),
        _ => ([4, 1, 1], [2, 1, 1]),
    };
    let gains = |plan: &Plan| {
        let forecast = model::forecast(f, plan, target, Shape::of(plan));
        forecast.large().is_some_and(|p| p.gain() > 1.0)
    };
    let made = |factor| version(f, factor).ok();
    let mut all: Vec<Plan> = [four, two].into_iter().filter_map(made).collect();
    all.retain(|p| super::stores_are_disjoint(f, p.merge) && gains(p));
    // Fewer replicas are another choice where what they share needs registers.
    let shares = |p: &Plan| p.lockstep().is_some_and(|t| t.loaded < t.requested);
    let mut all = all.into_iter();
    all.next().map(|first| KernelPlan {
        first,
        alternatives: all.filter(shares).collect(),
        ..KernelPlan::default()
    })
}

/// Whether there is a load to bring forward: replicas have nothing else to gain. Every program that uses CUB has an
/// empty kernel, by which it asks for the chip's architecture.
fn loads_any(f: &Analyses) -> bool {
    f.accesses.iter().any(|a| a.kind == AccessKind::Load)
}

/// Straight code between guards, and little of it.
fn is_short(f: &Analyses) -> bool {
    let shape = f
        .tree
        .nodes
        .iter()
        .all(|n| !matches!(n, Node::Loop(_) | Node::Opaque { .. }));
    let ifs = f.tree.nodes.iter().filter(|n| matches!(n, Node::If { .. }));
    let instructions: usize = f.kernel.blocks.iter().map(|b| b.instructions().len()).sum();
    shape && ifs.count() == guards(f).len() && instructions <= MOST_INSTRUCTIONS
}

/// Whether neighbouring threads access neighbouring elements, everywhere.
fn is_coalesced(f: &Analyses) -> bool {
    f.accesses.iter().all(|a| {
        let pointer = a.pointer.map(|p| f.kernel.value(p));
        let step = pointer.and_then(|p| ids::step_along_x(f.kernel, p));
        step.is_some_and(|s| s <= COALESCED)
    })
}
