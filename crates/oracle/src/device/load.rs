//! Reads device IR and leaves only what one kernel needs, in a form the host can compile.
//!
//! What is taken away, and why it may be:
//! - attributes and metadata (but the plug-in's mark of a branch between bodies): promises (`noalias`, `!range`, `memory(...)`) that the host's code generator
//!   could exploit. Without them the code does what its instructions say, which is what is to be checked.
//! - fast-math flags, above all `contract` (in `unfuse`): nothing is fused on the host, in no body, unless asked for.
//!   `llvm.fma` stays exact.
//! - other functions, `llvm.used` and the like: they would have to be mapped for nothing.

use std::ffi::CStr;

use inkwell::llvm_sys as llvm;
use llvm::core::*;
use llvm::prelude::*;

use super::ir::{self, Context, Value};
use crate::error::{Error, Result};

/// The metadata kind of the plug-in's branches between bodies.
pub const DISPATCH: &str = "mesi.dispatch";

/// A module that owns itself.
pub struct Module(pub LLVMModuleRef);

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: owned; disposed before its context (field order).
        unsafe { LLVMDisposeModule(self.0) }
    }
}

impl Clone for Module {
    fn clone(&self) -> Module {
        // SAFETY: the module is alive.
        Module(unsafe { LLVMCloneModule(self.0) })
    }
}

/// Parses a device's text or bitcode; `file` is used in messages.
pub fn parse(context: &Context, file: &str, bytes: &[u8]) -> Result<Module> {
    let module = read(context, file, bytes)?;
    // SAFETY: the module is alive; the triple is nul-terminated.
    let triple = unsafe { CStr::from_ptr(LLVMGetTarget(module.0)) }
        .to_string_lossy()
        .into_owned();
    if !triple.starts_with("nvptx") {
        return Err(Error::new(format!(
            "{file}: target triple is \"{triple}\", only device IR (nvptx64-nvidia-cuda) can be run; compile with --cuda-device-only"
        )));
    }
    Ok(module)
}

/// Parses text or bitcode for any target.
pub fn read(context: &Context, file: &str, bytes: &[u8]) -> Result<Module> {
    let mut module = std::ptr::null_mut();
    let mut message = std::ptr::null_mut();
    let file_c = ir::c_string(file);
    // SAFETY: the buffer copies `bytes` and is disposed after parsing; the module is owned by the result.
    let failed = unsafe {
        let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
            bytes.as_ptr().cast(),
            bytes.len(),
            file_c.as_ptr(),
        );
        LLVMContextSetDiagnosticHandler(context.0, Some(swallow), std::ptr::null_mut());
        let failed =
            llvm::ir_reader::LLVMParseIRInContext2(context.0, buffer, &mut module, &mut message);
        LLVMDisposeMemoryBuffer(buffer);
        failed != 0
    };
    let message = ir::take_message(message);
    if failed || module.is_null() {
        let first = message.lines().next().unwrap_or("unreadable").trim();
        let first = if first.starts_with(file) {
            first.to_string()
        } else {
            format!("{file}: {first}")
        };
        return Err(Error::new(format!(
            "{first} (not LLVM IR that version 22 reads)"
        )));
    }
    let module = Module(module);
    verify(module.0).map_err(|m| Error::new(format!("{file}: broken IR: {m}")))?;
    Ok(module)
}

/// Diagnostics are returned as messages; LLVM's default would print them and may exit.
extern "C" fn swallow(_: LLVMDiagnosticInfoRef, _: *mut std::ffi::c_void) {}

/// First line of the verifier's complaint.
pub fn verify(module: LLVMModuleRef) -> std::result::Result<(), String> {
    let mut message = std::ptr::null_mut();
    // SAFETY: the module is alive.
    let broken = unsafe {
        llvm::analysis::LLVMVerifyModule(
            module,
            llvm::analysis::LLVMVerifierFailureAction::LLVMReturnStatusAction,
            &mut message,
        )
    };
    let message = ir::take_message(message);
    if broken != 0 {
        Err(message.lines().take(2).collect::<Vec<_>>().join(" "))
    } else {
        Ok(())
    }
}

/// Calling convention of CUDA kernels.
const PTX_KERNEL: u32 = 71;

/// Symbols of all kernels in the module.
pub fn kernels(module: &Module) -> Vec<String> {
    // SAFETY: functions of a live module.
    let is_kernel = |f: &Value| unsafe { LLVMGetFunctionCallConv(*f) } == PTX_KERNEL;
    ir::defined(module.0)
        .into_iter()
        .filter(is_kernel)
        .map(ir::name)
        .collect()
}

/// The one kernel for which `wanted` holds.
pub fn pick(
    file: &str,
    module: &Module,
    described: &str,
    wanted: impl Fn(&str) -> bool,
) -> Result<String> {
    let all = kernels(module);
    let matching: Vec<&String> = all.iter().filter(|k| wanted(k)).collect();
    match matching[..] {
        [one] => Ok(one.clone()),
        [] if all.is_empty() => Err(Error::new(format!(
            "{file}: no kernel in this file (no function with calling convention ptx_kernel)"
        ))),
        [] => Err(Error::new(format!(
            "{file}: no kernel {described}, there are {}",
            all.join(", ")
        ))),
        _ => {
            let names: Vec<_> = matching.iter().map(|k| k.as_str()).collect();
            Err(Error::new(format!(
                "{file}: kernel {described} is not unique, give one of {}",
                names.join(", ")
            )))
        }
    }
}

/// Removes everything `kernel` does not reach, and what the host compiler must not see.
pub fn reduce(context: &Context, module: &Module, kernel: &str) -> Result<()> {
    // SAFETY: all values belong to the live module; globals are deleted after their last use.
    unsafe {
        for f in ir::defined(module.0) {
            let keep = ir::name(f) == kernel;
            let linkage = if keep {
                llvm::LLVMLinkage::LLVMExternalLinkage
            } else {
                llvm::LLVMLinkage::LLVMInternalLinkage
            };
            LLVMSetLinkage(f, linkage);
            LLVMSetVisibility(f, llvm::LLVMVisibility::LLVMDefaultVisibility);
            llvm::comdat::LLVMSetComdat(f, std::ptr::null_mut());
        }
        for g in ir::globals(module.0) {
            if ir::name(g).starts_with("llvm.") {
                LLVMDeleteGlobal(g);
            } else if !ir::is_declaration(g) {
                LLVMSetLinkage(g, llvm::LLVMLinkage::LLVMInternalLinkage);
                LLVMSetExternallyInitialized(g, 0);
                llvm::comdat::LLVMSetComdat(g, std::ptr::null_mut());
            }
        }
    }
    run_passes(module, "globaldce")?;
    for f in ir::functions(module.0) {
        // SAFETY: as above.
        unsafe { LLVMSetFunctionCallConv(f, llvm::LLVMCallConv::LLVMCCallConv as u32) };
        if !ir::is_declaration(f) {
            strip_function(context, f);
        }
    }
    Ok(())
}

fn run_passes(module: &Module, passes: &str) -> Result<()> {
    let passes = ir::c_string(passes);
    // SAFETY: the module is alive; options are disposed; an error is consumed by its message.
    unsafe {
        use llvm::transforms::pass_builder::*;
        let options = LLVMCreatePassBuilderOptions();
        let error = LLVMRunPasses(module.0, passes.as_ptr(), std::ptr::null_mut(), options);
        LLVMDisposePassBuilderOptions(options);
        if error.is_null() {
            return Ok(());
        }
        let message = llvm::error::LLVMGetErrorMessage(error);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        llvm::error::LLVMDisposeErrorMessage(message);
        Err(Error::new(text))
    }
}

/// Attributes that are part of how an argument is passed.
const KEPT: [&str; 5] = ["byval", "sret", "zeroext", "signext", "elementtype"];

fn strip_function(context: &Context, f: Value) {
    let kept: Vec<u32> = KEPT.iter().map(|k| attribute_kind(k)).collect();
    let parameters = ir::params(f).len() as u32;
    // SAFETY: the function and its instructions are alive; attribute arrays have the counted length.
    unsafe {
        for index in [u32::MAX, 0].into_iter().chain(1..=parameters) {
            let mut all =
                vec![std::ptr::null_mut(); LLVMGetAttributeCountAtIndex(f, index) as usize];
            LLVMGetAttributesAtIndex(f, index, all.as_mut_ptr());
            for attribute in all {
                if LLVMIsStringAttribute(attribute) != 0 {
                    let mut len = 0;
                    let key = LLVMGetStringAttributeKind(attribute, &mut len);
                    LLVMRemoveStringAttributeAtIndex(f, index, key, len);
                } else {
                    let kind = LLVMGetEnumAttributeKind(attribute);
                    if !kept.contains(&kind) {
                        LLVMRemoveEnumAttributeAtIndex(f, index, kind);
                    }
                }
            }
        }
        let nounwind = LLVMCreateEnumAttribute(context.0, attribute_kind("nounwind"), 0);
        LLVMAddAttributeAtIndex(f, u32::MAX, nounwind);
        LLVMGlobalEraseMetadataExceptDebug(f);
        for i in ir::body(f) {
            strip_instruction(context, i, &kept);
        }
    }
}

/// Kernels and functions may carry metadata such as `!prof`; nothing of it changes what they do.
#[allow(non_snake_case)]
unsafe fn LLVMGlobalEraseMetadataExceptDebug(f: Value) {
    // SAFETY: the function is alive; the subprogram is put back, so that locations stay valid.
    unsafe {
        let subprogram = llvm::debuginfo::LLVMGetSubprogram(f);
        LLVMGlobalClearMetadata(f);
        if !subprogram.is_null() {
            llvm::debuginfo::LLVMSetSubprogram(f, subprogram);
        }
    }
}

unsafe fn strip_instruction(context: &Context, i: Value, kept: &[u32]) {
    // SAFETY: the instruction is alive; entries are disposed; attribute arrays have the counted length.
    unsafe {
        let location = LLVMGetMDKindIDInContext(context.0, c"dbg".as_ptr(), 3);
        let mut count = 0;
        let entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc(i, &mut count);
        for n in 0..count {
            // The list holds the location too, against its function's name.
            let kind = LLVMValueMetadataEntriesGetKind(entries, n as u32);
            if kind != location && kind != context.metadata_kind(DISPATCH) {
                LLVMSetMetadata(i, kind, std::ptr::null_mut());
            }
        }
        LLVMDisposeValueMetadataEntries(entries);
        if ir::opcode(i) != llvm::LLVMOpcode::LLVMCall {
            return;
        }
        LLVMSetInstructionCallConv(i, llvm::LLVMCallConv::LLVMCCallConv as u32);
        LLVMSetTailCall(i, 0);
        for index in [u32::MAX, 0]
            .into_iter()
            .chain(1..=LLVMGetNumArgOperands(i))
        {
            let mut all =
                vec![std::ptr::null_mut(); LLVMGetCallSiteAttributeCount(i, index) as usize];
            LLVMGetCallSiteAttributes(i, index, all.as_mut_ptr());
            for attribute in all {
                if LLVMIsStringAttribute(attribute) != 0 {
                    let mut len = 0;
                    let key = LLVMGetStringAttributeKind(attribute, &mut len);
                    LLVMRemoveCallSiteStringAttribute(i, index, key, len);
                } else if !kept.contains(&LLVMGetEnumAttributeKind(attribute)) {
                    LLVMRemoveCallSiteEnumAttribute(i, index, LLVMGetEnumAttributeKind(attribute));
                }
            }
        }
    }
}

/// Number of an attribute kind.
pub fn attribute_kind(name: &str) -> u32 {
    // SAFETY: pointer and length of a live string.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}
