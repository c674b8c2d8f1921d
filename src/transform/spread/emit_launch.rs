//! The launch of a spread kernel.
//!
//! What `spread` rests on is tested here: the launch has one dimension, there is an element, ids of both launches have
//! 31 bits, and where a thread has several elements in a row the program launches threads for all of them.

use super::Spread;
use crate::choice::{Host, Relaunch};
use crate::llvm::ir::{Pred, Value};
use crate::machine::target::Target;
use crate::machine::tuning::spread::THREADS;

impl Relaunch for Spread {
    fn write(&self, host: &mut Host, _: &[Value]) -> Option<Value> {
        let b = host.b;
        let own = host.own();
        let (ids, one) = (b.mul(own[0], own[3]), host.constant(1));
        host.is_line(own, (ids, None));
        let count = host.number(&self.count)?;
        host.is_length(count);
        let enough = host.are_enough(count, ids, Some(self.run));
        host.tests.extend(enough);
        let [small, large] = THREADS;
        let mut threads = host.constant(small);
        if host.kernel.max_threads >= large {
            let few = Target::of_sm(host.kernel.sm)?.sms * large;
            let is_few = b.icmp(Pred::LLVMIntULE, count, host.constant(few));
            threads = b.select(is_few, threads, host.constant(large));
        }
        let blocks = b.udiv(b.add(count, b.sub(threads, one)), threads);
        // The last block's threads have ids of 31 bits, too.
        host.product(blocks, threads);
        let answer = host.answer()?;
        host.store(own, [threads, one, one], [blocks, one, one], answer);
        Some(answer)
    }
}
