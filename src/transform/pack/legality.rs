//! Which kernels tell blocks apart, and have nothing by which threads of a block depend on each other.

use super::plan::{NoPack, Pack};
use crate::kernel::ids::{self, Elsewhere, Register};
use crate::kernel::{Dim, Kernel, callees};
use crate::llvm::ir::Value;
use crate::machine::target::WARP;
use crate::machine::tuning::pack::MOST_PARAMETERS;
use crate::plan::Analyses;

/// How the kernel's blocks can be packed; `None`: its threads may be in any blocks, or blocks are not told apart.
pub fn find(f: &Analyses) -> Option<Result<Pack, NoPack>> {
    let kernel = f.kernel;
    if !is_by_block(kernel) {
        return None;
    }
    let shares = kernel.own_shared > 0 || kernel.dynamic_shared || has_barrier(kernel);
    let is_fixed = kernel.function.string_attribute("nvvm.reqntid").is_some();
    let asks = ids::elsewhere(kernel);
    let refusals = [
        (kernel.rejected.is_some(), NoPack::Rejected),
        (shares, NoPack::Shares),
        (asks == Elsewhere::Anyhow, NoPack::AsksElsewhere),
        (kernel.function.value().is_mergeable(), NoPack::Mergeable),
        (is_fixed || kernel.is_clustered(), NoPack::Fixed),
        (
            kernel.function.params().len() > MOST_PARAMETERS,
            NoPack::Parameters,
        ),
    ];
    if let Some((_, why)) = refusals.into_iter().find(|r| r.0) {
        return Some(Err(why));
    }
    let whole_warps = asks == Elsewhere::InWarp;
    // Two of them at least.
    let has_room = !whole_warps || kernel.max_threads >= 2 * WARP;
    has_room.then_some(Ok(Pack { whole_warps }))
}

/// Whether it matters which block a thread is in, and nothing says that blocks may be as large as one likes: the number
/// of a block is read, and no global id is made of it.
fn is_by_block(kernel: &Kernel) -> bool {
    let instructions = kernel.blocks.iter().flat_map(|b| b.instructions());
    let reads_block = |v: Value| matches!(ids::register(v), Some((Register::Ctaid, _)));
    let is_id = |v: Value| Dim::ALL.iter().any(|d| ids::is_widened_global_id(v, *d));
    let all: Vec<Value> = instructions.collect();
    all.iter().any(|v| reads_block(*v)) && !all.iter().any(|v| is_id(*v))
}

/// Whether the kernel, or a function that it calls, has a barrier; those of assembly are refused with the kernel
/// (`kernel/rejected.rs`).
fn has_barrier(kernel: &Kernel) -> bool {
    let functions = callees::all(kernel.function).unwrap_or_default();
    let blocks = functions.into_iter().flat_map(|f| f.blocks());
    let mut names = blocks
        .flat_map(|b| b.instructions())
        .map(|i| i.callee_name());
    names.any(|n| BARRIERS.iter().any(|b| n.starts_with(b)))
}

/// What the names of intrinsics begin with at which threads of a block meet.
const BARRIERS: [&str; 3] = [
    "llvm.nvvm.barrier",
    "llvm.nvvm.bar.sync",
    "llvm.nvvm.mbarrier",
];
