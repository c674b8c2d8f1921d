//! Takes fast-math flags off, so that the host computes every operation by itself, rounded once.
//!
//! LLVM's C interface can add flags but not remove them, so the instruction is built anew. Phis keep
//! theirs: a phi computes nothing.

use inkwell::llvm_sys as llvm;
use llvm::LLVMOpcode::*;
use llvm::core::*;

use super::builder::Builder;
use super::ir::{self, Context, Value};
use super::load::Module;

/// Clears the flags of every instruction of the module.
pub fn unfuse(context: &Context, module: &Module) {
    let builder = Builder::new(context);
    for f in ir::defined(module.0) {
        for i in ir::body(f) {
            // SAFETY: flags are asked only of what can have them.
            let flagged =
                unsafe { LLVMCanValueUseFastMathFlags(i) != 0 && LLVMGetFastMathFlags(i) != 0 };
            if flagged && let Some(plain) = rebuild(builder.before(i), i) {
                ir::replace(i, plain);
            }
        }
    }
}

fn rebuild(builder: &Builder, i: Value) -> Option<Value> {
    let operands = ir::operands(i);
    // SAFETY: operands, types and predicates are those of the instruction itself.
    unsafe {
        Some(match ir::opcode(i) {
            opcode @ (LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFRem) => {
                builder.binary(opcode, operands[0], operands[1])
            }
            opcode @ (LLVMFPExt | LLVMFPTrunc | LLVMSIToFP | LLVMUIToFP) => {
                builder.cast(opcode, operands[0], ir::type_of(i))
            }
            LLVMFNeg => LLVMBuildFNeg(builder.raw, operands[0], c"".as_ptr()),
            LLVMFCmp => {
                let predicate = LLVMGetFCmpPredicate(i);
                LLVMBuildFCmp(
                    builder.raw,
                    predicate,
                    operands[0],
                    operands[1],
                    c"".as_ptr(),
                )
            }
            LLVMSelect => builder.select(operands[0], operands[1], operands[2]),
            // Of calls only intrinsics are arithmetic; others would lose how their arguments are passed.
            LLVMCall if ir::name(ir::callee(i)).starts_with("llvm.") => {
                let (ty, mut args) = (LLVMGetCalledFunctionType(i), ir::call_args(i));
                let count = args.len() as u32;
                LLVMBuildCall2(
                    builder.raw,
                    ty,
                    ir::callee(i),
                    args.as_mut_ptr(),
                    count,
                    c"".as_ptr(),
                )
            }
            _ => return None,
        })
    }
}
