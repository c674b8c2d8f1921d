//! The launch of a split kernel, as a function that the host can run: as `K$mesi$0$fold$gate` of a folded one.
//!
//! What `split` rests on is tested here: blocks have one dimension, and there are no more threads than ids of 31 bits, 32 for each of the program's. The new
//! blocks are as large as the program's threads fill them: each warp has one of these.

use super::fold::{Host, host_function};
use crate::kernel::Kernel;
use crate::llvm::ir::{Pred, Value};
use crate::split::MOST_THREADS;
use crate::target::WARP;

/// The function called `name`, as bitcode.
pub fn bitcode(kernel: &Kernel, name: &str) -> Option<Vec<u8>> {
    host_function(kernel, name, |host| write(host, kernel))
}

/// Writes the new launch; whether it is one.
fn write(host: &mut Host, kernel: &Kernel) -> Option<Value> {
    let b = host.b;
    let own = super::numbers::load(b, host.gate.params()[1]);
    let (none, one) = (host.constant(0), host.constant(1));
    for k in [1, 2] {
        let flat = b.icmp(Pred::LLVMIntEQ, own[k], one);
        host.tests.push(flat);
    }
    let ids = b.mul(own[0], own[3]);
    host.is_length(ids);
    let threads = host.product(ids, host.constant(WARP));
    let mut block = host.constant(WARP);
    let most = MOST_THREADS.min(kernel.max_threads) / WARP;
    for warps in (1..=most).filter(|w| w.is_power_of_two()) {
        let rest = b.urem(ids, host.constant(warps));
        let fills = b.icmp(Pred::LLVMIntEQ, rest, none);
        block = b.select(fills, host.constant(warps * WARP), block);
    }
    let blocks = b.udiv(threads, block);
    let answer = host.tests.iter().copied().reduce(|all, t| b.and(all, t))?;
    host.store(own, [block, one, one], [blocks, own[4], own[5]], answer);
    Some(answer)
}
