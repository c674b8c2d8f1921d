//! Calls: every intrinsic and device function becomes host code, a hook, or an error that names it.
//!
//! The families, each in its file: special registers and synchronisation (`sync`), arithmetic (`math`),
//! memory intrinsics and atomics (`memory`), inline assembly (`ptx`). A name no family knows is refused;
//! nothing is skipped because it looks harmless.

mod math;
mod memory;
mod ptx;
mod sync;

use inkwell::llvm_sys as llvm;
use llvm::LLVMOpcode::*;
use llvm::core::*;

use super::ir::{self, Value};
use super::rewrite::Rewriter;
use crate::error::Result;
use crate::run::hooks;

/// LLVM intrinsics that say something about the code and do nothing.
const SILENT: [&str; 14] = [
    "llvm.lifetime.",
    "llvm.invariant.",
    "llvm.dbg.",
    "llvm.experimental.noalias.scope.decl",
    "llvm.prefetch",
    "llvm.donothing",
    "llvm.sideeffect",
    "llvm.pseudoprobe",
    "llvm.nvvm.membar.",
    "llvm.nvvm.fence.",
    "llvm.nvvm.prefetch",
    "llvm.nvvm.applypriority",
    "llvm.nvvm.discard",
    "llvm.nvvm.nanosleep",
];

/// Generic intrinsics the host's code generator lowers by itself, exactly.
const GENERIC: [&str; 46] = [
    "abs",
    "smax",
    "smin",
    "umax",
    "umin",
    "scmp",
    "ucmp",
    "ctpop",
    "ctlz",
    "cttz",
    "bswap",
    "bitreverse",
    "fshl",
    "fshr",
    "sadd.",
    "uadd.",
    "ssub.",
    "usub.",
    "smul.",
    "umul.",
    "sshl.",
    "ushl.",
    "fabs",
    "copysign",
    "fma",
    "sqrt",
    "floor",
    "ceil",
    "trunc",
    "rint",
    "nearbyint",
    "roundeven",
    "round",
    "lround",
    "llround",
    "lrint",
    "llrint",
    "is.fpclass",
    "fptosi.sat",
    "fptoui.sat",
    "vector.",
    "ptrmask",
    "expect",
    "ldexp",
    "frexp",
    "stepvector",
];

/// Generic intrinsics that become calls into libm: as exact as it is, and the same in both bodies.
const LIBM: [&str; 15] = [
    "sin", "cos", "tan", "exp", "exp2", "exp10", "log", "log2", "log10", "pow", "powi", "sinh",
    "cosh", "tanh", "sincos",
];

impl Rewriter<'_> {
    /// Maps every call of the module.
    pub fn map_calls(&mut self) -> Result<()> {
        for f in ir::defined(self.module) {
            for i in ir::body(f) {
                if ir::opcode(i) == LLVMCall {
                    self.map_assembly(i)?;
                }
            }
        }
        for f in ir::defined(self.module) {
            for i in ir::body(f) {
                match ir::opcode(i) {
                    LLVMCall => self.map_call(i)?,
                    LLVMInvoke | LLVMCallBr | LLVMIndirectBr => {
                        return Err(self.refuse(i, &format!("cannot run `{}`", ir::print(i))));
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn map_assembly(&mut self, i: Value) -> Result<()> {
        let callee = ir::callee(i);
        // SAFETY: queries of a call and its callee.
        let (assembly, dead) = unsafe {
            let assembly = !LLVMIsAInlineAsm(callee).is_null();
            let dead = LLVMGetFirstUse(i).is_null();
            (
                assembly,
                assembly && dead && LLVMGetInlineAsmHasSideEffects(callee) == 0,
            )
        };
        match (assembly, dead) {
            // Nobody would notice: the code generator drops it too.
            (_, true) => ir::erase(i),
            (true, false) => self.map_ptx(i)?,
            (false, false) => {}
        }
        Ok(())
    }

    fn map_call(&mut self, i: Value) -> Result<()> {
        let callee = ir::callee(i);
        // SAFETY: a query.
        if unsafe { LLVMIsAFunction(callee) }.is_null() {
            // This crate's own hooks are constants; a call through a pointer of the program is not.
            // SAFETY: a query.
            let own =
                unsafe { LLVMIsConstant(callee) != 0 && LLVMIsAGlobalValue(callee).is_null() };
            return if own {
                Ok(())
            } else {
                Err(self.refuse(i, "call through a function pointer cannot be run"))
            };
        }
        if !ir::is_declaration(callee) {
            return Ok(());
        }
        let name = ir::name(callee);
        self.builder.before(i);
        if SILENT.iter().any(|s| name.starts_with(s)) {
            ir::erase(i);
            return Ok(());
        }
        if let Some(rest) = name.strip_prefix("llvm.nvvm.") {
            let mapped =
                self.map_sync(i, rest)? || self.map_math(i, rest)? || self.map_memory(i, rest)?;
            return if mapped {
                Ok(())
            } else {
                Err(self.refuse(i, &format!("intrinsic {name} is not mapped")))
            };
        }
        if let Some(rest) = name.strip_prefix("llvm.") {
            let mapped = self.map_generic(i, rest)?;
            return if mapped {
                Ok(())
            } else {
                Err(self.refuse(i, &format!("intrinsic {name} is not mapped")))
            };
        }
        self.map_function(i, &name)
    }

    /// Generic LLVM intrinsics.
    fn map_generic(&mut self, i: Value, rest: &str) -> Result<bool> {
        let args = ir::call_args(i);
        let base = rest.split('.').next().unwrap_or(rest);
        match base {
            "fmuladd" => {
                let product = self.builder.binary(LLVMFMul, args[0], args[1]);
                let sum = self.builder.binary(LLVMFAdd, product, args[2]);
                ir::replace(i, sum);
            }
            "minnum" | "maxnum" | "minimum" | "maximum" | "minimumnum" | "maximumnum" => {
                self.map_minmax(i, base)?
            }
            "assume" => {
                if self.checked {
                    let site = self.add_site(i, crate::site::AccessKind::Load, 0, 1, None)?;
                    let holds = self.builder.zext(args[0], 32);
                    self.hook(
                        hooks::assume as *const () as usize,
                        self.context.void(),
                        &[holds, self.builder.i32(site)],
                    );
                }
                ir::erase(i);
            }
            "trap" | "debugtrap" | "ubsantrap" => self.map_stop(i, 1)?,
            "memcpy" | "memmove" | "memset" => return self.map_bulk(i, base),
            "masked" => return self.map_masked(i, rest),
            _ => {
                let starts = |list: &[&str]| {
                    list.iter().any(|g| {
                        rest == *g || rest.starts_with(&format!("{}.", g.trim_end_matches('.')))
                    })
                };
                return Ok(starts(&GENERIC) || starts(&LIBM));
            }
        }
        Ok(true)
    }

    /// Functions that are not intrinsics and have no body.
    fn map_function(&mut self, i: Value, name: &str) -> Result<()> {
        match name {
            // Output is not part of what is compared.
            "vprintf" => ir::replace(i, self.builder.i32(0)),
            "__assertfail" | "__assert_fail" => self.map_stop(i, 1)?,
            _ => {
                return Err(
                    self.refuse(i, &format!("function {name} has no body and is not mapped"))
                );
            }
        }
        Ok(())
    }

    fn map_stop(&mut self, i: Value, trap: u32) -> Result<()> {
        let site = self.add_site(i, crate::site::AccessKind::Load, 0, 1, None)?;
        let args = [self.builder.i32(trap), self.builder.i32(site)];
        self.hook(
            hooks::stop as *const () as usize,
            self.context.void(),
            &args,
        );
        ir::erase(i);
        Ok(())
    }
}
