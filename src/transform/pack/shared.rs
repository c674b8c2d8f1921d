//! What the threads of a block share, if it may be packed: a warp's barrier stands for theirs, and each block has a
//! part of the arrays.

use super::plan::{NoPack, Shared};
use crate::kernel::ids::Elsewhere;
use crate::kernel::{Kernel, callees};
use crate::llvm::ir::Value;
use crate::machine::target::STATIC_SHARED;
use crate::machine::tuning::pack::MOST_PARTS;
use crate::transform::parts::Layout;

/// What the name of the barrier begins with at which all threads of a block meet.
const BARRIER: &str = "llvm.nvvm.barrier.cta.sync.aligned.all";
/// What the names of intrinsics begin with at which threads of a block meet.
const MEETINGS: [&str; 3] = [
    "llvm.nvvm.barrier",
    "llvm.nvvm.bar.sync",
    "llvm.nvvm.mbarrier",
];

/// Whether a call is the barrier of all threads of a block.
pub(super) fn is_barrier(v: Value) -> bool {
    v.callee_name().starts_with(BARRIER) && v.operand(0).const_int() == Some(0)
}

/// What the threads of a block share, or why nobody else's part may lie beside it; `None`: nothing.
pub(super) fn find(kernel: &Kernel, asks: Elsewhere) -> Result<Option<Shared>, NoPack> {
    let functions = callees::all(kernel.function).unwrap_or_default();
    let blocks = functions.iter().flat_map(|f| f.blocks());
    let meets = |v: &Value| {
        let name = v.callee_name();
        MEETINGS.iter().any(|m| name.starts_with(m))
    };
    let meetings: Vec<Value> = blocks
        .flat_map(|b| b.instructions())
        .filter(meets)
        .collect();
    let arrays = callees::shared_globals(&functions);
    if meetings.is_empty() && arrays.is_empty() {
        return Ok(None);
    }
    let are_for_all = meetings.into_iter().all(is_barrier);
    if functions.len() != 1 || !are_for_all || asks != Elsewhere::Not {
        return Err(NoPack::Meets);
    }
    let function = kernel.function;
    let dynamic = arrays.iter().any(|a| callees::is_dynamic(function, *a));
    if callees::aligns_dynamic(function) || callees::counts_addresses(function) {
        return Err(NoPack::Arrays);
    }
    let bytes = Layout::of_all(function).stride.min(u64::from(u32::MAX)) as u32;
    Ok(Some(Shared {
        bytes,
        dynamic,
        parts: MOST_PARTS.min(STATIC_SHARED / bytes.max(1)),
    }))
}
