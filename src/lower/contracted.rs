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

/// Marks the sums of a clone, which nothing was done to: by their places as the kernel's are, or as they stand.
pub fn mark_sums(clone: Function, roundings: Option<&[(usize, u32)]>) {
    let all = clone.instructions();
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

/// The sum or difference `sum` of the product of `x` and `y`, its first operand or its second, and of `rest`, as one
/// operation. `None`: its type has none.
pub(super) fn fuse(
    b: &Builder,
    (sum, is_first): (Value, bool),
    parts: [Value; 3],
) -> Option<Value> {
    let [mut x, y, mut rest] = parts;
    match (sum.is(Op::LLVMFSub), is_first) {
        (true, true) => rest = b.fneg(rest),
        (true, false) => x = b.fneg(x),
        (false, _) => {}
    }
    b.fused(x, y, rest)
}

/// Fuses, or rounds, what is marked.
pub fn round_marked(version: Function) -> Result<(), String> {
    let (module, b) = (version.module(), Builder::new(version.module()));
    for sum in version.instructions() {
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
        let (product, rest) = (sum.operand(k), sum.operand(1 - k));
        if !product.is(Op::LLVMFMul) {
            return Err(LOST.into());
        }
        let [x, y] = [0, 1].map(|n| product.operand(n));
        sum.replace_uses(fuse(&b, (sum, k == 0), [x, y, rest]).ok_or(LOST)?);
        sum.erase();
        if product.users().is_empty() {
            product.erase();
        }
    }
    Ok(())
}
