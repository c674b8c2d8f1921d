//! Keeps the original body's loop as the assembler leaves it without the plug-in.
//!
//! LLVM unrolls a loop of unknown trip count by four or so, and ptxas unrolls what it is given by four again,
//! unless the loop ends in two branches, out of it and back:
//!
//! ```text
//! loop: …  @%p bra out;  bra.uni loop;        rolled, if no other conditional branch jumps over a jump
//! loop: …  @!%p bra loop;                     unrolled
//! ```
//! Which of them clang writes depends on where the exit's block lies: the branch is turned round where the exit comes
//! next. In a kernel with a second body the first kind is unrolled as well, because the branch between the bodies
//! jumps over a jump, and all the original gains is three times its size (measured with ptxas 13.0 on the corpus).
//! So such a loop is marked, and told to stay rolled when LLVM is done with it (`lower::quiet`).
//!
//! Where the original runs long loops that is a gain: unrolled they are up to x2.9 faster, which `lower::lengthen` keeps
//! at half the size. So it is done where it runs the short ones alone (convolutions in rows, 5 taps on an H200: unrolled x0.89).
//!
//! A loop of one load gains by being unrolled also there: sixteen loads are under way at once, and fit 32 registers
//! (mavg, 129 taps, on 9 blocks: x1.31, on 513: x1.15; two loads, fir, 64 taps: x1.02 and x0.93). It stays as it is; short
//! ones have a body of their own ([`super::short`]). What the host launches in its stead ([`crate::choice`]) has one body, so that ptxas
//! leaves its loop rolled, and long windows alone: there it is lengthened (mavg, 143 taps, on 412 blocks of 64 threads: inside the kernel x1.41, by itself x1.01).
//!
//! NB: a kernel with several loops, or ifs in its loop, is left to ptxas, which unrolls such a loop in a kernel of its
//! own as well (mavg_edges, 129 taps in a small grid, kept rolled: x0.88).

use super::Plan;
use super::legality::Facets;
use crate::kernel::Kernel;
use crate::llvm::ir::Op;
use crate::tree::{ExitAt, LoopId, Node, NodeId, Tree};

/// Sets which loop stays rolled: the kernel's only one, where the first test leaves the original the short ones. If
/// those have a body of their own, it runs in the same rounds and stands in for the original.
pub fn choose(f: &Facets, plan: &mut Plan) {
    if f.affine.inside {
        return;
    }
    let rolled = stays_rolled(f.kernel, f.tree);
    plan.stays_rolled = rolled.is_some();
    if !plan.short_trips {
        return;
    }
    let has_short = (plan.short.last()).is_some_and(|p| !p.rounds.is_empty());
    let gains = |l: &LoopId| has_short && loads(f, *l) == 1;
    plan.long_apart = rolled.filter(gains);
    let rolled = rolled.filter(|l| !gains(l));
    plan.short_alone |= has_short && rolled.is_some();
    plan.quiet = rolled.filter(|_| !has_short);
}

/// Loads in a loop.
pub(super) fn loads(f: &Facets, l: LoopId) -> usize {
    let blocks = f.tree.loop_(l).blocks.iter();
    let all = blocks.flat_map(|b| f.kernel.block(*b).instructions());
    all.filter(|i| i.is(Op::LLVMLoad)).count()
}

/// The kernel's only loop, if ptxas would leave it rolled in a kernel of its own.
fn stays_rolled(kernel: &Kernel, tree: &Tree) -> Option<LoopId> {
    let is_opaque = |n: &Node| matches!(n, Node::Opaque { .. });
    let [only] = &tree.loops[..] else {
        return None;
    };
    let mut nodes = tree.nodes.iter().enumerate();
    let parts = nodes
        .any(|(i, n)| matches!(n, Node::If { .. }) && tree.contains(only.body, NodeId(i as u32)));
    if parts || only.exit_at != ExitAt::Latch || tree.nodes.iter().any(is_opaque) {
        return None;
    }
    let exit = kernel.block(only.exit.to);
    let out = kernel.block(only.latch).successors().first() == Some(&exit);
    // Blocks are numbered as they lie.
    (out && only.exit.to < only.latch).then_some(LoopId(0))
}
