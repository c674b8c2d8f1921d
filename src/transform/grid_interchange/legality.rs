//! Which kernels number their blocks along another axis than their threads. Idea and soundness: [`super`].

use super::plan::GridInterchange;
use crate::kernel::ids::{self, Register, register};
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::{Op, Value};
use crate::plan::{self, Analyses};

/// That a kernel's blocks and threads are numbered along different axes; `None`: they are not, or may not be moved.
pub fn find(f: &Analyses) -> Option<GridInterchange> {
    let bases = || instructions(f.kernel).filter_map(base);
    let is_flat = |(block, _): (Dim, Dim)| block != Dim::Z;
    let is_crossed = |(block, threads)| block != threads;
    let is_always_crossed = bases().filter(|b| is_flat(*b)).all(is_crossed) && bases().any(is_flat);
    let is_within =
        bases().all(|(block, threads)| is_flat((block, threads)) == is_flat((threads, block)));
    (is_always_crossed && is_within && plan::may_be_redistributed(f)).then_some(GridInterchange)
}

fn instructions(kernel: &Kernel) -> impl Iterator<Item = Value> {
    kernel.blocks.iter().flat_map(|b| b.instructions())
}

/// Along which axes the number of a block and the size are whose product this is.
fn base(v: Value) -> Option<(Dim, Dim)> {
    let sides =
        || [(0, 1), (1, 0)].map(|(i, j)| [i, j].map(|i| register(ids::unextended(v.operand(i)))));
    let pair = |[block, size]: [Option<(Register, Dim)>; 2]| match (block?, size?) {
        ((Register::Ctaid, b), (Register::Ntid, t)) => Some((b, t)),
        _ => None,
    };
    v.is(Op::LLVMMul).then(sides)?.into_iter().find_map(pair)
}
