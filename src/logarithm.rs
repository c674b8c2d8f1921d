//! Host code: a whole number that is made of two constants' logarithms.
//!
//! ```text
//! %a = call x86_fp80 @llvm.log.f80(2^32)      in libstdc++'s std::generate_canonical, once for each number that a
//! %b = call x86_fp80 @llvm.log.f80(2)         distribution makes of std::mt19937
//! %n = fptoui (fdiv %a, %b)              ──►  32
//! ```
//! g++ folds that; LLVM knows no logarithms of `long double`, so each number costs two of them. What `mesi nvcc` is
//! held against is nvcc, whose host code g++ makes (figures: docs/dev-suite.md).
//!
//! **Sound** for every library whose `logl` is right to 40 bits: the quotient of the true logarithms lies further from
//! a whole number than that, or both are rounded alike, since one is the other times a power of two (`2^32` to `2`). A
//! logarithm of more than 1 sets no `errno`. Refused needlessly: other powers, as `2^24`, of which a quotient that is
//! rounded may lie below the whole number; constants that `double` does not hold.

use crate::llvm::ir::{Module, Op, Value};

/// What the logarithm of an 80-bit `long double` is called: by LLVM, and where it may set `errno`.
const NAMES: [&str; 2] = ["llvm.log.f80", "logl"];
/// How far from a whole number a quotient lies whose whole part is certain.
const CERTAIN: f64 = 1e-12;

/// Folds all of them; whether there was one.
pub fn fold(module: Module) -> bool {
    let named = NAMES.into_iter().filter_map(|n| module.function(n));
    let calls: Vec<Value> = named.flat_map(|f| f.value().users()).collect();
    let quotients = calls.iter().flat_map(|c| c.users());
    let whole = quotients.flat_map(|q| q.users().into_iter().map(move |w| (q, w)));
    let found = whole.filter_map(|(q, w)| Some((q, w, quotient(&calls, q, w)?)));
    let mut found: Vec<(Value, Value, i64)> = found.collect();
    // Both logarithms lead to a quotient.
    crate::order::sort(&mut found);
    found.dedup();
    for (quotient, whole, n) in &found {
        whole.replace_uses(whole.ty().constant(*n));
        whole.erase();
        if quotient.users().is_empty() {
            let of = quotient.operands();
            quotient.erase();
            let unused = of.into_iter().filter(|c| c.users().is_empty());
            unused.for_each(Value::erase);
        }
    }
    !found.is_empty()
}

/// What `whole` is, the whole part of the `quotient` of two logarithms; `None`: that is not certain, or it is none.
fn quotient(calls: &[Value], quotient: Value, whole: Value) -> Option<i64> {
    let is_whole = matches!(whole.opcode(), Some(Op::LLVMFPToUI | Op::LLVMFPToSI));
    let operands = quotient.operands();
    if !is_whole || !quotient.is(Op::LLVMFDiv) || !operands.iter().all(|o| calls.contains(o)) {
        return None;
    }
    let above_one = |call: &Value| call.operand(0).const_float().filter(|x| *x > 1.0);
    let numbers: Option<Vec<f64>> = operands.iter().map(above_one).collect();
    let [x, y] = numbers?.try_into().ok()?;
    whole_part(x, y)
}

/// The whole part of `ln x / ln y`, both above 1, however their logarithms are rounded.
fn whole_part(x: f64, y: f64) -> Option<i64> {
    let quotient = x.ln() / y.ln();
    let nearest = quotient.round();
    if (quotient - nearest).abs() > CERTAIN * nearest {
        return quotient.is_finite().then_some(quotient as i64);
    }
    let exact = y.powi(nearest as i32) == x && (nearest as u64).is_power_of_two();
    exact.then_some(nearest as i64)
}

#[cfg(test)]
mod tests {
    use super::whole_part;

    #[test]
    fn engines_of_the_library_have_so_many_bits() {
        assert_eq!(whole_part(2f64.powi(32), 2.0), Some(32));
        assert_eq!(whole_part(2f64.powi(64), 2.0), Some(64));
        assert_eq!(whole_part(2147483646.0, 2.0), Some(30));
        // 24 logarithms of 2 may be rounded to less.
        assert_eq!(whole_part(2f64.powi(24), 2.0), None);
        assert_eq!(whole_part(2f64.powi(32) * (1.0 + f64::EPSILON), 2.0), None);
        assert_eq!(whole_part(f64::INFINITY, 2.0), None);
    }
}
