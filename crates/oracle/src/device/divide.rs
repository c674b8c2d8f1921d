//! Integer divisions without a result: by 0, or the smallest number by -1.
//!
//! A GPU gives some number there, a CPU ends the process, and LLVM may assume that it does not happen. So each
//! division that is not by a harmless constant tells the run time when it has none, and then divides by 1.

use inkwell::llvm_sys as llvm;
use llvm::LLVMIntPredicate::{LLVMIntEQ, LLVMIntNE};
use llvm::LLVMOpcode::*;
use llvm::LLVMTypeKind::LLVMVectorTypeKind;
use llvm::core::*;

use super::ir::{self, Value};
use super::rewrite::Rewriter;
use crate::error::Result;
use crate::run::hooks;
use crate::site::AccessKind;

impl Rewriter<'_> {
    /// Gives every integer division a result, and with checks a report where it has none by itself.
    pub fn define_divisions(&mut self) -> Result<()> {
        let all: Vec<Value> = ir::defined(self.module)
            .into_iter()
            .flat_map(ir::body)
            .filter(|i| is_division(*i) && !is_harmless(*i))
            .collect();
        for i in all {
            self.define_division(i)?;
        }
        Ok(())
    }

    fn define_division(&mut self, i: Value) -> Result<()> {
        let operands = ir::operands(i);
        let (number, by) = (operands[0], operands[1]);
        let ty = ir::type_of(by);
        self.builder.before(i);
        let b = &self.builder;
        let by_zero = b.icmp(LLVMIntEQ, by, ir::null(ty));
        let mut undefined = by_zero;
        if is_signed(i) {
            // SAFETY: an integer type, or a vector of them.
            let all_ones = unsafe { LLVMConstAllOnes(ty) };
            // 0111.., and 1000.. from it.
            let least = b.binary(LLVMXor, b.binary(LLVMLShr, all_ones, one(ty)), all_ones);
            let is_least = b.icmp(LLVMIntEQ, number, least);
            let overflow = b.binary(LLVMAnd, b.icmp(LLVMIntEQ, by, all_ones), is_least);
            undefined = b.binary(LLVMOr, undefined, overflow);
        }
        let by_one = b.select(undefined, one(ty), by);
        if self.checked {
            let (zero, bad) = (self.any(by_zero), self.any(undefined));
            let site = self.add_site(i, AccessKind::Load, 0, 1, None)?;
            let args = [zero, bad].map(|v| self.builder.zext(v, 32));
            self.hook(
                hooks::division as *const () as usize,
                self.context.void(),
                &[args[0], args[1], self.builder.i32(site)],
            );
        }
        ir::set_operand(i, 1, by_one);
        Ok(())
    }

    /// Whether any lane of a condition holds.
    fn any(&self, condition: Value) -> Value {
        let ty = ir::type_of(condition);
        if ir::kind_of(ty) != LLVMVectorTypeKind {
            return condition;
        }
        // SAFETY: asked of a vector type.
        let bits = self.context.int(unsafe { LLVMGetVectorSize(ty) });
        let lanes = self.builder.bitcast(condition, bits);
        self.builder.icmp(LLVMIntNE, lanes, ir::null(bits))
    }
}

fn is_division(i: Value) -> bool {
    matches!(ir::opcode(i), LLVMSDiv | LLVMUDiv | LLVMSRem | LLVMURem)
}

fn is_signed(i: Value) -> bool {
    matches!(ir::opcode(i), LLVMSDiv | LLVMSRem)
}

/// A constant divisor, not 0, and not -1 where that matters.
fn is_harmless(i: Value) -> bool {
    let by = ir::operands(i)[1];
    // SAFETY: the value is asked only of integer constants, of at most 64 bits.
    unsafe {
        if LLVMIsAConstantInt(by).is_null() || ir::int_width(ir::type_of(by)) > 64 {
            return false;
        }
        let value = LLVMConstIntGetSExtValue(by);
        value != 0 && !(is_signed(i) && value == -1)
    }
}

/// 1 in every lane.
fn one(ty: ir::Type) -> Value {
    // SAFETY: an integer type, or a vector of them.
    unsafe {
        if ir::kind_of(ty) != LLVMVectorTypeKind {
            return LLVMConstInt(ty, 1, 0);
        }
        let lane = LLVMConstInt(LLVMGetElementType(ty), 1, 0);
        let mut lanes = vec![lane; LLVMGetVectorSize(ty) as usize];
        LLVMConstVector(lanes.as_mut_ptr(), lanes.len() as u32)
    }
}
