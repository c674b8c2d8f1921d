//! Arithmetic intrinsics of NVVM: parsed from their names, computed by `host`.

use inkwell::llvm_sys as llvm;
use llvm::LLVMOpcode::*;
use llvm::LLVMTypeKind::*;

use crate::device::ir::{self, Type, Value};
use crate::device::rewrite::Rewriter;
use crate::error::Result;
use crate::host::arith::{self, Op};
use crate::host::{convert, integer};

impl Rewriter<'_> {
    /// Maps `llvm.nvvm.<rest>` if it is of this family.
    pub(super) fn map_math(&mut self, i: Value, rest: &str) -> Result<bool> {
        let parts: Vec<&str> = rest.split('.').collect();
        if let Some(value) = self
            .integer(i, &parts)
            .or_else(|| self.conversion(i, &parts))
        {
            ir::replace(i, value);
            return Ok(true);
        }
        self.map_float(i, &parts)
    }

    /// `add.rz.ftz.f`, `ex2.approx.f`, `fmax.nan.d`, ...
    fn map_float(&mut self, i: Value, parts: &[&str]) -> Result<bool> {
        let Some(mut op) = Op::named(parts[0]) else {
            return Ok(false);
        };
        let mut flags = 0;
        for part in &parts[1..] {
            match *part {
                "rn" | "approx" | "full" | "f" | "d" | "f32" | "f64" | "f16" | "f16x2"
                | "v2f16" => {}
                "rm" => flags |= arith::DOWN,
                "rp" => flags |= arith::UP,
                "rz" => flags |= arith::ZERO,
                "ftz" => flags |= arith::FTZ,
                "sat" => flags |= arith::SAT,
                "nan" if op == Op::Min => op = Op::MinNan,
                "nan" if op == Op::Max => op = Op::MaxNan,
                _ => return Ok(false),
            }
        }
        let args = ir::call_args(i);
        match self.float_op(op, flags, &args) {
            Some(value) => ir::replace(i, value),
            None => return Ok(false),
        }
        Ok(true)
    }

    /// A floating-point operation on scalars or vectors of half, float or double.
    pub(super) fn float_op(&self, op: Op, flags: u32, args: &[Value]) -> Option<Value> {
        let ty = ir::type_of(args[0]);
        let b = &self.builder;
        match ir::kind_of(ty) {
            LLVMVectorTypeKind => {
                // SAFETY: asked of a vector type.
                let count = unsafe { llvm::core::LLVMGetVectorSize(ty) };
                let mut result = ir::undef(ty);
                for n in 0..count {
                    let lanes: Vec<Value> = args.iter().map(|a| b.element(*a, n)).collect();
                    result = b.set_element(result, self.float_op(op, flags, &lanes)?, n);
                }
                Some(result)
            }
            LLVMHalfTypeKind => {
                // Exact in float, then rounded once: right for + - * / sqrt and comparisons; fma rounds twice.
                let wide: Vec<Value> = args
                    .iter()
                    .map(|a| b.cast(LLVMFPExt, *a, self.context.float()))
                    .collect();
                let value = self.float_op(op, flags & !arith::FTZ, &wide)?;
                Some(b.cast(LLVMFPTrunc, value, ty))
            }
            LLVMFloatTypeKind => {
                Some(self.call_float(arith::arith32 as *const () as usize, ty, op, flags, args))
            }
            LLVMDoubleTypeKind => {
                Some(self.call_float(arith::arith64 as *const () as usize, ty, op, flags, args))
            }
            _ => None,
        }
    }

    fn call_float(&self, function: usize, ty: Type, op: Op, flags: u32, args: &[Value]) -> Value {
        let operand = |n: usize| args.get(n).copied().unwrap_or_else(|| ir::null(ty));
        let b = &self.builder;
        let mut call = [
            b.i32(op as u32),
            b.i32(flags),
            operand(0),
            operand(1),
            operand(2),
        ];
        b.call_host(function, ty, &mut call)
    }

    /// `llvm.minnum` and its relatives, ordered as PTX orders zeros.
    pub(super) fn map_minmax(&mut self, i: Value, base: &str) -> Result<()> {
        let op = match base {
            "minnum" | "minimumnum" => Op::Min,
            "maxnum" | "maximumnum" => Op::Max,
            "minimum" => Op::MinNan,
            _ => Op::MaxNan,
        };
        match self.float_op(op, 0, &ir::call_args(i)) {
            Some(value) => ir::replace(i, value),
            None => return Err(self.refuse(i, &format!("llvm.{base} on this type is not mapped"))),
        }
        Ok(())
    }

    fn host32(&self, function: usize, args: &[Value]) -> Value {
        self.builder
            .call_host(function, self.context.int(32), &mut args.to_vec())
    }

    /// Integer operations.
    fn integer(&self, i: Value, parts: &[&str]) -> Option<Value> {
        let args = ir::call_args(i);
        let b = &self.builder;
        Some(match *parts {
            ["mulhi", kind] => {
                let bits = ir::int_width(ir::type_of(args[0]));
                let wide = |v| {
                    if kind.starts_with('u') {
                        b.zext(v, 2 * bits)
                    } else {
                        b.sext(v, 2 * bits)
                    }
                };
                let product = b.binary(LLVMMul, wide(args[0]), wide(args[1]));
                let high = b.binary(
                    LLVMLShr,
                    product,
                    self.context.const_int(2 * bits, u64::from(bits)),
                );
                b.trunc(high, bits)
            }
            ["mul24", kind] => {
                let cut = |v| {
                    let high = b.binary(LLVMShl, v, b.i32(8));
                    b.binary(
                        if kind == "ui" { LLVMLShr } else { LLVMAShr },
                        high,
                        b.i32(8),
                    )
                };
                b.binary(LLVMMul, cut(args[0]), cut(args[1]))
            }
            ["sad", kind @ ("i" | "ui")] => {
                let signed = b.i32(u32::from(kind == "i"));
                self.host32(
                    integer::sad as *const () as usize,
                    &[args[0], args[1], args[2], signed],
                )
            }
            ["prmt"] => self.host32(
                integer::permute as *const () as usize,
                &[args[0], args[1], args[2], b.i32(0)],
            ),
            ["prmt", mode @ ("f4e" | "b4e")] => {
                let mode = b.i32(if mode == "f4e" { 1 } else { 2 });
                self.host32(
                    integer::permute as *const () as usize,
                    &[args[0], args[1], args[2], mode],
                )
            }
            ["prmt", mode] => {
                let mode = ["rc8", "ecl", "ecr", "rc16"]
                    .iter()
                    .position(|m| *m == mode)? as u32
                    + 3;
                self.host32(
                    integer::permute as *const () as usize,
                    &[args[0], b.i32(0), args[1], b.i32(mode)],
                )
            }
            ["flo", sign] if ir::int_width(ir::type_of(args[0])) == 32 => {
                let shift = b.zext(args[1], 32);
                self.host32(
                    integer::find_high as *const () as usize,
                    &[args[0], b.i32(u32::from(sign == "s")), shift],
                )
            }
            ["idp4a", x, y] => {
                let signs = u32::from(x == "s") | u32::from(y == "s") << 1;
                self.host32(
                    integer::dot as *const () as usize,
                    &[args[0], args[1], args[2], b.i32(signs)],
                )
            }
            ["fshl" | "fshr", "clamp"] => {
                let left = b.i32(u32::from(parts[0] == "fshl"));
                self.host32(
                    integer::funnel_clamped as *const () as usize,
                    &[args[1], args[0], args[2], left],
                )
            }
            _ => return None,
        })
    }

    /// Conversions: `f2i.rz.ftz`, `ull2d.rn`, `d2f.rm`, `lohi.i2d`, ...
    fn conversion(&self, i: Value, parts: &[&str]) -> Option<Value> {
        let args = ir::call_args(i);
        let (b, c) = (&self.builder, self.context);
        let flags = parts[1..].iter().fold(0, |f, part| match *part {
            "rm" => f | arith::DOWN,
            "rp" => f | arith::UP,
            "rz" => f | arith::ZERO,
            "ftz" => f | arith::FTZ,
            _ => f,
        });
        if *parts == ["lohi", "i2d"] {
            let high = b.binary(LLVMShl, b.zext(args[1], 64), b.i64(32));
            return Some(b.bitcast(b.binary(LLVMOr, high, b.zext(args[0], 64)), c.double()));
        }
        if let ["d2i", part @ ("lo" | "hi")] = *parts {
            let bits = b.bitcast(args[0], c.int(64));
            let shift = b.i64(if part == "hi" { 32 } else { 0 });
            return Some(b.trunc(b.binary(LLVMLShr, bits, shift), 32));
        }
        let (from, to) = parts[0].split_once('2')?;
        let integer_kind = |name: &str| match name {
            "i" => Some((32, 1)),
            "ui" => Some((32, 0)),
            "ll" => Some((64, 1)),
            "ull" => Some((64, 0)),
            _ => None,
        };
        match (from, to) {
            ("f" | "d", _) if integer_kind(to).is_some() => {
                let (bits, signed) = integer_kind(to)?;
                let wide = b.cast(LLVMFPExt, args[0], c.double());
                let mut call = [wide, b.i32(flags), b.i32(bits), b.i32(signed)];
                let value =
                    b.call_host(convert::to_int as *const () as usize, c.int(64), &mut call);
                Some(b.trunc(value, bits))
            }
            (_, "f" | "d") if integer_kind(from).is_some() => {
                let (_, signed) = integer_kind(from)?;
                let wide = if signed != 0 {
                    b.sext(args[0], 64)
                } else {
                    b.zext(args[0], 64)
                };
                let mut call = [
                    wide,
                    b.i32(flags),
                    b.i32(signed),
                    b.i32(u32::from(to == "f")),
                ];
                let value = b.call_host(
                    convert::from_int as *const () as usize,
                    c.double(),
                    &mut call,
                );
                Some(if to == "f" {
                    b.cast(LLVMFPTrunc, value, c.float())
                } else {
                    value
                })
            }
            ("d", "f") => Some(b.call_host(
                convert::narrow as *const () as usize,
                c.float(),
                &mut [args[0], b.i32(flags)],
            )),
            ("f", "h") => Some(b.bitcast(b.cast(LLVMFPTrunc, args[0], c.half()), c.int(16))),
            _ => None,
        }
    }
}
