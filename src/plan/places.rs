//! Places for a cluster: the nodes of the tree around all its accesses.

use super::analyses::Analyses;
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::machine::target::SECTOR;
use crate::missed::Missed;
use crate::plan::data::StagedAt;
use crate::plan::shape::Cluster;
use crate::tree::{LoopId, Node, NodeId};

/// Where to try: regions for loads, or such as make stores coalesced. One at least of a cluster that is only stored.
pub fn places(f: &Analyses, cluster: &Cluster) -> Result<Vec<StagedAt>, Missed> {
    match cluster.only_stores {
        true => store_places(f, cluster),
        false => Ok(load_places(f, cluster)),
    }
}

/// Regions to try, in order: strips of each loop around all accesses, outermost first, whole
/// loops, and, outside of loops, the sequence that holds the accesses.
fn load_places(f: &Analyses, cluster: &Cluster) -> Vec<StagedAt> {
    let common = common_nodes(f, cluster);
    let mut out = Vec::new();
    for n in common.iter().rev() {
        let Node::Loop(l) = f.tree.node(*n) else {
            continue;
        };
        if cluster.coefficients.contains_key(&Atom::Iter(*l)) && f.affine.uniform_trip(*l).is_some()
        {
            out.push((*n, Some(*l)));
        }
        out.push((*n, None));
    }
    if out.is_empty() {
        let seq = common
            .iter()
            .find(|n| matches!(f.tree.node(**n), Node::Seq(_)));
        out.extend(seq.map(|n| (*n, None)));
    }
    out
}

/// The nodes around all accesses of a cluster, innermost first.
pub fn common_nodes(f: &Analyses, cluster: &Cluster) -> Vec<NodeId> {
    let paths: Vec<Vec<NodeId>> = cluster
        .accesses
        .iter()
        .filter_map(|a| f.node_of(*a))
        .map(|n| f.tree.ancestors(n))
        .collect();
    let Some(first) = paths.first() else {
        return Vec::new();
    };
    let is_common = |n: &NodeId| paths.iter().all(|p| p.contains(n));
    first.iter().copied().filter(is_common).collect()
}

/// Regions whose tile would make the stores coalesced: strips and whole loops as for loads, and,
/// innermost, what holds all the stores.
fn store_places(f: &Analyses, cluster: &Cluster) -> Result<Vec<StagedAt>, Missed> {
    let mut out = load_places(f, cluster);
    out.retain(|(n, _)| f.tree.loops.iter().any(|l| l.node == *n));
    out.extend(holder(f, cluster).map(|n| (n, None)));
    out.retain(|(n, strip)| helps(f, cluster, *n, *strip));
    if out.is_empty() || !is_uncoalesced(cluster) {
        return Err(Missed::OnlyStored);
    }
    Ok(out)
}

/// The sequence around all the stores, as loads outside of loops have it; where that holds a loop,
/// the innermost node that does.
fn holder(f: &Analyses, cluster: &Cluster) -> Option<NodeId> {
    let common = common_nodes(f, cluster);
    let seq = common
        .iter()
        .find(|n| matches!(f.tree.node(**n), Node::Seq(_)));
    let holds_loop = |n: &&NodeId| f.tree.loops.iter().any(|l| f.tree.contains(**n, l.node));
    seq.filter(|n| !holds_loop(n)).or(common.first()).copied()
}

/// Whether neighbouring threads of a warp store at least a sector apart.
fn is_uncoalesced(cluster: &Cluster) -> bool {
    cluster
        .coefficients
        .get(&Atom::Tid(Dim::X))
        .is_some_and(|c| !is_short(c))
}

/// Whether a step of this many bytes stays within a sector.
fn is_short(step: &Poly) -> bool {
    step.as_constant().is_some_and(|c| c.abs() < SECTOR)
}

/// Whether something that varies in the region, or strip, moves the store by less than a sector.
fn helps(f: &Analyses, cluster: &Cluster, node: NodeId, strip: Option<LoopId>) -> bool {
    cluster.coefficients.iter().any(|(a, c)| {
        let moves = match (a, strip) {
            (Atom::Tid(d), None) => *d != Dim::X,
            (Atom::Iter(l), Some(s)) => *l == s,
            (Atom::Iter(_), None) => f.varies_in(node, *a),
            _ => false,
        };
        moves && is_short(c)
    })
}
