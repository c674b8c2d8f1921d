//! The safe side of the LLVM boundary: `shim.cpp` (no decisions), `sys.rs` (its mirror), and the
//! wrappers here and in `ir.rs`. The plug-in is free of `unsafe`, `plugin.rs`'s entry points excepted.

pub mod host;
pub mod ir;
pub mod rolled;
pub mod sys;

pub use ir::{Block, Function, Module, Type, Value};

use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr::null_mut;

/// How bad a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// Compilation fails.
    Error,
    /// Compilation goes on.
    Warning,
}

/// Which of the compiler's three remark switches shows a remark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RemarkKind {
    /// `-Rpass=mesi`
    Passed,
    /// `-Rpass-missed=mesi`
    Missed,
    /// `-Rpass-analysis=mesi`
    Analysis,
}

/// A stretch of a remark's text; a named one also becomes a field of the optimization record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RemarkPart {
    /// Plain text.
    Text(String),
    /// A figure or name, under a CamelCase key.
    Arg(&'static str, String),
}

fn raw(s: &str) -> *const c_char {
    s.as_ptr().cast()
}

fn raw_or_null(v: Option<Value>) -> inkwell::llvm_sys::prelude::LLVMValueRef {
    v.map_or(null_mut(), Value::raw)
}

/// Emits an error or warning through the compiler, at `at`'s line, else at the function's.
///
/// NB: `opt` exits inside an error, so nothing may rely on code after it; clang goes on.
pub fn diagnose(
    module: Module,
    function: Option<Function>,
    at: Option<Value>,
    severity: Severity,
    text: &str,
) {
    let severity = match severity {
        Severity::Error => sys::ERROR,
        Severity::Warning => sys::WARNING,
    };
    let function = function.map_or(null_mut(), Function::raw);
    // SAFETY: live handles of one module; the text outlives the call, which copies nothing.
    unsafe {
        sys::mesi_diagnose(
            module.raw(),
            function,
            raw_or_null(at),
            severity,
            raw(text),
            text.len(),
        );
    }
}

/// Emits a remark on `function`, at `at`'s line if that instruction has one.
pub fn remark(
    kind: RemarkKind,
    function: Function,
    at: Option<Value>,
    name: &str,
    parts: &[RemarkPart],
) {
    let kind = kind as u32;
    // SAFETY: `function` has a body (only kernels are remarked on) and the strings outlive the
    // emission, which frees the remark.
    unsafe {
        let r = sys::mesi_remark_new(kind, function.raw(), raw_or_null(at), raw(name), name.len());
        for part in parts {
            match part {
                RemarkPart::Text(t) => sys::mesi_remark_text(r, raw(t), t.len()),
                RemarkPart::Arg(k, v) => {
                    sys::mesi_remark_arg(r, raw(k), k.len(), raw(v), v.len());
                }
            }
        }
        sys::mesi_remark_emit(r, function.raw());
    }
}

/// A command-line option registered with LLVM. It is never unregistered, as the plug-in is never
/// unloaded, so the handle may be copied and kept.
#[derive(Clone, Copy, Debug)]
pub struct CommandLineOption(*mut c_void);
// SAFETY: the option is written while the command line is parsed, before any pass runs, and only
// read afterwards.
unsafe impl Send for CommandLineOption {}
// SAFETY: as above.
unsafe impl Sync for CommandLineOption {}

impl CommandLineOption {
    /// Whether some option of this name is registered already, by us or by another copy of us.
    pub fn exists(name: &str) -> bool {
        // SAFETY: the name is only compared.
        unsafe { sys::mesi_option_exists(raw(name), name.len()) }
    }
    /// Whether an option of LLVM's is on its command line (`-mllvm`).
    pub fn is_given(name: &str) -> bool {
        // SAFETY: the name is only compared.
        unsafe { sys::mesi_option_given(raw(name), name.len()) }
    }
    /// Adds an option. With `value` none it is a switch, which may still be written `=off`.
    pub fn add(name: &'static str, help: &'static str, value: Option<&'static str>) -> Self {
        let v = value.unwrap_or("on|off");
        // SAFETY: the texts are static, as LLVM keeps references to them.
        Self(unsafe {
            sys::mesi_option_add(
                raw(name),
                name.len(),
                raw(help),
                help.len(),
                raw(v),
                v.len(),
                value.is_none(),
            )
        })
    }
    /// The text given on the command line, empty for a bare switch; `None` if it was not given.
    pub fn given(self) -> Option<String> {
        let (mut p, mut n) = (std::ptr::null(), 0usize);
        // SAFETY: the handle comes from `add`; the bytes are copied before anything can change.
        unsafe { sys::mesi_option_read(self.0, &mut p, &mut n).then(|| text_from(p, n)) }
    }
}

/// Copies a string that crossed as pointer and length.
///
/// # Safety
/// `text` points to `size` readable bytes, or `size` is 0.
pub unsafe fn text_from(text: *const c_char, size: usize) -> String {
    if size == 0 {
        return String::new();
    }
    // SAFETY: the caller's promise.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), size) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// The names a user may write for a symbol: the symbol itself, and for a mangled one its base
/// name and the base name with its scope (`mm`, `ns::mm` for `_ZN2ns2mmEPf`).
pub fn source_names(symbol: &str) -> Vec<String> {
    let part = |which: u32| -> Option<String> {
        let mangled = CString::new(symbol).ok()?;
        // SAFETY: a NUL-terminated name goes in; what comes out is NUL-terminated and ours to free.
        unsafe {
            let p = sys::mesi_demangle(mangled.as_ptr(), which);
            if p.is_null() {
                return None;
            }
            let text = CStr::from_ptr(p).to_string_lossy().into_owned();
            libc::free(p.cast());
            Some(text)
        }
    };
    let mut names = vec![symbol.to_string()];
    if let Some(base) = part(0) {
        if let Some(scope) = part(1).filter(|s| !s.is_empty()) {
            names.push(format!("{scope}::{base}"));
        }
        names.push(base);
    }
    names
}

/// Whether the module carries the named metadata `name`: a mark left by an earlier pass.
pub fn has_mark(module: Module, name: &str) -> bool {
    use inkwell::llvm_sys::core::LLVMGetNamedMetadata;
    // SAFETY: looks a name up in a live module.
    unsafe { !LLVMGetNamedMetadata(module.raw(), raw(name), name.len()).is_null() }
}

/// Leaves the mark that `has_mark` finds. Code generation ignores it.
pub fn set_mark(module: Module, name: &str) {
    use inkwell::llvm_sys::core::LLVMGetOrInsertNamedMetadata;
    // SAFETY: adds an empty named node to a live module.
    unsafe {
        LLVMGetOrInsertNamedMetadata(module.raw(), raw(name), name.len());
    }
}

/// Every `annotate("...")` on a function, in source order: the function and the text.
pub fn function_annotations(module: Module) -> Vec<(Function, String)> {
    use inkwell::llvm_sys::core::*;
    let strip = |mut v| {
        // SAFETY: constants of a live module; a cast expression has the value it casts as operand.
        unsafe {
            while !LLVMIsAConstantExpr(v).is_null() {
                v = LLVMGetOperand(v, 0);
            }
        }
        v
    };
    // SAFETY: each step is checked to be what the next one asks for, because the array may have
    // been written by other tools than clang.
    unsafe {
        let list = LLVMGetNamedGlobal(module.raw(), c"llvm.global.annotations".as_ptr());
        if list.is_null() || LLVMIsAConstantArray(LLVMGetInitializer(list)).is_null() {
            return Vec::new();
        }
        let list = LLVMGetInitializer(list);
        let entries = (0..LLVMGetNumOperands(list) as u32).map(|i| LLVMGetOperand(list, i));
        entries
            .filter(|e| !LLVMIsAConstantStruct(*e).is_null() && LLVMGetNumOperands(*e) >= 2)
            .filter_map(|e| {
                let function = strip(LLVMGetOperand(e, 0));
                let text = strip(LLVMGetOperand(e, 1));
                if LLVMIsAFunction(function).is_null() || LLVMIsAGlobalVariable(text).is_null() {
                    return None;
                }
                let bytes = LLVMGetInitializer(text);
                if bytes.is_null() || LLVMIsConstantString(bytes) == 0 {
                    return None;
                }
                let mut size = 0;
                let p = LLVMGetAsString(bytes, &mut size);
                let text = text_from(p, size).trim_end_matches('\0').to_string();
                Some((Function::new(function), text))
            })
            .collect()
    }
}
