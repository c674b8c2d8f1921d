//! Which instructions are worth making again rather than keeping what they made in a register.

use crate::llvm::ir::{Op, Value};

/// Whether an instruction is an operation of a few cycles on numbers, whatever they are. Sums and products of real
/// numbers are if nothing can be fused with them, as those of `short_quotient`: a sum of no product, a product in no
/// sum.
pub(crate) fn is_remat(v: Value) -> bool {
    use Op::*;
    match v.opcode() {
        Some(LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMLShr | LLVMAShr) => true,
        Some(LLVMAnd | LLVMOr | LLVMXor | LLVMICmp) => true,
        Some(LLVMZExt | LLVMSExt | LLVMTrunc | LLVMPtrToInt | LLVMAddrSpaceCast) => true,
        Some(LLVMUIToFP | LLVMFPToUI | LLVMGetElementPtr) => v.is_instruction(),
        Some(LLVMFAdd) => v.operand(0).is(LLVMUIToFP) && !v.operand(1).is_instruction(),
        Some(LLVMFMul) => v.users().iter().all(|u| u.is(LLVMFPToUI)),
        Some(LLVMUDiv) => (v.operand(1).const_int()).is_some_and(|n| n > 0 && n & (n - 1) == 0),
        Some(LLVMSelect) => is_number(v),
        Some(LLVMCall) => is_remat_call(v),
        _ => false,
    }
}

/// Whether a cheap instruction gives some number even where the original's promises about its operands, which
/// can be dropped, do not hold.
pub(crate) fn is_harmless(v: Value) -> bool {
    use Op::*;
    match v.opcode() {
        Some(LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMAnd | LLVMOr | LLVMXor) => true,
        Some(LLVMZExt | LLVMSExt | LLVMAddrSpaceCast) => true,
        Some(LLVMGetElementPtr) => v.is_instruction(),
        _ => false,
    }
}

/// The lesser, the greater, and the reciprocal of `short_quotient`.
fn is_remat_call(v: Value) -> bool {
    let name = v.callee_name();
    let names = [
        "llvm.smin.",
        "llvm.smax.",
        "llvm.umin.",
        "llvm.umax.",
        "llvm.nvvm.rcp.approx.ftz.f",
    ];
    names.iter().any(|s| name.starts_with(s))
}

fn is_number(v: Value) -> bool {
    v.ty().int_width().is_some()
}
