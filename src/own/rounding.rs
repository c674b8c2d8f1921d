//! What the back end makes of a kernel's products and sums, found out by LLVM's own passes.
//!
//! ```text
//! if (v > 0) { q = v * a; x[i] = q + y[i]; z[i] = q; }   LLVM takes the product out of the branch: two roundings
//! d = a * b; for k: e = y[k] - d; …                      LLVM unrolls; sums take the product: ptxas fuses all
//! ```
//! Versions round as the kernel does, and what that fuses is settled by where the two stand, and by who else takes
//! the product, when all other passes are done. So where that may yet change, a clone of the kernel goes through what
//! is left of the optimizer and the back end's passes over IR, and then it is known:
//!
//! 1. A product that nobody else takes is fused with a sum wherever the two stand (`nvptx-ir-peephole`).
//! 2. What stands in one block is fused (instruction selection), of two products the one with fewer uses.
//! 3. ptxas fuses a product that is left with all who take it, if all of them are sums, and else with none.
//!
//! Of sums and products in different blocks versions are told (`lower::contracted`). A kernel that comes to something
//! else in one block than it stands has no versions, nor has one of which it cannot be said.
//!
//! Conservative: a sum that is fused in some of its copies and not in all, as some are of a loop's last iterations.

use crate::access::{ROUNDED, contracted, fused_with, through_sign};
use crate::kernel::Kernel;
use crate::llvm::ir::{Block, Function, Op, Value};
use crate::map::HashMap;

/// What is left of the optimizer behind the plug-in, and what the back end does to IR before it fuses.
const PASSES: &str = "float2int,loop(loop-rotate),instcombine<no-verify-fixpoint>,\
    simplifycfg<bonus-inst-threshold=1;forward-switch-cond;switch-range-to-icmp;switch-to-lookup;no-keep-loops;\
    hoist-common-insts;sink-common-insts;speculate-blocks;simplify-cond-branch>,\
    vector-combine,instcombine<no-verify-fixpoint>,loop-unroll<O3>,sroa,instcombine<no-verify-fixpoint>,\
    loop-mssa(licm),loop-sink,instsimplify,div-rem-pairs,simplifycfg,separate-const-offset-from-gep,\
    speculative-execution<only-if-divergent-target>,slsr,gvn,nary-reassociate,early-cse";
/// Numbers of sums and products in the clone.
const SUM: &str = "mesi.sum";
const PRODUCT: &str = "mesi.product";
/// Instructions of a branch out of which LLVM may take some: it leaves five behind at most, and takes seven.
const BRANCH: usize = 24;
/// What is said of a kernel that has no versions for that.
pub const OTHERWISE: &str = "no versions: which of its products are rounded before they are added is settled by what \
                             LLVM does to its branches and loops behind the plug-in";

/// For each sum of a kernel that takes a product of another block: its place among the instructions, and which operand
/// is fused with it, or [`ROUNDED`].
pub type Roundings = Vec<(usize, u32)>;

/// Finds that out; `None`: versions could round otherwise than the kernel.
pub fn find(kernel: &Kernel) -> Option<Roundings> {
    let all = kernel.function.instructions();
    let ways = Ways::of(kernel);
    if !all.iter().any(|s| crosses(*s) || may_move(*s, &ways)) {
        return Some(Roundings::new());
    }
    let becomes = behind_passes(kernel)?;
    let mut found = Roundings::new();
    for (n, sum) in all.iter().enumerate() {
        let Some(copies) = becomes.get(&n) else {
            continue;
        };
        let product = copies[0].map(|n| all[n]);
        if copies.iter().any(|c| *c != copies[0]) {
            return None;
        }
        let is_at = |k: &u32| product == Some(sum.operand(*k));
        let of_other = |p: &Value| p.block() != sum.block();
        match [0, 1].into_iter().find(is_at) {
            Some(k) if product.is_some_and(|p| of_other(&p)) => found.push((n, k)),
            _ if product.is_none() && crosses(*sum) => {
                let here = fused_with(*sum).filter(|p| !of_other(p));
                here.is_none().then(|| found.push((n, ROUNDED)))?;
            }
            _ if product != fused_with(*sum) => return None,
            _ => {}
        }
    }
    Some(found)
}

/// Whether all sums become what they would by who takes their products where they stand now.
pub fn stands(kernel: &Kernel, roundings: &Roundings) -> bool {
    let all = kernel.function.instructions();
    let mark = |k: u32| (k != ROUNDED).then_some(k);
    roundings
        .iter()
        .all(|(n, k)| contracted(all[*n]) == mark(*k))
}

/// Whether a sum takes a product of another block, and both may be fused.
fn crosses(sum: Value) -> bool {
    let is_one = |p: Value| p.is(Op::LLVMFMul) && p.may_contract() && p.block() != sum.block();
    is_sum(sum)
        && sum.may_contract()
        && [0, 1]
            .into_iter()
            .any(|k| is_one(through_sign(sum.operand(k))))
}

fn is_sum(i: Value) -> bool {
    matches!(i.opcode(), Some(Op::LLVMFAdd | Op::LLVMFSub))
}

/// Of each numbered sum, with which numbered product its copies are fused behind the passes.
fn behind_passes(kernel: &Kernel) -> Option<HashMap<usize, Vec<Option<usize>>>> {
    let name = format!("{}$mesi$rounding", kernel.name);
    let clone = kernel.function.duplicate(&name, &[]);
    let module = clone.module();
    for (n, i) in clone.instructions().into_iter().enumerate() {
        match i.opcode() {
            Some(Op::LLVMFMul) => i.set_number(module, PRODUCT, n as u32),
            Some(Op::LLVMFAdd | Op::LLVMFSub) => i.set_number(module, SUM, n as u32),
            _ => {}
        }
    }
    let done = clone.run_target_passes(&format!("function({PASSES})"));
    let mut becomes: HashMap<usize, Vec<Option<usize>>> = HashMap::default();
    let fused = done.ok().and_then(|()| fused(clone));
    let mut is_known = fused.is_some();
    for (sum, product) in fused.unwrap_or_default() {
        let Some(n) = sum.number(module, SUM) else {
            continue;
        };
        let number = product.and_then(|p| p.number(module, PRODUCT));
        // A product that LLVM wrote anew is none that can be told.
        is_known &= product.is_some() == number.is_some();
        let copies = becomes.entry(n as usize).or_default();
        copies.push(number.map(|n| n as usize));
    }
    clone.delete();
    is_known.then_some(becomes)
}

/// All sums of a function that goes to instruction selection, and the product that each is fused with; `None`: two may.
fn fused(f: Function) -> Option<Vec<(Value, Option<Value>)>> {
    let all = f.instructions();
    let sums = all.iter().filter(|s| is_sum(**s));
    let mut fused: HashMap<Value, Option<Value>> = sums.map(|s| (*s, fused_with(*s))).collect();
    let by_llvm = fused.clone();
    for p in all
        .iter()
        .filter(|p| p.is(Op::LLVMFMul) && p.may_contract())
    {
        let mut takers = takers(*p);
        takers.retain(|s| by_llvm.get(s) != Some(&Some(*p)));
        if takers
            .iter()
            .any(|s| by_llvm.get(s) != Some(&None) || !s.may_contract())
        {
            continue;
        }
        for s in takers {
            if fused.insert(s, Some(*p)) != Some(None) {
                return None;
            }
        }
    }
    let of = |s: &Value| Some((*s, *fused.get(s)?));
    Some(all.iter().filter_map(of).collect())
}

/// Who takes a value, straight or its negative.
fn takers(v: Value) -> Vec<Value> {
    let users = v.users().into_iter();
    let through = |u: Value| match u.is(Op::LLVMFNeg) {
        true => takers(u),
        false => vec![u],
    };
    users.flat_map(through).collect()
}

/// Whether LLVM may part a sum from a product of its block, or bring another one of that value there.
fn may_move(sum: Value, ways: &Ways) -> bool {
    if !is_sum(sum) {
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
