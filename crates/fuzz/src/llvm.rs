//! LLVM in this process: modules in a context of their own, the optimizer's two halves, the plug-in.

use std::cell::RefCell;
use std::ffi::{CStr, CString};
use std::sync::Once;

use inkwell::llvm_sys as llvm;
use llvm::core::*;
use llvm::prelude::*;
use llvm::target_machine::*;
use llvm::transforms::pass_builder::*;

/// A module and the context it lives in.
pub struct Module {
    raw: LLVMModuleRef,
    context: LLVMContextRef,
    /// The plug-in's warnings; boxed, because the context holds its address.
    warnings: Box<RefCell<Vec<String>>>,
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: both are owned; the module goes first.
        unsafe {
            LLVMDisposeModule(self.raw);
            LLVMContextDispose(self.context);
        }
    }
}

/// Keeps the plug-in's warnings. Remarks are not wanted; an error is found by the caller in other ways.
extern "C" fn listen(said: LLVMDiagnosticInfoRef, warnings: *mut std::ffi::c_void) {
    // SAFETY: LLVM owns `said`; the text is copied and freed; the box outlives the context.
    unsafe {
        let warning = llvm::LLVMDiagnosticSeverity::LLVMDSWarning as u32;
        if LLVMGetDiagInfoSeverity(said) as u32 != warning {
            return;
        }
        let text = take(LLVMGetDiagInfoDescription(said));
        if text.contains("mesi: ") {
            let warnings = &*warnings.cast::<RefCell<Vec<String>>>();
            warnings.borrow_mut().push(text);
        }
    }
}

impl Module {
    /// Reads text or bitcode.
    pub fn parse(bytes: &[u8]) -> Result<Module, String> {
        // SAFETY: the buffer copies `bytes` and goes to the parser; the module is owned by the result.
        unsafe {
            let context = LLVMContextCreate();
            let warnings: Box<RefCell<Vec<String>>> = Box::default();
            let listener = (&raw const *warnings).cast_mut().cast();
            LLVMContextSetDiagnosticHandler(context, Some(listen), listener);
            let buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(
                bytes.as_ptr().cast(),
                bytes.len(),
                c"kernel".as_ptr(),
            );
            let (mut raw, mut message) = (std::ptr::null_mut(), std::ptr::null_mut());
            let failed =
                llvm::ir_reader::LLVMParseIRInContext2(context, buffer, &mut raw, &mut message);
            LLVMDisposeMemoryBuffer(buffer);
            if failed != 0 {
                let text = take(message);
                LLVMContextDispose(context);
                return Err(text);
            }
            let module = Module {
                raw,
                context,
                warnings,
            };
            module.verify()?;
            Ok(module)
        }
    }

    /// What the plug-in has warned of.
    pub fn warnings(&self) -> Vec<String> {
        self.warnings.borrow().clone()
    }

    /// The verifier's first complaint.
    pub fn verify(&self) -> Result<(), String> {
        let mut message = std::ptr::null_mut();
        let action = llvm::analysis::LLVMVerifierFailureAction::LLVMReturnStatusAction;
        // SAFETY: the module is alive.
        let broken =
            unsafe { llvm::analysis::LLVMVerifyModule(self.raw, action, &mut message) } != 0;
        let text = take(message);
        if broken { Err(text) } else { Ok(()) }
    }

    /// As `mesi` takes it.
    pub fn for_plug_in(&self) -> mesi::llvm::Module {
        mesi::llvm::Module::new(self.raw)
    }

    /// As text.
    pub fn text(&self) -> String {
        // SAFETY: the module is alive; LLVM allocates the text.
        unsafe { take(LLVMPrintModuleToString(self.raw)) }
    }

    /// As bitcode.
    pub fn bitcode(&self) -> Vec<u8> {
        // SAFETY: the buffer is LLVM's and disposed after its bytes were copied.
        unsafe {
            let buffer = llvm::bit_writer::LLVMWriteBitcodeToMemoryBuffer(self.raw);
            let start = LLVMGetBufferStart(buffer).cast::<u8>();
            let bytes = std::slice::from_raw_parts(start, LLVMGetBufferSize(buffer)).to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    /// Runs what clang's optimizer runs before the plug-in: its pipeline for thin LTO stops there.
    pub fn simplify(&self) -> Result<(), String> {
        self.passes("thinlto-pre-link<O3>")
    }

    /// Runs a pipeline after the plug-in.
    pub fn passes(&self, pipeline: &str) -> Result<(), String> {
        let pipeline = CString::new(pipeline).unwrap_or_default();
        // SAFETY: machine and options are made and disposed here; the module is alive.
        unsafe {
            let machine = machine(LLVMGetTarget(self.raw))?;
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.raw, pipeline.as_ptr(), machine, options);
            LLVMDisposePassBuilderOptions(options);
            LLVMDisposeTargetMachine(machine);
            if error.is_null() {
                return Ok(());
            }
            let message = llvm::error::LLVMGetErrorMessage(error);
            let text = CStr::from_ptr(message).to_string_lossy().into_owned();
            llvm::error::LLVMDisposeErrorMessage(message);
            Err(text)
        }
    }
}

/// The NVPTX code generator, for its cost model.
unsafe fn machine(triple: *const std::ffi::c_char) -> Result<LLVMTargetMachineRef, String> {
    static START: Once = Once::new();
    START.call_once(|| {
        // SAFETY: once per process.
        unsafe {
            llvm::target::LLVMInitializeNVPTXTargetInfo();
            llvm::target::LLVMInitializeNVPTXTarget();
            llvm::target::LLVMInitializeNVPTXTargetMC();
        }
    });
    let (mut target, mut message) = (std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: nul-terminated strings; the message is taken.
    unsafe {
        if LLVMGetTargetFromTriple(triple, &mut target, &mut message) != 0 {
            return Err(take(message));
        }
        Ok(LLVMCreateTargetMachine(
            target,
            triple,
            c"sm_80".as_ptr(),
            c"+ptx88".as_ptr(),
            LLVMCodeGenOptLevel::LLVMCodeGenLevelAggressive,
            LLVMRelocMode::LLVMRelocPIC,
            LLVMCodeModel::LLVMCodeModelDefault,
        ))
    }
}

/// Copies and frees a message of LLVM's.
fn take(message: *mut std::ffi::c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: LLVM allocated a nul-terminated text for us.
    unsafe {
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        LLVMDisposeMessage(message);
        text
    }
}
