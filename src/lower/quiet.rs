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
//! So such a loop is marked, and told to stay rolled when LLVM is done with it.
//!
//! Where the original runs long loops that is a gain: unrolled they are up to x2.9 faster, which [`super::lengthen`] keeps
//! at half the size. So it is done where it runs the short ones alone (convolutions in rows, 5 taps on an H200: unrolled x0.89).
//!
//! A loop of one load gains by being unrolled also there: sixteen loads are under way at once, and fit 32 registers
//! (mavg, 129 taps, on 9 blocks: x1.31, on 513: x1.15; two loads, fir, 64 taps: x1.02 and x0.93). It stays as it is; short
//! ones have a body of their own (`plan::short`).
//!
//! NB: a kernel with several loops, or ifs in its loop, is left to ptxas, which unrolls such a loop in a kernel of its
//! own as well (mavg_edges, 129 taps in a small grid, kept rolled: x0.88).

use crate::kernel::Kernel;
use crate::llvm::ir::Op;
use crate::llvm::rolled;
use crate::tree::{ExitAt, Node, NodeId, Tree};

/// Marks the kernel's only loop, if ptxas would leave it rolled in a kernel of its own. `long`: short loops have
/// another body.
pub(super) fn mark(kernel: &Kernel, tree: &Tree, long: bool) {
    let is_opaque = |n: &Node| matches!(n, Node::Opaque { .. });
    let [only] = &tree.loops[..] else { return };
    let mut nodes = tree.nodes.iter().enumerate();
    let parts = nodes
        .any(|(i, n)| matches!(n, Node::If { .. }) && tree.contains(only.body, NodeId(i as u32)));
    if parts || only.exit_at != ExitAt::Latch || tree.nodes.iter().any(is_opaque) {
        return;
    }
    let instructions = only
        .blocks
        .iter()
        .flat_map(|b| kernel.block(*b).instructions());
    if long && instructions.filter(|i| i.is(Op::LLVMLoad)).count() == 1 {
        return;
    }
    let branch = kernel.block(only.latch).terminator();
    let out = kernel.block(only.latch).successors().first() == Some(&kernel.block(only.exit.to));
    // Blocks are numbered as they lie.
    if out && only.exit.to < only.latch {
        rolled::mark(kernel.function.module(), branch, rolled::QUIET);
    }
}
