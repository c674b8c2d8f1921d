//! Whether a kernel's guards can leave out more than the last blocks of a grid.
//!
//! ```text
//! if (i < n) …            a launch that just covers n has nothing to leave out: no version
//! if (i >= 1 && i < n-1)  the same but for one thread
//! if (i == 0) …           all but one block, along a dimension
//! switch (i) case 0: …    the same; clang makes it of `if (i == 0) … else if (i == n) …` with n a constant
//! if (i > k) …            as many as k says
//! ```
//! Every kernel has a guard of the first kind, and no kernel is to be compiled twice for it.

use super::known::Known;
use crate::kernel::{Kernel, ids};
use crate::llvm::ir::{Block, Op, Pred, Value};
use crate::machine::tuning::trim::SMALL;
use crate::map::HashSet;

/// Whether one of the guards, which end the `traceless` blocks, is of another kind than an upper limit.
pub fn may_pay(kernel: &Kernel, traceless: &[Block], known: &mut Known) -> bool {
    let effect = |b: &Block| !traceless.contains(b);
    let ends = |b: &Block| leads_to(*b, traceless).iter().all(|b| !effect(b));
    let returns = |b: &Block| !effect(b) && b.terminator().is(Op::LLVMRet);
    let may_end = |b: &Block| leads_to(*b, traceless).iter().any(returns);
    traceless.iter().any(|b| {
        let guard = b.terminator();
        if let Some(v) = guard.switched() {
            // A few numbers lead to effects, all others do not, or are asked more.
            let next = b.successors();
            let few = may_end(&next[0]) && next.iter().any(|b| !ends(b));
            let id = known.of(kernel, v);
            return few && id.is_some_and(|id| id.contains(&true));
        }
        let [yes, no] = b.successors()[..] else {
            return false;
        };
        if !may_end(&yes) && !may_end(&no) {
            return false;
        }
        // Which outcome has a thread go on.
        let wanted = match (ends(&yes), ends(&no)) {
            (false, true) => Some(true),
            (true, false) => Some(false),
            (true, true) => return false,
            (false, false) => match (effect(&yes), effect(&no)) {
                (true, true) => return false,
                (true, false) => Some(true),
                (false, true) => Some(false),
                (false, false) => None,
            },
        };
        parts(guard.condition())
            .into_iter()
            .any(|(compare, flipped)| pays(kernel, compare, wanted.map(|w| w != flipped), known))
    })
}

/// The blocks that control comes to from `from` on without leaving the `traceless` ones but to look at the next.
fn leads_to(from: Block, traceless: &[Block]) -> Vec<Block> {
    let (mut seen, mut work) = (Vec::new(), vec![from]);
    while let Some(b) = work.pop() {
        if !seen.contains(&b) {
            seen.push(b);
            if traceless.contains(&b) {
                work.extend(b.successors());
            }
        }
    }
    seen
}

/// The comparisons that a condition is made of, and whether each stands behind a negation.
fn parts(condition: Value) -> Vec<(Value, bool)> {
    let (mut found, mut seen) = (Vec::new(), HashSet::default());
    let mut work = vec![(condition, false)];
    while let Some((v, flipped)) = work.pop() {
        if !v.is_instruction() || v.ty().int_width() != Some(1) || !seen.insert(v) {
            continue;
        }
        match v.is(Op::LLVMICmp) {
            true => found.push((v, flipped)),
            false => {
                let flips = v.is(Op::LLVMXor);
                work.extend(v.operands().into_iter().map(|o| (o, flipped != flips)));
            }
        }
    }
    found
}

/// Whether a comparison, of whose outcome one is `wanted`, can leave out more than the last blocks.
fn pays(kernel: &Kernel, compare: Value, wanted: Option<bool>, known: &mut Known) -> bool {
    use Pred::*;
    let [x, y] = [0, 1].map(|k| compare.operand(k));
    let [Some(of_x), Some(of_y)] = [x, y].map(|v| known.of(kernel, v)) else {
        return false;
    };
    let (id, limit, swapped) = match (of_x.contains(&true), of_y.contains(&true)) {
        (true, false) => (x, y, false),
        (false, true) => (y, x, true),
        _ => return false,
    };
    let is_small = |v: Value| v.const_int().is_some_and(|c| c.abs() <= SMALL);
    let is_above = |strict: Pred| match strict {
        LLVMIntSGT | LLVMIntSGE | LLVMIntUGT | LLVMIntUGE => !swapped,
        _ => swapped,
    };
    let predicate = compare.predicate();
    match (predicate, wanted) {
        (LLVMIntEQ | LLVMIntNE, None) => true,
        (LLVMIntEQ, Some(w)) => w,
        (LLVMIntNE, Some(w)) => !w,
        (_, None) => !is_small(limit),
        (_, Some(w)) if is_above(predicate) == w => !is_small(limit),
        // An upper limit, or a range: `id - low < n` of unsigned numbers.
        (LLVMIntULT | LLVMIntULE | LLVMIntUGT | LLVMIntUGE, _) => {
            let id = ids::unextended(id);
            let offset = matches!(id.opcode(), Some(Op::LLVMAdd | Op::LLVMSub));
            offset && !is_global_id(id) && !id.operands().into_iter().any(is_small)
        }
        _ => false,
    }
}

fn is_global_id(id: Value) -> bool {
    let mut dims = crate::kernel::Dim::ALL.into_iter();
    dims.any(|d| ids::is_widened_global_id(id, d))
}
