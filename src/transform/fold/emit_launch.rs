//! The launch of a folded kernel.
//!
//! What `fold` rests on is tested here: the launch has one dimension, every length is positive, no product of them goes
//! beyond 31 bits, and the program launches all ids that are of use, or exactly as many as the folded kernel has where
//! the kernel has no limit.

use super::plan::Fold;
use crate::choice::{Host, Relaunch};
use crate::llvm::ir::{Pred, Value};
use crate::machine::target::{GRID_ROWS, WARP};
use crate::machine::tuning::fold::{SHORTEST, THREADS};
use crate::transform::way::Recasting;

impl Relaunch for Fold {
    fn write(&self, host: &mut Host, _: &[Value]) -> Option<Value> {
        let b = host.b;
        let own = host.own();
        let ids = b.mul(own[0], own[3]);
        host.is_line(own, (ids, self.outer));
        let lengths: Option<Vec<Value>> = self.lengths.iter().map(|n| host.number(n)).collect();
        let lengths = lengths?;
        let limit = match &self.limit {
            Some(n) => host.number(n)?,
            None => ids,
        };
        let (first, others) = lengths.split_first()?;
        let inner = others.iter().fold(*first, |p, n| host.product(p, *n));
        let sizes = [lengths, vec![host.quotient(limit, inner)]].concat();
        let enough = host.are_enough(limit, ids, self.run);
        // Short rows leave threads idle; so do few of them, which a tile across dimensions has no use for besides.
        let count = if self.is_across() { 2 } else { 1 };
        let least = host.constant(SHORTEST);
        let long = self.axes[..count].iter().map(|d| sizes[*d]);
        let long = long.map(|n| b.icmp(Pred::LLVMIntUGE, n, least));
        host.tests.extend(enough.into_iter().chain(long));
        let outer = self.outer.map(|d| own[3 + d.index()]);
        let (block, grid) = launch(host, self, (&sizes, inner, outer));
        let answer = host.answer()?;
        host.store(own, block, grid, answer);
        Some(answer)
    }
}

/// Threads of a block along x and y. Tiles of elements that are moved across are square.
fn block(host: &Host, fold: &Fold, row: Value) -> [Value; 2] {
    if let Some([along, up, _]) = fold.block() {
        return [along, up].map(|n| host.constant(n));
    }
    let (mut along, mut up) = (host.constant(SHORTEST), host.constant(THREADS / SHORTEST));
    for wide in [2 * SHORTEST, WARP] {
        let is_wide = host.b.icmp(Pred::LLVMIntUGE, row, host.constant(wide));
        along = host.b.select(is_wide, host.constant(wide), along);
        up = host.b.select(is_wide, host.constant(THREADS / wide), up);
    }
    [along, up]
}

/// Block and grid: rows of a warp, or of fewer threads where the lengths are short. Of all dimensions there are the
/// sizes, the product of the inner ones, and how many layers there are outside of all.
fn launch(
    host: &mut Host,
    fold: &Fold,
    (sizes, inner, outer): (&[Value], Value, Option<Value>),
) -> ([Value; 3], [Value; 3]) {
    let (b, one) = (host.b, host.constant(1));
    let [row, rows] = fold.axes.map(|d| sizes[d]);
    let layers = fold.layers().into_iter().map(|d| sizes[d]).chain(outer);
    let layers = layers.reduce(|p, n| host.product(p, n));
    let [along, up] = block(host, fold, row);
    let blocks = |count: Value, each: Value| b.udiv(b.add(count, b.sub(each, one)), each);
    let whole = |k: usize, count: Value| match host.merged[k] {
        1 => count,
        n => b.mul(blocks(count, host.constant(n)), host.constant(n)),
    };
    let grid = [
        whole(0, blocks(row, along)),
        whole(1, blocks(rows, up)),
        whole(2, layers.unwrap_or(one)),
    ];
    for k in [1, 2] {
        let in_grid = b.icmp(Pred::LLVMIntULE, grid[k], host.constant(GRID_ROWS));
        host.tests.push(in_grid);
    }
    let all_rows = b.mul(grid[1], up);
    // The last block's rows, and columns, have ids of 31 bits, too.
    let last = fold.last();
    host.product(all_rows, if fold.axes[1] == last { inner } else { row });
    if fold.axes[0] == last {
        host.product(b.mul(grid[0], along), inner);
    }
    if fold.limit.is_none() && fold.axes[1] == last {
        let whole = b.icmp(Pred::LLVMIntEQ, all_rows, rows);
        host.tests.push(whole);
    }
    ([along, up, one], grid)
}
