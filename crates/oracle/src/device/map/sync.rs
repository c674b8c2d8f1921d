//! Special registers, barriers, warp operations, `cp.async`.

use std::mem::offset_of;

use inkwell::llvm_sys as llvm;
use llvm::LLVMIntPredicate::*;

use crate::device::ir::{self, Value};
use crate::device::rewrite::Rewriter;
use crate::error::Result;
use crate::run::thread::WarpKind;
use crate::run::{Current, Runtime, hooks};
use crate::site::AccessKind;

impl Rewriter<'_> {
    /// Maps `llvm.nvvm.<rest>` if it is of this family.
    pub(super) fn map_sync(&mut self, i: Value, rest: &str) -> Result<bool> {
        if let Some(register) = rest.strip_prefix("read.ptx.sreg.") {
            return self.map_register(i, register);
        }
        if let Some(form) = rest.strip_prefix("barrier.cta.") {
            return self.map_barrier(i, form);
        }
        if let Some(form) = rest.strip_prefix("cp.async.") {
            return self.map_copy(i, form);
        }
        if rest == "exit" {
            self.map_stop(i, 0)?;
            return Ok(true);
        }
        if let Some(types) = rest.strip_prefix("mma.m16n8k32.row.col.") {
            return self.map_product(i, types);
        }
        if rest == "mma.m16n8k16.row.col.f64" {
            return self.map_doubles(i);
        }
        self.map_warp(i, rest)
    }

    /// A matrix product of bytes, added to what the thread has without saturation.
    fn map_product(&mut self, i: Value, types: &str) -> Result<bool> {
        let signs = match types {
            "u8" => 0,
            "s8.u8" => 1,
            "u8.s8" => 2,
            "s8" => 3,
            _ => return Ok(false),
        };
        let site = self.add_site(i, AccessKind::Load, 0, 1, None)?;
        let args = ir::call_args(i);
        let pair = |k: usize| {
            let b = &self.builder;
            let [low, high] = [args[k], args[k + 1]].map(|v| b.zext(v, 64));
            let high = b.binary(llvm::LLVMOpcode::LLVMShl, high, b.i64(32));
            b.binary(llvm::LLVMOpcode::LLVMOr, low, high)
        };
        let b = &self.builder;
        let call = [b.i32(signs), pair(0), pair(2), pair(4), b.i32(site)];
        self.hook(hooks::mma as *const () as usize, self.context.void(), &call);
        let offset = offset_of!(Runtime, current) + offset_of!(Current, products);
        let mut all = ir::undef(ir::type_of(i));
        for k in 0..4 {
            let address = self.runtime + (offset + 4 * k) as u64;
            let address = self.context.const_address(address, 0);
            let product = b.load(self.context.int(32), address, 4);
            let sum = b.binary(llvm::LLVMOpcode::LLVMAdd, product, args[6 + k]);
            all = b.insert(all, sum, k as u32);
        }
        ir::replace(i, all);
        Ok(true)
    }

    /// A matrix product of doubles, which goes on from what the thread has. Where products and sums are not fused, its are not, either: on a GPU
    /// they always are, there as here.
    fn map_doubles(&mut self, i: Value) -> Result<bool> {
        let site = self.add_site(i, AccessKind::Load, 0, 1, None)?;
        let offset = offset_of!(Runtime, current) + offset_of!(Current, doubles);
        let at = |k: usize| {
            let address = self.runtime + (offset + 8 * k) as u64;
            self.context.const_address(address, 0)
        };
        for (k, operand) in ir::call_args(i).into_iter().enumerate() {
            self.builder.store(operand, at(k), 8);
        }
        let b = &self.builder;
        let call = [b.i32(u32::from(self.fuses)), b.i32(site)];
        let function = hooks::mma_doubles as *const () as usize;
        self.hook(function, self.context.void(), &call);
        let mut all = ir::undef(ir::type_of(i));
        for k in 0..4 {
            let sum = self.builder.load(self.context.double(), at(k), 8);
            all = self.builder.insert(all, sum, k as u32);
        }
        ir::replace(i, all);
        Ok(true)
    }

    /// Reads a special register of the running thread.
    fn map_register(&mut self, i: Value, register: &str) -> Result<bool> {
        let Some(value) = self.register(register) else {
            return Ok(false);
        };
        let bits = ir::int_width(ir::type_of(i));
        let value = if bits == 64 {
            self.builder.zext(value, 64)
        } else {
            value
        };
        ir::replace(i, value);
        Ok(true)
    }

    /// Value of `tid.x`, `laneid`, `lanemask.lt`, ... as i32.
    pub(super) fn register(&self, register: &str) -> Option<Value> {
        let b = &self.builder;
        let read = |offset: usize| {
            let address = self.runtime + (offset_of!(Runtime, current) + offset) as u64;
            b.load(
                self.context.int(32),
                self.context.const_address(address, 0),
                4,
            )
        };
        let (group, dimension) = register.split_once('.').unwrap_or((register, "x"));
        let axis = ["x", "y", "z"].iter().position(|d| *d == dimension);
        let vector = match group {
            "tid" => Some(offset_of!(Current, tid)),
            "ntid" => Some(offset_of!(Current, ntid)),
            "ctaid" => Some(offset_of!(Current, ctaid)),
            "nctaid" => Some(offset_of!(Current, nctaid)),
            _ => None,
        };
        if let (Some(offset), Some(axis)) = (vector, axis) {
            return Some(read(offset + 4 * axis));
        }
        let lane = || read(offset_of!(Current, lane));
        let bit = || b.binary(llvm::LLVMOpcode::LLVMShl, b.i32(1), lane());
        let below = || b.binary(llvm::LLVMOpcode::LLVMSub, bit(), b.i32(1));
        let not = |v| b.binary(llvm::LLVMOpcode::LLVMXor, v, b.i32(u32::MAX));
        let or = |x, y| b.binary(llvm::LLVMOpcode::LLVMOr, x, y);
        Some(match register {
            "laneid" => lane(),
            "warpid" => read(offset_of!(Current, warp)),
            "warpsize" => b.i32(32),
            "lanemask.eq" => bit(),
            "lanemask.lt" => below(),
            "lanemask.le" => or(below(), bit()),
            "lanemask.ge" => not(below()),
            "lanemask.gt" => not(or(below(), bit())),
            "dynamic_smem_size" => read(offset_of!(Current, dynamic_shared)),
            // One multiprocessor, one grid, and time that stands still: what any launch may see.
            "smid" | "gridid" | "clock" | "clock64" | "globaltimer" | "clock_hi" => b.i32(0),
            "nsmid" => b.i32(1),
            _ => return None,
        })
    }

    /// `sync`, `arrive` and `red` forms, `.aligned` or not, `.all` or `.count`.
    fn map_barrier(&mut self, i: Value, form: &str) -> Result<bool> {
        let args = ir::call_args(i);
        let parts: Vec<&str> = form.split('.').collect();
        let reduce = match parts[..] {
            ["red", "popc", ..] => 1,
            ["red", "and", ..] => 2,
            ["red", "or", ..] => 3,
            ["sync" | "arrive", ..] => 0,
            _ => return Ok(false),
        };
        let site = self.add_site(i, AccessKind::Load, 0, 1, None)?;
        let counted = parts.last() == Some(&"count");
        let b = &self.builder;
        let count = if counted { args[1] } else { b.i32(0) };
        let predicate = if reduce != 0 {
            b.zext(args[args.len() - 1], 32)
        } else {
            b.i32(0)
        };
        let arrive = u32::from(parts[0] == "arrive");
        let call = [
            args[0],
            count,
            b.i32(arrive),
            b.i32(reduce),
            predicate,
            b.i32(site),
        ];
        let result = self.hook(
            hooks::barrier as *const () as usize,
            self.context.int(32),
            &call,
        );
        self.finish_with(i, result);
        Ok(true)
    }

    /// Replaces `i` by an i32 result, as i1 where that is its type, or drops it where it has none.
    fn finish_with(&mut self, i: Value, result: Value) {
        let ty = ir::type_of(i);
        if ty == self.context.void() {
            ir::erase(i);
        } else if ir::int_width(ty) == 1 {
            let truth = self.builder.icmp(LLVMIntNE, result, self.builder.i32(0));
            ir::replace(i, truth);
        } else {
            ir::replace(i, result);
        }
    }

    fn map_copy(&mut self, i: Value, form: &str) -> Result<bool> {
        let args = ir::call_args(i);
        match form {
            "commit.group" => self.emit_wait(None),
            "wait.group" => self.emit_wait(Some(args[0])),
            "wait.all" => self.emit_wait(Some(self.builder.i32(u32::MAX))),
            _ => {
                let parts: Vec<&str> = form.split('.').collect();
                let (width, sized) = match parts[..] {
                    ["ca" | "cg", "shared", "global", width] => (width, false),
                    ["ca" | "cg", "shared", "global", width, "s"] => (width, true),
                    _ => return Ok(false),
                };
                let Ok(width) = width.parse::<u32>() else {
                    return Ok(false);
                };
                let used = if sized {
                    args[2]
                } else {
                    self.builder.i32(width)
                };
                self.emit_copy(i, args[0], args[1], width, used)?;
            }
        }
        ir::erase(i);
        Ok(true)
    }

    /// Issues an asynchronous copy of `width` bytes, `used` of them read; addresses are pointers or integers.
    pub(super) fn emit_copy(
        &mut self,
        i: Value,
        to: Value,
        from: Value,
        width: u32,
        used: Value,
    ) -> Result<()> {
        let is_pointer = |v| ir::kind_of(ir::type_of(v)) == llvm::LLVMTypeKind::LLVMPointerTypeKind;
        let pointer = |v: Value| is_pointer(v).then_some(v);
        let site = self.add_site(i, AccessKind::CopyWrite, width, width, pointer(to))?;
        self.add_site(i, AccessKind::CopyRead, width, width, pointer(from))?;
        let number = |s: &Self, v| {
            if is_pointer(v) {
                s.address(v)
            } else {
                s.builder.zext(v, 64)
            }
        };
        let (to, from) = (number(self, to), number(self, from));
        let b = &self.builder;
        let checked = b.i32(u32::from(self.checked));
        let call = [to, from, b.i32(width), used, b.i32(site), checked];
        self.hook(
            hooks::copy_issue as *const () as usize,
            self.context.void(),
            &call,
        );
        Ok(())
    }

    /// Commits (`None`) or waits for all groups but the newest `keep`.
    pub(super) fn emit_wait(&mut self, keep: Option<Value>) {
        let checked = self.builder.i32(u32::from(self.checked));
        let void = self.context.void();
        match keep {
            None => self.hook(hooks::copy_commit as *const () as usize, void, &[]),
            Some(keep) => self.hook(
                hooks::copy_wait as *const () as usize,
                void,
                &[keep, checked],
            ),
        };
    }

    /// A barrier without reduction: waits, or with `arrive` only arrives; a `count` of 0 means all threads.
    pub(super) fn emit_barrier(
        &mut self,
        i: Value,
        id: Value,
        count: Value,
        arrive: bool,
    ) -> Result<()> {
        let site = self.add_site(i, AccessKind::Load, 0, 1, None)?;
        let b = &self.builder;
        let call = [
            id,
            count,
            b.i32(u32::from(arrive)),
            b.i32(0),
            b.i32(0),
            b.i32(site),
        ];
        self.hook(
            hooks::barrier as *const () as usize,
            self.context.int(32),
            &call,
        );
        Ok(())
    }

    fn map_warp(&mut self, i: Value, rest: &str) -> Result<bool> {
        let args = ir::call_args(i);
        let parts: Vec<&str> = rest.split('.').collect();
        let full = |s: &Self| s.builder.i32(u32::MAX);
        use WarpKind::*;
        // Kind, mask, value, select, clamp.
        let (kind, mask, value, select, clamp) = match parts[..] {
            ["bar", "warp", "sync"] => (Sync, args[0], None, None, None),
            ["shfl", "sync", form, _] => (
                shuffle(form),
                args[0],
                Some(args[1]),
                Some(args[2]),
                Some(args[3]),
            ),
            ["shfl", form, _] => (
                shuffle(form),
                full(self),
                Some(args[0]),
                Some(args[1]),
                Some(args[2]),
            ),
            ["vote", form, "sync"] => (vote(form), args[0], Some(args[1]), None, None),
            ["vote", form] => (vote(form), full(self), Some(args[0]), None, None),
            ["match", "any", "sync", _] => (MatchAny, args[0], Some(args[1]), None, None),
            ["match", "all", "sync", _] => (MatchAll, args[0], Some(args[1]), None, None),
            ["redux", "sync", form] => match redux(form) {
                Some(kind) => (kind, args[1], Some(args[0]), None, None),
                None => return Ok(false),
            },
            ["activemask"] => (Active, full(self), None, None, None),
            ["elect", "sync"] => (Elect, args[0], None, None, None),
            _ => return Ok(false),
        };
        let site = self.add_site(i, AccessKind::Load, 0, 1, None)?;
        let value = value.map_or(self.builder.i64(0), |v| self.widen(v));
        let zero = self.builder.i32(0);
        let call = [
            self.builder.i32(kind as u32),
            mask,
            value,
            select.unwrap_or(zero),
            clamp.unwrap_or(zero),
            self.builder.i32(site),
        ];
        let result = self.hook(
            hooks::warp as *const () as usize,
            self.context.int(64),
            &call,
        );
        self.warp_result(i, result);
        Ok(true)
    }

    /// Any scalar up to 64 bits as i64.
    fn widen(&self, value: Value) -> Value {
        let ty = ir::type_of(value);
        let value = if ty == self.context.float() {
            self.builder.bitcast(value, self.context.int(32))
        } else {
            value
        };
        self.builder.zext(value, 64)
    }

    /// The low 32 bits as the call's type; where that is a pair, the predicate is its second member.
    fn warp_result(&mut self, i: Value, result: Value) {
        let ty = ir::type_of(i);
        if ty == self.context.void() {
            return ir::erase(i);
        }
        let narrow = self.builder.trunc(result, 32);
        if ir::kind_of(ty) != llvm::LLVMTypeKind::LLVMStructTypeKind {
            if ty == self.context.float() {
                ir::replace(i, self.builder.bitcast(narrow, ty));
            } else {
                self.finish_with(i, narrow);
            }
            return;
        }
        let address =
            self.runtime + (offset_of!(Runtime, current) + offset_of!(Current, predicate)) as u64;
        let flag = self.builder.load(
            self.context.int(32),
            self.context.const_address(address, 0),
            4,
        );
        let flag = self.builder.icmp(LLVMIntNE, flag, self.builder.i32(0));
        // SAFETY: a struct of two members.
        let first = unsafe { llvm::core::LLVMStructGetTypeAtIndex(ty, 0) };
        let value = if first == self.context.float() {
            self.builder.bitcast(narrow, first)
        } else {
            narrow
        };
        let pair = self.builder.insert(ir::undef(ty), value, 0);
        ir::replace(i, self.builder.insert(pair, flag, 1));
    }
}

fn shuffle(form: &str) -> WarpKind {
    match form {
        "up" => WarpKind::ShuffleUp,
        "down" => WarpKind::ShuffleDown,
        "bfly" => WarpKind::ShuffleBfly,
        _ => WarpKind::ShuffleIdx,
    }
}

fn vote(form: &str) -> WarpKind {
    match form {
        "all" => WarpKind::VoteAll,
        "any" => WarpKind::VoteAny,
        "uni" => WarpKind::VoteUni,
        _ => WarpKind::Ballot,
    }
}

fn redux(form: &str) -> Option<WarpKind> {
    Some(match form {
        "add" => WarpKind::Add,
        "min" => WarpKind::Min,
        "max" => WarpKind::Max,
        "umin" => WarpKind::UMin,
        "umax" => WarpKind::UMax,
        "and" => WarpKind::And,
        "or" => WarpKind::Or,
        "xor" => WarpKind::Xor,
        _ => return None,
    })
}
