//! Which array a pointer belongs to, as far as the IR shows it.
//!
//! Follows address arithmetic, casts, and phis and selects whose inputs agree. Where they do not, the
//! answer is `Unknown`, and the address decides at run time: less strict, never wrong.

use std::collections::HashMap;

use inkwell::llvm_sys as llvm;
use llvm::LLVMOpcode::*;
use llvm::core::*;
use llvm::prelude::LLVMModuleRef;

use super::ir::{self, Value};
use crate::site::Origin;

/// What a pointer may belong to.
pub struct Arrays {
    /// Its parameters are arrays.
    pub kernel: Value,
    /// Says how types are laid out.
    pub module: LLVMModuleRef,
    /// Shared arrays, by number.
    pub tile_of: HashMap<Value, u32>,
    /// The module's other arrays, by number.
    pub global_of: HashMap<Value, u32>,
}

/// The origin of `pointer`.
pub fn trace(arrays: &Arrays, pointer: Value) -> Origin {
    trace_into(arrays, pointer, &mut Vec::new()).unwrap_or(Origin::Unknown)
}

/// `None` for a phi already being looked at: it adds nothing.
fn trace_into(arrays: &Arrays, pointer: Value, seen: &mut Vec<Value>) -> Option<Origin> {
    if let Some(tile) = arrays.tile_of.get(&pointer) {
        return Some(Origin::Tile(*tile));
    }
    if let Some(global) = arrays.global_of.get(&pointer) {
        return Some(Origin::Global(*global));
    }
    if let Some(index) = ir::params(arrays.kernel).iter().position(|p| *p == pointer) {
        return Some(if is_byval(arrays.kernel, index) {
            Origin::Unknown
        } else {
            Origin::Param(index as u32)
        });
    }
    let operands = ir::operands(pointer);
    match value_opcode(pointer) {
        Some(LLVMGetElementPtr | LLVMBitCast | LLVMAddrSpaceCast | LLVMFreeze) => {
            trace_into(arrays, operands[0], seen)
        }
        Some(LLVMPHI | LLVMSelect) => {
            if seen.contains(&pointer) {
                return None;
            }
            seen.push(pointer);
            let inputs = if value_opcode(pointer) == Some(LLVMSelect) {
                &operands[1..]
            } else {
                &operands[..]
            };
            let mut found: Option<Origin> = None;
            for input in inputs {
                match (trace_into(arrays, *input, seen), found) {
                    (None, _) => {}
                    (origin, None) => found = origin,
                    (Some(a), Some(b)) if a == b => {}
                    _ => return Some(Origin::Unknown),
                }
            }
            found
        }
        Some(LLVMLoad) => Some(field(arrays, operands[0])),
        _ => Some(Origin::Unknown),
    }
}

/// A load from a by-value parameter at a constant offset.
fn field(arrays: &Arrays, pointer: Value) -> Origin {
    let (mut at, mut offset) = (pointer, 0_u64);
    loop {
        if let Some(index) = ir::params(arrays.kernel).iter().position(|p| *p == at) {
            let byval = is_byval(arrays.kernel, index);
            return if byval {
                Origin::Field(index as u32, offset as u32)
            } else {
                Origin::Unknown
            };
        }
        match value_opcode(at) {
            Some(LLVMAddrSpaceCast | LLVMBitCast) => at = ir::operands(at)[0],
            Some(LLVMGetElementPtr) => match constant_offset(arrays, at) {
                Some(bytes) => (at, offset) = (ir::operands(at)[0], offset.wrapping_add(bytes)),
                None => return Origin::Unknown,
            },
            _ => return Origin::Unknown,
        }
    }
}

/// Byte offset of a GEP whose indices are all constant.
fn constant_offset(arrays: &Arrays, gep: Value) -> Option<u64> {
    // SAFETY: the module is alive; `gep` is a GEP; types are walked as its indices do.
    unsafe {
        let layout = llvm::target::LLVMGetModuleDataLayout(arrays.module);
        let mut ty = LLVMGetGEPSourceElementType(gep);
        let mut total = 0_u64;
        for (n, index) in ir::operands(gep)[1..].iter().enumerate() {
            if LLVMIsAConstantInt(*index).is_null() {
                return None;
            }
            let value = LLVMConstIntGetSExtValue(*index);
            let size = |t| llvm::target::LLVMABISizeOfType(layout, t);
            if n == 0 {
                total = total.wrapping_add((value as u64).wrapping_mul(size(ty)));
            } else if ir::kind_of(ty) == llvm::LLVMTypeKind::LLVMStructTypeKind {
                total =
                    total.wrapping_add(llvm::target::LLVMOffsetOfElement(layout, ty, value as u32));
                ty = LLVMStructGetTypeAtIndex(ty, value as u32);
            } else {
                ty = LLVMGetElementType(ty);
                total = total.wrapping_add((value as u64).wrapping_mul(size(ty)));
            }
        }
        Some(total)
    }
}

/// Opcode of an instruction or constant expression.
fn value_opcode(value: Value) -> Option<llvm::LLVMOpcode> {
    // SAFETY: each query is asked of the kind of value it is for.
    unsafe {
        if !LLVMIsAInstruction(value).is_null() {
            Some(LLVMGetInstructionOpcode(value))
        } else if !LLVMIsAConstantExpr(value).is_null() {
            Some(LLVMGetConstOpcode(value))
        } else {
            None
        }
    }
}

/// Whether parameter `index` is a struct passed by value.
pub fn is_byval(function: Value, index: usize) -> bool {
    let kind = super::load::attribute_kind("byval");
    // SAFETY: attribute indices start at 1 for parameters.
    unsafe { !LLVMGetEnumAttributeAtIndex(function, index as u32 + 1, kind).is_null() }
}
