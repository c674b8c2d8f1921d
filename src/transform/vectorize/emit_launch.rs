//! The launch of a version with vectorized loops: the program's own, or in shorter blocks where nothing but those loops
//! asks how long they are, and there are enough of them for the chip.
//!
//! ```text
//! threads = min(blockDim.x, 256, vectors of the longest loop, in whole warps)     vectors = ceil(n / width)
//! ```

use super::plan::{Vectorize, Wide};
use crate::choice::{Host, Relaunch};
use crate::llvm::ir::{Pred, Value};
use crate::machine::target::WARP;
use crate::machine::tuning::vectorize::{ENOUGH, THREADS};

impl Relaunch for Vectorize {
    fn write(&self, host: &mut Host, _: &[Value]) -> Option<Value> {
        let own = host.own();
        host.tests.push(host.b.i1().constant(1));
        for length in self.loops.iter().filter_map(|l| l.counter.1) {
            let is_so_long = host.b.icmp(Pred::LLVMIntEQ, own[0], host.constant(length));
            host.tests.push(is_so_long);
        }
        let answer = host.answer()?;
        let [mut block, grid] = [0, 3].map(|first| [0, 1, 2].map(|k| own[first + k]));
        if self.any_length {
            block[0] = self.length(host, own);
        }
        host.store(own, block, grid, answer);
        Some(answer)
    }
}

impl Vectorize {
    /// Threads of a block along x.
    fn length(&self, host: &Host, own: [Value; 6]) -> Value {
        let b = host.b;
        let [one, most, enough] = [1, THREADS, ENOUGH].map(|n| host.constant(n));
        let least = |x: Value, y: Value| b.select(b.icmp(Pred::LLVMIntULT, x, y), x, y);
        let vectors = self.loops.iter().map(|l| vectors(host, l));
        let vectors = vectors.collect::<Option<Vec<_>>>().unwrap_or_default();
        let longest = vectors.into_iter().reduce(|x, y| {
            let is_more = b.icmp(Pred::LLVMIntUGT, x, y);
            b.select(is_more, x, y)
        });
        let wanted = longest.map_or(most, |vectors| least(vectors, most));
        let is_line = b.icmp(Pred::LLVMIntEQ, b.mul(own[1], own[2]), one);
        let blocks = b.mul(own[3], b.mul(own[4], own[5]));
        let are_enough = b.icmp(Pred::LLVMIntUGE, blocks, enough);
        b.select(b.and(is_line, are_enough), least(wanted, own[0]), own[0])
    }
}

/// How many times several iterations of a loop are done at once at most, in whole warps; `None`: the host cannot tell.
fn vectors(host: &Host, l: &Wide) -> Option<Value> {
    let b = host.b;
    let (compare, k) = l.compare;
    let count = host.known(host.kernel.value(compare).operand(k))?;
    let [warp, less] = [WARP, WARP * l.width - 1].map(|n| host.constant(n));
    let long = less.ty();
    let count = match (count.ty() == long, l.signed) {
        (true, _) => count,
        (false, true) => b.sext(count, long),
        (false, false) => b.zext(count, long),
    };
    // None has fewer than a warp: a number below 0 is a very large one, and is bounded by whom this is for.
    let warps = b.udiv(b.add(count, less), host.constant(WARP * l.width));
    let warps = b.select(
        b.icmp(Pred::LLVMIntEQ, warps, long.constant(0)),
        long.constant(1),
        warps,
    );
    Some(b.mul(warps, warp))
}
