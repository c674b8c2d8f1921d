//! Where a sum joins others behind its loop.
//!
//! ```text
//!   if (0 < k) do s += …; while …        s = phi [0, entry], [sum, loop]        s * 2 + c * 3
//! ```
//! Once the loop is gone, both ways to the phi are short: LLVM takes a product with a constant out of it,
//! `phi [0], [sum * 2]`, and the back end, which fuses what stands beside an addition, fuses the other product, with
//! another last bit. (Seen on a GPU; a loop between the two had kept LLVM from it.) So the phi goes with the loop,
//! which leaves what it began with where it does not run, and where the phi joins something else the kernel keeps its
//! loop.

use crate::llvm::ir::{Block, Op, Value};
use crate::map::HashSet;

/// What a loop's value is when the loop, a block of its own, is entered.
pub fn begin_of(phi: Value, of: Block) -> Value {
    let mut entering = phi.incoming().into_iter().filter(|(_, from)| *from != of);
    entering.next().expect("a loop that is entered").0
}

/// The phis outside `of`, the loop's block, that the sum joins, straight or by others of them; `None`: some join what
/// is not the loop's `begin`, or that on a way that the loop is on, too.
pub fn joins(sum: Value, begin: Value, of: Block) -> Option<Vec<Value>> {
    let behind = behind(of);
    let mut joins = Vec::new();
    let mut work = vec![sum];
    while let Some(v) = work.pop() {
        let phis = v.users().into_iter().filter(|u| u.is(Op::LLVMPHI));
        let new: Vec<Value> = phis
            .filter(|p| p.block() != Some(of) && !joins.contains(p))
            .collect();
        joins.extend(&new);
        work.extend(new);
    }
    let is_known = |(v, from): (Value, Block)| {
        v == sum || joins.contains(&v) || v == begin && !behind.contains(&from)
    };
    let of_phi = |p: &Value| p.incoming().into_iter().all(is_known);
    joins.iter().all(of_phi).then_some(joins)
}

/// The blocks that come behind `of`.
fn behind(of: Block) -> HashSet<Block> {
    let (mut seen, mut work) = (HashSet::default(), vec![of]);
    while let Some(b) = work.pop() {
        if seen.insert(b) {
            work.extend(b.successors());
        }
    }
    seen
}

/// Those of `blocks` in front of `of`, a loop of its own: from which control comes to it.
pub fn in_front(blocks: &[Block], of: Block) -> Vec<Block> {
    let leads = |b: &&Block| **b != of && behind(**b).contains(&of);
    blocks.iter().filter(leads).copied().collect()
}

/// Whether what a sum of `of` begins with is a constant, or worked out by code in front of it that leaves no trace.
pub fn may_begin_twice(blocks: &[Block], sum: Value, of: Block) -> bool {
    let front = in_front(blocks, of);
    let mut all = front.iter().flat_map(|b| b.instructions());
    begin_of(sum, of).is_constant()
        || all.all(|i| match i.opcode() {
            Some(Op::LLVMCall) => i.accesses_no_memory(),
            Some(Op::LLVMStore | Op::LLVMAtomicRMW | Op::LLVMAtomicCmpXchg) => false,
            _ => true,
        })
}
