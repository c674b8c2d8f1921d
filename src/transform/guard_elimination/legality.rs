//! Which guards stand between a kernel's threads and its barriers. Idea and soundness: [`super`].

use super::GuardElimination;
use super::plan::{Branch, Refused};
use crate::access::{Access, AccessKind};
use crate::affine::{Atom, Guard};
use crate::plan::Analyses;
use crate::tree::{Node, NodeId};

/// The guards around barriers, if all threads of some launches meet them, or why not; `None`: there is none.
pub fn find(f: &Analyses) -> Option<Result<GuardElimination, Refused>> {
    let mut guards = Vec::new();
    let barriers = f.accesses.iter().filter(|a| a.kind == AccessKind::Barrier);
    for barrier in barriers {
        for (node, side) in ifs_above(f, barrier) {
            match guard(f, barrier, node, side) {
                Ok(Some(branch)) if !guards.contains(&branch) => guards.push(branch),
                Ok(_) => {}
                Err(why) => return Some(Err(why)),
            }
        }
    }
    let some = !guards.is_empty();
    // A version of a kernel that several files may have must test what it rests on.
    let found = match f.kernel.function.value().is_mergeable() {
        true => Err(Refused::Shared),
        false => Ok(GuardElimination { guards }),
    };
    some.then_some(found)
}

/// The ifs around an access, outermost first, each with the side that the access is on.
fn ifs_above(f: &Analyses, access: &Access) -> Vec<(NodeId, NodeId)> {
    let path = f
        .node_of(access.id)
        .map_or_else(Vec::new, |n| f.tree.ancestors(n));
    let pairs = path.windows(2).rev().map(|pair| (pair[1], pair[0]));
    let is_if = |(parent, _): &(NodeId, NodeId)| matches!(f.tree.node(*parent), Node::If { .. });
    pairs.filter(is_if).collect()
}

/// The branch of an if of which a barrier is on one side, if it is another for other threads of a launch.
fn guard(
    f: &Analyses,
    barrier: &Access,
    node: NodeId,
    side: NodeId,
) -> Result<Option<Branch>, Refused> {
    let &Node::If {
        at,
        then,
        otherwise,
    } = f.tree.node(node)
    else {
        return Ok(None);
    };
    if !hangs_on_threads(f, barrier, node)? {
        return Ok(None);
    }
    let wanted = side == then;
    let other = if wanted { otherwise } else { then };
    let next = f.kernel.block(at).successors();
    let joins_values = !next[usize::from(wanted)].phis().is_empty() || next[0] == next[1];
    match f.tree.does_nothing(other) && !joins_values {
        true => Ok(Some(Branch { at, wanted })),
        false => Err(Refused::Work),
    }
}

/// Whether the condition of an if around `access` is another for other threads of a launch.
fn hangs_on_threads(f: &Analyses, access: &Access, node: NodeId) -> Result<bool, Refused> {
    let is_id = |a: Atom| matches!(a, Atom::Tid(_) | Atom::Ctaid(_));
    let hangs = |g: &Guard| match g {
        Guard::Linear { terms, .. } if terms.iter().all(|(a, _)| is_id(*a)) => Ok(true),
        Guard::Fixed { poly, .. } if !poly.any(is_id) => Ok(false),
        Guard::Fixed { poly, .. } if !poly.any(Atom::varies) => Ok(true),
        Guard::Uniform { .. } => Ok(false),
        _ => Err(Refused::Unknown),
    };
    let own = f.affine.guards[access.id.index()].iter();
    let own: Vec<&Guard> = own.filter(|(n, _)| *n == node).map(|(_, g)| g).collect();
    let each: Result<Vec<bool>, Refused> = own.iter().map(|g| hangs(g)).collect();
    let some = each?.contains(&true);
    // What is no number cannot be asked beside what is.
    match some && own.iter().any(|g| matches!(g, Guard::Uniform { .. })) {
        true => Err(Refused::Unknown),
        false => Ok(some),
    }
}
