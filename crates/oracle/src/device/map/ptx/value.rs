//! Instructions of inline PTX that compute a value: arithmetic, bit fields, conversions, comparisons.

use inkwell::llvm_sys as llvm;
use llvm::LLVMOpcode::*;
use llvm::core::*;

use super::Frame;
use crate::device::ir::{self, Value};
use crate::device::rewrite::Rewriter;
use crate::host::arith::{self, Op};
use crate::host::integer;

impl Rewriter<'_> {
    /// Instructions of the form `op.type d, a, b, c`.
    pub(super) fn ptx_value(
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

    pub(super) fn ptx_float(&self, parts: &[&str], args: &[Value]) -> Option<Value> {
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

    pub(super) fn ptx_integer(
        &self,
        frame: &mut Frame,
        parts: &[&str],
        args: &[Value],
    ) -> Option<Value> {
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
    pub(super) fn ptx_add(
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

    pub(super) fn ptx_convert(
        &self,
        frame: &Frame,
        parts: &[&str],
        operands: &[String],
    ) -> Option<Value> {
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

    pub(super) fn ptx_compare(
        &self,
        frame: &Frame,
        parts: &[&str],
        operands: &[String],
    ) -> Option<Value> {
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
