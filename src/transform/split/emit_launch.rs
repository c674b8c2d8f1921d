//! The launch of a split kernel: 32 threads for each of the program's, in blocks as large as these fill them.
//!
//! Tested is that blocks have one dimension, and that ids have 31 bits, and the plan's facts.

use super::Split;
use crate::choice::{Host, Relaunch};
use crate::llvm::ir::{Pred, Value};
use crate::machine::target::WARP;
use crate::machine::tuning::split::{BLOCK, BLOCK_IN_ORDER, MOST_IN_ORDER};

impl Relaunch for Split {
    fn write(&self, host: &mut Host, tests: &[Value]) -> Option<Value> {
        let b = host.b;
        for t in tests {
            // Nothing rests on one that the host cannot tell.
            host.add_test(*t);
        }
        let own = host.own();
        let (none, one) = (host.constant(0), host.constant(1));
        for k in [1, 2] {
            let flat = b.icmp(Pred::LLVMIntEQ, own[k], one);
            host.tests.push(flat);
        }
        let ids = b.mul(own[0], own[3]);
        host.is_length(ids);
        let mut most = BLOCK;
        if self.keeps_order() {
            // Threads that store rows of their own are slow however many there are.
            if !self.stores() {
                let few = b.icmp(Pred::LLVMIntULE, ids, host.constant(MOST_IN_ORDER));
                host.tests.push(few);
            }
            most = BLOCK_IN_ORDER;
        }
        let threads = host.product(ids, host.constant(WARP));
        let mut block = host.constant(WARP);
        let most = most.min(host.kernel.max_threads) / WARP;
        for warps in (1..=most).filter(|w| w.is_power_of_two()) {
            let rest = b.urem(ids, host.constant(warps));
            let fills = b.icmp(Pred::LLVMIntEQ, rest, none);
            block = b.select(fills, host.constant(warps * WARP), block);
        }
        let blocks = b.udiv(threads, block);
        let answer = host.answer()?;
        host.store(own, [block, one, one], [blocks, own[4], own[5]], answer);
        Some(answer)
    }
}
