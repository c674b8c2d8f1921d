//! Loads of which lanes find the value that their neighbour had one iteration before: what slides, for versions without
//! tiles.

use super::data::{Merge, Sliding};
use super::facets::Facets;
use super::facts::Facts;
use super::lane_address::{is_keyable, lane_address};
use crate::access::{Access, AccessKind};
use crate::affine::{Atom, FactId, Narrow, Poly};
use crate::kernel::Dim;
use crate::tree::{LoopId, Node, NodeId};

/// The loads that slide where blocks are merged so; what their addresses rest on is added to `facts`.
pub fn slides(f: &Facets, merge: Merge, facts: &mut Facts) -> Vec<Sliding> {
    let mut out = Vec::new();
    for a in &f.accesses.list {
        let Some((slide, ids)) = slide(f, merge, a) else {
            continue;
        };
        let mut wanted = facts.clone();
        if wanted.add_ids(f.affine, ids).is_ok() {
            *facts = wanted;
            out.push(slide);
        }
    }
    out
}

fn slide<'a>(f: &Facets<'a>, merge: Merge, a: &Access) -> Option<(Sliding, &'a [FactId])> {
    if a.kind != AccessKind::Load || !is_keyable(f, a.id, merge) {
        return None;
    }
    let loop_ = every_iteration(f, a)?;
    let (address, ids) = f.affine.narrow[a.id.index()].as_ref()?;
    // A clamp that follows the iteration is another one in the next.
    let moved = |x: Atom| x != Atom::Iter(loop_) && f.affine.follows(x, loop_);
    if address.polys().any(|p| p.any(moved)) {
        return None;
    }
    let mut dims = Dim::ALL.into_iter().filter(|d| merge.along(*d) > 1);
    let along = dims.find(|d| {
        let mut place = [0; 3];
        place[d.index()] = 1;
        lane_address(address, merge, place) == next_iteration(address, loop_)
    })?;
    // What all lanes read alike, and in all iterations, slides nowhere.
    let moves = next_iteration(address, loop_) != *address;
    let slide = Sliding {
        access: a.id,
        loop_,
        along,
    };
    moves.then_some((slide, ids))
}

/// An address one iteration later.
fn next_iteration(address: &Narrow, l: LoopId) -> Narrow {
    let next = Poly::atom(Atom::Iter(l)).plus(&Poly::constant(1));
    address.map(|p| p.substitute(Atom::Iter(l), &next))
}

/// The loop of which every iteration runs the access, once, if all threads run it equally often and nothing in it
/// writes.
fn every_iteration(f: &Facets, a: &Access) -> Option<LoopId> {
    let node = f.node_of(a.id)?;
    let around = f.tree.ancestors(node);
    let straight = |n: &&NodeId| matches!(f.tree.node(**n), Node::Block(_) | Node::Seq(_));
    let first = around.iter().find(|n| !straight(n))?;
    let Node::Loop(l) = f.tree.node(*first) else {
        return None;
    };
    let in_body = f.tree.contains(f.tree.loop_(*l).body, node);
    let reads = |a: &Access| a.kind == AccessKind::Load && !a.is_volatile;
    let quiet = f.accesses_in(*l).all(reads);
    (in_body && quiet && f.affine.uniform_trip(*l).is_some()).then_some(*l)
}
