//! How far apart the cells of two iterations in a row lie.

use crate::llvm::ir::{Block, Op, Value};

/// A loop that nothing goes round in but a counter.
pub(super) struct Body {
    /// Its blocks, each behind those that lead to it: the first is entered, the last is left.
    pub(super) blocks: Vec<Block>,
    pub(super) counter: Value,
}

impl Body {
    /// The block that is entered.
    pub(super) fn header(&self) -> Block {
        self.blocks[0]
    }

    /// The block that is left.
    pub(super) fn latch(&self) -> Block {
        self.blocks[self.blocks.len() - 1]
    }

    /// All that it does.
    pub(super) fn instructions(&self) -> impl Iterator<Item = Value> {
        self.blocks.iter().flat_map(|b| b.instructions())
    }

    /// Whether it makes a value.
    pub(super) fn has(&self, v: Value) -> bool {
        v.block().is_some_and(|b| self.blocks.contains(&b))
    }

    /// How much a value grows from iteration to iteration, in units or bytes; `None`: that is not known, it shrinks, or
    /// it hangs on what the loop loads or decides. Where the machine's number is narrower than the sum it may wrap,
    /// always back: from the first to the last iteration it then grows by less.
    pub(super) fn growth(&self, v: Value) -> Option<i64> {
        if v == self.counter {
            return Some(1);
        }
        if !self.has(v) {
            return Some(0);
        }
        let of = |k: u32| self.growth(v.operand(k));
        let sum = |a: i64, b: i64| a.checked_add(b);
        match v.opcode()? {
            Op::LLVMSExt | Op::LLVMZExt | Op::LLVMAddrSpaceCast => of(0),
            Op::LLVMAdd => sum(of(0)?, of(1)?),
            Op::LLVMOr if v.has_disjoint() => sum(of(0)?, of(1)?),
            Op::LLVMSub if of(1)? == 0 => of(0),
            Op::LLVMMul => match (v.operand(1).const_int(), of(0)?) {
                (Some(by), each) if by > 0 => each.checked_mul(by),
                (None, 0) if of(1)? == 0 => Some(0),
                _ => None,
            },
            Op::LLVMShl => match (v.operand(1).const_int(), of(0)?) {
                (Some(by @ 0..=62), each) => each.checked_mul(1 << by),
                _ => None,
            },
            Op::LLVMGetElementPtr => {
                let (_, steps) = v.gep_steps(self.header().function().module())?;
                steps.into_iter().try_fold(of(0)?, |so_far, (k, bytes)| {
                    let more = of(k)?.checked_mul(bytes)?;
                    (more >= 0).then_some(())?;
                    sum(so_far, more)
                })
            }
            _ => None,
        }
    }
}
