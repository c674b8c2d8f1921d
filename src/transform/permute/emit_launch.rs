//! The launch of a permuted kernel: the program's threads in blocks of rows of a warp, or of shorter rows where those
//! would leave a rest that does something.
//!
//! What `permute` rests on is tested here: blocks of one thread where their number is an id, ids of 31 bits along each
//! axis, those of the last block's rest too, blocks that hold the program's threads exactly or with a rest that ends at
//! once, and a grid that the chip takes.

use super::plan::{Permute, Spare};
use crate::choice::{Host, Relaunch};
use crate::kernel::Dim;
use crate::llvm::ir::{Pred, Type, Value};
use crate::machine::target::{GRID_ROWS, WARP};
use crate::machine::tuning::fold::{SHORTEST, THREADS};

impl Relaunch for Permute {
    fn write(&self, host: &mut Host, _: &[Value]) -> Option<Value> {
        let b = host.b;
        let own = host.own();
        // A launch that was folded has them so.
        let by_block = self.by_block.map(|is| is && !self.of_folded);
        for d in Dim::ALL.into_iter().filter(|d| by_block[d.index()]) {
            let is_one = b.icmp(Pred::LLVMIntEQ, own[d.index()], host.constant(1));
            host.tests.push(is_one);
        }
        let count = [0, 1, 2].map(|d| host.product(own[d], own[3 + d]));
        let along = self.order.map(|d| Axis {
            threads: count[d.index()],
            ends: ends(host, self.spare[d.index()], count[d.index()]),
        });
        let [x, y, z] = along;
        let row = x.widest(host, SHORTEST, WARP);
        // Nothing is divided by 0: a row has some threads.
        let room = b.udiv(host.constant(THREADS), row);
        let rows = y.widest(host, 1, THREADS / SHORTEST);
        let rows = b.select(b.icmp(Pred::LLVMIntULE, rows, room), rows, room);
        let is_row = x.holds(host, row);
        host.tests.push(is_row);
        let one = host.constant(1);
        let grid = [x.blocks(host, row), y.blocks(host, rows), z.threads];
        for along in &grid[1..] {
            let in_grid = b.icmp(Pred::LLVMIntULE, *along, host.constant(GRID_ROWS));
            host.tests.push(in_grid);
        }
        // The rest of the last blocks has ids of 31 bits, too.
        host.product(grid[0], row);
        host.product(grid[1], rows);
        let answer = host.answer()?;
        host.store(own, [row, rows, one], grid, answer);
        Some(answer)
    }
}

/// Threads along one axis of the copy's launch.
#[derive(Clone, Copy)]
struct Axis {
    threads: Value,
    /// Whether those beyond end at once; `None`: they do not, or nobody knows.
    ends: Option<Value>,
}

impl Axis {
    /// Whether blocks of so many threads hold them, with a rest that ends.
    fn holds(self, host: &Host, each: Value) -> Value {
        let b = host.b;
        let whole = b.icmp(
            Pred::LLVMIntEQ,
            b.urem(self.threads, each),
            host.constant(0),
        );
        let enough = b.icmp(Pred::LLVMIntUGE, self.threads, each);
        let holds = self.ends.map_or(whole, |ends| b.or(whole, ends));
        b.and(holds, enough)
    }

    /// The largest of `least`, twice that, … `most` that holds them; `least` if none does.
    fn widest(self, host: &Host, least: u32, most: u32) -> Value {
        let wider =
            std::iter::successors(Some(2 * least), |n| Some(2 * n)).take_while(|n| *n <= most);
        wider.fold(host.constant(least), |widest, n| {
            let n = host.constant(n);
            host.b.select(self.holds(host, n), n, widest)
        })
    }

    fn blocks(self, host: &Host, each: Value) -> Value {
        let b = host.b;
        b.udiv(b.add(self.threads, b.sub(each, host.constant(1))), each)
    }
}

/// Whether threads beyond `count` end at once.
fn ends(host: &Host, spare: Spare, count: Value) -> Option<Value> {
    match spare {
        Spare::None => None,
        Spare::All => Some(Type::int(host.b.module(), 1).constant(1)),
        Spare::From(bound) => host.end_from(&bound, count),
    }
}
