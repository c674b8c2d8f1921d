//! What must hold of a kernel: where replicas may part, and which loads are one. Idea and soundness: [`super`].

use crate::access::{AccessId, AccessKind};
use crate::affine::{Atom, Guard, MachineAddress};
use crate::kernel::Dim;
use crate::plan::analyses::Analyses;
use crate::plan::data::Merge;
use crate::plan::replica_address::{is_keyable, machine_address, replica_address};
use crate::tree::{Node, NodeId};

/// Whether only conditions that bound threads stand around accesses.
pub(super) fn compares_ids_only(f: &Analyses) -> bool {
    let mut guards = f.affine.guards.iter().flatten();
    guards.all(|(_, g)| !matches!(g, Guard::AllButOne { .. } | Guard::Opaque))
}

/// Ifs that nothing stored comes before, in this or an earlier iteration of a loop around them.
pub(super) fn guards(f: &Analyses) -> Vec<NodeId> {
    let order = f.tree.blocks_in(f.tree.root);
    let at = |b| order.iter().position(|x| *x == b);
    let stores = || f.accesses.iter().filter(|a| a.kind != AccessKind::Load);
    let mut out = Vec::new();
    for (i, node) in f.tree.nodes.iter().enumerate() {
        let id = NodeId(i as u32);
        let Node::If { at: block, .. } = node else {
            continue;
        };
        let before = stores().any(|s| at(s.block) <= at(*block));
        let enclosing = f.tree.enclosing_loops(id);
        let again = stores().any(|s| {
            enclosing
                .iter()
                .any(|l| f.tree.loop_(*l).blocks.contains(&s.block))
        });
        if !before && !again {
            out.push(id);
        }
    }
    out
}

/// Loads by what they may bring one another: of one array, two of them ask for one address in two
/// different replicas.
pub(super) fn groups(f: &Analyses, merge: Merge) -> Vec<Vec<AccessId>> {
    let places = merge.places();
    let mut out: Vec<Vec<AccessId>> = Vec::new();
    for array in &f.accesses.arrays {
        let mine: Vec<AccessId> = f
            .accesses
            .iter()
            .filter(|a| a.array == Some(array.id) && is_keyable(f, a.id, merge))
            .map(|a| a.id)
            .collect();
        let asks: Vec<(AccessId, usize, MachineAddress)> = mine
            .iter()
            .filter_map(|a| Some((*a, machine_address(f, *a)?)))
            .flat_map(|(a, index)| {
                let of =
                    move |(l, p): (usize, &[u32; 3])| (a, l, replica_address(index, merge, *p));
                places.iter().enumerate().map(of)
            })
            .collect();
        let shares = |a: &AccessId| {
            let others = |x: &(AccessId, usize, MachineAddress)| {
                asks.iter().any(|y| x.0 != y.0 && x.1 != y.1 && x.2 == y.2)
            };
            asks.iter().filter(|x| x.0 == *a).any(others)
        };
        let group: Vec<AccessId> = mine.iter().copied().filter(shares).collect();
        if !group.is_empty() {
            out.push(group);
        }
    }
    out
}

/// Whether blocks store to places of their own, as far as they are merged: else there is nothing that
/// several of them would do at a time.
pub(crate) fn stores_are_disjoint(f: &Analyses, merge: Merge) -> bool {
    let merged = || Dim::ALL.into_iter().filter(|d| merge.along(*d) > 1);
    let mut stores = f.accesses.of_kind(AccessKind::Store);
    stores.all(|s| {
        let address = f.affine.address(s.id);
        address.is_some_and(|x| merged().all(|d| x.index.mentions(Atom::Ctaid(d))))
    })
}
