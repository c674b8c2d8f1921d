//! Which kernels take their threads' numbers apart. Idea and soundness: [`super`].

use super::plan::FlatBlock;
use crate::kernel::ids::{self, Register, register};
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::{Op, Value};
use crate::machine::target::BLOCK_THREADS;
use crate::plan::{self, Analyses};

/// How a kernel's flat blocks are blocks of rows; `None`: they are not, or may not be.
pub fn find(f: &Analyses) -> Option<FlatBlock> {
    let flat = ids_of(f.kernel)?.0;
    plan::may_be_redistributed(f).then_some(flat)
}

/// Bits of a thread's number.
const NUMBER_BITS: u32 = BLOCK_THREADS.ilog2();

/// An id that is made of a part of the thread's number.
pub(super) struct Id {
    /// The sum.
    pub sum: Value,
    /// Whether the part is the remainder.
    pub is_column: bool,
}

/// A part of the thread's number.
#[derive(Clone, Copy)]
struct Part {
    value: Value,
    by: i64,
    is_remainder: bool,
}

/// A block's number, so many times.
#[derive(Clone, Copy, PartialEq)]
struct Multiple {
    value: Value,
    axis: Dim,
    times: i64,
}

/// What a kernel makes of where its threads are.
#[derive(Default)]
struct Made {
    parts: Vec<Part>,
    multiples: Vec<Multiple>,
}

/// What the blocks are, and all ids, if the kernel asks for nothing else of where it is but a layer.
pub(super) fn ids_of(kernel: &Kernel) -> Option<(FlatBlock, Vec<Id>)> {
    let Made { parts, multiples } = made(kernel)?;
    let mut all = Vec::new();
    let mut of = [None; 2];
    for p in &parts {
        for sum in users(p.value).into_iter().filter(|u| !is_subtracted(*u)) {
            let m = multiples.iter().find(|m| is_sum(sum, p.value, **m))?;
            let known = of[usize::from(p.is_remainder)].get_or_insert((p.by, m.axis, m.times));
            if *known != (p.by, m.axis, m.times) {
                return None;
            }
            let is_column = p.is_remainder;
            all.push(Id { sum, is_column });
        }
    }
    let is_id = |v: &Value| all.iter().any(|id| id.sum == *v);
    let is_used_up = multiples.iter().all(|m| users(m.value).iter().all(is_id));
    let [(by, of_rows, rows), (columns, of_columns, each)] = [of[0]?, of[1]?];
    let threads = columns.checked_mul(rows)?;
    let is_block = by == columns
        && each == columns
        && of_rows != of_columns
        && columns > 1
        && rows > 1
        && threads <= i64::from(BLOCK_THREADS);
    let flat = FlatBlock {
        columns: u32::try_from(columns).ok()?,
        rows: u32::try_from(rows).ok()?,
        of_columns,
        of_rows,
    };
    (is_block && is_used_up).then_some((flat, all))
}

/// Parts of the threads' numbers and multiples of the blocks', if nothing else is made of either.
fn made(kernel: &Kernel) -> Option<Made> {
    let mut made = Made::default();
    for read in kernel.blocks.iter().flat_map(|b| b.instructions()) {
        match register(read) {
            None | Some((Register::Ctaid, Dim::Z)) => {}
            Some((Register::Tid, Dim::X)) => {
                for user in users_of_thread(read) {
                    made.parts.push(part(user)?);
                }
            }
            Some((Register::Ctaid, axis)) => {
                for value in users(read) {
                    let times = times(value)?;
                    made.multiples.push(Multiple { value, axis, times });
                }
            }
            Some(_) => return None,
        }
    }
    Some(made)
}

/// What uses a number, however wide it is.
fn users(v: Value) -> Vec<Value> {
    let each = v.users().into_iter().flat_map(|u| match u.opcode() {
        Some(Op::LLVMZExt | Op::LLVMSExt) => users(u),
        _ => vec![u],
    });
    each.collect()
}

/// What uses a thread's number, in as few bits as hold it.
fn users_of_thread(v: Value) -> Vec<Value> {
    let holds = |u: Value| u.ty().int_width().is_some_and(|w| w > NUMBER_BITS);
    let each = users(v).into_iter().flat_map(|u| match u.opcode() {
        Some(Op::LLVMTrunc) if holds(u) => users_of_thread(u),
        _ => vec![u],
    });
    each.collect()
}

/// The constant by which an instruction changes its first operand.
fn constant(value: Value) -> Option<i64> {
    match value.operands()[..] {
        [_, by] => by.const_int(),
        _ => None,
    }
}

/// The part of its first operand that an instruction is.
fn part(value: Value) -> Option<Part> {
    if let Some(by) = remainder(value) {
        let is_remainder = true;
        return Some(Part {
            value,
            by,
            is_remainder,
        });
    }
    let k = constant(value)?;
    let (by, is_remainder) = match value.opcode()? {
        Op::LLVMUDiv | Op::LLVMSDiv => (k, false),
        Op::LLVMURem | Op::LLVMSRem => (k, true),
        Op::LLVMLShr | Op::LLVMAShr => (1i64.checked_shl(k.try_into().ok()?)?, false),
        Op::LLVMAnd => (k.checked_add(1).filter(|n| n.count_ones() == 1)?, true),
        _ => return None,
    };
    Some(Part {
        value,
        by,
        is_remainder,
    })
}

/// By what a difference is its first operand's remainder, as LLVM writes one where there is the quotient, too.
fn remainder(value: Value) -> Option<i64> {
    let [of, whole] = value.operands()[..] else {
        return None;
    };
    let is_difference = value.opcode() == Some(Op::LLVMSub) && whole.opcode() == Some(Op::LLVMMul);
    let quotient = part(is_difference.then(|| whole.operand(0))?)?;
    let is_it = !quotient.is_remainder
        && quotient.value.operand(0) == of
        && constant(whole) == Some(quotient.by);
    is_it.then_some(quotient.by)
}

/// Whether a quotient's multiple is only taken off to have remainders.
fn is_subtracted(multiple: Value) -> bool {
    let users = multiple.users();
    let is_it = |u: Value| remainder(u).is_some() && u.operand(1) == multiple;
    multiple.opcode() == Some(Op::LLVMMul) && !users.is_empty() && users.into_iter().all(is_it)
}

/// How many times its first operand an instruction is.
fn times(value: Value) -> Option<i64> {
    let k = constant(value)?;
    match value.opcode()? {
        Op::LLVMMul => Some(k),
        Op::LLVMShl => 1i64.checked_shl(k.try_into().ok()?),
        _ => None,
    }
}

/// Whether `sum` is a part and a multiple of the block's number. `or` adds where the multiple is one of a power of two
/// that the part is below, in launches that are served.
fn is_sum(sum: Value, part: Value, multiple: Multiple) -> bool {
    let adds = match sum.opcode() {
        Some(Op::LLVMAdd) => true,
        Some(Op::LLVMOr) => multiple.times.count_ones() == 1,
        _ => false,
    };
    let of = |i: u32| ids::unextended(sum.operand(i));
    let both = |(i, j): (u32, u32)| of(i) == part && of(j) == multiple.value;
    adds && [(0, 1), (1, 0)].into_iter().any(both)
}
