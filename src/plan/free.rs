//! Whether it matters which block a thread is in.

use super::analyses::Analyses;
use crate::access::{Access, AccessKind};
use crate::kernel::ids;
use crate::llvm::ir::Op;

/// Whether threads of a block have nothing to do with each other, and the kernel itself asks where they are.
pub fn is_free(f: &Analyses) -> bool {
    let kernel = f.kernel;
    let own = kernel.own_shared > 0 || kernel.dynamic_shared;
    let has_size = kernel.function.string_attribute("nvvm.reqntid").is_some();
    if own || has_size || kernel.is_clustered() {
        return false;
    }
    let is_allowed = |a: &Access| match a.kind {
        AccessKind::Load | AccessKind::Store => !a.is_volatile,
        // Updates that may come in any order, whose outcome nobody looks at, and that are one step for other blocks,
        // too.
        AccessKind::Atomic => {
            let update = kernel.value(a.value);
            update.is(Op::LLVMAtomicRMW)
                && update.rmw().is_some()
                && update.users().is_empty()
                && update.is_atomic_for_all()
        }
        AccessKind::Barrier | AccessKind::WarpOperation | AccessKind::Unknown => false,
    };
    f.accesses.list.iter().all(is_allowed) && !ids::asks_elsewhere(kernel)
}
