//! What the back end makes of a kernel's products and sums, found out by LLVM's own passes.
//!
//! ```text
//! if (v > 0) { q = v * a; x[i] = q + y[i]; z[i] = q; }      LLVM takes the product out of the branch: two roundings
//! for k: s += c * d;                                        it unrolls the loop, and four sums take the product: two, too
//! ```
//! Versions round as the kernel does, and what that fuses is settled by where the two stand, and by how many others take
//! the product, when all other passes are done. So where that may yet change, a clone of the kernel goes through what is
//! left of the optimizer and through the back end's passes over IR, and what is fused then is held against what is fused as
//! it stands. Where a product and a sum of different blocks are fused no more, versions round both. For any other
//! difference a kernel has no versions.
//!
//! Conservative: a sum that LLVM fuses in some of its copies and not in all, as some are of a loop's last iterations.

use crate::access::{APART, contracted, fused_with, through_sign};
use crate::kernel::Kernel;
use crate::llvm::ir::{Block, Function, Op, Value};
use crate::map::HashMap;

/// What is left of the optimizer behind the plug-in, and what the back end does to IR before it fuses.
const PASSES: &str = "float2int,loop(loop-rotate),instcombine,\
    simplifycfg<bonus-inst-threshold=1;forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;\
    hoist-common-insts;sink-common-insts;speculate-blocks;simplify-cond-branch>,\
    vector-combine,instcombine,loop-unroll<O3>,sroa,instcombine,loop-mssa(licm),loop-sink,instsimplify,div-rem-pairs,\
    simplifycfg,separate-const-offset-from-gep,speculative-execution<only-if-divergent-target>,slsr,gvn,nary-reassociate,\
    early-cse";
/// Numbers of sums and products in the clone.
const SUM: &str = "mesi.sum";
const PRODUCT: &str = "mesi.product";
/// Instructions of a branch out of which LLVM may take some: it leaves five behind at most, and takes seven.
const BRANCH: usize = 24;
/// What is said of a kernel that has no versions for that.
pub const OTHERWISE: &str = "no versions: which of its products are rounded before they are added is settled by what LLVM \
                             does to its branches and loops behind the plug-in";

/// For each sum of a kernel that is of a product of another block: its place among the instructions, and which operand is
/// fused with it, or [`APART`].
pub type Roundings = Vec<(usize, u32)>;

/// Finds that out; `None`: versions could round otherwise than the kernel.
pub fn find(kernel: &Kernel) -> Option<Roundings> {
    let all = instructions(kernel.function);
    let crosses = |sum: &Value| contracted(*sum).filter(|k| sum.operand(*k).block() != sum.block());
    let sums = all.iter().enumerate();
    let mut found: Roundings = sums.filter_map(|(n, s)| Some((n, crosses(s)?))).collect();
    let ways = Ways::of(kernel);
    if found.is_empty() && !all.iter().any(|s| may_move(*s, &ways)) {
        return Some(found);
    }
    let becomes = behind_passes(kernel)?;
    for (n, sum) in all.iter().enumerate() {
        let Some(copies) = becomes.get(&n) else {
            continue;
        };
        let expected = fused_with(*sum).and_then(|p| all.iter().position(|i| *i == p));
        if copies.iter().all(|c| *c == expected) {
            continue;
        }
        let of_other_block = found.iter_mut().find(|(at, _)| *at == n);
        let is_apart = copies.iter().all(Option::is_none);
        of_other_block.filter(|_| is_apart)?.1 = APART;
    }
    Some(found)
}

/// Of each numbered sum, with which numbered product its copies are fused behind the passes.
fn behind_passes(kernel: &Kernel) -> Option<HashMap<usize, Vec<Option<usize>>>> {
    let name = format!("{}$mesi$rounding", kernel.name);
    let clone = kernel.function.duplicate(&name, &[]);
    let module = clone.module();
    for (n, i) in instructions(clone).into_iter().enumerate() {
        match i.opcode() {
            Some(Op::LLVMFMul) => i.set_number(module, PRODUCT, n as u32),
            Some(Op::LLVMFAdd | Op::LLVMFSub) => i.set_number(module, SUM, n as u32),
            _ => {}
        }
    }
    let done = clone.run_target_passes(&format!("function({PASSES})"));
    let mut becomes: HashMap<usize, Vec<Option<usize>>> = HashMap::default();
    let mut is_known = done.is_ok();
    for sum in instructions(clone) {
        let Some(n) = sum.number(module, SUM) else {
            continue;
        };
        let product = fused_with(sum);
        let number = product.and_then(|p| p.number(module, PRODUCT));
        // A product that LLVM wrote anew is none that can be told.
        is_known &= product.is_some() == number.is_some();
        becomes
            .entry(n as usize)
            .or_default()
            .push(number.map(|n| n as usize));
    }
    clone.delete();
    is_known.then_some(becomes)
}

/// Whether LLVM may part a sum from a product of its block, or bring another one of that value there.
fn may_move(sum: Value, ways: &Ways) -> bool {
    if !matches!(sum.opcode(), Some(Op::LLVMFAdd | Op::LLVMFSub)) {
        return false;
    }
    let products = [0, 1].map(|k| through_sign(sum.operand(k))).into_iter();
    let mut products = products.filter(|p| p.is(Op::LLVMFMul));
    products.any(|p| {
        let (is_shared, block) = (p.users().len() > 1, p.block());
        let other = block.and_then(|b| ways.other(b));
        let leaves = other.is_some() && block.is_some_and(|b| b.instructions().len() <= BRANCH);
        is_shared && (block != sum.block() || leaves) || other.is_some_and(|b| has_same(b, p))
    })
}

/// Where blocks come from.
struct Ways(HashMap<Block, Vec<Block>>);

impl Ways {
    fn of(kernel: &Kernel) -> Ways {
        let mut all: HashMap<Block, Vec<Block>> = HashMap::default();
        for from in kernel.function.blocks() {
            for to in from.successors() {
                all.entry(to).or_default().push(from);
            }
        }
        Ways(all)
    }

    /// The other way of the branch that a block is one way of, if nothing else leads to the block.
    fn other(&self, b: Block) -> Option<Block> {
        let [from] = self.0.get(&b)?[..] else {
            return None;
        };
        from.successors().into_iter().find(|s| *s != b)
    }
}

/// Whether a block has the same product.
fn has_same(b: Block, product: Value) -> bool {
    let same = |i: &Value| i.is(Op::LLVMFMul) && i.operands() == product.operands();
    b.instructions().iter().any(same)
}

fn instructions(of: Function) -> Vec<Value> {
    let blocks = of.blocks().into_iter();
    blocks.flat_map(|b| b.instructions()).collect()
}
