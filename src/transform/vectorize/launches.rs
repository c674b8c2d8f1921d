//! Whether blocks may be of any length along x.

use super::plan::Wide;
use crate::access::{Access, AccessKind};
use crate::kernel::ids::{self, Elsewhere, Register};
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::{Op, Value};
use crate::plan::Analyses;

/// Whether nothing but these loops asks how long a block is along x, or where a thread is there, and threads do nothing
/// else but load.
pub(super) fn is_any_length(f: &Analyses, loops: &[Wide]) -> bool {
    let kernel = f.kernel;
    let shares = kernel.own_shared > 0 || kernel.dynamic_shared;
    let is_fixed = kernel.function.string_attribute("nvvm.reqntid").is_some();
    let is_in_loop = |a: &Access| loops.iter().any(|l| l.blocks.contains(&a.block));
    let is_simple = |a: &Access| is_in_loop(a) || a.kind == AccessKind::Load;
    let all = kernel.blocks.iter().flat_map(|b| b.instructions());
    let mut reads = all.filter(|v| {
        let register = ids::register(*v);
        register == Some((Register::Tid, Dim::X)) || register == Some((Register::Ntid, Dim::X))
    });
    !shares
        && loops.iter().all(|l| l.counter.1.is_none())
        && !is_fixed
        && !kernel.is_clustered()
        && ids::elsewhere(kernel) == Elsewhere::Not
        && f.accesses.iter().all(is_simple)
        && reads.all(|v| is_of_loops(kernel, loops, v))
}

/// Whether a number is used by nothing but these loops, to begin, to go on and to ask whether they run.
fn is_of_loops(kernel: &Kernel, loops: &[Wide], v: Value) -> bool {
    v.users().into_iter().all(|user| match user.opcode() {
        Some(Op::LLVMZExt | Op::LLVMSExt) => is_of_loops(kernel, loops, user),
        Some(Op::LLVMPHI) => {
            let counter = loops.iter().any(|l| kernel.value(l.counter.0) == user);
            counter || is_of_loops(kernel, loops, user)
        }
        Some(Op::LLVMAdd) => loops.iter().any(|l| {
            let mut values = kernel.value(l.counter.0).incoming().into_iter();
            values.any(|(next, _)| next == user)
        }),
        Some(Op::LLVMICmp) => user.users().into_iter().all(|branch| {
            let at = branch.block();
            let guards = |l: &Wide| at == Some(kernel.block(l.guard));
            branch.is(Op::LLVMBr) && loops.iter().any(guards)
        }),
        _ => false,
    })
}
