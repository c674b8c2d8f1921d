//! The launch of a collapsed kernel: iterations along x, the program's threads along y.
//!
//! What `collapse` rests on is tested here: the launch has one dimension, ids along both have 31 bits, some thread may
//! have an iteration, arguments of 64 bits have 32, rows are no longer than they lie apart, and blocks hold the
//! program's threads exactly.

use super::Collapse;
use crate::affine::Range;
use crate::choice::{Host, Relaunch};
use crate::kernel::ValueId;
use crate::llvm::ir::{Pred, Value};
use crate::machine::target::{GRID_ROWS, WARP};
use crate::machine::tuning::fold::{SHORTEST, THREADS};

impl Relaunch for Collapse {
    fn write(&self, host: &mut Host, _: &[Value]) -> Option<Value> {
        let b = host.b;
        let own = host.own();
        let threads = b.mul(own[0], own[3]);
        host.is_line(own, (threads, None));
        for v in &self.of_32_bits {
            let v = known(host, *v)?;
            let low = b.trunc(v, b.i32());
            let is_exact_in_32_bits = b.icmp(Pred::LLVMIntEQ, b.sext(low, b.i64()), v);
            host.tests.push(is_exact_in_32_bits);
        }
        for range in &self.tested {
            let sum = self.sum(host, range)?;
            let low = b.icmp(Pred::LLVMIntSGE, sum, b.long(range.lo));
            let high = b.icmp(Pred::LLVMIntSLE, sum, b.long(range.hi));
            host.tests.extend([low, high]);
        }
        for (pitch, length) in &self.pitches {
            let [pitch, length] = [known(host, *pitch)?, known(host, *length)?];
            let is_long_enough = b.icmp(Pred::LLVMIntSGE, pitch, length);
            host.tests.push(is_long_enough);
        }
        let most = self.most(host, threads)?;
        host.is_length(most);
        let step = b.long(self.step);
        let iterations = b.udiv(b.add(most, b.sub(step, b.long(1))), step);
        let some = b.icmp(Pred::LLVMIntUGE, iterations, host.constant(SHORTEST));
        host.tests.push(some);
        let (block, grid) = launch(host, iterations, threads);
        let answer = host.answer()?;
        host.store(own, block, grid, answer);
        Some(answer)
    }
}

impl Collapse {
    /// How far iterations go at most: a sum of numbers of 32 bits, each a few times, which 64 bits hold.
    fn most(&self, host: &mut Host, threads: Value) -> Option<Value> {
        let b = host.b;
        let mut most = b.long(self.most.constant);
        for (v, times) in &self.most.numbers {
            let v = known(host, *v)?;
            most = b.add(most, b.mul(v, b.long(*times)));
        }
        let more = b.sub(threads, b.long(1));
        Some(b.add(most, b.mul(more, b.long(self.most.threads))))
    }

    /// What must be in range: a sum as well.
    fn sum(&self, host: &Host, range: &Range) -> Option<Value> {
        let b = host.b;
        let terms = range.poly.terms();
        let mut terms = terms.map(|(m, c)| match m[..] {
            [a] => Some(b.mul(known(host, self.symbol(a)?)?, b.long(c))),
            _ => Some(b.long(c)),
        });
        terms.try_fold(b.long(0), |sum, term| Some(b.add(sum, term?)))
    }
}

/// A number of the kernel, in 64 bits.
fn known(host: &Host, v: ValueId) -> Option<Value> {
    let v = host.known(host.kernel.value(v))?;
    Some(host.b.sext(v, host.b.i64()))
}

/// Block and grid: rows of a warp, or of fewer threads where there are few iterations.
fn launch(host: &mut Host, iterations: Value, threads: Value) -> ([Value; 3], [Value; 3]) {
    let (b, one) = (host.b, host.constant(1));
    let mut along = host.constant(SHORTEST);
    for wide in [2 * SHORTEST, WARP] {
        let is_wide = b.icmp(Pred::LLVMIntUGE, iterations, host.constant(wide));
        along = b.select(is_wide, host.constant(wide), along);
    }
    let mut up = one;
    let rows = std::iter::successors(Some(2), |n| Some(2 * n)).take_while(|n| *n <= THREADS / WARP);
    for n in rows {
        let n = host.constant(n);
        let is_whole = b.icmp(Pred::LLVMIntEQ, b.urem(threads, n), host.constant(0));
        up = b.select(is_whole, n, up);
    }
    let blocks = b.udiv(b.add(iterations, b.sub(along, one)), along);
    let rows = b.udiv(threads, up);
    let in_grid = b.icmp(Pred::LLVMIntULE, rows, host.constant(GRID_ROWS));
    host.tests.push(in_grid);
    // The last block's iterations have numbers of 31 bits, too.
    host.product(blocks, along);
    ([along, up, one], [blocks, rows, one])
}
