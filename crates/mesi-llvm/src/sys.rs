//! Raw declarations of `shim.cpp`, in its order. Nothing else.
//!
//! Strings cross as pointer and length, without a final NUL unless said otherwise; enums cross as
//! `u32`. What LLVM's own C API already offers is used through `inkwell::llvm_sys` instead.

use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};
use std::ffi::{c_char, c_void};

/// An `llvm::PassBuilder`.
#[repr(C)]
pub struct PassBuilder {
    _opaque: [u8; 0],
}

/// A remark under construction.
#[repr(C)]
pub struct Remark {
    _opaque: [u8; 0],
}

/// Must match `Callbacks` of the shim.
#[repr(C)]
pub struct Callbacks {
    /// Runs over a module; the answer is whether it changed. `place` is one of `NAMED`, `EARLY`,
    /// `LAST` and `BEFORE_LINK`; `level` the -O level; the text is the pass's name with its parameters.
    pub run: extern "C" fn(u32, u32, LLVMModuleRef, *const c_char, usize) -> bool,
    /// Whether a pass name of a `-passes=` pipeline is ours.
    pub is_ours: extern "C" fn(*const c_char, usize) -> bool,
    /// Whether the loop of this header must stay rolled until we run; `None`: no loop is asked for.
    pub keep_rolled: Option<extern "C" fn(LLVMBasicBlockRef) -> bool>,
}

/// `place`: named in a `-passes=` pipeline.
pub const NAMED: u32 = 0;
/// `place`: at the start of the optimizer's second half, where kernels are staged.
pub const EARLY: u32 = 1;
/// `place`: at the end of the optimizer, where the staged bodies are looked at again.
pub const LAST: u32 = 2;
/// `place`: as `EARLY`, in a compile that ends in bitcode for the link to optimise again.
pub const BEFORE_LINK: u32 = 3;

/// `severity` of `mesi_diagnose`, as `llvm::DiagnosticSeverity`.
pub const ERROR: u32 = 0;
/// `severity` of `mesi_diagnose`, as `llvm::DiagnosticSeverity`.
pub const WARNING: u32 = 1;

/// LLVM's `PassPluginLibraryInfo`, API version 2; the shim asserts its size.
#[repr(C)]
pub struct PassPluginLibraryInfo {
    /// `LLVM_PLUGIN_API_VERSION`.
    pub api_version: u32,
    /// NUL-terminated.
    pub name: *const c_char,
    /// NUL-terminated.
    pub version: *const c_char,
    /// Called once per pass builder.
    pub register: Option<extern "C" fn(*mut PassBuilder)>,
    /// Called before code generation; we leave that to LLVM.
    pub pre_codegen: Option<extern "C" fn(*mut c_void, *mut c_void, u32, *mut c_void) -> bool>,
}
const _: () = assert!(size_of::<PassPluginLibraryInfo>() == 40);

unsafe extern "C" {
    /// Registers the passes; `callbacks` must live as long as the process.
    pub fn mesi_register(builder: *mut PassBuilder, callbacks: *const Callbacks);
    /// Whether a command-line option of this name is known to LLVM.
    pub fn mesi_option_exists(name: *const c_char, size: usize) -> bool;
    /// Whether an option of LLVM's is on its command line (`-mllvm`).
    pub fn mesi_option_given(name: *const c_char, size: usize) -> bool;
    /// Adds a command-line option; the texts must live as long as the process.
    pub fn mesi_option_add(
        name: *const c_char,
        name_size: usize,
        help: *const c_char,
        help_size: usize,
        value: *const c_char,
        value_size: usize,
        flag: bool,
    ) -> *mut c_void;
    /// Reads an option's text; the answer is whether it was given at all.
    pub fn mesi_option_read(
        option: *mut c_void,
        text: *mut *const c_char,
        size: *mut usize,
    ) -> bool;
    /// Emits an error or warning. `function` and `instruction` may be null.
    pub fn mesi_diagnose(
        module: LLVMModuleRef,
        function: LLVMValueRef,
        instruction: LLVMValueRef,
        severity: u32,
        text: *const c_char,
        size: usize,
    );
    /// Starts a remark; kind 0 passed, 1 missed, 2 analysis. `name` must live until it is emitted.
    pub fn mesi_remark_new(
        kind: u32,
        function: LLVMValueRef,
        instruction: LLVMValueRef,
        name: *const c_char,
        size: usize,
    ) -> *mut Remark;
    /// Appends plain text.
    pub fn mesi_remark_text(remark: *mut Remark, text: *const c_char, size: usize);
    /// Appends a named argument, which is also printed.
    pub fn mesi_remark_arg(
        remark: *mut Remark,
        key: *const c_char,
        key_size: usize,
        text: *const c_char,
        size: usize,
    );
    /// Emits the remark and frees it.
    pub fn mesi_remark_emit(remark: *mut Remark, function: LLVMValueRef);
    /// A part of a NUL-terminated mangled name: 0 its base name, 1 the scope around it. The
    /// answer is malloc'ed and NUL-terminated, or null where the name is not mangled.
    pub fn mesi_demangle(mangled: *const c_char, part: u32) -> *mut c_char;
    /// A copy of a function in its module, under another name, with `to[i]` in place of `from[i]`.
    pub fn mesi_duplicate(
        function: LLVMValueRef,
        name: *const c_char,
        size: usize,
        from: *const LLVMValueRef,
        to: *const LLVMValueRef,
        count: usize,
    ) -> LLVMValueRef;
    /// A function with one more parameter, a struct by value, in place of one that is gone then.
    pub fn mesi_extend(function: LLVMValueRef, extra: LLVMTypeRef) -> LLVMValueRef;
    /// LLVM's structural hash of a function's code, the same in every process.
    pub fn mesi_hash(function: LLVMValueRef) -> u64;
    /// Keeps a global that nothing refers to (`llvm.compiler.used`).
    pub fn mesi_keep(module: LLVMModuleRef, global: LLVMValueRef);
    /// Deletes a global that was kept so.
    pub fn mesi_drop_kept(global: LLVMValueRef);
}
