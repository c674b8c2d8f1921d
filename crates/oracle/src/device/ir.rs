//! Thin, typed-enough wrapper over the part of LLVM's C interface this crate uses.
//!
//! inkwell's own wrappers are not used for rewriting: every step here treats values uniformly (any
//! operand, any type), where inkwell would need a match per type. Handles are plain pointers; they live as
//! long as the `Context` they came from, and nothing here outlives it.

use std::ffi::{CStr, CString};
use std::os::raw::c_char;

use inkwell::llvm_sys as llvm;
use llvm::core::*;
use llvm::prelude::*;

pub type Value = LLVMValueRef;
pub type Type = LLVMTypeRef;
pub type Block = LLVMBasicBlockRef;

/// Owns an LLVM context; everything made in it dies with it.
pub struct Context(pub LLVMContextRef);

impl Context {
    pub fn new() -> Context {
        // SAFETY: creates a fresh context, owned by the result.
        Context(unsafe { LLVMContextCreate() })
    }

    /// Number of a kind of metadata.
    pub fn metadata_kind(&self, name: &str) -> u32 {
        // SAFETY: the context is alive; pointer and length of a live string.
        unsafe { LLVMGetMDKindIDInContext(self.0, name.as_ptr().cast(), name.len() as u32) }
    }

    pub fn int(&self, bits: u32) -> Type {
        // SAFETY: the context is alive.
        unsafe { LLVMIntTypeInContext(self.0, bits) }
    }

    pub fn float(&self) -> Type {
        // SAFETY: as above.
        unsafe { LLVMFloatTypeInContext(self.0) }
    }

    pub fn double(&self) -> Type {
        // SAFETY: as above.
        unsafe { LLVMDoubleTypeInContext(self.0) }
    }

    pub fn half(&self) -> Type {
        // SAFETY: as above.
        unsafe { LLVMHalfTypeInContext(self.0) }
    }

    pub fn void(&self) -> Type {
        // SAFETY: as above.
        unsafe { LLVMVoidTypeInContext(self.0) }
    }

    pub fn pointer(&self, space: u32) -> Type {
        // SAFETY: as above.
        unsafe { LLVMPointerTypeInContext(self.0, space) }
    }

    pub fn const_int(&self, bits: u32, value: u64) -> Value {
        // SAFETY: as above; truncated to the width by LLVM.
        unsafe { LLVMConstInt(self.int(bits), value & (u64::MAX >> (64 - bits)), 0) }
    }

    /// A pointer constant with this host address.
    pub fn const_address(&self, address: u64, space: u32) -> Value {
        // SAFETY: as above.
        unsafe { LLVMConstIntToPtr(self.const_int(64, address), self.pointer(space)) }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: owned, and engines are disposed before (field order in `Program`).
        unsafe { LLVMContextDispose(self.0) }
    }
}

pub fn type_of(value: Value) -> Type {
    // SAFETY: values are alive as long as their context; the same holds for every function below.
    unsafe { LLVMTypeOf(value) }
}

pub fn kind_of(ty: Type) -> llvm::LLVMTypeKind {
    // SAFETY: see `type_of`.
    unsafe { LLVMGetTypeKind(ty) }
}

pub fn int_width(ty: Type) -> u32 {
    // SAFETY: see `type_of`; only asked of integer types.
    unsafe { LLVMGetIntTypeWidth(ty) }
}

pub fn undef(ty: Type) -> Value {
    // SAFETY: see `type_of`.
    unsafe { LLVMGetUndef(ty) }
}

pub fn null(ty: Type) -> Value {
    // SAFETY: see `type_of`.
    unsafe { LLVMConstNull(ty) }
}

pub fn name(value: Value) -> String {
    let mut len = 0;
    // SAFETY: see `type_of`; the pointer is valid for `len` bytes.
    unsafe {
        let text = LLVMGetValueName2(value, &mut len);
        String::from_utf8_lossy(std::slice::from_raw_parts(text.cast(), len)).into_owned()
    }
}

pub fn opcode(instruction: Value) -> llvm::LLVMOpcode {
    // SAFETY: see `type_of`.
    unsafe { LLVMGetInstructionOpcode(instruction) }
}

pub fn operands(value: Value) -> Vec<Value> {
    // SAFETY: see `type_of`; indices are below the count.
    unsafe {
        (0..LLVMGetNumOperands(value).max(0) as u32)
            .map(|i| LLVMGetOperand(value, i))
            .collect()
    }
}

pub fn set_operand(value: Value, index: u32, operand: Value) {
    // SAFETY: see `type_of`.
    unsafe { LLVMSetOperand(value, index, operand) }
}

/// Argument values of a call, without the callee.
pub fn call_args(call: Value) -> Vec<Value> {
    // SAFETY: see `type_of`; `call` is a call.
    unsafe {
        (0..LLVMGetNumArgOperands(call))
            .map(|i| LLVMGetOperand(call, i))
            .collect()
    }
}

pub fn callee(call: Value) -> Value {
    // SAFETY: see `type_of`.
    unsafe { LLVMGetCalledValue(call) }
}

/// Replaces every use of `old` and removes it from its block.
pub fn replace(old: Value, new: Value) {
    // SAFETY: see `type_of`; both have one type.
    unsafe {
        LLVMReplaceAllUsesWith(old, new);
        LLVMInstructionEraseFromParent(old);
    }
}

/// Removes an instruction whose value is unused or void.
pub fn erase(instruction: Value) {
    // SAFETY: see `type_of`.
    unsafe { LLVMInstructionEraseFromParent(instruction) }
}

fn walk<T>(first: *mut T, next: unsafe extern "C" fn(*mut T) -> *mut T) -> Vec<*mut T> {
    let (mut all, mut at) = (Vec::new(), first);
    while !at.is_null() {
        all.push(at);
        // SAFETY: `at` is a live element of the list.
        at = unsafe { next(at) };
    }
    all
}

pub fn functions(module: LLVMModuleRef) -> Vec<Value> {
    // SAFETY: see `type_of`.
    walk(unsafe { LLVMGetFirstFunction(module) }, LLVMGetNextFunction)
}

/// Functions with a body.
pub fn defined(module: LLVMModuleRef) -> Vec<Value> {
    functions(module)
        .into_iter()
        .filter(|f| !is_declaration(*f))
        .collect()
}

pub fn is_declaration(global: Value) -> bool {
    // SAFETY: see `type_of`.
    unsafe { LLVMIsDeclaration(global) != 0 }
}

pub fn globals(module: LLVMModuleRef) -> Vec<Value> {
    // SAFETY: see `type_of`.
    walk(unsafe { LLVMGetFirstGlobal(module) }, LLVMGetNextGlobal)
}

pub fn blocks(function: Value) -> Vec<Block> {
    // SAFETY: see `type_of`.
    walk(
        unsafe { LLVMGetFirstBasicBlock(function) },
        LLVMGetNextBasicBlock,
    )
}

pub fn instructions(block: Block) -> Vec<Value> {
    // SAFETY: see `type_of`.
    walk(
        unsafe { LLVMGetFirstInstruction(block) },
        LLVMGetNextInstruction,
    )
}

/// Every instruction of a function, in order.
pub fn body(function: Value) -> Vec<Value> {
    blocks(function)
        .into_iter()
        .flat_map(instructions)
        .collect()
}

pub fn params(function: Value) -> Vec<Value> {
    // SAFETY: see `type_of`.
    unsafe {
        (0..LLVMCountParams(function))
            .map(|i| LLVMGetParam(function, i))
            .collect()
    }
}

pub fn successors(block: Block) -> Vec<Block> {
    // SAFETY: see `type_of`; every block of a verified function has a terminator.
    unsafe {
        let end = LLVMGetBasicBlockTerminator(block);
        (0..LLVMGetNumSuccessors(end))
            .map(|i| LLVMGetSuccessor(end, i))
            .collect()
    }
}

/// Address space of a pointer-typed value.
pub fn space(pointer: Value) -> u32 {
    // SAFETY: see `type_of`; only asked of pointers.
    unsafe { LLVMGetPointerAddressSpace(type_of(pointer)) }
}

/// File, line and column of an instruction, where it has them.
pub fn location(instruction: Value) -> Option<(String, u32, u32)> {
    // SAFETY: see `type_of`; the name is valid for `len` bytes.
    unsafe {
        if llvm::debuginfo::LLVMInstructionGetDebugLoc(instruction).is_null() {
            return None;
        }
        let mut len = 0;
        let file = LLVMGetDebugLocFilename(instruction, &mut len);
        if file.is_null() {
            return None;
        }
        let file = std::slice::from_raw_parts(file.cast(), len as usize);
        let file = String::from_utf8_lossy(file).into_owned();
        Some((
            file,
            LLVMGetDebugLocLine(instruction),
            LLVMGetDebugLocColumn(instruction),
        ))
    }
}

/// Takes an LLVM-owned message.
pub fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: LLVM hands out a nul-terminated string that must be disposed.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}

/// A C string; names of this crate hold no nul byte.
pub fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "")).unwrap_or_default()
}

/// Text of a value, for messages.
pub fn print(value: Value) -> String {
    // SAFETY: see `type_of`.
    take_message(unsafe { LLVMPrintValueToString(value) })
        .trim()
        .to_string()
}

/// Text of a type, for messages.
pub fn print_type(ty: Type) -> String {
    // SAFETY: see `type_of`.
    take_message(unsafe { LLVMPrintTypeToString(ty) })
}
