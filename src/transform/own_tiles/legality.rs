//! What forbids merging the blocks of a kernel that has barriers. Idea and soundness: [`super`].

use crate::access::{Access, AccessKind};
use crate::affine::is_entry_load;
use crate::kernel::ids::{self, Register, register};
use crate::kernel::{Kernel, assembly, callees, compare};
use crate::llvm::ir::{Op, Value};
use crate::machine::target::STATIC_SHARED;
use crate::map::HashSet;
use crate::plan::analyses::Analyses;
use crate::plan::data::{Merge, NoMerge};
use crate::plan::is_unordered;
use crate::tree::{ExitAt, Node};

/// Registers that tell of a thread's place in its block, which is its replicas' too.
const OF_THREADS: [&str; 5] = ["laneid", "lanemask", "tid.", "ntid.", "warpsize"];

/// Whether blocks may be merged so, and there is something to gain by it.
pub(super) fn check(f: &Analyses, merge: Merge) -> Result<(), NoMerge> {
    let kernel = f.kernel;
    if kernel.is_clustered() || !f.accesses.iter().all(|a| may_be_replicated(kernel, a)) {
        return Err(NoMerge::Communicates);
    }
    if kernel.has_variables() {
        return Err(NoMerge::OwnArrays);
    }
    if f.fusing_loops().next().is_some() {
        return Err(NoMerge::Fuses);
    }
    if sees_blocks(kernel) {
        return Err(NoMerge::AsksElsewhere);
    }
    let all = f.accesses.iter();
    let mut barriers = all.filter(|a| a.kind == AccessKind::Barrier);
    if !barriers.all(|a| is_met_by_all(f, merge, a)) {
        return Err(NoMerge::OwnBarrier);
    }
    if callees::aligns_dynamic(kernel.function) {
        return Err(NoMerge::Aligned);
    }
    if callees::counts_addresses(kernel.function) {
        return Err(NoMerge::Numbers);
    }
    // An array may have as many parts as there are replicas, or one: what is emitted is looked at again.
    let parts = merge.factor.into_iter().max().unwrap_or(1);
    match kernel.own_shared.saturating_mul(parts) <= STATIC_SHARED {
        true => Ok(()),
        false => Err(NoMerge::OverBudget),
    }
}

/// Whether an access means the same for a replica as for a block: none by which blocks talk to each other.
fn may_be_replicated(kernel: &Kernel, a: &Access) -> bool {
    match a.kind {
        AccessKind::Barrier => {
            let name = kernel.value(a.value).callee_name();
            name.starts_with("llvm.nvvm.barrier.cta.")
        }
        AccessKind::WarpOperation => true,
        _ => is_unordered(kernel, a),
    }
}

/// Whether the kernel asks in ways that replicas do not see which block a thread is in, or has functions of its own.
fn sees_blocks(kernel: &Kernel) -> bool {
    let calls_none = callees::all(kernel.function).is_some_and(|all| all.len() == 1);
    let mut all = kernel.blocks.iter().flat_map(|b| b.instructions());
    !calls_none || all.any(asks_for_block)
}

fn asks_for_block(i: Value) -> bool {
    if !i.is(Op::LLVMCall) || assembly::is_unused(i) {
        return false;
    }
    let of_threads = |name: &str| OF_THREADS.iter().any(|r| name.starts_with(r));
    if i.is_inline_asm_call() {
        // A special register's name begins so; operands are written with a dollar.
        return i
            .asm_text()
            .split('%')
            .skip(1)
            .any(|rest| !of_threads(rest));
    }
    let name = i.callee_name();
    let special = name.strip_prefix(ids::SPECIAL);
    special.is_some_and(|r| register(i).is_none() && !of_threads(r))
}

/// Whether all merged blocks come to a barrier on the same way, as far as it is easily told. Nothing rests on it: those
/// that might not would run one after the other.
fn is_met_by_all(f: &Analyses, merge: Merge, barrier: &Access) -> bool {
    let Some(node) = f.node_of(barrier.id) else {
        return false;
    };
    let ancestors = f.tree.ancestors(node).into_iter();
    let mut ends = ancestors.filter_map(|n| match f.tree.node(n) {
        Node::If { at, .. } => Some(Some(*at)),
        Node::Loop(l) => {
            let l = f.tree.loop_(*l);
            Some(Some(match l.exit_at {
                ExitAt::Latch => l.latch,
                ExitAt::Header => l.header,
            }))
        }
        Node::Opaque { .. } => Some(None),
        _ => None,
    });
    ends.all(|at| {
        at.is_some_and(|at| {
            let condition = f.kernel.block(at).terminator().condition();
            is_alike(f, merge, condition, &mut HashSet::default())
        })
    })
}

/// Whether a value is the same for all merged blocks: made of parameters, of the launch's shape, of their number along
/// another dimension and of what loops count.
fn is_alike(f: &Analyses, merge: Merge, v: Value, seen: &mut HashSet<Value>) -> bool {
    if !v.is_instruction() || is_entry_load(f.kernel, v) || !seen.insert(v) {
        return true;
    }
    if let Some((r, d)) = register(v) {
        return match r {
            Register::Ntid | Register::Nctaid => true,
            Register::Ctaid => merge.along(d) == 1,
            Register::Tid => false,
        };
    }
    let inputs = match v.opcode() {
        Some(Op::LLVMPHI) if counts(f, v) => v.incoming().into_iter().map(|(v, _)| v).collect(),
        Some(Op::LLVMICmp) => compare::decides(v, |phi| begins(f, phi)),
        Some(Op::LLVMPHI) | None => return false,
        Some(_) if ids::is_speculatable(v) => v.operands(),
        Some(_) => return false,
    };
    let mut inputs = inputs.into_iter();
    inputs.all(|o| is_alike(f, merge, o, seen))
}

/// Whether a phi is one of a loop: any other hangs on a branch.
fn counts(f: &Analyses, phi: Value) -> bool {
    begins(f, phi).is_some()
}

/// What a loop's phi begins with.
fn begins(f: &Analyses, phi: Value) -> Option<Value> {
    f.tree.begins(f.kernel, phi).map(|b| b.1)
}
