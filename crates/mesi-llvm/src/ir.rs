//! Safe, copyable handles on LLVM IR: what the stages read, and the builder `lower` writes with.
//!
//! Why not inkwell's typed values: a stage that walks arbitrary instructions wants one handle type
//! with opcode and operands, as LLVM's own `Value` is; inkwell splits values by type and has no
//! generic operand replacement. So these wrap `inkwell::llvm_sys`, and nothing else does.
//!
//! Handles are plain pointers. They are valid while the module lives and the value is not erased;
//! results of a stage never hold them past `lower` (ARCHITECTURE.md, invariants).

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{
    LLVMInstructionGetDebugLoc, LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode,
};
use inkwell::llvm_sys::prelude::*;
use inkwell::llvm_sys::{
    LLVMAttributeFunctionIndex, LLVMIntPredicate, LLVMLinkage, LLVMTypeKind, LLVMValueKind,
};
use std::ffi::{CStr, CString};

pub use inkwell::llvm_sys::{LLVMIntPredicate as Pred, LLVMOpcode as Op, LLVMTypeKind as Kind};

/// The calling convention of a kernel in NVPTX IR (`ptx_kernel`).
const PTX_KERNEL: u32 = 71;

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident, $raw:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub struct $name($raw);
        impl $name {
            /// Wraps a non-null handle of the module being compiled.
            pub fn new(raw: $raw) -> Self {
                assert!(!raw.is_null(), concat!("null ", stringify!($name)));
                Self(raw)
            }
            /// Wraps a handle that may be null.
            pub fn optional(raw: $raw) -> Option<Self> {
                (!raw.is_null()).then_some(Self(raw))
            }
            /// The underlying pointer.
            pub fn raw(self) -> $raw {
                self.0
            }
        }
    };
}
handle!(/// A module; never disposed of here: the compiler owns it.
    Module, LLVMModuleRef);
handle!(/// A function.
    Function, LLVMValueRef);
handle!(/// A basic block.
    Block, LLVMBasicBlockRef);
handle!(/// Any value: constant, argument or instruction.
    Value, LLVMValueRef);
handle!(/// A type.
    Type, LLVMTypeRef);

/// Calls an `unsafe` LLVM accessor on handles whose validity the types above guarantee.
macro_rules! llvm {
    ($e:expr) => {
        // SAFETY: every handle comes from the live module and the accessor only reads or edits it.
        unsafe { $e }
    };
}

mod arith;
mod builder;
mod metadata;
mod module;
mod transfer;
mod value;

pub use builder::Builder;
pub use transfer::Outside;
pub use value::Rmw;

fn name_from(f: impl Fn(*mut usize) -> *const libc_char) -> String {
    let mut len = 0usize;
    let p = f(&mut len);
    if p.is_null() {
        return String::new();
    }
    // SAFETY: LLVM returns a pointer to `len` bytes that live as long as the value.
    let bytes = unsafe { std::slice::from_raw_parts(p.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

#[allow(non_camel_case_types)]
type libc_char = std::ffi::c_char;

fn cstr(s: &str) -> CString {
    CString::new(s).unwrap_or_default()
}

/// Copies and frees a message that LLVM allocated.
fn take_message(msg: *mut libc_char) -> String {
    if msg.is_null() {
        return String::new();
    }
    // SAFETY: LLVM allocated a NUL-terminated message for us.
    unsafe {
        let s = CStr::from_ptr(msg).to_string_lossy().into_owned();
        LLVMDisposeMessage(msg);
        s
    }
}

impl Function {
    /// The function as a value.
    pub fn value(self) -> Value {
        Value(self.0)
    }
    /// Its (mangled) name.
    pub fn name(self) -> String {
        self.value().name()
    }
    /// The module it lives in.
    pub fn module(self) -> Module {
        Module(llvm!(LLVMGetGlobalParent(self.0)))
    }
    /// Whether it is a kernel with a body.
    pub fn is_kernel(self) -> bool {
        llvm!(LLVMGetFunctionCallConv(self.0)) == PTX_KERNEL
            && llvm!(LLVMIsDeclaration(self.0)) == 0
    }
    /// Blocks in layout order.
    pub fn blocks(self) -> Vec<Block> {
        let mut out = Vec::new();
        let mut b = llvm!(LLVMGetFirstBasicBlock(self.0));
        while !b.is_null() {
            out.push(Block(b));
            b = llvm!(LLVMGetNextBasicBlock(b));
        }
        out
    }
    /// The entry block.
    pub fn entry(self) -> Block {
        Block(llvm!(LLVMGetEntryBasicBlock(self.0)))
    }
    /// Parameters in order.
    pub fn params(self) -> Vec<Value> {
        (0..llvm!(LLVMCountParams(self.0)))
            .map(|i| Value(llvm!(LLVMGetParam(self.0, i))))
            .collect()
    }
    /// Whether parameter `index` carries the enum attribute `kind` (`noalias`, `byval`, …).
    pub fn param_has(self, index: u32, kind: &str) -> bool {
        self.attribute(index + 1, kind).is_some()
    }
    /// Whether a function reads what parameter `index` points to at most, and keeps the pointer nowhere: `readonly
    /// captures(none)`.
    pub fn param_is_only_read(self, index: u32) -> bool {
        let value = |a| llvm!(LLVMGetEnumAttributeValue(a));
        let kept = self.attribute(index + 1, "captures").map(value);
        self.param_has(index, "readonly") && kept == Some(0)
    }
    /// The type attribute `kind` of parameter `index`, as of `byval`.
    pub fn param_type_attribute(self, index: u32, kind: &str) -> Option<Type> {
        self.attribute(index + 1, kind)
            .map(|a| Type(llvm!(LLVMGetTypeAttributeValue(a))))
    }
    fn attribute(self, at: u32, kind: &str) -> Option<LLVMAttributeRef> {
        let a = llvm!({
            let id = LLVMGetEnumAttributeKindForName(kind.as_ptr().cast(), kind.len());
            LLVMGetEnumAttributeAtIndex(self.0, at, id)
        });
        (!a.is_null()).then_some(a)
    }
    /// The function's own string attribute `key` (`nvvm.maxntid`, `target-cpu`).
    pub fn string_attribute(self, key: &str) -> Option<String> {
        let a = llvm!(LLVMGetStringAttributeAtIndex(
            self.0,
            LLVMAttributeFunctionIndex,
            key.as_ptr().cast(),
            key.len() as u32
        ));
        if a.is_null() {
            return None;
        }
        let mut len = 0u32;
        let p = llvm!(LLVMGetStringAttributeValue(a, &mut len));
        // SAFETY: `len` bytes owned by the context.
        let bytes = unsafe { std::slice::from_raw_parts(p.cast::<u8>(), len as usize) };
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
    /// Whether the function itself carries the enum attribute `kind`.
    pub fn has(self, kind: &str) -> bool {
        self.attribute(LLVMAttributeFunctionIndex, kind).is_some()
    }
    /// Drops the function's enum attribute `kind` if it is there.
    pub fn drop_attribute(self, kind: &str) {
        llvm!({
            let id = LLVMGetEnumAttributeKindForName(kind.as_ptr().cast(), kind.len());
            LLVMRemoveEnumAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, id);
        });
    }
    /// Drops the enum attribute `kind` of parameter `index` if it is there.
    pub fn drop_param_attribute(self, index: u32, kind: &str) {
        llvm!({
            let id = LLVMGetEnumAttributeKindForName(kind.as_ptr().cast(), kind.len());
            LLVMRemoveEnumAttributeAtIndex(self.0, index + 1, id);
        });
    }
    /// Promises that the pointer that is parameter `index` is a multiple of so many bytes.
    pub fn align_param(self, index: u32, bytes: u32) {
        llvm!({
            let id = LLVMGetEnumAttributeKindForName(c"align".as_ptr(), c"align".count_bytes());
            let a = LLVMCreateEnumAttribute(self.module().context(), id, bytes.into());
            LLVMAddAttributeAtIndex(self.0, index + 1, a);
        });
    }
    /// Adds the function's flag attribute `kind`.
    pub fn add_attribute(self, kind: &str) {
        llvm!({
            let id = LLVMGetEnumAttributeKindForName(kind.as_ptr().cast(), kind.len());
            let a = LLVMCreateEnumAttribute(self.module().context(), id, 0);
            LLVMAddAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, a);
        });
    }
    /// Whether it has an attribute of that kind.
    pub fn has_attribute(self, kind: &str) -> bool {
        self.attribute(LLVMAttributeFunctionIndex, kind).is_some()
    }
    /// Removes an attribute.
    pub fn remove_attribute(self, kind: &str) {
        llvm!({
            let id = LLVMGetEnumAttributeKindForName(kind.as_ptr().cast(), kind.len());
            LLVMRemoveEnumAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, id);
        });
    }
    /// Removes a string attribute.
    pub fn remove_string_attribute(self, key: &str) {
        llvm!(LLVMRemoveStringAttributeAtIndex(
            self.0,
            LLVMAttributeFunctionIndex,
            key.as_ptr().cast(),
            key.len() as u32
        ));
    }
    /// Adds a string attribute.
    pub fn add_string_attribute(self, key: &str, value: &str) {
        llvm!({
            let a = LLVMCreateStringAttribute(
                self.module().context(),
                key.as_ptr().cast(),
                key.len() as u32,
                value.as_ptr().cast(),
                value.len() as u32,
            );
            LLVMAddAttributeAtIndex(self.0, LLVMAttributeFunctionIndex, a);
        });
    }
    /// Appends an empty block.
    pub fn append_block(self, name: &str) -> Block {
        let n = cstr(name);
        Block(llvm!(LLVMAppendBasicBlockInContext(
            self.module().context(),
            self.0,
            n.as_ptr()
        )))
    }
    /// The function type.
    pub fn function_type(self) -> Type {
        Type(llvm!(LLVMGlobalGetValueType(self.0)))
    }
    /// Runs LLVM's verifier over it, or where it finds a fault over the whole module: the message names the first one.
    pub fn verify(self) -> Result<(), String> {
        use inkwell::llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyFunction};
        let action = LLVMVerifierFailureAction::LLVMReturnStatusAction;
        match llvm!(LLVMVerifyFunction(self.0, action)) != 0 {
            true => self.module().verify(),
            false => Ok(()),
        }
    }
    /// Runs function passes of LLVM's own (textual pipeline) over this function.
    pub fn run_passes(self, pipeline: &str) -> Result<(), String> {
        self.run_passes_for(pipeline, std::ptr::null_mut())
    }
    /// The same, as passes do for the module's target, whose costs decide how far they unroll. For none where this process
    /// has no code generator for it.
    pub fn run_target_passes(self, pipeline: &str) -> Result<(), String> {
        use inkwell::llvm_sys::target_machine::*;
        let empty = cstr("");
        // SAFETY: the triple lives as long as the module; the machine is made, lent to the passes, and freed.
        unsafe {
            let triple = LLVMGetTarget(self.module().0);
            let (mut target, mut why) = (std::ptr::null_mut(), std::ptr::null_mut());
            if LLVMGetTargetFromTriple(triple, &raw mut target, &raw mut why) != 0 {
                LLVMDisposeMessage(why);
                return self.run_passes(pipeline);
            }
            let machine = LLVMCreateTargetMachine(
                target,
                triple,
                empty.as_ptr(),
                empty.as_ptr(),
                LLVMCodeGenOptLevel::LLVMCodeGenLevelDefault,
                LLVMRelocMode::LLVMRelocDefault,
                LLVMCodeModel::LLVMCodeModelDefault,
            );
            let done = self.run_passes_for(pipeline, machine);
            LLVMDisposeTargetMachine(machine);
            done
        }
    }
    fn run_passes_for(
        self,
        pipeline: &str,
        machine: inkwell::llvm_sys::target_machine::LLVMTargetMachineRef,
    ) -> Result<(), String> {
        use inkwell::llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
        use inkwell::llvm_sys::transforms::pass_builder::*;
        let p = cstr(pipeline);
        // SAFETY: the options live across the call; the error message is copied, then freed.
        unsafe {
            let opts = LLVMCreatePassBuilderOptions();
            let err = LLVMRunPassesOnFunction(self.0, p.as_ptr(), machine, opts);
            LLVMDisposePassBuilderOptions(opts);
            if err.is_null() {
                return Ok(());
            }
            let m = LLVMGetErrorMessage(err);
            let s = CStr::from_ptr(m).to_string_lossy().into_owned();
            LLVMDisposeErrorMessage(m);
            Err(s)
        }
    }
}

impl Block {
    /// Instructions in order, phis first.
    pub fn instructions(self) -> Vec<Value> {
        self.each_instruction().collect()
    }
    fn each_instruction(self) -> impl Iterator<Item = Value> {
        let some = |i: LLVMValueRef| (!i.is_null()).then_some(Value(i));
        let first = some(llvm!(LLVMGetFirstInstruction(self.0)));
        std::iter::successors(first, move |i| some(llvm!(LLVMGetNextInstruction(i.0))))
    }
    /// The leading phis.
    pub fn phis(self) -> Vec<Value> {
        self.each_instruction()
            .take_while(|i| i.is(Op::LLVMPHI))
            .collect()
    }
    /// The terminator.
    pub fn terminator(self) -> Value {
        Value::new(llvm!(LLVMGetBasicBlockTerminator(self.0)))
    }
    /// Successors in terminator order, repeats kept.
    pub fn successors(self) -> Vec<Block> {
        let t = self.terminator();
        (0..llvm!(LLVMGetNumSuccessors(t.0)))
            .map(|i| Block(llvm!(LLVMGetSuccessor(t.0, i))))
            .collect()
    }
    /// The enclosing function.
    pub fn function(self) -> Function {
        Function(llvm!(LLVMGetBasicBlockParent(self.0)))
    }
    /// Its name; empty where clang discards names.
    pub fn name(self) -> String {
        // SAFETY: the block owns the string.
        unsafe { CStr::from_ptr(LLVMGetBasicBlockName(self.0)) }
            .to_string_lossy()
            .into_owned()
    }
    /// Unlinks and deletes a block that nothing branches to.
    pub fn delete(self) {
        llvm!(LLVMDeleteBasicBlock(self.0));
    }
    /// Moves this block to just before `other` in layout order.
    pub fn move_before(self, other: Block) {
        llvm!(LLVMMoveBasicBlockBefore(self.0, other.0));
    }
}

impl Type {
    /// Its kind.
    pub fn kind(self) -> Kind {
        llvm!(LLVMGetTypeKind(self.0))
    }
    /// Bits of an integer type.
    pub fn int_width(self) -> Option<u32> {
        (self.kind() == LLVMTypeKind::LLVMIntegerTypeKind)
            .then(|| llvm!(LLVMGetIntTypeWidth(self.0)))
    }
    /// Whether vectors of it lie in memory as arrays do: numbers of 1, 2, 4 or 8 bytes.
    pub fn is_element(self) -> bool {
        match self.kind() {
            LLVMTypeKind::LLVMHalfTypeKind | LLVMTypeKind::LLVMBFloatTypeKind => true,
            LLVMTypeKind::LLVMFloatTypeKind | LLVMTypeKind::LLVMDoubleTypeKind => true,
            _ => self
                .int_width()
                .is_some_and(|w| [8, 16, 32, 64].contains(&w)),
        }
    }
    /// Whether it is a vector.
    pub fn is_vector(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVectorTypeKind
    }
    /// How many elements a vector has.
    pub fn vector_len(self) -> Option<u32> {
        self.is_vector().then(|| llvm!(LLVMGetVectorSize(self.0)))
    }
    /// The type of a vector's elements, or the type itself.
    pub fn scalar(self) -> Type {
        match self.is_vector() {
            true => self.element(),
            false => self,
        }
    }
    /// Whether it is a pointer.
    pub fn is_pointer(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMPointerTypeKind
    }
    /// Whether it is a struct.
    pub fn is_struct(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMStructTypeKind
    }
    /// The element type of an array or vector.
    pub fn element(self) -> Type {
        Type(llvm!(LLVMGetElementType(self.0)))
    }
    /// Type of struct field `i`.
    pub fn field(self, i: u32) -> Type {
        Type(llvm!(LLVMStructGetTypeAtIndex(self.0, i)))
    }
    /// The integer type of `bits`.
    pub fn int(module: Module, bits: u32) -> Type {
        Type(llvm!(LLVMIntTypeInContext(module.context(), bits)))
    }
    /// `float`.
    pub fn float(module: Module) -> Type {
        Type(llvm!(LLVMFloatTypeInContext(module.context())))
    }
    /// The generic pointer type of an address space.
    pub fn pointer(module: Module, space: u32) -> Type {
        Type(llvm!(LLVMPointerTypeInContext(module.context(), space)))
    }
    /// `<count x self>`.
    pub fn vector(self, count: u32) -> Type {
        Type(llvm!(LLVMVectorType(self.0, count)))
    }
    /// Whether values of it exist (it is not `void`).
    pub fn has_values(self) -> bool {
        self.kind() != LLVMTypeKind::LLVMVoidTypeKind
    }
    /// `[count x self]`.
    pub fn array(self, count: u64) -> Type {
        Type(llvm!(LLVMArrayType2(self.0, count)))
    }
    /// A constant integer of this type.
    pub fn constant(self, v: i64) -> Value {
        Value(llvm!(LLVMConstInt(self.0, v as u64, 1)))
    }
    /// Zero of any type.
    pub fn null(self) -> Value {
        Value(llvm!(LLVMConstNull(self.0)))
    }
    /// Undef of this type.
    pub fn undef(self) -> Value {
        Value(llvm!(LLVMGetUndef(self.0)))
    }
    /// Poison of this type.
    pub fn poison(self) -> Value {
        Value(llvm!(LLVMGetPoison(self.0)))
    }
}

/// Whether an operation is of whole numbers and addresses alone, and faults nowhere.
pub fn is_pure_integer(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        LLVMAdd
            | LLVMSub
            | LLVMMul
            | LLVMShl
            | LLVMLShr
            | LLVMAShr
            | LLVMAnd
            | LLVMOr
            | LLVMXor
            | LLVMICmp
            | LLVMSelect
            | LLVMSExt
            | LLVMZExt
            | LLVMTrunc
            | LLVMGetElementPtr
            | LLVMAddrSpaceCast
            | LLVMBitCast
    )
}
