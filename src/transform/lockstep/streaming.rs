//! Which kernels are done plane after plane, as plain data. Idea and soundness: [`super`].

use super::legality::stores_are_disjoint;
use super::version::version;
use crate::access::{Access, AccessId, AccessKind};
use crate::affine::{FactId, MachineAddress};
use crate::kernel::Dim;
use crate::machine::tuning::streaming::{FACTOR, REGISTERS};
use crate::plan::analyses::Analyses;
use crate::plan::data::{Merge, Plan, Workers};
use crate::plan::replica_address::{is_keyable, replica_address};
use crate::tree::{Node, NodeId};

/// The version whose gain only a measurement tells.
pub(super) fn by_default(f: &Analyses) -> Option<Plan> {
    version_of(f, FACTOR)
}

/// The version that merges `factor` blocks, of which those along z are iterations; `None`: they may not be.
pub(super) fn version_of(f: &Analyses, factor: [u32; 3]) -> Option<Plan> {
    // Of a plane with one replica a thread's ids would be taken for its own.
    let [x, y, planes] = factor;
    let part = straight_part(f).filter(|_| planes > 1 && x * y > 1)?;
    let mut plan = version(f, factor).ok()?;
    let merged = Dim::ALL.into_iter().filter(|d| plan.merge.along(*d) > 1);
    let mut consecutive = merged.map(|d| plan.merge.consecutive[d.index()]);
    if !consecutive.all(|c| c) || !stores_are_disjoint(f, plan.merge) {
        return None;
    }
    let merge = plan.merge;
    if let Workers::Lockstep(lockstep) = &mut plan.workers {
        lockstep.streamed = Some(part);
        let fixed = f.accesses.of_kind(AccessKind::Load).map(|a| a.id);
        let fixed = fixed.filter(|a| is_fixed(f, *a, merge));
        lockstep.loads.extend(fixed);
        crate::order::sort(&mut lockstep.loads);
        lockstep.loads.dedup();
    }
    plan.registers = Some(REGISTERS);
    Some(plan)
}

/// Whether a load is of one place in all planes, which rests on nothing.
fn is_fixed(f: &Analyses, a: AccessId, merge: Merge) -> bool {
    let address = f.affine.machine_address[a.index()].as_ref();
    let is_same = |(address, ids): &(MachineAddress, Vec<FactId>)| {
        ids.is_empty() && replica_address(address, merge, [0, 0, 1]) == *address
    };
    is_keyable(f, a, merge) && address.is_some_and(is_same)
}

/// The part of a kernel that has all of its accesses, the loads before the stores, and no branch.
fn straight_part(f: &Analyses) -> Option<NodeId> {
    let sides = f.tree.nodes.iter().filter_map(|n| match n {
        Node::If {
            then, otherwise, ..
        } => Some([*then, *otherwise]),
        _ => None,
    });
    let has_all = |n: &NodeId| {
        let blocks = f.tree.blocks_in(*n);
        f.accesses.iter().all(|a| blocks.contains(&a.block))
    };
    let all = sides.flatten().chain([f.tree.root]).filter(has_all);
    let part = all.min_by_key(|n| f.tree.blocks_in(*n).len())?;
    let is_straight = |n: &Node| matches!(n, Node::Block(_) | Node::Edge(_) | Node::Seq(_));
    let mut within = (0..f.tree.nodes.len())
        .map(|n| NodeId(n as u32))
        .filter(|n| f.tree.contains(part, *n));
    let order = f.tree.blocks_in(part);
    let place = |a: &Access| {
        let instructions = f.kernel.block(a.block).instructions();
        let value = f.kernel.value(a.value);
        let block = order.iter().position(|b| *b == a.block);
        (block, instructions.iter().position(|i| *i == value))
    };
    let of = |kind| f.accesses.of_kind(kind).map(place);
    let is_ordered = of(AccessKind::Load).max()? < of(AccessKind::Store).min()?;
    (is_ordered && within.all(|n| is_straight(f.tree.node(n)))).then_some(part)
}
