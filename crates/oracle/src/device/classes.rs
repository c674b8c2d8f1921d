//! Instruction classes: what each executed IR instruction counts as.

use inkwell::llvm_sys as llvm;
use llvm::LLVMOpcode::*;
use llvm::LLVMTypeKind::*;

use super::ir::{self, Type, Value};

/// Class names, in the order of the counts.
pub const NAMES: [&str; 12] = [
    "integer", "float", "double", "half", "convert", "special", "load", "store", "atomic", "copy",
    "barrier", "control",
];

/// Counts per class for one basic block.
pub type Classes = [u32; NAMES.len()];

/// Classes of a block's instructions.
pub fn classify(block: ir::Block) -> Classes {
    let mut classes = [0; NAMES.len()];
    for i in ir::instructions(block) {
        if let Some(class) = class_of(i) {
            classes[class] += 1;
        }
    }
    classes
}

fn float_class(ty: Type) -> usize {
    match ir::kind_of(ty) {
        LLVMDoubleTypeKind => 2,
        LLVMHalfTypeKind | LLVMBFloatTypeKind => 3,
        // SAFETY: asked of a vector type.
        LLVMVectorTypeKind => float_class(unsafe { llvm::core::LLVMGetElementType(ty) }),
        _ => 1,
    }
}

fn class_of(i: Value) -> Option<usize> {
    Some(match ir::opcode(i) {
        LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem | LLVMFNeg => {
            float_class(ir::type_of(i))
        }
        LLVMFCmp => float_class(ir::type_of(ir::operands(i)[0])),
        LLVMFPToSI | LLVMFPToUI | LLVMSIToFP | LLVMUIToFP | LLVMFPTrunc | LLVMFPExt => 4,
        LLVMLoad => 6,
        LLVMStore => 7,
        LLVMAtomicRMW | LLVMAtomicCmpXchg => 8,
        LLVMBr | LLVMSwitch | LLVMRet => 11,
        LLVMCall => {
            let name = ir::name(ir::callee(i));
            match name.strip_prefix("llvm.") {
                Some(n) if n.starts_with("nvvm.cp.async.c") && !n.contains("commit") => 9,
                Some(n) if n.starts_with("nvvm.barrier") || n.starts_with("nvvm.bar.") => 10,
                Some(n) if n.starts_with("fma.") || n.starts_with("fmuladd.") => {
                    float_class(ir::type_of(i))
                }
                Some(n)
                    if ["assume", "lifetime", "dbg", "experimental"]
                        .iter()
                        .any(|s| n.starts_with(s)) =>
                {
                    return None;
                }
                _ => 5,
            }
        }
        LLVMPHI | LLVMBitCast | LLVMAddrSpaceCast | LLVMFreeze | LLVMUnreachable | LLVMAlloca => {
            return None;
        }
        _ => 0,
    })
}
