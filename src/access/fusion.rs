//! Loops that carry a product into the next iteration's sum.
//!
//! ```text
//! for k: s = (s + x[k]) * w        the product of one iteration is an addend of the next
//! ```
//! The back end fuses a multiplication and an addition that stand in one block, whether or not they have the flag
//! `contract`: clang tells it so for all CUDA code, by an option that no pass can see (`-ffp-contract=fast`, its
//! default). So do what libdevice ends with (`expf` is a product without the flag) and what `#pragma clang fp
//! contract(off)` is about. Inside one iteration a copy of the body fuses as the original does, but whether the product
//! of one iteration meets the sum of the next in one block depends on how far the loop is unrolled, and a strip is
//! unrolled further than the original. Such loops keep their original body, or the last bit of a result could differ.
//!
//! Conservative: a loop that LLVM would not unroll is refused too, and so is one for which the back end was told to
//! fuse nothing, or only what has the flag.

use crate::kernel::Kernel;
use crate::llvm::ir::{Block, Kind, Op, Value};
use crate::map::HashSet;
use crate::tree::{LoopId, Tree};

/// Loops with a product carried into a sum, in loop order.
pub fn collect_fusing_loops(kernel: &Kernel, tree: &Tree) -> Vec<LoopId> {
    let carries = |l: &LoopId| {
        let loop_ = tree.loop_(*l);
        let latch = kernel.block(loop_.latch);
        kernel.block(loop_.header).phis().into_iter().any(|phi| {
            let next = phi.incoming_from(latch);
            next.is_some_and(|v| is_product(v, phi, &mut HashSet::default())) && reaches_sum(phi)
        })
    };
    tree.loop_ids().filter(carries).collect()
}

/// The metadata of a sum of a clone: what becomes of it in the kernel.
pub const ROUNDING: &str = "mesi.rounding";
/// That it is fused with no product of another block.
pub const ROUNDED: u32 = 2;

/// Which operand of a sum is a product that is fused with it wherever the two stand. Of a clone's sum: as it is marked,
/// if it is. Of others: a product of `float` or `double` that nobody else takes, if both have the flag `contract`
/// (`nvptx-ir-peephole`), the first such operand; or one that only such sums take, of no other product (ptxas).
pub fn contracted(sum: Value) -> Option<u32> {
    if !is_contractible_sum(sum) {
        return None;
    }
    let module = sum.block().map(|b| b.function().module());
    if let Some(mark) = module.and_then(|m| sum.number(m, ROUNDING)) {
        return (mark != ROUNDED).then_some(mark);
    }
    let is_product = |k: u32| sum.operand(k).is(Op::LLVMFMul) && sum.operand(k).may_contract();
    let is_one = |k: &u32| is_product(*k) && sum.operand(*k).users().len() == 1;
    let is_of_one = |u: Value| {
        [0, 1]
            .into_iter()
            .filter(|k| u.operand(*k).is(Op::LLVMFMul))
            .count()
            == 1
    };
    let is_of_sums = |k: &u32| {
        let takers = || sum.operand(*k).users().into_iter();
        is_product(*k) && takers().all(|u| is_contractible_sum(u) && is_of_one(u))
    };
    let operands = || [0, 1].into_iter();
    operands()
        .find(is_one)
        .or_else(|| operands().find(is_of_sums))
}

/// Whether it is a sum of `float` or `double` with the flag `contract`.
fn is_contractible_sum(i: Value) -> bool {
    let is_real = || {
        matches!(
            i.ty().kind(),
            Kind::LLVMFloatTypeKind | Kind::LLVMDoubleTypeKind
        )
    };
    matches!(i.opcode(), Some(Op::LLVMFAdd | Op::LLVMFSub)) && i.may_contract() && is_real()
}

/// The product that the back end fuses with a sum where both are as they stand: one that nobody else takes, or of its
/// block the one with fewer uses, the first if they are even. Negations of a product do not count as its uses.
pub fn fused_with(sum: Value) -> Option<Value> {
    if let Some(k) = contracted(sum) {
        return Some(sum.operand(k));
    }
    let here = |v: Value| v.is(Op::LLVMFMul) && v.block() == sum.block();
    let of = |k: u32| Some(through_sign(sum.operand(k))).filter(|v| here(*v));
    match (of(0), of(1)) {
        (Some(a), Some(b)) if a.users().len() > b.users().len() => Some(b),
        (a, b) => a.or(b),
    }
}

/// The operand of a negation, which does not keep products from fusing; else the value itself.
pub fn through_sign(v: Value) -> Value {
    if v.is(Op::LLVMFNeg) { v.operand(0) } else { v }
}

/// Whether the back end fuses a product with a sum of another block: there its factors are asked for.
pub fn is_contracted_elsewhere(product: Value) -> bool {
    let users = product.users();
    let taken = |sum: &Value| contracted(*sum).is_some_and(|k| sum.operand(k) == product);
    product.is(Op::LLVMFMul)
        && users
            .iter()
            .any(|s| s.block() != product.block() && taken(s))
}

/// Whether a product or sum may come to stand beside what it could be fused with, in whichever block that is now.
pub fn may_fuse(i: Value) -> bool {
    let mut seen = HashSet::default();
    match i.opcode() {
        Some(Op::LLVMFMul) => reaches_sum(i),
        Some(Op::LLVMFAdd | Op::LLVMFSub) => {
            let mut both = i.operands().into_iter();
            both.any(|o| is_product(o, i, &mut seen))
        }
        _ => false,
    }
}

/// Whether an addend of `sum` may be a product, through phis, selects and negations.
pub fn may_be_product(addend: Value, sum: Value) -> bool {
    is_product(addend, sum, &mut HashSet::default())
}

/// Whether a product may be in a value, by itself or as a part: were it stored, and put in the place of what is loaded
/// again, the back end could fuse it with a sum.
pub fn holds_product(v: Value) -> bool {
    use Op::{LLVMBitCast, LLVMExtractElement, LLVMFMul, LLVMFNeg, LLVMInsertElement};
    use Op::{LLVMPHI, LLVMSelect, LLVMShuffleVector};
    let (mut seen, mut work) = (HashSet::default(), vec![v]);
    while let Some(v) = work.pop() {
        match v.opcode() {
            Some(LLVMFMul) => return true,
            Some(
                LLVMPHI | LLVMSelect | LLVMFNeg | LLVMBitCast | LLVMInsertElement
                | LLVMExtractElement | LLVMShuffleVector,
            ) if seen.insert(v) => work.extend(v.operands()),
            _ => {}
        }
    }
    false
}

/// Whether some product is added to in another block than its own, where the back end does not fuse the two. Where
/// blocks become one that the original keeps apart, it would. A copy that rounds such products by themselves would not
/// do either: of what is in two blocks here LLVM may yet make one in the original.
pub fn crosses_blocks(kernel: &Kernel) -> bool {
    let all = kernel.blocks.iter().flat_map(|b| b.instructions());
    let mut products = all.filter(|i| i.is(Op::LLVMFMul));
    products.any(|p| sums_of(p).into_iter().any(|s| s.block() != p.block()))
}

/// Whether LLVM may take some product that is added to out of the phi that it is of, as a constant comes to that, too:
///
/// ```text
/// s = phi [0, entry], [sum, loop];  s * 2 + c * 3    ──►    s = phi [0, entry], [sum * 2, loop];  s + c * 3
/// ```
/// The back end then fuses the other product, with another last bit. LLVM does so where but one way brings no constant,
/// so a copy to whose phis fewer ways lead than to the original's may differ (seen on a GPU).
pub fn scales_join(kernel: &Kernel) -> bool {
    let is_taken_out = |product: &Value| {
        let [a, b] = [0, 1].map(|n| product.operand(n));
        let of = |phi: Value, other: Value| {
            let mut constants = joined(phi).into_iter().filter(|v| v.is_constant());
            // One times whatever is that.
            constants.any(|v| other.is_constant() || !v.is_null())
        };
        of(a, b) || of(b, a)
    };
    let all = kernel.blocks.iter().flat_map(|b| b.instructions());
    let mut products = all.filter(|i| i.is(Op::LLVMFMul));
    products.any(|p| is_taken_out(&p) && reaches_sum(p))
}

/// The products that stand in one block with a sum that takes them, and with one of `between` in between: were the
/// block cut there, they could not be fused.
pub fn crossing(kernel: &Kernel, between: &[Value]) -> Vec<Value> {
    let of_block = |b: &Block| {
        let all = b.instructions();
        let at = |v: &Value| all.iter().position(|i| i == v);
        let cuts: Vec<usize> = between.iter().filter_map(at).collect();
        let is_cut = |p: usize, s: usize| cuts.iter().any(|c| p < *c && *c < s);
        let products = all.iter().enumerate().filter(|(_, i)| i.is(Op::LLVMFMul));
        let cut = products.filter(|(p, i)| {
            let mut sums = sums_of(**i).into_iter().filter_map(|s| at(&s));
            sums.any(|s| is_cut(*p, s))
        });
        cut.map(|(_, i)| *i).collect::<Vec<_>>()
    };
    kernel.blocks.iter().flat_map(of_block).collect()
}

/// What a phi joins, straight or by other phis; none if it is none.
fn joined(phi: Value) -> Vec<Value> {
    let (mut seen, mut all, mut work) = (HashSet::default(), Vec::new(), vec![phi]);
    while let Some(v) = work.pop() {
        match v.is(Op::LLVMPHI) {
            true if seen.insert(v) => work.extend(v.incoming().into_iter().map(|(v, _)| v)),
            true => {}
            false => all.push(v),
        }
    }
    all.retain(|v| *v != phi);
    all
}

/// Whether a sum takes `v`, through phis, selects and negations.
fn reaches_sum(v: Value) -> bool {
    !sums_of(v).is_empty()
}

/// The sums that do.
fn sums_of(v: Value) -> Vec<Value> {
    let (mut seen, mut sums, mut work) = (HashSet::default(), Vec::new(), vec![v]);
    while let Some(v) = work.pop() {
        if !seen.insert(v) {
            continue;
        }
        for u in v.users() {
            match u.opcode() {
                Some(Op::LLVMFAdd | Op::LLVMFSub) => sums.push(u),
                Some(Op::LLVMPHI | Op::LLVMSelect | Op::LLVMFNeg) => work.push(u),
                _ => {}
            }
        }
    }
    sums
}

/// Whether `v` may be a product, through phis, selects and negations. The loop's own
/// phi does not count: it holds what came before.
fn is_product(v: Value, phi: Value, seen: &mut HashSet<Value>) -> bool {
    if v == phi || !seen.insert(v) {
        return false;
    }
    match v.opcode() {
        Some(Op::LLVMFMul) => true,
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
