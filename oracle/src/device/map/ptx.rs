//! Inline PTX: a template is read instruction by instruction and built as IR.
//!
//! Covers what clang, libdevice and the CUDA headers write as assembly: cached loads and stores, half
//! precision, carries, bit fields, approximations, special registers. Any other instruction is refused by name.

use std::collections::HashMap;

use inkwell::llvm_sys as llvm;
use llvm::LLVMOpcode::*;
use llvm::LLVMTypeKind::*;
use llvm::core::*;

use crate::device::ir::{self, Type, Value};
use crate::device::rewrite::Rewriter;
use crate::error::Result;
use crate::host::arith::{self, Op};
use crate::host::integer;

/// Values of `$0`, `$1`, ... and of registers the template declares.
struct Frame {
    values: HashMap<String, Value>,
    /// Carry flag of `.cc` instructions, as i1.
    carry: Option<Value>,
    call: Value,
}

impl Rewriter<'_> {
    /// Replaces an inline assembly call by what its template does.
    pub(super) fn map_ptx(&mut self, i: Value) -> Result<()> {
        let callee = ir::callee(i);
        let (mut len, mut constraints_len) = (0, 0);
        // SAFETY: inline assembly; the texts are valid for their lengths.
        let (text, constraints) = unsafe {
            let text = LLVMGetInlineAsmAsmString(callee, &mut len);
            let constraints = LLVMGetInlineAsmConstraintString(callee, &mut constraints_len);
            let read = |p: *const std::os::raw::c_char, n| {
                String::from_utf8_lossy(std::slice::from_raw_parts(p.cast(), n)).into_owned()
            };
            (read(text, len), read(constraints, constraints_len))
        };
        self.builder.before(i);
        let outputs = constraints
            .split(',')
            .filter(|c| c.starts_with('='))
            .count();
        let mut frame = Frame {
            values: HashMap::new(),
            carry: None,
            call: i,
        };
        for (n, arg) in ir::call_args(i).into_iter().enumerate() {
            frame.values.insert(format!("${}", outputs + n), arg);
            if let Some(tied) = constraints
                .split(',')
                .nth(outputs + n)
                .filter(|c| c.parse::<u32>().is_ok())
            {
                frame.values.insert(format!("${tied}"), arg);
            }
        }
        let body = text.replace("$$", "%%").replace(['\n', '\t', '\r'], " ");
        for statement in statements(&body) {
            if self.ptx_synchronize(&frame, statement)? {
                continue;
            }
            if self.ptx_statement(&mut frame, statement).is_none() {
                return Err(self.refuse(
                    i,
                    &format!("inline assembly `{}` is not mapped", statement.trim()),
                ));
            }
        }
        self.ptx_outputs(&frame, outputs)
    }

    /// `cp.async` and barriers; whether `statement` was one.
    fn ptx_synchronize(&mut self, frame: &Frame, statement: &str) -> Result<bool> {
        let (opcode, rest) = split_opcode(statement);
        let operands = split_operands(rest);
        let word = self.context.int(32);
        let read = |s: &Self, n: usize| operands.get(n).and_then(|o| s.ptx_read(frame, o, word));
        let address = |n: usize| {
            let inner = operands.get(n)?.strip_prefix('[')?.strip_suffix(']')?;
            frame.values.get(inner).copied()
        };
        let zero = self.builder.i32(0);
        match opcode {
            "cp.async.commit_group" => self.emit_wait(None),
            "cp.async.wait_all" => self.emit_wait(Some(self.builder.i32(u32::MAX))),
            "cp.async.wait_group" => match read(self, 0) {
                Some(keep) => self.emit_wait(Some(keep)),
                None => return Ok(false),
            },
            "bar.sync" | "barrier.sync" | "barrier.cta.sync" | "barrier.sync.aligned"
            | "bar.arrive" | "barrier.arrive" => {
                let id = read(self, 0).unwrap_or(zero);
                let count = read(self, 1).unwrap_or(zero);
                self.emit_barrier(frame.call, id, count, opcode.ends_with("arrive"))?;
            }
            _ if opcode.starts_with("cp.async.c") && opcode.contains(".shared.global") => {
                let (Some(to), Some(from), Some(width)) = (address(0), address(1), read(self, 2))
                else {
                    return Ok(false);
                };
                let Some(width) = constant(width) else {
                    return Ok(false);
                };
                let used = read(self, 3).unwrap_or(self.builder.i32(width));
                self.emit_copy(frame.call, to, from, width, used)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn ptx_outputs(&mut self, frame: &Frame, outputs: usize) -> Result<()> {
        let (i, ty) = (frame.call, ir::type_of(frame.call));
        let output = |s: &Self, n: usize, ty: Type| {
            frame.values.get(&format!("${n}")).map(|v| s.ptx_as(*v, ty))
        };
        match outputs {
            0 => ir::erase(i),
            1 => match output(self, 0, ty) {
                Some(value) => ir::replace(i, value),
                None => {
                    return Err(self.refuse(
                        i,
                        "inline assembly that leaves its output unset is not mapped",
                    ));
                }
            },
            _ => {
                let mut all = ir::undef(ty);
                for n in 0..outputs {
                    // SAFETY: a struct with one member per output.
                    let member = unsafe { LLVMStructGetTypeAtIndex(ty, n as u32) };
                    match output(self, n, member) {
                        Some(value) => all = self.builder.insert(all, value, n as u32),
                        None => {
                            return Err(self.refuse(
                                i,
                                "inline assembly that leaves an output unset is not mapped",
                            ));
                        }
                    }
                }
                ir::replace(i, all);
            }
        }
        Ok(())
    }

    /// `value` as a register of type `ty`: same bits, cut or zero-extended where widths differ.
    fn ptx_as(&self, value: Value, ty: Type) -> Value {
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
    fn ptx_type(&self, suffix: &str) -> Option<Type> {
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

    fn ptx_read(&self, frame: &Frame, operand: &str, ty: Type) -> Option<Value> {
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

    /// Builds one instruction; `None` if it is not known.
    fn ptx_statement(&mut self, frame: &mut Frame, statement: &str) -> Option<()> {
        let statement = statement.trim();
        if statement.is_empty() || statement.starts_with(".reg") || statement.starts_with("//") {
            return Some(());
        }
        if statement.starts_with('@') {
            return None;
        }
        let (opcode, rest) = statement
            .split_once(char::is_whitespace)
            .unwrap_or((statement, ""));
        let parts: Vec<&str> = opcode.split('.').collect();
        let operands = split_operands(rest);
        match parts[0] {
            "membar" | "fence" | "prefetch" | "prefetchu" | "nanosleep" | "pmevent" => Some(()),
            "ld" | "ldu" => self.ptx_load(frame, &parts, &operands),
            "st" => self.ptx_store(frame, &parts, &operands),
            "mov" => self.ptx_move(frame, &parts, &operands),
            _ => {
                let value = self.ptx_value(frame, &parts, &operands)?;
                frame.values.insert(operands.first()?.to_string(), value);
                Some(())
            }
        }
    }

    /// Element type, vector length, pointer type's space.
    fn ptx_access(&self, parts: &[&str]) -> Option<(Type, usize, u32)> {
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

    fn ptx_pointer(&self, frame: &Frame, operand: &str, space: u32) -> Option<Value> {
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

    fn ptx_vector_type(&self, ty: Type, count: usize) -> Type {
        // SAFETY: an element type and a small count.
        if count == 1 {
            ty
        } else {
            unsafe { LLVMVectorType(ty, count as u32) }
        }
    }

    fn ptx_load(&mut self, frame: &mut Frame, parts: &[&str], operands: &[String]) -> Option<()> {
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

    fn ptx_store(&mut self, frame: &mut Frame, parts: &[&str], operands: &[String]) -> Option<()> {
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
    fn ptx_move(&mut self, frame: &mut Frame, parts: &[&str], operands: &[String]) -> Option<()> {
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

    /// Instructions of the form `op.type d, a, b, c`.
    fn ptx_value(
        &mut self,
        frame: &mut Frame,
        parts: &[&str],
        operands: &[String],
    ) -> Option<Value> {
        match parts[0] {
            "cvt" => return self.ptx_convert(frame, parts, operands),
            "setp" => return self.ptx_compare(frame, parts, operands),
            "selp" => {
                let ty = self.ptx_type(parts.last()?)?;
                let (a, b) = (
                    self.ptx_read(frame, operands.get(1)?, ty)?,
                    self.ptx_read(frame, operands.get(2)?, ty)?,
                );
                let condition = self.ptx_read(frame, operands.get(3)?, self.context.int(1))?;
                return Some(self.builder.select(condition, a, b));
            }
            _ => {}
        }
        let suffix = *parts.last()?;
        let ty = self.ptx_type(suffix)?;
        let args: Vec<Value> = operands[1..]
            .iter()
            .map(|o| self.ptx_read(frame, o, ty))
            .collect::<Option<_>>()?;
        if suffix.starts_with('f') {
            return self.ptx_float(parts, &args);
        }
        self.ptx_integer(frame, parts, &args)
    }

    fn ptx_float(&self, parts: &[&str], args: &[Value]) -> Option<Value> {
        let op = Op::named(parts[0])?;
        let mut flags = 0;
        for part in &parts[1..parts.len() - 1] {
            match *part {
                "rn" | "approx" | "full" => {}
                "rm" => flags |= arith::DOWN,
                "rp" => flags |= arith::UP,
                "rz" => flags |= arith::ZERO,
                "ftz" => flags |= arith::FTZ,
                "sat" => flags |= arith::SAT,
                _ => return None,
            }
        }
        self.float_op(op, flags, args)
    }

    fn ptx_integer(&self, frame: &mut Frame, parts: &[&str], args: &[Value]) -> Option<Value> {
        let b = &self.builder;
        let bits = ir::int_width(ir::type_of(*args.first()?));
        let signed = parts.last()?.starts_with('s');
        let wide = |v| {
            if signed {
                b.sext(v, 2 * bits)
            } else {
                b.zext(v, 2 * bits)
            }
        };
        let product = |high: bool| {
            let whole = b.binary(LLVMMul, wide(args[0]), wide(args[1]));
            let shift = self
                .context
                .const_int(2 * bits, if high { u64::from(bits) } else { 0 });
            b.trunc(b.binary(LLVMLShr, whole, shift), bits)
        };
        let host = |function: usize, args: &[Value]| {
            Some(b.call_host(function, self.context.int(32), &mut args.to_vec()))
        };
        let flag = |v: bool| b.i32(u32::from(v));
        let carries = parts.contains(&"cc");
        match (parts[0], args.len()) {
            ("add" | "addc" | "sub" | "subc", 2) => {
                let uses = parts[0]
                    .ends_with('c')
                    .then(|| frame.carry.unwrap_or(self.context.const_int(1, 0)));
                Some(self.ptx_add(
                    frame,
                    args[0],
                    args[1],
                    uses,
                    carries,
                    parts[0].starts_with("sub"),
                ))
            }
            ("mad" | "madc", 3) => {
                let part = product(parts.contains(&"hi"));
                let uses = parts[0]
                    .ends_with('c')
                    .then(|| frame.carry.unwrap_or(self.context.const_int(1, 0)));
                Some(self.ptx_add(frame, part, args[2], uses, carries, false))
            }
            ("mul", 2) => Some(product(parts.contains(&"hi"))),
            ("and", 2) => Some(b.binary(LLVMAnd, args[0], args[1])),
            ("or", 2) => Some(b.binary(LLVMOr, args[0], args[1])),
            ("xor", 2) => Some(b.binary(LLVMXor, args[0], args[1])),
            ("not", 1) => Some(b.binary(LLVMXor, args[0], self.context.const_int(bits, u64::MAX))),
            ("popc", 1) => {
                Some(b.intrinsic(self.module, "llvm.ctpop", &[ir::type_of(args[0])], args))
            }
            ("brev", 1) => Some(b.intrinsic(
                self.module,
                "llvm.bitreverse",
                &[ir::type_of(args[0])],
                args,
            )),
            ("clz", 1) => Some(b.intrinsic(
                self.module,
                "llvm.ctlz",
                &[ir::type_of(args[0])],
                &[args[0], self.context.const_int(1, 0)],
            )),
            ("bfind", 1) if bits == 32 => host(
                integer::find_high as *const () as usize,
                &[args[0], flag(signed), flag(parts.contains(&"shiftamt"))],
            ),
            ("bfe", 3) if bits == 32 => host(
                integer::extract_bits as *const () as usize,
                &[args[0], args[1], args[2], flag(signed)],
            ),
            ("bfi", 4) if bits == 32 => host(integer::insert_bits as *const () as usize, args),
            ("lop3", 4) if bits == 32 => host(integer::logic as *const () as usize, args),
            ("prmt", 3) if parts.len() == 2 => host(
                integer::permute as *const () as usize,
                &[args[0], args[1], args[2], b.i32(0)],
            ),
            ("shf", 3) if parts.contains(&"clamp") => host(
                integer::funnel_clamped as *const () as usize,
                &[args[0], args[1], args[2], flag(parts[1] == "l")],
            ),
            ("shf", 3) => {
                let name = if parts[1] == "l" {
                    "llvm.fshl"
                } else {
                    "llvm.fshr"
                };
                Some(b.intrinsic(
                    self.module,
                    name,
                    &[ir::type_of(args[0])],
                    &[args[1], args[0], args[2]],
                ))
            }
            _ => None,
        }
    }

    /// Addition or subtraction with carry in and out, in one more bit than the operands have.
    fn ptx_add(
        &self,
        frame: &mut Frame,
        x: Value,
        y: Value,
        uses: Option<Value>,
        carries: bool,
        subtract: bool,
    ) -> Value {
        let b = &self.builder;
        let bits = ir::int_width(ir::type_of(x));
        let operation = if subtract { LLVMSub } else { LLVMAdd };
        let mut sum = b.binary(operation, b.zext(x, 2 * bits), b.zext(y, 2 * bits));
        if let Some(carry) = uses {
            sum = b.binary(operation, sum, b.zext(carry, 2 * bits));
        }
        if carries {
            let out = b.binary(
                LLVMLShr,
                sum,
                self.context.const_int(2 * bits, u64::from(bits)),
            );
            frame.carry = Some(b.trunc(out, 1));
        }
        b.trunc(sum, bits)
    }

    fn ptx_convert(&self, frame: &Frame, parts: &[&str], operands: &[String]) -> Option<Value> {
        let [.., to, from] = parts else { return None };
        // Only nearest rounding is written in the headers for floats; other modes are intrinsics.
        if !parts[1..parts.len() - 2]
            .iter()
            .all(|p| ["rn", "rzi", "rni", "ftz", "sat"].contains(p))
        {
            return None;
        }
        let b = &self.builder;
        let (to_type, from_type) = (self.ptx_type(to)?, self.ptx_type(from)?);
        if *to == "f16x2" && *from == "f32" {
            let lane = |n: usize| {
                Some(b.cast(
                    LLVMFPTrunc,
                    self.ptx_read(frame, operands.get(n)?, from_type)?,
                    self.context.half(),
                ))
            };
            let low = b.set_element(ir::undef(to_type), lane(2)?, 0);
            return Some(b.set_element(low, lane(1)?, 1));
        }
        let value = self.ptx_read(frame, operands.get(1)?, from_type)?;
        let (from_float, to_float) = (from.starts_with('f'), to.starts_with('f'));
        let (from_signed, to_signed) = (from.starts_with('s'), to.starts_with('s'));
        Some(match (from_float, to_float) {
            (true, true) if self.store_size(to_type) > self.store_size(from_type) => {
                b.cast(LLVMFPExt, value, to_type)
            }
            (true, true) => b.cast(LLVMFPTrunc, value, to_type),
            (false, true) => b.cast(
                if from_signed { LLVMSIToFP } else { LLVMUIToFP },
                value,
                to_type,
            ),
            (true, false) => {
                let rounded = match parts.contains(&"rni") {
                    true => b.intrinsic(self.module, "llvm.roundeven", &[from_type], &[value]),
                    false => value,
                };
                let name = if to_signed {
                    "llvm.fptosi.sat"
                } else {
                    "llvm.fptoui.sat"
                };
                b.intrinsic(self.module, name, &[to_type, from_type], &[rounded])
            }
            (false, false) if ir::int_width(to_type) <= ir::int_width(from_type) => {
                b.trunc(value, ir::int_width(to_type))
            }
            (false, false) if from_signed => b.sext(value, ir::int_width(to_type)),
            (false, false) => b.zext(value, ir::int_width(to_type)),
        })
    }

    fn ptx_compare(&self, frame: &Frame, parts: &[&str], operands: &[String]) -> Option<Value> {
        use llvm::LLVMIntPredicate::*;
        use llvm::LLVMRealPredicate::*;
        let suffix = *parts.last()?;
        let ty = self.ptx_type(suffix)?;
        let (x, y) = (
            self.ptx_read(frame, operands.get(1)?, ty)?,
            self.ptx_read(frame, operands.get(2)?, ty)?,
        );
        if suffix.starts_with('f') {
            let predicate = match parts[1] {
                "eq" => LLVMRealOEQ,
                "ne" => LLVMRealONE,
                "lt" => LLVMRealOLT,
                "le" => LLVMRealOLE,
                "gt" => LLVMRealOGT,
                "ge" => LLVMRealOGE,
                "equ" => LLVMRealUEQ,
                "neu" => LLVMRealUNE,
                "ltu" => LLVMRealULT,
                "leu" => LLVMRealULE,
                "gtu" => LLVMRealUGT,
                "geu" => LLVMRealUGE,
                "num" => LLVMRealORD,
                "nan" => LLVMRealUNO,
                _ => return None,
            };
            // SAFETY: equal floating-point types.
            return Some(unsafe { LLVMBuildFCmp(self.builder.raw, predicate, x, y, c"".as_ptr()) });
        }
        let signed = suffix.starts_with('s');
        let predicate = match (parts[1], signed) {
            ("eq", _) => LLVMIntEQ,
            ("ne", _) => LLVMIntNE,
            ("lt", true) => LLVMIntSLT,
            ("le", true) => LLVMIntSLE,
            ("gt", true) => LLVMIntSGT,
            ("ge", true) => LLVMIntSGE,
            ("lt" | "lo", false) => LLVMIntULT,
            ("le" | "ls", false) => LLVMIntULE,
            ("gt" | "hi", false) => LLVMIntUGT,
            ("ge" | "hs", false) => LLVMIntUGE,
            _ => return None,
        };
        Some(self.builder.icmp(predicate, x, y))
    }
}

/// Opcode and operands of a statement.
fn split_opcode(statement: &str) -> (&str, &str) {
    let statement = statement.trim();
    statement.split_once(char::is_whitespace).unwrap_or((statement, ""))
}

/// Value of an integer constant.
fn constant(value: Value) -> Option<u32> {
    // SAFETY: a query, and the value of what it says is an integer constant.
    unsafe {
        if LLVMIsAConstantInt(value).is_null() {
            return None;
        }
        Some(LLVMConstIntGetZExtValue(value) as u32)
    }
}

/// Statements of a template: split at `;`, with the braces of scopes (not of vectors) removed.
fn statements(body: &str) -> Vec<&str> {
    let scope = |s: &str| s.trim_start().starts_with('{') && !s.contains('}');
    body.split(';')
        .map(|s| {
            let mut s = s.trim();
            while scope(s) || s.starts_with('}') || s.starts_with("{ ") || s.starts_with("{.") {
                s = s[1..].trim_start();
            }
            // `{add.f16 $0,$1,$2;}`: the brace belongs to the scope when an opcode follows it.
            match s.strip_prefix('{') {
                Some(rest) if rest.starts_with(|c: char| c.is_ascii_lowercase()) => rest,
                _ => s,
            }
        })
        .filter(|s| !s.is_empty() && *s != "}")
        .collect()
}

/// Operands split at commas outside braces and brackets.
fn split_operands(text: &str) -> Vec<String> {
    let (mut all, mut depth, mut current) = (Vec::new(), 0, String::new());
    for c in text.chars() {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' if depth == 0 => {
                all.push(std::mem::take(&mut current));
                continue;
            }
            _ => {}
        }
        current.push(c);
    }
    all.push(current);
    all.iter()
        .map(|s| s.split_whitespace().collect::<String>())
        .filter(|s| !s.is_empty())
        .collect()
}

/// `{a,b}` as its members, anything else as itself.
fn members(operand: &str) -> Vec<String> {
    match operand.strip_prefix('{').and_then(|o| o.strip_suffix('}')) {
        Some(inner) => inner.split(',').map(|s| s.trim().to_string()).collect(),
        None => vec![operand.to_string()],
    }
}
