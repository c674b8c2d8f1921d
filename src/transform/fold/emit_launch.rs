//! The launch of a folded kernel.
//!
//! What `fold` rests on is tested here: the launch has one dimension, every length is positive, no product of them goes
//! beyond 31 bits, and the program launches all ids that are of use, or exactly as many as the folded kernel has where
//! the kernel has no limit.

use super::Fold;
use crate::choice::{Host, Relaunch};
use crate::llvm::ir::{Pred, Value};
use crate::machine::target::{GRID_ROWS, WARP};
use crate::machine::tuning::fold::{SHORTEST, THREADS};

impl Relaunch for Fold {
    fn write(&self, host: &mut Host, _: &[Value]) -> Option<Value> {
        let b = host.b;
        let own = host.own();
        let ids = b.mul(own[0], own[3]);
        host.is_line(own, ids);
        let lengths: Option<Vec<Value>> = self.lengths.iter().map(|n| host.number(n)).collect();
        let lengths = lengths?;
        let limit = match &self.limit {
            Some(n) => host.number(n)?,
            None => ids,
        };
        let inner = lengths[1..]
            .iter()
            .fold(lengths[0], |p, n| host.product(p, *n));
        let outermost = host.quotient(limit, inner);
        for digit in &self.digits {
            // What the kernel divides by does not wrap.
            let over = host.number(&digit.over)?;
            host.product(inner, over);
            if let Some(length) = &digit.length {
                host.number(length)?;
            }
        }
        let enough = host.are_enough(limit, ids, self.run);
        let some = b.icmp(Pred::LLVMIntUGE, lengths[0], host.constant(SHORTEST));
        host.tests.extend(enough.into_iter().chain([some]));
        let (block, grid) = launch(host, self, &lengths, outermost);
        let answer = host.answer()?;
        host.store(own, block, grid, answer);
        Some(answer)
    }
}

/// Block and grid: rows of a warp, or of fewer threads where the lengths are short.
fn launch(
    host: &mut Host,
    fold: &Fold,
    lengths: &[Value],
    outermost: Value,
) -> ([Value; 3], [Value; 3]) {
    let (b, one) = (host.b, host.constant(1));
    let rows = *lengths.get(1).unwrap_or(&outermost);
    let layers = lengths.get(1).map(|_| outermost);
    let (mut along, mut up) = (host.constant(SHORTEST), host.constant(THREADS / SHORTEST));
    for wide in [2 * SHORTEST, WARP] {
        let is_wide = b.icmp(Pred::LLVMIntUGE, lengths[0], host.constant(wide));
        along = b.select(is_wide, host.constant(wide), along);
        up = b.select(is_wide, host.constant(THREADS / wide), up);
    }
    let blocks = |count: Value, each: Value| b.udiv(b.add(count, b.sub(each, one)), each);
    let grid = [
        blocks(lengths[0], along),
        blocks(rows, up),
        layers.unwrap_or(one),
    ];
    for k in [1, 2] {
        let in_grid = b.icmp(Pred::LLVMIntULE, grid[k], host.constant(GRID_ROWS));
        host.tests.push(in_grid);
    }
    let all_rows = b.mul(grid[1], up);
    // The last block's rows have ids of 31 bits, too.
    host.product(all_rows, lengths[0]);
    if fold.limit.is_none() && layers.is_none() {
        let whole = b.icmp(Pred::LLVMIntEQ, all_rows, rows);
        host.tests.push(whole);
    }
    ([along, up, one], grid)
}
