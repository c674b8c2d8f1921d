//! The launch of a spread kernel, as a function that the host can run: as `K$mesi$0$fold$gate` of a folded one.
//!
//! What `spread` rests on is tested here: the launch has one dimension, there is an element, ids of both launches have
//! 31 bits, and where a thread has several elements in a row the program launches threads for all of them.
//!
//! The launch of a split kernel (`transform::split`), too: 32 threads for each of the program's, in blocks as large
//! as these fill them. Tested is that blocks have one dimension, and that ids have 31 bits.

use super::fold::{Host, host_function};
use crate::kernel::Kernel;
use crate::llvm::ir::{Pred, Value};
use crate::machine::target::{Target, WARP};
use crate::machine::tuning::split::BLOCK;
use crate::machine::tuning::spread::THREADS;
use crate::transform::spread::Spread;

/// The function called `name`, as bitcode; `None`: the host does not know how many elements there are.
pub fn bitcode(kernel: &Kernel, spread: &Spread, name: &str) -> Option<Vec<u8>> {
    host_function(kernel, name, |host| write(host, kernel, spread))
}

/// Writes the new launch; whether it is one.
fn write(host: &mut Host, kernel: &Kernel, spread: &Spread) -> Option<Value> {
    let b = host.b;
    let own = super::numbers::load(b, host.gate.params()[1]);
    let (ids, one) = (b.mul(own[0], own[3]), host.constant(1));
    host.is_line(own, ids);
    let count = host.number(&spread.count)?;
    host.is_length(count);
    let enough = host.are_enough(count, ids, Some(spread.run));
    host.tests.extend(enough);
    let [small, large] = THREADS;
    let mut threads = host.constant(small);
    if kernel.max_threads >= large {
        let few = Target::of_sm(kernel.sm)?.sms * large;
        let is_few = b.icmp(Pred::LLVMIntULE, count, host.constant(few));
        threads = b.select(is_few, threads, host.constant(large));
    }
    let blocks = b.udiv(b.add(count, b.sub(threads, one)), threads);
    // The last block's threads have ids of 31 bits, too.
    host.product(blocks, threads);
    let answer = host.tests.iter().copied().reduce(|all, t| b.and(all, t))?;
    host.store(own, [threads, one, one], [blocks, one, one], answer);
    Some(answer)
}

/// The same for split reductions.
pub fn split_bitcode(kernel: &Kernel, name: &str) -> Option<Vec<u8>> {
    host_function(kernel, name, |host| write_split(host, kernel))
}

/// Writes the new launch; whether it is one.
fn write_split(host: &mut Host, kernel: &Kernel) -> Option<Value> {
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
    let most = BLOCK.min(kernel.max_threads) / WARP;
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
