//! Floating-point operations of PTX: rounding modes, flush to zero, saturation, approximations.
//!
//! Directed rounding sets the processor's own mode around the operation. Approximate operations
//! (`ex2.approx` and the like) are computed as exactly as libm does: not a GPU's bits, but the same in both
//! bodies that are compared.

use std::arch::asm;
use std::hint::black_box;

/// Operations, numbered as the compiled code passes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Fma,
    Sqrt,
    Rcp,
    Rsqrt,
    Ex2,
    Lg2,
    Sin,
    Cos,
    Tanh,
    Floor,
    Ceil,
    Trunc,
    Round,
    Abs,
    Neg,
    Saturate,
    Min,
    Max,
    /// Min and Max that give NaN if any operand is NaN.
    MinNan,
    MaxNan,
}

impl Op {
    const NAMES: [(&'static str, Op); 24] = [
        ("add", Op::Add),
        ("sub", Op::Sub),
        ("mul", Op::Mul),
        ("div", Op::Div),
        ("fma", Op::Fma),
        ("sqrt", Op::Sqrt),
        ("rcp", Op::Rcp),
        ("rsqrt", Op::Rsqrt),
        ("ex2", Op::Ex2),
        ("lg2", Op::Lg2),
        ("sin", Op::Sin),
        ("cos", Op::Cos),
        ("tanh", Op::Tanh),
        ("floor", Op::Floor),
        ("ceil", Op::Ceil),
        ("trunc", Op::Trunc),
        ("round", Op::Round),
        ("fabs", Op::Abs),
        ("abs", Op::Abs),
        ("neg", Op::Neg),
        ("saturate", Op::Saturate),
        ("min", Op::Min),
        ("max", Op::Max),
        ("fmin", Op::Min),
    ];

    /// The operation PTX or NVVM calls `name`.
    pub fn named(name: &str) -> Option<Op> {
        let name = if name == "fmax" { "max" } else { name };
        Op::NAMES
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, op)| *op)
    }

    fn from_number(number: u32) -> Op {
        // Numbers are `Op as u32` of this very enum.
        const ALL: [Op; 24] = [
            Op::Add,
            Op::Sub,
            Op::Mul,
            Op::Div,
            Op::Fma,
            Op::Sqrt,
            Op::Rcp,
            Op::Rsqrt,
            Op::Ex2,
            Op::Lg2,
            Op::Sin,
            Op::Cos,
            Op::Tanh,
            Op::Floor,
            Op::Ceil,
            Op::Trunc,
            Op::Round,
            Op::Abs,
            Op::Neg,
            Op::Saturate,
            Op::Min,
            Op::Max,
            Op::MinNan,
            Op::MaxNan,
        ];
        ALL[number as usize]
    }
}

/// Rounding mode in bits 0 and 1, then flags.
pub const NEAREST: u32 = 0;
pub const DOWN: u32 = 1;
pub const UP: u32 = 2;
pub const ZERO: u32 = 3;
pub const FTZ: u32 = 4;
pub const SAT: u32 = 8;

/// Runs `operation` with the processor rounding as `mode` says.
fn rounded<T>(mode: u32, operation: impl FnOnce() -> T) -> T {
    if mode & 3 == NEAREST {
        return operation();
    }
    let mut saved = 0_u32;
    // SAFETY: only the rounding bits change, and they are restored below; `black_box` at the operands and
    // the result keeps the operation between the two.
    unsafe { asm!("stmxcsr [{}]", in(reg) &mut saved, options(nostack)) };
    let wanted = (saved & !0x6000) | (mode & 3) << 13;
    unsafe { asm!("ldmxcsr [{}]", in(reg) &wanted, options(nostack)) };
    let result = black_box(operation());
    unsafe { asm!("ldmxcsr [{}]", in(reg) &saved, options(nostack)) };
    result
}

macro_rules! arithmetic {
    ($name:ident, $float:ident, $bits:ident) => {
        /// One operation; unused operands are ignored.
        pub extern "C" fn $name(op: u32, flags: u32, a: $float, b: $float, c: $float) -> $float {
            let flush = |v: $float| {
                if flags & FTZ != 0 && v.is_subnormal() {
                    (0.0 as $float).copysign(v)
                } else {
                    v
                }
            };
            let (a, b, c) = (flush(a), flush(b), flush(c));
            let value = rounded(flags, || {
                let (a, b, c) = (black_box(a), black_box(b), black_box(c));
                match Op::from_number(op) {
                    Op::Add => a + b,
                    Op::Sub => a - b,
                    Op::Mul => a * b,
                    Op::Div => a / b,
                    Op::Fma => a.mul_add(b, c),
                    Op::Sqrt => a.sqrt(),
                    Op::Rcp => 1.0 / a,
                    Op::Rsqrt => 1.0 / a.sqrt(),
                    Op::Ex2 => a.exp2(),
                    Op::Lg2 => a.log2(),
                    Op::Sin => a.sin(),
                    Op::Cos => a.cos(),
                    Op::Tanh => a.tanh(),
                    Op::Floor => a.floor(),
                    Op::Ceil => a.ceil(),
                    Op::Trunc => a.trunc(),
                    Op::Round => a.round(),
                    Op::Abs => a.abs(),
                    Op::Neg => -a,
                    Op::Saturate => a,
                    Op::Min | Op::MinNan if less(a, b) => a,
                    Op::Max | Op::MaxNan if less(b, a) => a,
                    Op::Min | Op::Max => {
                        if b.is_nan() {
                            a
                        } else {
                            b
                        }
                    }
                    Op::MinNan | Op::MaxNan => {
                        if a.is_nan() {
                            a
                        } else {
                            b
                        }
                    }
                }
            });
            let value = flush(value);
            if flags & SAT != 0 || op == Op::Saturate as u32 {
                // NaN saturates to +0, as PTX says.
                return if value > 0.0 { value.min(1.0) } else { 0.0 };
            }
            return value;

            /// `-0 < +0`, as PTX's min and max order them; false with NaN.
            fn less(a: $float, b: $float) -> bool {
                a < b || (a == b && a.is_sign_negative() && !b.is_sign_negative())
            }
        }
    };
}

arithmetic!(arith32, f32, u32);
arithmetic!(arith64, f64, u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directed_rounding() {
        let third = |mode| arith32(Op::Div as u32, mode, 1.0, 3.0, 0.0);
        assert!(third(DOWN) < third(UP));
        assert_eq!(third(ZERO), third(DOWN));
        assert!(arith64(Op::Fma as u32, UP, 1e-30, 1e-30, 1.0) > 1.0);
        assert_eq!(third(NEAREST), 1.0 / 3.0);
    }

    #[test]
    fn zeros_nans_and_flags() {
        let call = |op: Op, flags, a, b| arith32(op as u32, flags, a, b, 0.0);
        assert!(
            call(Op::Min, 0, 0.0, -0.0).is_sign_negative()
                && call(Op::Min, 0, -0.0, 0.0).is_sign_negative()
        );
        assert_eq!(call(Op::Max, 0, f32::NAN, 2.0), 2.0);
        assert!(
            call(Op::MaxNan, 0, f32::NAN, 2.0).is_nan()
                && call(Op::MaxNan, 0, 2.0, f32::NAN).is_nan()
        );
        assert_eq!(call(Op::Add, FTZ, 1e-40, 0.0), 0.0);
        assert_eq!(call(Op::Add, SAT, 3.0, 0.5), 1.0);
        assert_eq!(call(Op::Saturate, 0, f32::NAN, 0.0), 0.0);
    }
}
