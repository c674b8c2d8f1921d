//! LLVM's own just-in-time compiler for the host.

use std::sync::Once;

use inkwell::llvm_sys as llvm;
use llvm::core::*;
use llvm::execution_engine::*;

use super::ir;
use super::load::{self, Module};
use crate::error::{Error, Result};
use crate::host::convert;

static START: Once = Once::new();

/// Compiled code; dies with this value.
pub struct Engine(LLVMExecutionEngineRef);

impl Engine {
    /// Compiles `module` for this machine; `quick`: without any optimisation.
    pub fn new(module: Module, file: &str, quick: bool) -> Result<Engine> {
        start();
        // SAFETY: the module is alive; its text constants are nul-terminated; the engine takes it over.
        unsafe {
            retarget(&module).map_err(|m| {
                Error::new(format!("{file}: no code generator for this machine: {m}"))
            })?;
            llvm::debuginfo::LLVMStripModuleDebugInfo(module.0);
            add_features(&module);
            load::verify(module.0).map_err(|m| {
                Error::new(format!("{file}: the rewritten kernel is broken IR: {m}"))
            })?;
            let mut options: LLVMMCJITCompilerOptions = std::mem::zeroed();
            let size = size_of::<LLVMMCJITCompilerOptions>();
            LLVMInitializeMCJITCompilerOptions(&mut options, size);
            options.OptLevel = u32::from(!quick);
            let (mut engine, mut message) = (std::ptr::null_mut(), std::ptr::null_mut());
            let raw = module.0;
            std::mem::forget(module);
            if LLVMCreateMCJITCompilerForModule(&mut engine, raw, &mut options, size, &mut message)
                != 0
            {
                return Err(Error::new(format!(
                    "{file}: cannot compile for this machine: {}",
                    ir::take_message(message)
                )));
            }
            Ok(Engine(engine))
        }
    }

    /// Address of a function.
    pub fn function(&self, name: &str) -> u64 {
        let name = ir::c_string(name);
        // SAFETY: the engine is alive.
        unsafe { LLVMGetFunctionAddress(self.0, name.as_ptr()) }
    }

    /// Address of a variable.
    pub fn variable(&self, name: &str) -> u64 {
        let name = ir::c_string(name);
        // SAFETY: the engine is alive.
        unsafe { LLVMGetGlobalValueAddress(self.0, name.as_ptr()) }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: owned; nothing of it runs any more.
        unsafe { LLVMDisposeExecutionEngine(self.0) }
    }
}

fn start() {
    START.call_once(|| {
        // SAFETY: once per process, before any engine.
        unsafe {
            LLVMLinkInMCJIT();
            llvm::target::LLVM_InitializeNativeTarget();
            llvm::target::LLVM_InitializeNativeAsmPrinter();
            // On machines without F16C the code generator calls these; they must be found by name.
            for (name, address) in [
                ("__extendhfsf2", convert::extend_half as *const () as usize),
                ("__gnu_h2f_ieee", convert::extend_half as *const () as usize),
                (
                    "__truncsfhf2",
                    convert::truncate_float as *const () as usize,
                ),
                (
                    "__gnu_f2h_ieee",
                    convert::truncate_float as *const () as usize,
                ),
                (
                    "__truncdfhf2",
                    convert::truncate_double as *const () as usize,
                ),
            ] {
                let name = ir::c_string(name);
                llvm::support::LLVMAddSymbol(name.as_ptr(), address as *mut _);
            }
        }
    });
}

/// Gives the module the host's triple and data layout.
unsafe fn retarget(module: &Module) -> std::result::Result<(), String> {
    use llvm::target_machine::*;
    // SAFETY: everything made here is disposed here; strings are LLVM's own.
    unsafe {
        let triple = LLVMGetDefaultTargetTriple();
        let (mut target, mut message) = (std::ptr::null_mut(), std::ptr::null_mut());
        if LLVMGetTargetFromTriple(triple, &mut target, &mut message) != 0 {
            LLVMDisposeMessage(triple);
            return Err(ir::take_message(message));
        }
        let (level, relocation, model) = (
            LLVMCodeGenOptLevel::LLVMCodeGenLevelLess,
            LLVMRelocMode::LLVMRelocDefault,
            LLVMCodeModel::LLVMCodeModelJITDefault,
        );
        let machine = LLVMCreateTargetMachine(
            target,
            triple,
            c"".as_ptr(),
            c"".as_ptr(),
            level,
            relocation,
            model,
        );
        let layout = LLVMCreateTargetDataLayout(machine);
        LLVMSetTarget(module.0, triple);
        llvm::target::LLVMSetModuleDataLayout(module.0, layout);
        llvm::target::LLVMDisposeTargetData(layout);
        LLVMDisposeTargetMachine(machine);
        LLVMDisposeMessage(triple);
    }
    Ok(())
}

/// Lets the code generator use the machine's half conversions and fused multiply-add, where it has them:
/// `llvm.fma` would be a library call otherwise. Nothing else is fused, since no instruction allows it.
fn add_features(module: &Module) {
    let mut features = Vec::new();
    if is_x86_feature_detected!("f16c") && is_x86_feature_detected!("avx") {
        features.push("+f16c");
    }
    if is_x86_feature_detected!("fma") {
        features.push("+fma");
    }
    if features.is_empty() {
        return;
    }
    let value = ir::c_string(&features.join(","));
    for f in ir::defined(module.0) {
        // SAFETY: the function is alive and the strings nul-terminated.
        unsafe {
            LLVMAddTargetDependentFunctionAttr(f, c"target-features".as_ptr(), value.as_ptr())
        };
    }
}
