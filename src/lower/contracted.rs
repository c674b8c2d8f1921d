//! Sums that are fused with a product of another block: in a version they are that one operation, or round both if the
//! kernel does ([`crate::own::rounding`] says which).
//!
//! ```text
//! p = x * y                          p = x * y
//! if c: s = p + z         ──►        if c: s = fma(x, y, z)
//! else: t = …
//! ```
//! `nvptx-ir-peephole` fuses the two in the kernel, if nobody else takes `p`. In a version somebody may: iterations,
//! parts of a loop or of a grid have sums of their own and one product, and each would be rounded twice. So the sums of
//! a clone are marked before anything is done to it, and fused behind that, wherever their copies are then.

use crate::access::{ROUNDED, ROUNDING, contracted};
use crate::llvm::ir::{Builder, Function, Op, Value};

/// What is said of a version in which a product cannot be told any more.
const LOST: &str = "a product that the kernel fuses with a sum comes to that sum by several ways";

fn instructions(of: Function) -> Vec<Value> {
    let blocks = of.blocks().into_iter();
    blocks.flat_map(|b| b.instructions()).collect()
}

/// Marks the sums of a clone, which nothing was done to: by their places as the kernel's are, or as they stand.
pub fn mark_sums(clone: Function, roundings: Option<&[(usize, u32)]>) {
    let all = instructions(clone);
    let crosses = |sum: Value| contracted(sum).filter(|k| sum.operand(*k).block() != sum.block());
    let as_they_stand = || {
        let of = |(n, sum): (usize, &Value)| Some((n, crosses(*sum)?));
        all.iter().enumerate().filter_map(of).collect::<Vec<_>>()
    };
    let marks = roundings.map_or_else(as_they_stand, <[_]>::to_vec);
    for (n, k) in marks {
        all[n].set_number(clone.module(), ROUNDING, k);
    }
}

/// Fuses, or rounds, what is marked.
pub fn round_marked(version: Function) -> Result<(), String> {
    let (module, b) = (version.module(), Builder::new(version.module()));
    for sum in instructions(version) {
        let Some(k) = sum.number(module, ROUNDING) else {
            continue;
        };
        b.before(sum);
        b.locate_as(sum);
        if k == ROUNDED {
            sum.replace_uses(b.unfused(sum, sum.operand(0), sum.operand(1)));
            sum.erase();
            continue;
        }
        let (product, mut rest) = (sum.operand(k), sum.operand(1 - k));
        if !product.is(Op::LLVMFMul) {
            return Err(LOST.into());
        }
        let [mut x, y] = [0, 1].map(|n| product.operand(n));
        match (sum.is(Op::LLVMFSub), k) {
            (true, 0) => rest = b.fneg(rest),
            (true, _) => x = b.fneg(x),
            (false, _) => {}
        }
        sum.replace_uses(b.fused(x, y, rest).ok_or(LOST)?);
        sum.erase();
        if product.users().is_empty() {
            product.erase();
        }
    }
    Ok(())
}
