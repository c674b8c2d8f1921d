//! What the outcome of a comparison hangs on: what both sides add drops out.
//!
//! ```text
//! a <= a + n                            on n
//! for (i = b; i < b + n; i += s) …      on n, on s, and on how often the loop has run
//! ```
//! Sound where sums are exact: of signed numbers without signed overflow, of unsigned ones without unsigned overflow.
//! LLVM says so of an addition, and what would overflow is poison, by which no program may branch. Whether numbers are
//! equal hangs on their sums modulo their width, so overflow does not matter there.

use crate::llvm::ir::{Op, Pred, Value};

/// Sums of more parts are left as they are.
const PARTS: usize = 16;

/// How sums are read by a comparison.
#[derive(Clone, Copy, PartialEq)]
enum Reading {
    Signed,
    Unsigned,
    Modular,
}

/// The values that the outcome of `compare` hangs on, besides how often loops have run. `begins` has the value with
/// which a loop's phi begins, and `None` for a phi of a loop that not all who compare run together.
pub fn decides(compare: Value, begins: impl Fn(Value) -> Option<Value>) -> Vec<Value> {
    use Pred::*;
    let reading = match compare.predicate() {
        LLVMIntEQ | LLVMIntNE => Reading::Modular,
        LLVMIntSLT | LLVMIntSLE | LLVMIntSGT | LLVMIntSGE => Reading::Signed,
        _ => Reading::Unsigned,
    };
    if compare.operand(0).ty().int_width().is_none() {
        return compare.operands();
    }
    let mut difference = Difference {
        reading,
        begins: &begins,
        parts: Vec::new(),
        steps: Vec::new(),
    };
    difference.add(compare.operand(0), 1);
    difference.add(compare.operand(1), -1);
    if difference.parts.len() > PARTS {
        return compare.operands();
    }
    let left = difference.parts.into_iter().filter(|p| p.1 != 0);
    left.map(|p| p.0).chain(difference.steps).collect()
}

/// One side less the other, as parts and how often each is in it.
struct Difference<'a> {
    reading: Reading,
    begins: &'a dyn Fn(Value) -> Option<Value>,
    parts: Vec<(Value, i32)>,
    /// What loops add with each iteration.
    steps: Vec<Value>,
}

impl Difference<'_> {
    fn add(&mut self, v: Value, sign: i32) {
        let is_small = self.parts.len() + self.steps.len() <= PARTS;
        match v.opcode().filter(|_| v.is_instruction() && is_small) {
            Some(Op::LLVMAdd | Op::LLVMOr) if self.is_exact_sum(v) => {
                self.add(v.operand(0), sign);
                self.add(v.operand(1), sign);
            }
            Some(Op::LLVMSub) if self.is_exact(v) => {
                self.add(v.operand(0), sign);
                self.add(v.operand(1), -sign);
            }
            Some(Op::LLVMSExt) if self.reading == Reading::Signed => self.add(v.operand(0), sign),
            Some(Op::LLVMZExt) if self.reading == Reading::Unsigned => self.add(v.operand(0), sign),
            Some(Op::LLVMPHI) => match self.counter(v) {
                Some((begin, step)) => {
                    self.steps.push(step);
                    self.add(begin, sign);
                }
                None => self.part(v, sign),
            },
            _ => self.part(v, sign),
        }
    }

    fn part(&mut self, v: Value, sign: i32) {
        match self.parts.iter_mut().find(|p| p.0 == v) {
            Some(p) => p.1 += sign,
            None => self.parts.push((v, sign)),
        }
    }

    fn is_exact_sum(&self, v: Value) -> bool {
        match v.is(Op::LLVMOr) {
            // No bit is in both: nothing is carried.
            true => v.has_disjoint(),
            false => self.is_exact(v),
        }
    }

    fn is_exact(&self, v: Value) -> bool {
        match self.reading {
            Reading::Signed => v.has_nsw(),
            Reading::Unsigned => v.has_nuw(),
            Reading::Modular => true,
        }
    }

    /// What a phi begins with, and what each iteration adds to it.
    fn counter(&self, phi: Value) -> Option<(Value, Value)> {
        let begin = (self.begins)(phi)?;
        let [(x, _), (y, _)] = phi.incoming()[..] else {
            return None;
        };
        let next = if x == begin { y } else { x };
        if !next.is(Op::LLVMAdd) || !next.is_instruction() || !self.is_exact(next) {
            return None;
        }
        match [next.operand(0), next.operand(1)] {
            [p, step] | [step, p] if p == phi && step != phi => Some((begin, step)),
            _ => None,
        }
    }
}
