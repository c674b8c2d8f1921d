//! Places for a cluster: the nodes of the tree around all its accesses.

use super::facets::Facets;
use crate::affine::Atom;
use crate::plan::shape::Cluster;
use crate::tree::{LoopId, Node, NodeId};

/// Regions to try, in order: strips of each loop around all accesses, outermost first, whole
/// loops, and, outside of loops, the sequence that holds the accesses.
pub fn places(f: &Facets, cluster: &Cluster) -> Vec<(NodeId, Option<LoopId>)> {
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
pub fn common_nodes(f: &Facets, cluster: &Cluster) -> Vec<NodeId> {
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
