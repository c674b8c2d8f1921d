//! What must hold of a kernel. Idea and soundness: [`super`].

use crate::access::AccessKind;
use crate::affine::Atom;
use crate::kernel::Dim;
use crate::plan::analyses::Analyses;
use crate::plan::data::Merge;
use crate::tree::{ExitAt, LoopId, Node, NodeId};

/// Whether all replicas run a loop together and some load in it moves as far from replica to replica as from
/// iteration to iteration.
pub(super) fn may_have_windows(f: &Analyses, l: LoopId, merge: Merge) -> bool {
    let lp = f.tree.loop_(l);
    if lp.exit_at != ExitAt::Latch || !is_straight(f, lp.body) || f.affine.uniform_trip(l).is_none()
    {
        return false;
    }
    let mut loop_accesses = f.accesses_in(l);
    loop_accesses.any(|a| {
        let split = f
            .affine
            .address(a.id)
            .and_then(|x| x.index.split(Atom::varies));
        let Some((c, _)) = split.filter(|_| a.kind == AccessKind::Load) else {
            return false;
        };
        let step = c.get(&Atom::Iter(l));
        let same = |d: &Dim| is_consecutive(merge, *d) && c.get(&Atom::Tid(*d)) == step;
        step.is_some() && Dim::ALL.iter().any(same)
    })
}

/// Whether nothing branches in a node.
fn is_straight(f: &Analyses, node: NodeId) -> bool {
    match f.tree.node(node) {
        Node::Seq(children) => children.iter().all(|c| is_straight(f, *c)),
        Node::Block(_) | Node::Edge(_) => true,
        _ => false,
    }
}

pub(super) fn is_consecutive(merge: Merge, d: Dim) -> bool {
    merge.along(d) > 1 && merge.consecutive[d.index()]
}
