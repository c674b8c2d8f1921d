//! How often a loop runs, and what it counts with: numbers from which each lane's first iteration and its last can be
//! worked out.

use super::accumulators::is_in;
use crate::affine::{negated, swapped};
use crate::kernel::{Kernel, ValueId};
use crate::llvm::ir::{Block, Op, Pred, Value};
use crate::machine::target::WARP;

/// What grows by the same in every iteration: a whole number, or an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    pub phi: ValueId,
    /// How much it grows by, as an operand of what it is in the next iteration: a sum, or an address from the last.
    pub step: Operand,
}

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The instruction.
    pub of: ValueId,
    /// Which of its operands.
    pub place: u32,
}

impl Counter {
    /// The counter `phi`, which is `next` in the next iteration; `None`: it is none.
    pub fn of(kernel: &Kernel, blocks: &[Block], phi: Value, next: Value) -> Option<Counter> {
        let fixed = |v: Value| !is_in(blocks, v);
        let step = match next.opcode()? {
            Op::LLVMAdd => {
                let mut both = [(0, 1), (1, 0)].into_iter();
                let is = |(p, s): &(u32, u32)| next.operand(*p) == phi && fixed(next.operand(*s));
                next.ty().int_width().filter(|b| *b <= i64::BITS)?;
                both.find(is)?.1
            }
            Op::LLVMGetElementPtr => {
                let [pointer, by] = next.operands()[..] else {
                    return None;
                };
                (pointer == phi && fixed(by) && by.ty().int_width()? <= i64::BITS).then_some(1)?
            }
            _ => return None,
        };
        let outside = |v: Value| v.users().into_iter().any(|u| !is_in(blocks, u));
        (!outside(phi) && !outside(next)).then(|| Counter {
            phi: kernel.value_id(phi),
            step: Operand {
                of: kernel.value_id(next),
                place: step,
            },
        })
    }
}

/// How often a loop runs that is left at its end: until a number is beyond a limit.
#[derive(Clone, Debug, PartialEq)]
pub struct Trip {
    /// The counter that the number is made of.
    pub phi: ValueId,
    /// By how much the number is more than the counter in the first iteration.
    pub ahead: i64,
    /// Whether it is widened to the limit's width as a signed number, if it is.
    pub signed: bool,
    /// The limit, as an operand of the comparison.
    pub limit: Operand,
    /// The loop goes on while the number is so to the limit: not it, less, greater, or those or it.
    pub goes_on: Pred,
    /// What it grows by.
    pub step: i64,
}

impl Trip {
    /// How often the loop of `blocks` runs, which goes on where `compare` is `wanted`; `None`: that cannot be worked
    /// out before.
    pub fn of(
        kernel: &Kernel,
        blocks: &[Block],
        counters: &[Counter],
        compare: Value,
        wanted: bool,
    ) -> Option<Trip> {
        if !compare.is(Op::LLVMICmp) {
            return None;
        }
        let sides = [(0, 1), (1, 0)].into_iter();
        let mut sides = sides.filter(|(_, limit)| !is_in(blocks, compare.operand(*limit)));
        let (at, limit) = sides.next()?;
        let number = |c| Number::of(kernel, c, compare.operand(at));
        let (counter, number) = counters.iter().find_map(|c| Some((c, number(c)?)))?;
        let p = match at {
            0 => compare.predicate(),
            _ => swapped(compare.predicate()),
        };
        let next = kernel.value(counter.step.of);
        let step = next.operand(counter.step.place).const_int()?;
        let trip = Trip {
            phi: counter.phi,
            ahead: number
                .offset
                .checked_add(if number.is_next { step } else { 0 })?,
            signed: number.widened.unwrap_or(true),
            limit: Operand {
                of: kernel.value_id(compare),
                place: limit,
            },
            goes_on: if wanted { p } else { negated(p) },
            step,
        };
        let wraps_not = |signed: bool| match signed {
            true => next.has_nsw() && number.signed,
            false => next.has_nuw() && number.unsigned,
        };
        let is_wide_as_itself = number.widened.is_none_or(wraps_not);
        (is_wide_as_itself && trip.ends(&wraps_not) && !trip.is_short(kernel)).then_some(trip)
    }

    /// Whether it ends where it is beyond the limit for the first time, before any number comes round: steps of one
    /// meet every number on the way, larger ones, and those that go beyond the limit itself, must be said not to wrap.
    /// (Where they do, the thread would not have had a result either.)
    fn ends(&self, wraps_not: &dyn Fn(bool) -> bool) -> bool {
        use Pred::*;
        let (up, by_one) = (self.step > 0, self.step.abs() == 1);
        let sure = |signed| by_one || wraps_not(signed);
        self.step != 0
            && self.step != i64::MIN
            && match self.goes_on {
                LLVMIntNE => by_one,
                LLVMIntSLT => up && sure(true),
                LLVMIntULT => up && sure(false),
                LLVMIntSLE => up && wraps_not(true),
                LLVMIntULE => up && wraps_not(false),
                LLVMIntSGT => !up && sure(true),
                // A negative step has no flag that says that unsigned numbers do not wrap.
                LLVMIntUGT => !up && by_one,
                LLVMIntSGE => !up && wraps_not(true),
                _ => false,
            }
    }

    /// Whether it is known how many iterations it has.
    pub fn is_known(&self, kernel: &Kernel) -> bool {
        self.known(kernel).is_some()
    }

    /// Whether it is known to have fewer iterations than a warp has lanes.
    fn is_short(&self, kernel: &Kernel) -> bool {
        self.known(kernel).is_some_and(|s| s < u64::from(WARP))
    }

    /// About how many iterations it has, if that is known.
    fn known(&self, kernel: &Kernel) -> Option<u64> {
        let phi = kernel.value(self.phi);
        let mut begins = phi.incoming().into_iter().map(|(v, _)| v.const_int());
        let begin = begins.find_map(|b| b);
        let limit = kernel.value(self.limit.of).operand(self.limit.place);
        let limit = limit.const_int();
        let (begin, limit) = begin.zip(limit)?;
        Some(limit.abs_diff(begin) / self.step.unsigned_abs())
    }
}

/// A number that grows with a counter.
struct Number {
    /// Whether it is made of the next iteration's, and by how much it is more than that.
    is_next: bool,
    offset: i64,
    /// Whether it is said that adding that does not wrap: signed, or unsigned.
    signed: bool,
    unsigned: bool,
    /// Whether it is widened, as a signed number or not.
    widened: Option<bool>,
}

impl Number {
    /// What `v` is, if it is made of `counter`.
    fn of(kernel: &Kernel, counter: &Counter, v: Value) -> Option<Number> {
        let (v, widened) = match v.opcode() {
            Some(Op::LLVMSExt) => (v.operand(0), Some(true)),
            Some(Op::LLVMZExt) => (v.operand(0), Some(false)),
            _ => (v, None),
        };
        v.ty().int_width().filter(|b| matches!(b, 32 | 64))?;
        let is_of = |v: Value| [counter.phi, counter.step.of].map(|c| v == kernel.value(c));
        if let [true, _] | [_, true] = is_of(v) {
            return Some(Number {
                is_next: is_of(v)[1],
                offset: 0,
                signed: true,
                unsigned: true,
                widened,
            });
        }
        // Bits of which none are both do not carry.
        let is_joined = v.is(Op::LLVMOr) && v.has_disjoint();
        let offset = v.operands().get(1).and_then(|o| o.const_int())?;
        let is_sum = is_joined && offset >= 0 || v.is(Op::LLVMAdd);
        let [is_phi, is_next] = is_of(v.operand(0));
        (is_sum && (is_phi || is_next)).then(|| Number {
            is_next,
            offset,
            signed: is_joined || v.has_nsw(),
            unsigned: is_joined || v.has_nuw(),
            widened,
        })
    }
}
