//! Which kernels have guards by which the host can tell blocks that are empty.

use super::known::Known;
use super::plan::{NoTrim, Trim};
use super::rules;
use crate::kernel::{Dim, Kernel, callees, ids};
use crate::llvm::ir::{Block, Op, Value};
use crate::machine::tuning::trim::{MOST_BLOCKS, MOST_CODE, MOST_PARAMETERS};
use crate::map::{HashMap, HashSet};
use crate::plan::{self, Analyses};

/// How the kernel's grids can be trimmed; `None`: there is no guard that names a block.
pub fn find(f: &Analyses) -> Option<Result<Trim, NoTrim>> {
    let kernel = f.kernel;
    let function = kernel.function;
    let traceless = traceless(kernel);
    let mut known = Known::default();
    let mut dims = [false; 3];
    let mut names_block = false;
    for guard in traceless.iter().filter_map(|b| query(*b)) {
        names_block |= ids::reads_block_id(guard, [true; 3]);
        for d in Dim::ALL {
            dims[d.index()] |= known.decides(kernel, guard)[d.index()];
        }
    }
    if !names_block {
        let is_early = traceless.is_empty() && has_guard(kernel);
        return is_early.then_some(Err(NoTrim::Trace));
    }
    let refusals = [
        (kernel.rejected.is_some(), NoTrim::Rejected),
        (ids::asks_elsewhere(kernel), NoTrim::AsksElsewhere),
        (function.value().is_mergeable(), NoTrim::Mergeable),
        (
            function.params().len() > MOST_PARAMETERS,
            NoTrim::Parameters,
        ),
        (kernel.is_clustered(), NoTrim::Clusters),
        (!dims.contains(&true), NoTrim::Unknown),
        (
            !rules::may_pay(kernel, &traceless, &mut known),
            NoTrim::Covered,
        ),
    ];
    if let Some((_, why)) = refusals.into_iter().find(|r| r.0) {
        return Some(Err(why));
    }
    let ids = traceless.iter().map(|b| kernel.block_id(*b));
    Some(Ok(Trim {
        traceless: ids.collect(),
        dims,
        sure: plan::empty_blocks(f),
    }))
}

/// Whether some branch of the kernel names a block.
fn has_guard(kernel: &Kernel) -> bool {
    let mut queries = kernel.blocks.iter().filter_map(|b| query(*b));
    queries.any(|v| ids::reads_block_id(v, [true; 3]))
}

/// What the end of a block asks: the condition of a branch, the number of a switch.
fn query(block: Block) -> Option<Value> {
    let end = block.terminator();
    let condition = end.is_conditional().then(|| end.condition());
    condition.or(end.switched())
}

/// The blocks that a thread comes through without a trace, from the entry on, each behind all of these that lead to it.
/// Loops are none of them: a block is not empty if its threads may stay.
fn traceless(kernel: &Kernel) -> Vec<Block> {
    if kernel.blocks.len() > MOST_CODE {
        return Vec::new();
    }
    let mut is_one: HashMap<Block, bool> = HashMap::default();
    let mut one = |b: Block| {
        *is_one
            .entry(b)
            .or_insert_with(|| b.instructions().into_iter().all(is_traceless) && !is_in_cycle(b))
    };
    // Depth first: a block is done when all behind it are.
    let (mut seen, mut done) = (HashSet::default(), Vec::new());
    let mut stack = vec![(kernel.function.entry(), false)];
    while let Some((b, left)) = stack.pop() {
        if left {
            done.push(b);
        } else if one(b) && seen.insert(b) {
            stack.push((b, true));
            stack.extend(b.successors().into_iter().map(|s| (s, false)));
        }
    }
    done.reverse();
    // The first of them tell the most; an empty block is one behind which there is no other.
    if done.len() > MOST_BLOCKS {
        Vec::new()
    } else {
        done
    }
}

/// Whether control may come back to a block.
fn is_in_cycle(block: Block) -> bool {
    let (mut seen, mut work) = (HashSet::default(), block.successors());
    while let Some(b) = work.pop() {
        if b == block {
            return true;
        }
        if seen.insert(b) {
            work.extend(b.successors());
        }
    }
    false
}

/// Whether nobody can tell that an instruction was run. A division cannot trap, and a load that
/// would fault is none that a program has.
fn is_traceless(i: Value) -> bool {
    use Op::*;
    match i.opcode() {
        Some(LLVMLoad) => !i.is_volatile_or_atomic(),
        Some(LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMAlloca) => true,
        Some(LLVMBr | LLVMSwitch | LLVMRet) => true,
        Some(LLVMCall) => ids::is_speculatable(i) || is_hint(i),
        _ => ids::is_speculatable(i),
    }
}

/// Whether a call tells the optimizer something, and does nothing.
fn is_hint(call: Value) -> bool {
    let is_lifetime = || call.callee_name().starts_with("llvm.lifetime.");
    !call.is_inline_asm_call() && (callees::is_assumption(call) || is_lifetime())
}
