//! Which blocks are merged, as plain data, or why none. Idea and soundness: [`super`].

use super::{in_bounds, legality};
use crate::access::{Access, AccessKind};
use crate::kernel::{ids, pressure};
use crate::llvm::ir::{Block, Value};
use crate::machine::tuning::own_tiles::{FEW, FLAT, MOST, MOST_REGISTERS, PLANE, REGISTERS};
use crate::map::HashSet;
use crate::options::Options;
use crate::plan::analyses::Analyses;
use crate::plan::block_numbers_fit;
use crate::plan::data::{LockstepPlan, Merge, NoMerge, Plan, Refusal, SharedParts, Workers};
use crate::tree::{Loop, LoopId, Node, NodeId};

/// Whether threads of a block wait for each other, or have shared memory: no other way to merge takes such a kernel.
pub fn has_barriers(f: &Analyses) -> bool {
    f.kernel.own_shared > 0 || f.kernel.dynamic_shared || f.accesses.iter().any(synchronises)
}

/// Whether threads of a block or warp wait for each other there.
fn synchronises(a: &Access) -> bool {
    matches!(a.kind, AccessKind::Barrier | AccessKind::WarpOperation)
}

/// Versions of merged blocks, of which only a measurement can tell what they gain; or why none.
pub fn choose(f: &Analyses, options: &Options) -> Result<Vec<Plan>, Option<Refusal>> {
    let [_, y, z] = ids::block_dimensions(f.kernel);
    let usual = if y || z { &PLANE[..] } else { &FLAT[..] };
    let forced = options.merge.as_slice();
    let factors = if forced.is_empty() { usual } else { forced };
    let (mut versions, mut refused) = (Vec::new(), None);
    for factor in factors {
        match version(f, *factor) {
            Ok(version) => versions.push(version),
            Err(why) => refused = refused.or(Some(Refusal::Merge(why))),
        }
    }
    versions.truncate(MOST);
    match versions.is_empty() {
        true => Err(refused),
        false => Ok(versions),
    }
}

/// The version that merges `factor` blocks.
fn version(f: &Analyses, factor: [u32; 3]) -> Result<Plan, NoMerge> {
    let merge = Merge {
        factor,
        compacted: meets_often(f),
        ..Merge::default()
    };
    let replicas = merge.replicas();
    legality::check(f, merge)?;
    let registers = registers(f, merge);
    if meeting(f, merge) * replicas > REGISTERS || registers > MOST_REGISTERS {
        return Err(NoMerge::Registers);
    }
    let all = f.accesses.iter();
    let loads = all.filter(|a| a.kind == AccessKind::Load).count() as u32 * replicas;
    let in_bounds = in_bounds::facts(f);
    let mut plan = Plan {
        merge,
        registers: (registers > FEW).then_some(REGISTERS),
        workers: Workers::Lockstep(LockstepPlan {
            own: Some(match in_bounds {
                Some(_) => SharedParts::ByArray,
                None => SharedParts::AsTheyLie,
            }),
            addresses: (loads, loads),
            ..LockstepPlan::default()
        }),
        ..Plan::default()
    };
    plan.require(block_numbers_fit(&plan).filter(|_| merge.compacted));
    plan.require(in_bounds.into_iter().flatten());
    Ok(plan)
}

/// Whether threads meet at a barrier as often as only a launch tells. Blocks then work for long, and are dealt out
/// evenly where the grid's first blocks lead. Blocks of which each is soon over would wait for the many that end at
/// once.
fn meets_often(f: &Analyses) -> bool {
    let all = f.accesses.iter();
    let mut barriers = all.filter(|a| a.kind == AccessKind::Barrier);
    let is_fixed = |l: LoopId| {
        let trip = f.affine.uniform_trip(l);
        trip.is_some_and(|t| t.span.as_constant().is_some() && t.step.as_constant().is_some())
    };
    let is_long = |n: NodeId| match f.tree.node(n) {
        Node::Loop(l) => !is_fixed(*l),
        _ => false,
    };
    barriers.any(|a| {
        let node = f.node_of(a.id);
        node.is_some_and(|n| f.tree.ancestors(n).into_iter().any(is_long))
    })
}

/// Registers that a body of merged blocks needs, about: what the original has alive at once, and for each further
/// replica what a loop hands on and what it finds of the replica's own.
fn registers(f: &Analyses, merge: Merge) -> u32 {
    let module = f.kernel.function.module();
    let words = |v: Value| module.alloc_size(v.ty()).div_ceil(4) as u32;
    let alive = |l: &Loop| {
        let body: HashSet<Block> = l.blocks.iter().map(|b| f.kernel.block(*b)).collect();
        let phis = f.kernel.block(l.header).phis().into_iter();
        let carried = phis.filter(|v| v.ty().int_width().is_none());
        let is_found = |v: &Value| {
            let outside = v.block().is_some_and(|b| !body.contains(&b));
            let used = |u: &Value| u.block().is_some_and(|b| body.contains(&b));
            outside && v.users().iter().any(used) && ids::reads_block_id(*v, merge.dims())
        };
        let all = f.kernel.blocks.iter().flat_map(|b| b.instructions());
        carried.chain(all.filter(is_found)).map(words).sum::<u32>()
    };
    let most = f.tree.loops.iter().map(alive).max().unwrap_or(0);
    f.kernel.pressure() + most * (merge.replicas() - 1)
}

/// Registers of what each replica has by itself where its block's threads meet: of all replicas at once.
fn meeting(f: &Analyses, merge: Merge) -> u32 {
    let all = f.accesses.iter().filter(|a| synchronises(a));
    let places: HashSet<Value> = all.map(|a| f.kernel.value(a.value)).collect();
    let is_own = |v| ids::reads_block_id(v, merge.dims());
    pressure::needed_at(&f.kernel.blocks, &|i| places.contains(&i), is_own)
}
