//! Loops that carry a product into the next iteration's sum.
//!
//! ```text
//! for k: s = (s + x[k]) * w        the product of one iteration is an addend of the next
//! ```
//! The back end fuses a multiplication and an addition that stand in one block. Inside one
//! iteration a copy of the body fuses as the original does, but whether the product of one
//! iteration meets the sum of the next in one block depends on how far the loop is unrolled, and
//! a strip is unrolled further than the original. Such loops keep their original body, or the
//! last bit of a result could differ.
//!
//! Conservative: a loop that LLVM would not unroll is refused too.

use crate::kernel::Kernel;
use crate::llvm::ir::{Op, Value};
use crate::tree::{LoopId, Tree};
use std::collections::HashSet;

/// Loops with a product carried into a sum, in loop order.
pub fn collect_fusing_loops(kernel: &Kernel, tree: &Tree) -> Vec<LoopId> {
    let carries = |l: &LoopId| {
        let loop_ = tree.loop_(*l);
        let latch = kernel.block(loop_.latch);
        kernel.block(loop_.header).phis().into_iter().any(|phi| {
            let next = phi.incoming_from(latch);
            next.is_some_and(|v| is_product(v, phi, &mut HashSet::new()))
                && reaches_sum(phi, &mut HashSet::new())
        })
    };
    (0..tree.loops.len() as u32)
        .map(LoopId)
        .filter(carries)
        .collect()
}

/// Whether `v` may be a product that can fuse, through phis, selects and negations. The loop's own
/// phi does not count: it holds what came before.
fn is_product(v: Value, phi: Value, seen: &mut HashSet<Value>) -> bool {
    if v == phi || !seen.insert(v) {
        return false;
    }
    match v.opcode() {
        Some(Op::LLVMFMul) => v.may_contract(),
        Some(Op::LLVMPHI) => v
            .incoming()
            .into_iter()
            .any(|(x, _)| is_product(x, phi, seen)),
        Some(Op::LLVMSelect) => {
            is_product(v.operand(1), phi, seen) || is_product(v.operand(2), phi, seen)
        }
        Some(Op::LLVMFNeg) => is_product(v.operand(0), phi, seen),
        _ => false,
    }
}

/// Whether a sum that can fuse takes `v`, through phis, selects and negations.
fn reaches_sum(v: Value, seen: &mut HashSet<Value>) -> bool {
    if !seen.insert(v) {
        return false;
    }
    v.users().into_iter().any(|u| match u.opcode() {
        Some(Op::LLVMFAdd | Op::LLVMFSub) => u.may_contract(),
        Some(Op::LLVMPHI | Op::LLVMSelect | Op::LLVMFNeg) => reaches_sum(u, seen),
        _ => false,
    })
}
