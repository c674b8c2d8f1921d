//! Whether it matters which block a thread is in.

use super::analyses::Analyses;
use crate::access::{Access, AccessKind};
use crate::kernel::{Kernel, ids};
use crate::llvm::ir::Op;

/// Whether a copy may have its threads elsewhere: of a kernel that one file has, whose threads are free.
pub fn may_be_redistributed(f: &Analyses) -> bool {
    let kernel = f.kernel;
    kernel.rejected.is_none()
        && is_free(f)
        && !kernel.function.value().is_mergeable()
        && !kernel.has_variables()
}

/// Whether threads of a block have nothing to do with each other, and the kernel itself asks where they are.
pub fn is_free(f: &Analyses) -> bool {
    let kernel = f.kernel;
    let own = kernel.own_shared > 0 || kernel.dynamic_shared;
    let has_size = kernel.function.string_attribute("nvvm.reqntid").is_some();
    if own || has_size || kernel.is_clustered() {
        return false;
    }
    let mut list = f.accesses.iter();
    list.all(|a| is_unordered(kernel, a)) && !ids::asks_elsewhere(kernel)
}

/// Whether blocks may do an access in any order: loads and stores that nobody watches, and updates that may come in any
/// order, whose outcome nobody looks at, and that are one step for other blocks, too.
pub fn is_unordered(kernel: &Kernel, a: &Access) -> bool {
    match a.kind {
        AccessKind::Load | AccessKind::Store => !a.is_volatile,
        AccessKind::Atomic => {
            let update = kernel.value(a.value);
            update.is(Op::LLVMAtomicRMW)
                && update.rmw().is_some()
                && update.users().is_empty()
                && update.is_atomic_for_all()
        }
        AccessKind::Barrier | AccessKind::WarpOperation | AccessKind::Unknown => false,
    }
}
