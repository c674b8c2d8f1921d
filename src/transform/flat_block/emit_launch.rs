//! The launch of a kernel whose flat blocks have become blocks of rows.
//!
//! What `flat_block` rests on is tested here: blocks of as many threads as the ids are made for, along x alone, ids of
//! 31 bits, and a grid that the chip takes.

use super::plan::FlatBlock;
use crate::choice::{Host, Relaunch};
use crate::kernel::Dim;
use crate::llvm::ir::{Pred, Value};
use crate::machine::target::GRID_ROWS;

impl Relaunch for FlatBlock {
    fn write(&self, host: &mut Host, _: &[Value]) -> Option<Value> {
        let b = host.b;
        let own = host.own();
        let one = host.constant(1);
        let needed = [host.constant(self.columns * self.rows), one, one];
        for (threads, needed) in own.into_iter().zip(needed) {
            let is_it = b.icmp(Pred::LLVMIntEQ, threads, needed);
            host.tests.push(is_it);
        }
        let blocks = |d: Dim| own[3 + d.index()];
        let grid = [
            blocks(self.of_columns),
            blocks(self.of_rows),
            blocks(Dim::Z),
        ];
        let in_grid = b.icmp(Pred::LLVMIntULE, grid[1], host.constant(GRID_ROWS));
        host.tests.push(in_grid);
        let block = [host.constant(self.columns), host.constant(self.rows), one];
        host.product(grid[0], block[0]);
        host.product(grid[1], block[1]);
        let answer = host.answer()?;
        host.store(own, block, grid, answer);
        Some(answer)
    }
}
