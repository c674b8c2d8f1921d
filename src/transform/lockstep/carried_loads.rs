//! Loads of which replicas find the value that their neighbour had one iteration before: what slides, for versions
//! without tiles.

use crate::access::{Access, AccessId, AccessKind};
use crate::affine::{Atom, FactId, MachineAddress, Poly};
use crate::kernel::Dim;
use crate::plan::analyses::Analyses;
use crate::plan::data::{Merge, Reuse};
use crate::plan::facts::Facts;
use crate::plan::replica_address::{is_keyable, replica_address};
use crate::tree::{LoopId, Node, NodeId};

/// The loads that slide where blocks are merged so; what their addresses rest on is added to `facts`.
pub fn carried_loads(f: &Analyses, merge: Merge, facts: &mut Facts) -> Vec<(AccessId, Reuse)> {
    let mut out = Vec::new();
    for a in &f.accesses.list {
        let Some((reuse, ids)) = of_load(f, merge, a) else {
            continue;
        };
        let mut wanted = facts.clone();
        if wanted.add_ids(f.affine, ids).is_ok() {
            *facts = wanted;
            out.push((a.id, reuse));
        }
    }
    out
}

fn of_load<'a>(f: &Analyses<'a>, merge: Merge, a: &Access) -> Option<(Reuse, &'a [FactId])> {
    if a.kind != AccessKind::Load || !is_keyable(f, a.id, merge) {
        return None;
    }
    let loop_ = every_iteration(f, a)?;
    let (address, ids) = f.affine.machine_address[a.id.index()].as_ref()?;
    // A clamp that follows the iteration is another one in the next.
    let moved = |x: Atom| x != Atom::Iter(loop_) && f.affine.follows(x, loop_);
    if address.polys().any(|p| p.any(moved)) {
        return None;
    }
    let mut dims = Dim::ALL.into_iter().filter(|d| merge.along(*d) > 1);
    let along = dims.find(|d| {
        let mut place = [0; 3];
        place[d.index()] = 1;
        replica_address(address, merge, place) == next_iteration(address, loop_)
    })?;
    // What all replicas read alike, and in all iterations, slides nowhere.
    let moves = next_iteration(address, loop_) != *address;
    let reuse = Reuse {
        loop_,
        along: Some(along),
        width: 1,
    };
    moves.then_some((reuse, ids))
}

/// An address one iteration later.
fn next_iteration(address: &MachineAddress, l: LoopId) -> MachineAddress {
    let next = Poly::atom(Atom::Iter(l)).plus(&Poly::constant(1));
    address.map(|p| p.substitute(Atom::Iter(l), &next))
}

/// The loop of which every iteration runs the access, once, if all threads run it equally often and nothing in it
/// writes.
fn every_iteration(f: &Analyses, a: &Access) -> Option<LoopId> {
    let node = f.node_of(a.id)?;
    let outer = f.tree.ancestors(node);
    let straight = |n: &&NodeId| matches!(f.tree.node(**n), Node::Block(_) | Node::Seq(_));
    let first = outer.iter().find(|n| !straight(n))?;
    let Node::Loop(l) = f.tree.node(*first) else {
        return None;
    };
    let in_body = f.tree.contains(f.tree.loop_(*l).body, node);
    let reads = |a: &Access| a.kind == AccessKind::Load && !a.is_volatile;
    let is_allowed = f.accesses_in(*l).all(reads);
    (in_body && is_allowed && f.affine.uniform_trip(*l).is_some()).then_some(*l)
}
