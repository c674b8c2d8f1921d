//! Loops that a version in another way leaves as they are, unrolled in it: those are other passes over what its own
//! loops run over, as sums of the row that is then written. Which can be is found in the clone once it is written, as
//! with copies that are recast.

use crate::affine::Analyzed;
use crate::check;
use crate::kernel::{self, Kernel};
use crate::llvm::ir::{Block, Function};
use crate::lower;
use crate::options::Options;
use crate::plan::Analyses;
use crate::transform::unroll;
use crate::tree;

/// Unrolls the loops of `clone`, a version of `kernel`, that begin at these blocks, where that rests on nothing.
pub(super) fn unroll(
    clone: Function,
    kernel: &Kernel,
    begin: &[Block],
    options: &Options,
) -> Result<(), String> {
    let own = kernel::collect(clone, kernel.sm, kernel.block_cap);
    let Some(tree) = tree::structure(&own) else {
        return Ok(());
    };
    let found = Analyzed::of(&own, tree);
    let f = Analyses::of(&own, &found);
    let is_one = |l| begin.contains(&own.block(f.tree.loop_(l).header));
    let Some(plan) = unroll::unconditional(&f, options, is_one) else {
        return Ok(());
    };
    let lowered = lower::emit_own(&f, &plan, &[]);
    check::after_lowering(&own, f.accesses, &plan, &lowered)
}
