//! Which kernels tell blocks apart, or have threads that share little.

use super::plan::{NoPack, Pack};
use super::shared;
use crate::kernel::ids::{self, Elsewhere, Register};
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::Value;
use crate::machine::target::WARP;
use crate::machine::tuning::pack::{LARGE_ARRAYS, MOST_PARAMETERS};
use crate::plan::Analyses;

/// How the kernel's blocks can be packed; `None`: its threads may be in any blocks, or blocks are not told apart, or
/// its arrays are those of larger blocks.
pub fn find(f: &Analyses) -> Option<Result<Pack, NoPack>> {
    let kernel = f.kernel;
    let asks = ids::elsewhere(kernel);
    let shared = shared::find(kernel, asks);
    let is_small = match shared {
        Ok(Some(shared)) => shared.bytes < LARGE_ARRAYS,
        _ => is_by_block(kernel),
    };
    if !is_small {
        return None;
    }
    let is_fixed = kernel.function.string_attribute("nvvm.reqntid").is_some();
    let refusals = [
        (kernel.rejected.is_some(), NoPack::Rejected),
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
    let shared = match shared {
        Ok(shared) => shared,
        Err(why) => return Some(Err(why)),
    };
    let whole_warps = asks == Elsewhere::InWarp;
    // Two of them at least.
    let has_room = !whole_warps || kernel.max_threads >= 2 * WARP;
    has_room.then_some(Ok(Pack {
        whole_warps,
        shared,
    }))
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
