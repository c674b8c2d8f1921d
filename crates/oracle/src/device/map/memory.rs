//! Memory intrinsics: bulk copies, read-only loads, scoped atomics, address-space queries.

use inkwell::llvm_sys as llvm;
use llvm::LLVMAtomicOrdering::LLVMAtomicOrderingMonotonic;
use llvm::LLVMAtomicRMWBinOp::*;
use llvm::LLVMIntPredicate::LLVMIntEQ;
use llvm::core::*;

use crate::device::ir::{self, Value};
use crate::device::rewrite::Rewriter;
use crate::error::Result;
use crate::run::{Runtime, hooks};
use crate::site::AccessKind;

impl Rewriter<'_> {
    /// Maps `llvm.nvvm.<rest>` if it is of this family.
    pub(super) fn map_memory(&mut self, i: Value, rest: &str) -> Result<bool> {
        let args = ir::call_args(i);
        let parts: Vec<&str> = rest.split('.').collect();
        match parts[..] {
            ["ldu" | "ldg", "global", ..] => {
                // SAFETY: the second operand is an integer constant (an immediate).
                let align = unsafe { LLVMConstIntGetZExtValue(args[1]) } as u32;
                let load = self.builder.load(ir::type_of(i), args[0], align);
                self.same_place(load, i);
                ir::replace(i, load);
            }
            ["isspacep", space] => {
                let wanted = match space {
                    "global" => 1,
                    "shared" => 3,
                    "const" => 4,
                    "local" => 5,
                    _ => return Ok(false),
                };
                let args = [self.address(args[0])];
                let found = self.hook(
                    hooks::space_of as *const () as usize,
                    self.context.int(32),
                    &args,
                );
                let truth = self
                    .builder
                    .icmp(LLVMIntEQ, found, self.builder.i32(wanted));
                ir::replace(i, truth);
            }
            ["atomic", op, "gen", kind, _scope, ..] => return self.map_atomic(i, op, kind),
            ["internal", "addrspace", "wrap", ..] | ["move", ..] => ir::replace(i, args[0]),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Atomics with a scope are plain atomics here: one host thread runs everything.
    fn map_atomic(&mut self, i: Value, op: &str, kind: &str) -> Result<bool> {
        let args = ir::call_args(i);
        let monotonic = LLVMAtomicOrderingMonotonic;
        // SAFETY: operand types are those of the intrinsic.
        let new = unsafe {
            if op == "cas" {
                let pair = LLVMBuildAtomicCmpXchg(
                    self.builder.raw,
                    args[0],
                    args[1],
                    args[2],
                    monotonic,
                    monotonic,
                    0,
                );
                self.same_place(pair, i);
                self.builder.extract(pair, 0)
            } else {
                let operation = match (op, kind) {
                    ("add", "f") => LLVMAtomicRMWBinOpFAdd,
                    ("add", _) => LLVMAtomicRMWBinOpAdd,
                    ("exch", _) => LLVMAtomicRMWBinOpXchg,
                    ("max", _) => LLVMAtomicRMWBinOpMax,
                    ("min", _) => LLVMAtomicRMWBinOpMin,
                    ("inc", _) => LLVMAtomicRMWBinOpUIncWrap,
                    ("dec", _) => LLVMAtomicRMWBinOpUDecWrap,
                    ("and", _) => LLVMAtomicRMWBinOpAnd,
                    ("or", _) => LLVMAtomicRMWBinOpOr,
                    ("xor", _) => LLVMAtomicRMWBinOpXor,
                    _ => return Ok(false),
                };
                let rmw =
                    LLVMBuildAtomicRMW(self.builder.raw, operation, args[0], args[1], monotonic, 0);
                self.same_place(rmw, i);
                rmw
            }
        };
        ir::replace(i, new);
        Ok(true)
    }

    /// `masked.load` and `masked.store`: lanes travel through the run time's buffer, which a hook fills or empties.
    pub(super) fn map_masked(&mut self, i: Value, rest: &str) -> Result<bool> {
        let args = ir::call_args(i);
        let loads = rest.starts_with("masked.load.");
        if !loads && !rest.starts_with("masked.store.") {
            return Ok(false);
        }
        let (vector, pointer, mask) = match loads {
            true => (ir::type_of(i), args[0], args[1]),
            false => (ir::type_of(args[0]), args[1], args[2]),
        };
        // SAFETY: asked of a vector type.
        let (element, lanes) = unsafe { (LLVMGetElementType(vector), LLVMGetVectorSize(vector)) };
        let size = self.store_size(element);
        if lanes > 32 || size * lanes > 512 || size * 8 * lanes != self.store_size(vector) * 8 {
            return Err(self.refuse(i, "a masked access of this type is not mapped"));
        }
        let kind = if loads {
            AccessKind::Load
        } else {
            AccessKind::Store
        };
        let site = self.add_site(i, kind, size, size, Some(pointer))?;
        let b = &self.builder;
        let bits = b.zext(b.bitcast(mask, self.context.int(lanes)), 32);
        let checked = b.i32(u32::from(self.checked));
        let (address, buffer) = (self.address(pointer), self.address_of_buffer());
        let shape = [b.i32(size), b.i32(lanes), b.i32(site), checked];
        let call: Vec<Value> = [address, bits].into_iter().chain(shape).collect();
        if loads {
            self.hook(
                hooks::masked_load as *const () as usize,
                self.context.void(),
                &call,
            );
            let value = b.load(vector, buffer, 16);
            ir::replace(i, b.select(mask, value, args[2]));
        } else {
            b.store(args[0], buffer, 16);
            self.hook(
                hooks::masked_store as *const () as usize,
                self.context.void(),
                &call,
            );
            ir::erase(i);
        }
        Ok(true)
    }

    fn address_of_buffer(&self) -> Value {
        let address = self.runtime + std::mem::offset_of!(Runtime, lanes) as u64;
        self.context.const_address(address, 0)
    }

    /// `memcpy`, `memmove`, `memset`, of constant or run-time length.
    pub(super) fn map_bulk(&mut self, i: Value, base: &str) -> Result<bool> {
        let args = ir::call_args(i);
        let site = self.add_site(i, AccessKind::Store, 0, 1, Some(args[0]))?;
        let (void, site_value) = (self.context.void(), self.builder.i32(site));
        let checked = self.builder.i32(u32::from(self.checked));
        let (to, len) = (self.address(args[0]), self.builder.zext(args[2], 64));
        if base == "memset" {
            let value = self.builder.zext(args[1], 32);
            self.hook(
                hooks::set as *const () as usize,
                void,
                &[to, value, len, site_value, checked],
            );
        } else {
            self.add_site(i, AccessKind::Load, 0, 1, Some(args[1]))?;
            let from = self.address(args[1]);
            self.hook(
                hooks::copy as *const () as usize,
                void,
                &[to, from, len, site_value, checked],
            );
        }
        ir::erase(i);
        Ok(true)
    }
}
