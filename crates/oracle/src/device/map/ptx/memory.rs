//! Registers, moves, loads and stores of inline PTX.

use inkwell::llvm_sys as llvm;
use llvm::LLVMOpcode::*;
use llvm::LLVMTypeKind::*;
use llvm::core::*;

use super::Frame;
use super::text::members;
use crate::device::ir::{self, Type, Value};
use crate::device::rewrite::Rewriter;

impl Rewriter<'_> {
    /// `value` as a register of type `ty`: same bits, cut or zero-extended where widths differ.
    pub(super) fn ptx_as(&self, value: Value, ty: Type) -> Value {
        let from = ir::type_of(value);
        if from == ty {
            return value;
        }
        let b = &self.builder;
        if ir::kind_of(ty) == LLVMPointerTypeKind {
            return b.cast(LLVMIntToPtr, self.ptx_as(value, self.context.int(64)), ty);
        }
        let bits = |t: Type| match ir::kind_of(t) {
            LLVMIntegerTypeKind => ir::int_width(t),
            LLVMPointerTypeKind => 64,
            _ => self.store_size(t) * 8,
        };
        let integer = match ir::kind_of(from) {
            LLVMIntegerTypeKind => value,
            LLVMPointerTypeKind => b.cast(LLVMPtrToInt, value, self.context.int(64)),
            _ => b.bitcast(value, self.context.int(bits(from))),
        };
        let (have, want) = (bits(from), bits(ty));
        let sized = if have < want {
            b.zext(integer, want)
        } else {
            b.trunc(integer, want)
        };
        b.bitcast(sized, ty)
    }

    /// Type of a PTX type suffix.
    pub(super) fn ptx_type(&self, suffix: &str) -> Option<Type> {
        // SAFETY: a vector of two halves.
        let pair = || unsafe { LLVMVectorType(self.context.half(), 2) };
        Some(match suffix {
            "f16" => self.context.half(),
            "f16x2" => pair(),
            "f32" => self.context.float(),
            "f64" => self.context.double(),
            "pred" => self.context.int(1),
            "b8" | "u8" | "s8" => self.context.int(8),
            "b16" | "u16" | "s16" => self.context.int(16),
            "b32" | "u32" | "s32" => self.context.int(32),
            "b64" | "u64" | "s64" => self.context.int(64),
            _ => return None,
        })
    }

    pub(super) fn ptx_read(&self, frame: &Frame, operand: &str, ty: Type) -> Option<Value> {
        if let Some(value) = frame.values.get(operand) {
            return Some(self.ptx_as(*value, ty));
        }
        if let Some(bits) = operand
            .strip_prefix("0f")
            .or_else(|| operand.strip_prefix("0F"))
        {
            let bits = u64::from_str_radix(bits, 16).ok()?;
            return Some(self.ptx_as(self.context.const_int(32, bits), ty));
        }
        let value = match operand
            .strip_prefix("0x")
            .or_else(|| operand.strip_prefix("0X"))
        {
            Some(hex) => u64::from_str_radix(hex.trim_end_matches('U'), 16).ok()?,
            None => operand.trim_end_matches('U').parse::<i64>().ok()? as u64,
        };
        Some(self.ptx_as(self.context.const_int(64, value), ty))
    }

    /// Element type, vector length, pointer type's space.
    pub(super) fn ptx_access(&self, parts: &[&str]) -> Option<(Type, usize, u32)> {
        let ty = self.ptx_type(parts.last()?)?;
        let vector = if parts.contains(&"v4") {
            4
        } else {
            1 + usize::from(parts.contains(&"v2"))
        };
        let space = match () {
            () if parts.contains(&"global") => 1,
            () if parts.iter().any(|p| p.starts_with("shared")) => 3,
            () if parts.contains(&"const") => 4,
            () => 0,
        };
        Some((ty, vector, space))
    }

    pub(super) fn ptx_pointer(&self, frame: &Frame, operand: &str, space: u32) -> Option<Value> {
        let inner = operand.strip_prefix('[')?.strip_suffix(']')?;
        let (base, offset) = inner.split_once('+').unwrap_or((inner, "0"));
        let address = *frame.values.get(base.trim())?;
        // A pointer operand keeps its origin as long as it is not turned into an integer.
        let offset: u64 = offset.trim().parse().ok()?;
        if ir::kind_of(ir::type_of(address)) == LLVMPointerTypeKind && offset == 0 {
            return Some(address);
        }
        let integer = self.ptx_as(address, self.context.int(64));
        let sum = self
            .builder
            .binary(LLVMAdd, integer, self.builder.i64(offset));
        Some(
            self.builder
                .cast(LLVMIntToPtr, sum, self.context.pointer(space)),
        )
    }

    pub(super) fn ptx_vector_type(&self, ty: Type, count: usize) -> Type {
        // SAFETY: an element type and a small count.
        if count == 1 {
            ty
        } else {
            unsafe { LLVMVectorType(ty, count as u32) }
        }
    }

    pub(super) fn ptx_load(
        &mut self,
        frame: &mut Frame,
        parts: &[&str],
        operands: &[String],
    ) -> Option<()> {
        let (ty, count, space) = self.ptx_access(parts)?;
        let pointer = self.ptx_pointer(frame, operands.get(1)?, space)?;
        let whole = self.ptx_vector_type(ty, count);
        let load = self.builder.load(whole, pointer, self.store_size(whole));
        if parts.contains(&"volatile") || parts.contains(&"relaxed") || parts.contains(&"acquire") {
            // SAFETY: a load.
            unsafe { LLVMSetVolatile(load, 1) };
        }
        self.same_place(load, frame.call);
        let names = members(&operands[0]);
        for (n, name) in names.iter().enumerate() {
            let value = if count == 1 {
                load
            } else {
                self.builder.element(load, n as u32)
            };
            frame.values.insert(name.clone(), value);
        }
        (names.len() == count).then_some(())
    }

    pub(super) fn ptx_store(
        &mut self,
        frame: &mut Frame,
        parts: &[&str],
        operands: &[String],
    ) -> Option<()> {
        let (ty, count, space) = self.ptx_access(parts)?;
        let pointer = self.ptx_pointer(frame, operands.first()?, space)?;
        let names = members(operands.get(1)?);
        let values: Vec<Value> = names
            .iter()
            .map(|n| self.ptx_read(frame, n, ty))
            .collect::<Option<_>>()?;
        if values.len() != count {
            return None;
        }
        let whole = self.ptx_vector_type(ty, count);
        let value = match values[..] {
            [one] => one,
            _ => values
                .iter()
                .enumerate()
                .fold(ir::undef(whole), |v, (n, e)| {
                    self.builder.set_element(v, *e, n as u32)
                }),
        };
        let store = self.builder.store(value, pointer, self.store_size(whole));
        if parts.contains(&"volatile") || parts.contains(&"relaxed") || parts.contains(&"release") {
            // SAFETY: a store.
            unsafe { LLVMSetVolatile(store, 1) };
        }
        self.same_place(store, frame.call);
        Some(())
    }

    /// `mov`, with packing `{a,b}` on either side, and special registers.
    pub(super) fn ptx_move(
        &mut self,
        frame: &mut Frame,
        parts: &[&str],
        operands: &[String],
    ) -> Option<()> {
        let ty = self.ptx_type(parts.last()?)?;
        let [to, from] = operands else { return None };
        let b = &self.builder;
        let bits = self.store_size(ty) * 8;
        if let Some(register) = from
            .strip_prefix('%')
            .filter(|_| !frame.values.contains_key(from))
        {
            let value = self.register(register)?;
            frame.values.insert(to.clone(), self.ptx_as(value, ty));
            return Some(());
        }
        let (into, out_of) = (members(to), members(from));
        if out_of.len() > 1 {
            let part = bits / out_of.len() as u32;
            let mut whole = self.context.const_int(bits, 0);
            for (n, name) in out_of.iter().enumerate() {
                let value = b.zext(self.ptx_read(frame, name, self.context.int(part))?, bits);
                let shift = self.context.const_int(bits, u64::from(part) * n as u64);
                whole = b.binary(LLVMOr, whole, b.binary(LLVMShl, value, shift));
            }
            frame.values.insert(to.clone(), whole);
        } else if into.len() > 1 {
            let part = bits / into.len() as u32;
            let value = self.ptx_read(frame, from, self.context.int(bits))?;
            for (n, name) in into.iter().enumerate() {
                let shift = self.context.const_int(bits, u64::from(part) * n as u64);
                frame.values.insert(
                    name.clone(),
                    b.trunc(b.binary(LLVMLShr, value, shift), part),
                );
            }
        } else {
            frame
                .values
                .insert(to.clone(), self.ptx_read(frame, from, ty)?);
        }
        Some(())
    }
}
