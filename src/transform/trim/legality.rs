//! Which kernels have guards by which the host can tell blocks that are empty.

use super::plan::{MOST_PARAMETERS, NoTrim, Trim};
use super::rules;
use crate::choice;
use crate::kernel::ids::{self, Register};
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::{Block, Op, Value};
use std::collections::{HashMap, HashSet};

/// Blocks of code that are looked at, at most: the host's test of a box grows with them.
const MOST_BLOCKS: usize = 24;
/// Blocks of code of a kernel, at most.
const MOST_CODE: usize = 512;

/// How the kernel's grids can be trimmed; `None`: there is no guard that names a block.
pub fn find(kernel: &Kernel) -> Option<Result<Trim, NoTrim>> {
    let function = kernel.function;
    let traceless = traceless(kernel);
    let guards = traceless.iter().filter(|b| b.terminator().is_conditional());
    let mut known = Known::default();
    let mut dims = [false; 3];
    let mut names_block = false;
    for guard in guards {
        let condition = guard.terminator().condition();
        names_block |= ids::reads_block_id(condition, [true; 3]);
        for d in Dim::ALL {
            dims[d.index()] |= known.decides(kernel, condition)[d.index()];
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
        (is_clustered(kernel), NoTrim::Clusters),
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
    }))
}

/// Whether some branch of the kernel names a block.
fn has_guard(kernel: &Kernel) -> bool {
    let mut ends = kernel.blocks.iter().map(|b| b.terminator());
    ends.any(|t| t.is_conditional() && ids::reads_block_id(t.condition(), [true; 3]))
}

fn is_clustered(kernel: &Kernel) -> bool {
    let keys = [
        "nvvm.cluster_dim",
        "nvvm.maxclusterrank",
        "nvvm.blocksareclusters",
    ];
    let mut keys = keys.into_iter();
    keys.any(|k| kernel.function.string_attribute(k).is_some())
}

/// The blocks that a thread comes through without a trace, from the entry on, each behind all of these that lead to it.
/// Loops are none of them: a block is not empty if its threads may stay.
fn traceless(kernel: &Kernel) -> Vec<Block> {
    if kernel.blocks.len() > MOST_CODE {
        return Vec::new();
    }
    let mut is_one: HashMap<Block, bool> = HashMap::new();
    let mut one = |b: Block| {
        *is_one
            .entry(b)
            .or_insert_with(|| b.instructions().into_iter().all(is_traceless) && !is_in_cycle(b))
    };
    // Depth first: a block is done when all behind it are.
    let (mut seen, mut done) = (HashSet::new(), Vec::new());
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
    let (mut seen, mut work) = (HashSet::new(), block.successors());
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

/// Whether nobody can tell that an instruction was run. A division cannot trap, and a load that would fault is none that
/// a program has.
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

fn is_hint(call: Value) -> bool {
    let hints = [
        "llvm.assume",
        "llvm.experimental.noalias.scope.decl",
        "llvm.lifetime.",
    ];
    !call.is_inline_asm_call() && hints.iter().any(|h| call.callee_name().starts_with(h))
}

/// Along which dimensions the interval of a value changes from block to block; `None`: it has none.
#[derive(Default)]
pub struct Known(HashMap<Value, Option<[bool; 3]>>);

impl Known {
    /// Along which dimensions some comparison in a condition can be told by the block's number.
    fn decides(&mut self, kernel: &Kernel, condition: Value) -> [bool; 3] {
        let (mut all, mut seen, mut work) = ([false; 3], HashSet::new(), vec![condition]);
        while let Some(v) = work.pop() {
            if !v.is_instruction() || v.ty().int_width() != Some(1) || !seen.insert(v) {
                continue;
            }
            if !v.is(Op::LLVMICmp) {
                work.extend(v.operands());
            } else if let Some(dims) = self.both(kernel, v) {
                all = either(all, dims);
            }
        }
        all
    }

    fn both(&mut self, kernel: &Kernel, v: Value) -> Option<[bool; 3]> {
        let [x, y] = [0, 1].map(|k| self.of(kernel, v.operand(k)));
        Some(either(x?, y?))
    }

    /// Along which dimensions the interval of `v` changes.
    pub fn of(&mut self, kernel: &Kernel, v: Value) -> Option<[bool; 3]> {
        if let Some(found) = self.0.get(&v) {
            return *found;
        }
        self.0.insert(v, None);
        let found = self.find(kernel, v);
        self.0.insert(v, found);
        found
    }

    /// What `choice/trim.rs` has an interval for.
    fn find(&mut self, kernel: &Kernel, v: Value) -> Option<[bool; 3]> {
        use Op::*;
        v.ty().int_width().filter(|w| (2..=64).contains(w))?;
        if v.const_int().is_some() || choice::host_knows(kernel.function, v) {
            return Some([false; 3]);
        }
        match ids::register(v) {
            Some((Register::Ctaid, d)) => return Some(Dim::ALL.map(|x| x == d)),
            Some((Register::Tid, _)) => return Some([false; 3]),
            _ => {}
        }
        match v.opcode()? {
            LLVMAdd | LLVMSub | LLVMMul | LLVMOr => self.both(kernel, v),
            LLVMShl | LLVMLShr | LLVMAShr | LLVMUDiv | LLVMSDiv => {
                v.operand(1).const_int().filter(|c| *c > 0)?;
                self.of(kernel, v.operand(0))
            }
            LLVMSExt | LLVMZExt | LLVMTrunc | LLVMFreeze => self.of(kernel, v.operand(0)),
            LLVMSelect => {
                let [x, y] = [1, 2].map(|k| self.of(kernel, v.operand(k)));
                Some(either(x?, y?))
            }
            LLVMCall if ids::is_speculatable(v) && v.operands().len() == 3 => self.both(kernel, v),
            _ => None,
        }
    }
}

fn either(x: [bool; 3], y: [bool; 3]) -> [bool; 3] {
    [0, 1, 2].map(|k| x[k] || y[k])
}
