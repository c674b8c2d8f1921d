//! Between what constants an integer lies, whatever the data is: a byte between 0 and 255, `i % 7`
//! between -6 and 6. Of what is poison nothing is said.

use super::Dim;
use super::ids::{Register, is_global_id, register};
use crate::llvm::ir::{Op, Value};
use crate::machine::target::BLOCK_THREADS;

/// Expressions deeper than this are not followed.
const DEEPEST: u32 = 16;

/// Values of which a caller knows the least and the greatest, signed.
pub type Bounds = [(Value, (i64, i64))];

/// Least and greatest value, signed; `None` for what is no integer of up to 64 bits, or may be any.
/// Global ids `ctaid*ntid + tid` are taken to fit 31 bits: the caller tests that of the whole grid.
pub fn constant_range(v: Value) -> Option<(i64, i64)> {
    range_where(v, &[])
}

/// The same where some values lie between bounds.
pub fn range_where(v: Value, known: &Bounds) -> Option<(i64, i64)> {
    let width = v.ty().int_width()?;
    let r = signed(v, known, 0)?;
    (r != all(width)?).then_some(r)
}

/// The same, and all that a width has of what may be any.
pub fn full_range(v: Value) -> Option<(i64, i64)> {
    signed(v, &[], 0)
}

/// What fits a signed integer.
fn all(width: u32) -> Option<(i64, i64)> {
    (1..=64).contains(&width).then(|| {
        let half = 1i128 << (width - 1);
        (-half as i64, (half - 1) as i64)
    })
}

fn signed(v: Value, known: &Bounds, depth: u32) -> Option<(i64, i64)> {
    let width = v.ty().int_width()?;
    let any = all(width)?;
    if let Some(k) = v.const_int() {
        return Some((k, k));
    }
    if let Some((_, r)) = known.iter().find(|(x, _)| *x == v) {
        return Some(*r);
    }
    if !v.is_instruction() || depth > DEEPEST {
        return Some(any);
    }
    let bounded = |r| bounded_by(r, any);
    let of = |i: u32| signed(v.operand(i), known, depth + 1);
    let wide = |i: u32| of(i).map(|(l, h)| (i128::from(l), i128::from(h)));
    let constant = |i: u32| v.operand(i).const_int();
    Some(match v.opcode()? {
        Op::LLVMZExt => bounded(unsigned(v.operand(0), known, depth + 1)?),
        Op::LLVMSExt | Op::LLVMFreeze => of(0)?,
        Op::LLVMTrunc => bounded(wide(0)?),
        Op::LLVMAnd
        | Op::LLVMURem
        | Op::LLVMSRem
        | Op::LLVMLShr
        | Op::LLVMUDiv
        | Op::LLVMSDiv
        | Op::LLVMAShr => smaller(v, any, (known, depth))?,
        Op::LLVMAdd if is_global_id(v) => (0, i64::from(i32::MAX)),
        Op::LLVMAdd => {
            let (a, b) = (wide(0)?, wide(1)?);
            bounded((a.0 + b.0, a.1 + b.1))
        }
        Op::LLVMSub => {
            let (a, b) = (wide(0)?, wide(1)?);
            bounded((a.0 - b.1, a.1 - b.0))
        }
        Op::LLVMMul => bounded(product(wide(0)?, wide(1)?)?),
        Op::LLVMShl => match constant(1) {
            Some(k) if (0..63).contains(&k) => bounded(product(wide(0)?, (1 << k, 1 << k))?),
            _ => any,
        },
        Op::LLVMSelect => {
            let (a, b) = (of(1)?, of(2)?);
            (a.0.min(b.0), a.1.max(b.1))
        }
        Op::LLVMCall => call(v, any, (known, depth))?,
        _ => any,
    })
}

/// `r`, or all that a width has if `r` does not fit it.
fn bounded_by(r: (i128, i128), any: (i64, i64)) -> (i64, i64) {
    let in_range = r.0 >= i128::from(any.0) && r.1 <= i128::from(any.1);
    if in_range {
        (r.0 as i64, r.1 as i64)
    } else {
        any
    }
}

/// Of masks, remainders, quotients and shifts to the right, which bound what they give.
fn smaller(v: Value, any: (i64, i64), (known, depth): (&Bounds, u32)) -> Option<(i64, i64)> {
    let width = i64::from(v.ty().int_width()?);
    let constant = |i: u32| v.operand(i).const_int();
    let bounded = |r| bounded_by(r, any);
    Some(match v.opcode()? {
        Op::LLVMAnd => match (constant(0), constant(1)) {
            (_, Some(k)) if k >= 0 => masked(signed(v.operand(0), known, depth + 1)?, k),
            (Some(k), _) if k >= 0 => (0, k),
            _ => any,
        },
        Op::LLVMURem => match constant(1) {
            Some(k) if k > 0 => (0, k - 1),
            _ => any,
        },
        Op::LLVMSRem => match constant(1).and_then(i64::checked_abs) {
            Some(k) if k > 0 => {
                let least = signed(v.operand(0), known, depth + 1)?.0;
                (if least >= 0 { 0 } else { 1 - k }, k - 1)
            }
            _ => any,
        },
        Op::LLVMLShr | Op::LLVMUDiv => {
            let (least, most) = unsigned(v.operand(0), known, depth + 1)?;
            match constant(1) {
                Some(k) if v.is(Op::LLVMLShr) && (0..width).contains(&k) => {
                    bounded((least >> k, most >> k))
                }
                Some(k) if v.is(Op::LLVMUDiv) && k > 0 => {
                    bounded((least / i128::from(k), most / i128::from(k)))
                }
                _ => any,
            }
        }
        Op::LLVMSDiv => match constant(1) {
            Some(k) if k > 0 => {
                let (l, h) = signed(v.operand(0), known, depth + 1)?;
                (l / k, h / k)
            }
            _ => any,
        },
        Op::LLVMAShr => match constant(1) {
            Some(k) if (0..width).contains(&k) => {
                let (l, h) = signed(v.operand(0), known, depth + 1)?;
                (l >> k, h >> k)
            }
            _ => any,
        },
        _ => any,
    })
}

/// What a mask leaves of a range.
fn masked((l, h): (i64, i64), mask: i64) -> (i64, i64) {
    let behind = (mask as u64).trailing_ones();
    // All have the same above the mask's ones, which has nothing above them.
    let has_same_top = (mask as u64) >> behind == 0 && l >> behind == h >> behind;
    if has_same_top {
        (l & mask, h & mask)
    } else {
        (0, mask)
    }
}

/// The same, unsigned.
fn unsigned(v: Value, known: &Bounds, depth: u32) -> Option<(i128, i128)> {
    let (l, h) = signed(v, known, depth)?;
    if l >= 0 {
        return Some((l.into(), h.into()));
    }
    Some((0, (1i128 << v.ty().int_width()?) - 1))
}

fn product(a: (i128, i128), b: (i128, i128)) -> Option<(i128, i128)> {
    let all = [
        a.0.checked_mul(b.0)?,
        a.0.checked_mul(b.1)?,
        a.1.checked_mul(b.0)?,
        a.1.checked_mul(b.1)?,
    ];
    Some((*all.iter().min()?, *all.iter().max()?))
}

fn call(v: Value, any: (i64, i64), (known, depth): (&Bounds, u32)) -> Option<(i64, i64)> {
    let most = match register(v) {
        Some((Register::Tid, Dim::Z)) => 63,
        Some((Register::Tid, _)) => i64::from(BLOCK_THREADS) - 1,
        _ => -1,
    };
    if most > 0 {
        return Some((0, most));
    }
    let name = v.callee_name();
    let is = |s: &str| name.starts_with(s);
    if !["llvm.smin.", "llvm.smax.", "llvm.umin."]
        .iter()
        .any(|s| is(s))
    {
        return Some(any);
    }
    let of = |i: u32| signed(v.operand(i), known, depth + 1);
    let (a, b) = (of(0)?, of(1)?);
    Some(if is("llvm.smin.") {
        (a.0.min(b.0), a.1.min(b.1))
    } else if is("llvm.smax.") {
        (a.0.max(b.0), a.1.max(b.1))
    } else {
        // The lesser of two unsigned numbers is at most either that is not negative.
        match (a.0 >= 0, b.0 >= 0) {
            (true, true) => (a.0.min(b.0), a.1.min(b.1)),
            (true, false) => (0, a.1),
            (false, true) => (0, b.1),
            (false, false) => any,
        }
    })
}
