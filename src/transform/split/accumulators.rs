//! Accumulators: what a loop carries from iteration to iteration and only ever combines with something else.
//!
//! ```text
//! s = phi [s0, entry], [s2, latch]      s1 = add s, x      s2 = select c, s1, s        one kind of operation, on every
//! way around once an operand
//! ```
//! Each iteration then makes `s op X` of `s`, whatever way control takes, with an `X` that does not depend on `s`, and
//! `s` on nothing else.

use crate::kernel::{Kernel, ValueId};
use crate::llvm::ir::{Block, Op, Value};
use crate::map::HashSet;

/// An operation on whole numbers of which the order does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A sum; a difference is the sum with what is taken off.
    Add,
    /// A product.
    Mul,
    /// Bits that all have.
    And,
    /// Bits that one has.
    Or,
    /// Bits that an odd number has.
    Xor,
    /// The least, or the greatest, as signed numbers or not.
    Least { signed: bool },
    /// The greatest.
    Greatest { signed: bool },
}

impl Kind {
    /// What an instruction does; `None`: nothing of this sort.
    fn of(i: Value) -> Option<Kind> {
        match i.opcode()? {
            Op::LLVMAdd | Op::LLVMSub => Some(Kind::Add),
            Op::LLVMMul => Some(Kind::Mul),
            Op::LLVMAnd => Some(Kind::And),
            Op::LLVMOr => Some(Kind::Or),
            Op::LLVMXor => Some(Kind::Xor),
            Op::LLVMCall => {
                let name = i.callee_name();
                let kind = name.strip_prefix("llvm.")?.split('.').next()?;
                match kind {
                    "smin" => Some(Kind::Least { signed: true }),
                    "umin" => Some(Kind::Least { signed: false }),
                    "smax" => Some(Kind::Greatest { signed: true }),
                    "umax" => Some(Kind::Greatest { signed: false }),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The name of the intrinsic that does it, where it is no instruction.
    pub fn intrinsic(self) -> Option<&'static str> {
        match self {
            Kind::Least { signed: true } => Some("llvm.smin"),
            Kind::Least { signed: false } => Some("llvm.umin"),
            Kind::Greatest { signed: true } => Some("llvm.smax"),
            Kind::Greatest { signed: false } => Some("llvm.umax"),
            _ => None,
        }
    }

    /// What changes nothing, as a number of `bits`.
    pub fn neutral(self, bits: u32) -> i64 {
        let least = i64::MIN >> (i64::BITS - bits);
        match self {
            Kind::Add | Kind::Or | Kind::Xor | Kind::Greatest { signed: false } => 0,
            Kind::Mul => 1,
            Kind::And | Kind::Least { signed: false } => -1,
            Kind::Least { signed: true } => !least,
            Kind::Greatest { signed: true } => least,
        }
    }
}

/// An accumulator of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accumulator {
    pub kind: Kind,
    /// What it is at an iteration's begin, and at its end.
    pub phi: ValueId,
    pub next: ValueId,
    /// The operations, whose flags hold in the thread's order alone.
    pub operations: Vec<ValueId>,
}

impl Accumulator {
    /// What `phi`, at the head of the loop of `blocks`, accumulates, of which `next` is what an iteration leaves;
    /// `None`: it is something else.
    pub fn of(kernel: &Kernel, blocks: &[Block], phi: Value, next: Value) -> Option<Accumulator> {
        let bits = phi.ty().int_width().filter(|b| *b <= i64::BITS)?;
        let (mut parts, mut work) = (HashSet::from_iter([phi]), vec![phi]);
        let (mut kind, mut operations) = (None, Vec::new());
        while let Some(v) = work.pop() {
            for user in v.users() {
                let is_left = !is_in(blocks, user);
                if is_left && v != next {
                    return None;
                }
                if is_left || !parts.insert(user) {
                    continue;
                }
                work.push(user);
                if matches!(user.opcode(), Some(Op::LLVMPHI | Op::LLVMSelect)) {
                    continue;
                }
                let mine = Kind::of(user)?;
                if *kind.get_or_insert(mine) != mine || user.ty().int_width() != Some(bits) {
                    return None;
                }
                operations.push(user);
            }
        }
        let is_part = |v: &Value| parts.contains(v);
        let all_take = parts.iter().all(|v| *v == phi || takes_one(*v, &is_part));
        let is_one = all_take && next != phi && is_part(&next);
        // Every way around leads through a part.
        let mut operations: Vec<ValueId> = operations.iter().map(|v| kernel.value_id(*v)).collect();
        operations.sort();
        Some(Accumulator {
            kind: kind.filter(|_| is_one)?,
            phi: kernel.value_id(phi),
            next: kernel.value_id(next),
            operations,
        })
    }
}

/// Whether a value is made in one of `blocks`.
pub fn is_in(blocks: &[Block], v: Value) -> bool {
    v.block().is_some_and(|b| blocks.contains(&b))
}

/// Whether `v` takes the accumulator once on every way, and does not decide by it.
fn takes_one(v: Value, is_part: &dyn Fn(&Value) -> bool) -> bool {
    match v.opcode() {
        Some(Op::LLVMPHI) => v.incoming().iter().all(|(x, _)| is_part(x)),
        Some(Op::LLVMSelect) => {
            !is_part(&v.operand(0)) && is_part(&v.operand(1)) && is_part(&v.operand(2))
        }
        Some(Op::LLVMSub) => is_part(&v.operand(0)) && !is_part(&v.operand(1)),
        Some(_) => is_part(&v.operand(0)) != is_part(&v.operand(1)),
        None => false,
    }
}
