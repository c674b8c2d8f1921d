//! Loads, stores and atomics: each gets a call in front that checks the address and may replace it.
//! Allocas become memory with bounds.

use inkwell::llvm_sys as llvm;
use llvm::LLVMOpcode::*;
use llvm::core::*;

use super::ir::{self, Value};
use super::rewrite::Rewriter;
use crate::error::Result;
use crate::run::{hooks, thread::LOCAL_ALIGN};
use crate::site::AccessKind;

impl Rewriter<'_> {
    /// Puts a check before every access of the module.
    pub fn check_accesses(&mut self) -> Result<()> {
        for i in std::mem::take(&mut self.accesses) {
            self.check_access(i)?;
        }
        Ok(())
    }

    fn check_access(&mut self, i: Value) -> Result<()> {
        let operands = ir::operands(i);
        let (kind, index, ty) = match ir::opcode(i) {
            LLVMLoad => (AccessKind::Load, 0, ir::type_of(i)),
            LLVMStore => (AccessKind::Store, 1, ir::type_of(operands[0])),
            LLVMAtomicRMW => (AccessKind::Atomic, 0, ir::type_of(i)),
            LLVMAtomicCmpXchg => (AccessKind::Atomic, 0, ir::type_of(operands[1])),
            _ => return Ok(()),
        };
        let size = self.store_size(ty);
        if size == 0 {
            return Ok(());
        }
        // SAFETY: asked of an access.
        let align = unsafe { LLVMGetAlignment(i) };
        let site = self.add_site(i, kind, size, align, Some(operands[index]))?;
        self.builder.before(i);
        let args = [self.address(operands[index]), self.builder.i32(site)];
        let checked = self.hook(
            hooks::access as *const () as usize,
            self.context.int(64),
            &args,
        );
        let pointer = self.pointer_like(checked, operands[index]);
        ir::set_operand(i, index as u32, pointer);
        Ok(())
    }

    /// Bytes of all allocas, counting those of run-time size as huge.
    pub fn local_bytes(&self) -> u64 {
        let functions = ir::defined(self.module).into_iter();
        let allocas = functions
            .flat_map(ir::body)
            .filter(|i| ir::opcode(*i) == LLVMAlloca);
        let bytes = allocas.map(|a| {
            // SAFETY: asked of an alloca, and the value of what it says is an integer constant.
            unsafe {
                let count = ir::operands(a)[0];
                if LLVMIsAConstantInt(count).is_null() {
                    return u64::from(u32::MAX);
                }
                let size = llvm::target::LLVMABISizeOfType(self.layout(), LLVMGetAllocatedType(a));
                size.saturating_mul(LLVMConstIntGetZExtValue(count))
            }
        });
        bytes.sum()
    }

    /// Replaces allocas by local memory that the checker knows. Freed when the function returns, so that a
    /// function called in a loop does not pile them up.
    pub fn bound_locals(&mut self) -> Result<()> {
        for f in ir::defined(self.module) {
            let all = ir::body(f);
            let allocas: Vec<Value> = all
                .iter()
                .copied()
                .filter(|i| ir::opcode(*i) == LLVMAlloca)
                .collect();
            if allocas.is_empty() {
                continue;
            }
            self.builder.before(all[0]);
            let mark = self.hook(
                hooks::local_mark as *const () as usize,
                self.context.int(64),
                &[],
            );
            for i in all.iter().copied().filter(|i| ir::opcode(*i) == LLVMRet) {
                self.builder.before(i);
                self.hook(
                    hooks::local_release as *const () as usize,
                    self.context.void(),
                    &[mark],
                );
            }
            for a in allocas {
                self.bound_local(a)?;
            }
        }
        Ok(())
    }

    fn bound_local(&mut self, alloca: Value) -> Result<()> {
        let site = self.add_site(alloca, AccessKind::Store, 0, 1, None)?;
        // SAFETY: asked of an alloca; its type is sized.
        let (size, align) = unsafe {
            let ty = LLVMGetAllocatedType(alloca);
            (
                llvm::target::LLVMABISizeOfType(self.layout(), ty),
                LLVMGetAlignment(alloca),
            )
        };
        if u64::from(align) > LOCAL_ALIGN {
            let why =
                format!("local memory with alignment {align}, at most {LOCAL_ALIGN} is supported");
            return Err(self.refuse(alloca, &why));
        }
        self.builder.before(alloca);
        let count = self.builder.zext(ir::operands(alloca)[0], 64);
        let bytes = self.builder.binary(LLVMMul, count, self.builder.i64(size));
        let address = self.hook(
            hooks::local as *const () as usize,
            self.context.int(64),
            &[bytes, self.builder.i32(site)],
        );
        let pointer = self.pointer_like(address, alloca);
        ir::replace(alloca, pointer);
        Ok(())
    }

    /// Counts iterations: at the end of every loop body.
    pub fn count_iterations(&mut self) {
        for (block, index) in std::mem::take(&mut self.latches) {
            // SAFETY: the block has a terminator.
            let end = unsafe { LLVMGetBasicBlockTerminator(block) };
            self.builder.before(end);
            self.hook(
                hooks::tick as *const () as usize,
                self.context.void(),
                &[self.builder.i32(index)],
            );
        }
    }
}
