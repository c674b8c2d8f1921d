//! Products that LLVM has torn from their sums.
//!
//! ```text
//! s = fma(a, b, fma(c, d, s))        p = <a, c> * <b, d>;  s = (s + p.y) + p.x
//! ```
//! Behind the plug-in LLVM packs pairs of numbers where the chip has instructions for them: of floats from sm_100. A
//! product that is packed by itself is no longer fused with the sum that takes it. What is packed hangs on what is
//! loaded side by side, so it may be another thing in a staged body than in the original.
//!
//! Conservative: a pair of which an element may reach a sum by any way but whole, through memory left out.

use crate::llvm::ir::{Function, Op, Value};
use crate::map::HashSet;

/// Whether a kernel has a product that was torn from a sum, in any of its bodies.
pub(super) fn is_torn(f: Function) -> bool {
    let mut all = f.blocks().into_iter().flat_map(|b| b.instructions());
    all.any(|i| match i.opcode() {
        Some(Op::LLVMFMul) if i.ty().is_vector() => reaches_sum(i, &mut HashSet::default()),
        // Which of two is fused hangs on their uses.
        Some(Op::LLVMFAdd | Op::LLVMFSub) if i.ty().is_vector() => {
            let operands = i.operands();
            operands.iter().all(|o| o.is(Op::LLVMFMul))
                || operands.iter().any(|o| is_made_of_products(*o))
        }
        _ => false,
    })
}

/// Whether a sum takes `v`, but not as it is.
fn reaches_sum(v: Value, seen: &mut HashSet<Value>) -> bool {
    v.users().into_iter().any(|u| {
        let on = matches!(
            u.opcode(),
            Some(
                Op::LLVMExtractElement
                    | Op::LLVMInsertElement
                    | Op::LLVMShuffleVector
                    | Op::LLVMPHI
                    | Op::LLVMSelect
                    | Op::LLVMFNeg
            )
        );
        on && seen.insert(u) && (u.users().into_iter().any(is_sum) || reaches_sum(u, seen))
    })
}

fn is_sum(v: Value) -> bool {
    matches!(v.opcode(), Some(Op::LLVMFAdd | Op::LLVMFSub))
}

/// Whether a vector is put together of numbers of which some are products.
fn is_made_of_products(mut v: Value) -> bool {
    while v.is(Op::LLVMInsertElement) {
        if v.operand(1).is(Op::LLVMFMul) {
            return true;
        }
        v = v.operand(0);
    }
    false
}
