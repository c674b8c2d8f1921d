//! What an iteration does with what it carries on to the next, in the thread's order: the loop's recurrence, taken from
//! the rest of the iteration, as in loop distribution.
//!
//! ```text
//! d = x[k] - xi;  f = 1 / (d*d + e)        of the counter alone: a lane's own work
//! s = s + f*d;  most = d > most ? d : most    of what is carried: steps, one iteration after the other
//! ```
//! Steps are all that is worked out from what is carried, and products that the back end fuses into their sums. What
//! they take of the iteration besides are inputs. No branch looks at what is carried, so that steps under a branch can
//! be done in any case, and a choice be made of them where ways meet.

use super::accumulators::is_in;
use crate::access;
use crate::kernel::{Kernel, ValueId, ids};
use crate::llvm::ir::{Block, Kind, Op, Type, Value};
use crate::machine::tuning::split::MOST_STEPS;

/// Bytes of a word, as which the number of a way is left.
const WORD: u32 = 4;

/// The part of a loop that keeps its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Serial {
    /// What is carried.
    pub carried: Vec<Carried>,
    /// The steps of an iteration, each behind those that it takes.
    pub steps: Vec<ValueId>,
    /// What they take of the iteration's own work.
    pub inputs: Vec<ValueId>,
    /// Bytes in which a lane leaves that for all others: its inputs, and by which ways it came to steps where ways
    /// meet.
    pub bytes: u32,
}

/// A value that goes from iteration to iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// What it is at an iteration's begin, and at its end.
    pub phi: ValueId,
    pub next: ValueId,
}

impl Serial {
    /// The steps of the loop of `blocks`, some of them of `inner` loops, that carries `carried`, each with what an
    /// iteration leaves; `None`: they decide about the iteration, are more than steps, come again in an inner loop, or
    /// may be fused in another way.
    pub fn of(
        kernel: &Kernel,
        (blocks, inner): (&[Block], &[Block]),
        carried: &[(Value, Value)],
    ) -> Option<Serial> {
        let begins: Vec<Value> = carried.iter().map(|c| c.0).collect();
        let nexts: Vec<Value> = carried.iter().map(|c| c.1).collect();
        let mut found = dependents(blocks, &begins, &nexts)?;
        if found.iter().any(|v| is_in(inner, *v)) {
            return None;
        }
        for sum in found.clone() {
            if matches!(sum.opcode(), Some(Op::LLVMFAdd | Op::LLVMFSub)) {
                pull_products(blocks, sum, &begins, &mut found)?;
            }
        }
        let (mut steps, mut open) = (Vec::new(), Vec::new());
        for next in &nexts {
            order(*next, &found, &mut open, &mut steps)?;
        }
        let is_input = |v: &Value| {
            is_in(blocks, *v) && !begins.contains(v) && !found.contains(v) && v.is_instruction()
        };
        let mut inputs: Vec<Value> = Vec::new();
        for v in steps.iter().flat_map(|s| s.operands()).filter(is_input) {
            if !inputs.contains(&v) {
                inputs.push(v);
            }
        }
        let mut meets: Vec<Block> = Vec::new();
        for block in steps.iter().filter(|s| s.is(Op::LLVMPHI)) {
            meets.extend(block.block().filter(|b| !meets.contains(b)));
        }
        let taken: u32 = inputs.iter().map(|v| size_of(v.ty())).sum();
        let bytes = taken + WORD * meets.len() as u32;
        let can_be = inputs.iter().all(|v| is_handed_on(v.ty()))
            && nexts.iter().all(|v| found.contains(v))
            && steps.len() + bytes.div_ceil(WORD) as usize <= MOST_STEPS;
        let id = |v: &Value| kernel.value_id(*v);
        can_be.then(|| Serial {
            carried: carried
                .iter()
                .map(|(phi, next)| Carried {
                    phi: id(phi),
                    next: id(next),
                })
                .collect(),
            steps: steps.iter().map(id).collect(),
            inputs: inputs.iter().map(id).collect(),
            bytes,
        })
    }
}

/// All of an iteration that is worked out from what it begins with; `None`: some of it is no step.
fn dependents(blocks: &[Block], begins: &[Value], nexts: &[Value]) -> Option<Vec<Value>> {
    let (mut found, mut work) = (Vec::new(), begins.to_vec());
    while let Some(v) = work.pop() {
        for user in v.users() {
            if !is_in(blocks, user) {
                if nexts.contains(&v) {
                    continue;
                }
                return None;
            }
            if begins.contains(&user) || found.contains(&user) {
                continue;
            }
            if !is_step(user) {
                return None;
            }
            found.push(user);
            work.push(user);
        }
    }
    Some(found)
}

/// Whether it may be done in any case, to numbers.
fn is_step(v: Value) -> bool {
    let one_way_each = |v: Value| {
        let incoming = v.incoming();
        let from = |k: usize| incoming[k].1;
        (0..incoming.len()).all(|k| (0..k).all(|j| from(j) != from(k)))
    };
    let allowed = match v.opcode() {
        Some(Op::LLVMPHI) => one_way_each(v),
        Some(Op::LLVMCall) => v.is_pure_call() && ids::register(v).is_none(),
        Some(_) => ids::is_speculatable(v),
        None => false,
    };
    allowed && is_handed_on(v.ty())
}

/// Takes the products that a sum adds up among its steps: the back end fuses them there, also one that is stored
/// besides, as it asks for no more than that both stand in one block (`enableAggressiveFMAFusion`). `None`: it may fuse
/// one that others take, too, or that comes by ways that meet.
fn pull_products(
    blocks: &[Block],
    sum: Value,
    begins: &[Value],
    found: &mut Vec<Value>,
) -> Option<()> {
    // Of two products that meet in a sum the back end fuses one.
    let addends = sum.operands().into_iter();
    if addends.filter(|o| access::may_be_product(*o, sum)).count() > 1 {
        return None;
    }
    for mut v in sum.operands() {
        let mut taker = sum;
        let is_own = |v| is_in(blocks, v) && !begins.contains(&v);
        while is_own(v) && !found.contains(&v) && access::may_be_product(v, sum) {
            let is_factor = matches!(v.opcode(), Some(Op::LLVMFMul | Op::LLVMFNeg));
            let takers = v.users().into_iter().filter(|u| !u.is(Op::LLVMStore));
            if !is_factor || takers.count() != 1 || v.block() != taker.block() {
                return None;
            }
            found.push(v);
            if v.is(Op::LLVMFMul) {
                break;
            }
            (taker, v) = (v, v.operand(0));
        }
    }
    Some(())
}

/// Adds a step behind those that it takes. `open`: steps that wait for this one. `None`: one of these is taken, in a
/// loop that is left from several places, say, and is no nest.
fn order(v: Value, found: &[Value], open: &mut Vec<Value>, steps: &mut Vec<Value>) -> Option<()> {
    if !found.contains(&v) || steps.contains(&v) {
        return Some(());
    }
    if open.contains(&v) {
        return None;
    }
    open.push(v);
    for o in v.operands() {
        order(o, found, open, steps)?;
    }
    open.pop();
    steps.push(v);
    Some(())
}

/// Whether a value of that type can be taken from another lane.
pub fn is_handed_on(ty: Type) -> bool {
    ty.int_width()
        .is_some_and(|b| matches!(b, 1 | 8 | 16 | 32 | 64))
        || matches!(
            ty.kind(),
            Kind::LLVMFloatTypeKind | Kind::LLVMDoubleTypeKind | Kind::LLVMHalfTypeKind
        )
}

/// Bytes that a value takes where lanes leave it.
pub fn size_of(ty: Type) -> u32 {
    match ty.kind() {
        Kind::LLVMDoubleTypeKind => 8,
        Kind::LLVMHalfTypeKind => 2,
        _ => match ty.int_width() {
            Some(bits @ (8 | 16 | 64)) => bits / 8,
            _ => WORD,
        },
    }
}
