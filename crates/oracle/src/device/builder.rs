//! Builds instructions in front of others.

use std::os::raw::c_char;

use inkwell::llvm_sys as llvm;
use llvm::core::*;
use llvm::prelude::*;

use super::ir::{Block, Context, Type, Value, type_of};

/// Instruction builder positioned at one instruction; new instructions go before it.
pub struct Builder<'c> {
    pub raw: LLVMBuilderRef,
    pub context: &'c Context,
}

const NO_NAME: *const c_char = c"".as_ptr();

impl<'c> Builder<'c> {
    pub fn new(context: &'c Context) -> Builder<'c> {
        // SAFETY: the context is alive; disposed on drop.
        Builder {
            raw: unsafe { LLVMCreateBuilderInContext(context.0) },
            context,
        }
    }

    pub fn before(&self, instruction: Value) -> &Self {
        // SAFETY: `instruction` is an instruction in a block.
        unsafe {
            LLVMPositionBuilderBefore(self.raw, instruction);
            let place = llvm::debuginfo::LLVMInstructionGetDebugLoc(instruction);
            LLVMSetCurrentDebugLocation2(self.raw, place);
        }
        self
    }

    pub fn at_end(&self, block: Block) -> &Self {
        // SAFETY: `block` is alive.
        unsafe { LLVMPositionBuilderAtEnd(self.raw, block) }
        self
    }

    pub fn i32(&self, value: u32) -> Value {
        self.context.const_int(32, u64::from(value))
    }

    pub fn i64(&self, value: u64) -> Value {
        self.context.const_int(64, value)
    }

    /// Calls a host function by its address, which is valid as long as this process.
    pub fn call_host(&self, address: usize, result: Type, args: &mut [Value]) -> Value {
        let mut types: Vec<Type> = args.iter().map(|a| type_of(*a)).collect();
        // SAFETY: types and arguments are built to match; the callee is one of this crate's `extern "C"` functions.
        unsafe {
            let ty = LLVMFunctionType(result, types.as_mut_ptr(), types.len() as u32, 0);
            let callee = self.context.const_address(address as u64, 0);
            LLVMBuildCall2(
                self.raw,
                ty,
                callee,
                args.as_mut_ptr(),
                args.len() as u32,
                NO_NAME,
            )
        }
    }

    /// Calls an LLVM intrinsic, overloaded on `overload`.
    pub fn intrinsic(
        &self,
        module: LLVMModuleRef,
        name: &str,
        overload: &[Type],
        args: &[Value],
    ) -> Value {
        let (mut overload, mut args) = (overload.to_vec(), args.to_vec());
        // SAFETY: the intrinsic exists for these types (names are literals of this crate).
        unsafe {
            let id = LLVMLookupIntrinsicID(name.as_ptr().cast(), name.len());
            let callee =
                LLVMGetIntrinsicDeclaration(module, id, overload.as_mut_ptr(), overload.len());
            let ty = LLVMGlobalGetValueType(callee);
            LLVMBuildCall2(
                self.raw,
                ty,
                callee,
                args.as_mut_ptr(),
                args.len() as u32,
                NO_NAME,
            )
        }
    }

    pub fn cast(&self, opcode: llvm::LLVMOpcode, value: Value, to: Type) -> Value {
        if type_of(value) == to {
            return value;
        }
        // SAFETY: the caller picks a valid cast for the two types.
        unsafe { LLVMBuildCast(self.raw, opcode, value, to, NO_NAME) }
    }

    pub fn binary(&self, opcode: llvm::LLVMOpcode, a: Value, b: Value) -> Value {
        // SAFETY: equal operand types, opcode fits them.
        unsafe { LLVMBuildBinOp(self.raw, opcode, a, b, NO_NAME) }
    }

    pub fn zext(&self, value: Value, bits: u32) -> Value {
        self.cast(llvm::LLVMOpcode::LLVMZExt, value, self.context.int(bits))
    }

    pub fn sext(&self, value: Value, bits: u32) -> Value {
        self.cast(llvm::LLVMOpcode::LLVMSExt, value, self.context.int(bits))
    }

    pub fn trunc(&self, value: Value, bits: u32) -> Value {
        self.cast(llvm::LLVMOpcode::LLVMTrunc, value, self.context.int(bits))
    }

    pub fn bitcast(&self, value: Value, to: Type) -> Value {
        self.cast(llvm::LLVMOpcode::LLVMBitCast, value, to)
    }

    pub fn icmp(&self, predicate: llvm::LLVMIntPredicate, a: Value, b: Value) -> Value {
        // SAFETY: equal integer types.
        unsafe { LLVMBuildICmp(self.raw, predicate, a, b, NO_NAME) }
    }

    pub fn select(&self, condition: Value, a: Value, b: Value) -> Value {
        // SAFETY: `condition` is i1 and the arms have one type.
        unsafe { LLVMBuildSelect(self.raw, condition, a, b, NO_NAME) }
    }

    pub fn load(&self, ty: Type, pointer: Value, align: u32) -> Value {
        // SAFETY: `pointer` is a pointer.
        unsafe {
            let load = LLVMBuildLoad2(self.raw, ty, pointer, NO_NAME);
            LLVMSetAlignment(load, align);
            load
        }
    }

    pub fn store(&self, value: Value, pointer: Value, align: u32) -> Value {
        // SAFETY: `pointer` is a pointer.
        unsafe {
            let store = LLVMBuildStore(self.raw, value, pointer);
            LLVMSetAlignment(store, align);
            store
        }
    }

    pub fn insert(&self, aggregate: Value, value: Value, index: u32) -> Value {
        // SAFETY: `index` is a member of the aggregate.
        unsafe { LLVMBuildInsertValue(self.raw, aggregate, value, index, NO_NAME) }
    }

    pub fn extract(&self, aggregate: Value, index: u32) -> Value {
        // SAFETY: as above.
        unsafe { LLVMBuildExtractValue(self.raw, aggregate, index, NO_NAME) }
    }

    pub fn element(&self, vector: Value, index: u32) -> Value {
        // SAFETY: `vector` is a vector with more than `index` elements.
        unsafe { LLVMBuildExtractElement(self.raw, vector, self.i32(index), NO_NAME) }
    }

    pub fn set_element(&self, vector: Value, value: Value, index: u32) -> Value {
        // SAFETY: as above.
        unsafe { LLVMBuildInsertElement(self.raw, vector, value, self.i32(index), NO_NAME) }
    }
}

impl Drop for Builder<'_> {
    fn drop(&mut self) {
        // SAFETY: owned.
        unsafe { LLVMDisposeBuilder(self.raw) }
    }
}
