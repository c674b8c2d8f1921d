//! Marks the original's loop that the assembler shall leave rolled (`plan::quiet`). LLVM is done with it by then.

use crate::kernel::Kernel;
use crate::llvm::rolled;
use crate::tree::{LoopId, Tree};

/// Marks the loop.
pub(super) fn mark(kernel: &Kernel, tree: &Tree, l: LoopId) {
    let branch = kernel.block(tree.loop_(l).latch).terminator();
    rolled::mark(kernel.function.module(), branch, rolled::QUIET);
}
