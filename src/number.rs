//! Lengths as products of what the launch is given, so that `(n * m) / n` is `m`.

use crate::kernel::{Kernel, ValueId, ids};
use crate::llvm::ir::{Function, Op, Value};

/// `constant * factors / (by_constant * by)`, a whole number of which every factor is positive: the host tests both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Number {
    /// What is multiplied, sorted.
    pub factors: Vec<ValueId>,
    /// And by this.
    pub constant: i64,
    /// What that is divided by, sorted.
    pub by: Vec<ValueId>,
    /// And by this.
    pub by_constant: i64,
}

/// How deep an expression of arguments is followed.
const DEEPEST: u32 = 16;
/// Constants above this are no lengths.
const MOST: i64 = i32::MAX as i64;

impl Number {
    /// One that is known.
    pub fn constant(constant: i64) -> Number {
        Number {
            factors: Vec::new(),
            constant,
            by: Vec::new(),
            by_constant: 1,
        }
    }

    /// It, if no launch changes it.
    pub fn known(&self) -> Option<i64> {
        (self.factors.is_empty() && self.is_whole()).then_some(self.constant)
    }

    /// What `v` is, whatever it was widened from; `None`: it is of something else than the kernel's arguments.
    pub fn of(kernel: &Kernel, v: Value) -> Option<Number> {
        let v = ids::unextended(v);
        let part = |i| Number::of(kernel, v.operand(i));
        if let Some(c) = v.const_int() {
            return (1..=MOST).contains(&c).then(|| Number::constant(c));
        }
        match v.opcode() {
            Some(Op::LLVMMul) => Some(part(0)?.times(&part(1)?)),
            Some(Op::LLVMShl) => {
                let by = v.operand(1).const_int().filter(|k| (0..31).contains(k))?;
                Some(part(0)?.times(&Number::constant(1 << by)))
            }
            _ => {
                let bits = v.ty().int_width();
                let known = matches!(bits, Some(32 | 64)) && is_of_arguments(kernel.function, v);
                known.then(|| Number {
                    factors: vec![kernel.value_id(v)],
                    ..Number::constant(1)
                })
            }
        }
    }

    /// The same of other values; `None`: one has no other.
    pub fn renamed(&self, origin: &dyn Fn(ValueId) -> Option<ValueId>) -> Option<Number> {
        let renamed = |all: &[ValueId]| {
            let mut all: Vec<ValueId> = all.iter().map(|v| origin(*v)).collect::<Option<_>>()?;
            all.sort();
            Some(all)
        };
        Some(Number {
            factors: renamed(&self.factors)?,
            by: renamed(&self.by)?,
            ..self.clone()
        })
    }

    /// The product.
    pub fn times(&self, other: &Number) -> Number {
        let join = |a: &[ValueId], b: &[ValueId]| [a, b].concat();
        Number {
            factors: join(&self.factors, &other.factors),
            constant: self.constant.saturating_mul(other.constant),
            by: join(&self.by, &other.by),
            by_constant: self.by_constant.saturating_mul(other.by_constant),
        }
        .reduced()
    }

    /// The quotient.
    pub fn over(&self, other: &Number) -> Number {
        let upside_down = Number {
            factors: other.by.clone(),
            constant: other.by_constant,
            by: other.factors.clone(),
            by_constant: other.constant,
        };
        self.times(&upside_down)
    }

    /// Whether it is whole whatever the factors are.
    pub fn is_whole(&self) -> bool {
        self.by.is_empty() && self.by_constant == 1
    }

    /// In words, with the names that the kernel's values have.
    pub fn describe(&self, kernel: &Kernel) -> String {
        let name = |v: ValueId| match kernel.value(v).argument_index() {
            Some(i) if kernel.value(v).name().is_empty() => format!("arg{i}"),
            _ => kernel.value_name(v),
        };
        self.written(&name)
    }

    fn written(&self, name: &dyn Fn(ValueId) -> String) -> String {
        let product = |constant: i64, factors: &[ValueId]| {
            let constant = (constant != 1 || factors.is_empty()).then(|| constant.to_string());
            let factors = factors.iter().map(|f| name(*f));
            let all: Vec<String> = constant.into_iter().chain(factors).collect();
            all.join("*")
        };
        let above = product(self.constant, &self.factors);
        match self.is_whole() {
            true => above,
            false => format!("{above}/({})", product(self.by_constant, &self.by)),
        }
    }

    /// Without what occurs on both sides.
    fn reduced(mut self) -> Number {
        self.factors.sort();
        self.by.sort();
        let mut left = Vec::new();
        for b in std::mem::take(&mut self.by) {
            match self.factors.binary_search(&b) {
                Ok(at) => {
                    self.factors.remove(at);
                }
                Err(_) => left.push(b),
            }
        }
        self.by = left;
        let common = crate::affine::gcd(self.constant, self.by_constant).max(1);
        self.constant /= common;
        self.by_constant /= common;
        self
    }
}

/// Whether `v` is worked out from arguments and constants alone, by what neither faults nor depends on the launch's
/// shape.
pub fn is_of_arguments(function: Function, v: Value) -> bool {
    is_made_of_arguments(function, v, 0)
}

fn is_made_of_arguments(function: Function, v: Value, depth: u32) -> bool {
    use Op::*;
    if v.is_argument() || v.const_int().is_some() {
        return true;
    }
    if depth > DEEPEST {
        return false;
    }
    let all = |n: u32| (0..n).all(|i| is_made_of_arguments(function, v.operand(i), depth + 1));
    match v.opcode() {
        Some(LLVMAdd | LLVMSub | LLVMMul | LLVMShl | LLVMLShr | LLVMAShr | LLVMAnd | LLVMOr) => {
            all(2)
        }
        Some(LLVMZExt | LLVMSExt | LLVMTrunc) => all(1),
        Some(LLVMICmp) => all(2),
        Some(LLVMSelect) => all(3),
        Some(LLVMUDiv | LLVMSDiv) => v.operand(1).const_int().is_some_and(|c| c > 0) && all(1),
        Some(LLVMLoad) => {
            let place = v.operand(0).parameter_offset(function.module());
            let index = place.and_then(|(base, _)| base.argument_index());
            !v.is_volatile_or_atomic() && index.is_some_and(|i| function.param_has(i, "byval"))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(factors: &[u32], constant: i64) -> Number {
        Number {
            factors: factors.iter().map(|f| ValueId(*f)).collect(),
            ..Number::constant(constant)
        }
    }

    #[test]
    fn what_stands_on_both_sides_goes() {
        let plane = number(&[3, 1], 1).times(&number(&[], 6));
        assert_eq!(plane.over(&number(&[3], 1)), number(&[1], 6));
        assert_eq!(plane.over(&number(&[3], 3)), number(&[1], 2));
        assert_eq!(plane.over(&plane), Number::constant(1));
    }

    #[test]
    fn quotients_that_may_leave_a_rest_say_so() {
        let rows = number(&[7], 1).over(&number(&[3], 4));
        assert!(!rows.is_whole());
        assert_eq!(rows.written(&|v| v.to_string()), "v7/(4*v3)");
        assert_eq!(rows.times(&number(&[3], 4)), number(&[7], 1));
    }
}
