//! Counts the instructions of a block as the machine will run them.
//!
//! What the back end makes free is not counted: casts, phis, a multiplication that fuses into its
//! only sum, and arithmetic that only feeds addresses, which becomes a pointer that moves on or an
//! immediate offset ([`super::body`] charges that per access). What only counts a loop is kept
//! apart, since unrolling divides it.

use super::machine::Cost;
use crate::kernel::{BlockId, Kernel};
use crate::llvm::ir::{Kind, Op, Type, Value};
use crate::machine::tuning::mix::{DIVISION, DOUBLE_DIVISION, INTEGER_DIVISION};
use crate::map::HashMap;

/// What one execution of a block issues, its accesses left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mix {
    /// Everything but control.
    pub work: Cost,
    /// Instructions that count a loop and branch back.
    pub control: f64,
    /// Whether the assembler makes branches of something, as of an exact division, over which it
    /// moves no loads.
    pub branches: bool,
    /// LLVM instructions, for its unroller.
    pub size: usize,
}

/// Mixes of all blocks of a kernel.
pub struct Mixes {
    blocks: Vec<Mix>,
}

impl Mixes {
    /// Counts every block of `kernel`.
    pub fn collect(kernel: &Kernel) -> Mixes {
        let mut address = HashMap::default();
        let blocks = kernel.blocks.iter().map(|b| {
            let mut mix = Mix::default();
            for i in b.instructions() {
                mix.size += usize::from(!is_free(i));
                mix.branches |= i.is(Op::LLVMFDiv) && !is_inverse_root(i);
                if is_control(kernel, i) {
                    mix.control += 1.0;
                } else if !is_address(i, &mut address, 0) {
                    mix.work += cost(i);
                }
            }
            mix
        });
        Mixes {
            blocks: blocks.collect(),
        }
    }

    /// The mix of one block.
    pub fn of(&self, b: BlockId) -> Mix {
        self.blocks[b.index()]
    }
}

/// Whether an instruction becomes none, as LLVM's own cost model has it.
fn is_free(i: Value) -> bool {
    matches!(
        i.opcode(),
        Some(Op::LLVMPHI | Op::LLVMBitCast | Op::LLVMAddrSpaceCast | Op::LLVMFreeze)
            | Some(Op::LLVMTrunc | Op::LLVMSExt | Op::LLVMZExt)
    )
}

/// A branch back, its comparison, and the induction variable's step.
fn is_control(kernel: &Kernel, i: Value) -> bool {
    let loops_back = |b: Value| {
        let from = b.block().map(|x| kernel.block_id(x).0);
        b.is(Op::LLVMBr)
            && b.block().is_some_and(|x| {
                let back = |s: &crate::llvm::ir::Block| Some(kernel.block_id(*s).0) <= from;
                x.successors().iter().any(back)
            })
    };
    match i.opcode() {
        Some(Op::LLVMBr) => loops_back(i),
        Some(Op::LLVMICmp) => i.users().into_iter().all(loops_back),
        Some(Op::LLVMAdd) => {
            i.operand(0).is(Op::LLVMPHI)
                && i.operand(1).is_constant()
                && i.users().contains(&i.operand(0))
        }
        _ => false,
    }
}

/// Whether a value only feeds addresses.
fn is_address(i: Value, memo: &mut HashMap<Value, bool>, depth: u32) -> bool {
    if let Some(known) = memo.get(&i) {
        return *known;
    }
    let arithmetic = matches!(
        i.opcode(),
        Some(Op::LLVMGetElementPtr | Op::LLVMAdd | Op::LLVMSub | Op::LLVMMul | Op::LLVMShl)
            | Some(Op::LLVMOr | Op::LLVMSExt | Op::LLVMZExt | Op::LLVMTrunc)
    );
    let at = |u: Value, memo: &mut HashMap<Value, bool>| match u.opcode() {
        Some(Op::LLVMLoad) => true,
        Some(Op::LLVMStore) => u.operand(0) != i,
        _ => depth < 16 && is_address(u, memo, depth + 1),
    };
    let yes = arithmetic && i.users().into_iter().all(|u| at(u, memo));
    memo.insert(i, yes);
    yes
}

fn cost(i: Value) -> Cost {
    let issue = |n: f64| Cost {
        issue: n,
        ..Cost::default()
    };
    match i.opcode() {
        Some(Op::LLVMFAdd | Op::LLVMFSub) => float(i, 1.0),
        Some(Op::LLVMFMul) if fuses(i) => Cost::default(),
        Some(Op::LLVMFMul | Op::LLVMFNeg | Op::LLVMFCmp) => float(i, 1.0),
        // One over a root is one instruction of the special unit, the root's.
        Some(Op::LLVMFDiv) if is_inverse_root(i) => Cost::default(),
        Some(Op::LLVMFDiv) => division(i),
        Some(Op::LLVMMul) if fuses(i) => Cost::default(),
        Some(Op::LLVMUDiv | Op::LLVMSDiv | Op::LLVMURem | Op::LLVMSRem) => issue(INTEGER_DIVISION),
        Some(Op::LLVMAdd | Op::LLVMSub | Op::LLVMMul) => issue(words(i.ty())),
        Some(Op::LLVMSIToFP | Op::LLVMUIToFP | Op::LLVMFPToSI | Op::LLVMFPToUI) => special(1.0),
        Some(Op::LLVMFPExt | Op::LLVMFPTrunc) => issue(1.0),
        Some(Op::LLVMBr) => issue(f64::from(u8::from(i.is_conditional()))),
        Some(Op::LLVMCall) => call(i),
        // Accesses are charged where it is known what serves them.
        Some(Op::LLVMLoad | Op::LLVMStore | Op::LLVMGetElementPtr | Op::LLVMRet) => Cost::default(),
        Some(Op::LLVMUnreachable | Op::LLVMAlloca) => Cost::default(),
        _ if is_free(i) => Cost::default(),
        _ => issue(1.0),
    }
}

fn is_inverse_root(i: Value) -> bool {
    let v = i.operand(1);
    let root = v.is(Op::LLVMCall) && v.callee_name().contains("sqrt") && v.users().len() == 1;
    root && i.operand(0).is_constant()
}

fn special(n: f64) -> Cost {
    Cost {
        issue: n,
        slow: n,
        ..Cost::default()
    }
}

fn float(i: Value, n: f64) -> Cost {
    let ty = if i.is(Op::LLVMFCmp) {
        i.operand(0).ty()
    } else {
        i.ty()
    };
    let is_double = ty.kind() == Kind::LLVMDoubleTypeKind;
    Cost {
        issue: n,
        fp: if is_double { 0.0 } else { n },
        double: if is_double { n } else { 0.0 },
        ..Cost::default()
    }
}

fn division(i: Value) -> Cost {
    if i.ty().kind() == Kind::LLVMDoubleTypeKind {
        float(i, DOUBLE_DIVISION)
    } else {
        float(i, DIVISION) + special(1.0)
    }
}

/// Intrinsics: registers are read once, extrema and shuffles are one instruction, functions of the
/// special unit bring a few around them.
fn call(i: Value) -> Cost {
    let name = i.callee_name();
    let name = name.strip_prefix("llvm.").unwrap_or(&name);
    let unit = [
        "sqrt", "rsqrt", "ex2", "lg2", "sin", "cos", "rcp", "exp", "log", "tanh",
    ];
    let is_unit = unit.iter().any(|u| name.contains(u));
    let silent = ["lifetime", "assume", "dbg", "experimental.noalias"];
    let is_silent = silent.iter().any(|s| name.starts_with(s));
    if is_silent {
        Cost::default()
    } else if is_unit && i.ty().kind() == Kind::LLVMDoubleTypeKind {
        float(i, DOUBLE_DIVISION)
    } else if is_unit {
        float(i, 3.0) + special(1.0)
    } else if i.ty().kind() == Kind::LLVMFloatTypeKind || i.ty().kind() == Kind::LLVMDoubleTypeKind
    {
        float(i, 1.0)
    } else {
        Cost {
            issue: 1.0,
            ..Cost::default()
        }
    }
}

/// Whether a product has one use, a sum of its own type.
fn fuses(i: Value) -> bool {
    match i.users()[..] {
        [u] => match u.opcode() {
            Some(Op::LLVMFAdd | Op::LLVMFSub) => i.is(Op::LLVMFMul),
            Some(Op::LLVMAdd | Op::LLVMSub) => i.is(Op::LLVMMul),
            _ => false,
        },
        _ => false,
    }
}

fn words(ty: Type) -> f64 {
    ty.int_width().map_or(1.0, |w| f64::from(w.div_ceil(32)))
}
