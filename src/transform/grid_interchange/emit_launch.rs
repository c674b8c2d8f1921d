//! The launch of a kernel whose grid is interchanged: the program's blocks, in a grid of as many rows as it takes.

use super::plan::GridInterchange;
use crate::choice::{Host, Relaunch};
use crate::kernel::Dim;
use crate::llvm::ir::{Pred, Value};
use crate::machine::target::GRID_ROWS;

impl Relaunch for GridInterchange {
    fn write(&self, host: &mut Host, _: &[Value]) -> Option<Value> {
        let own = host.own();
        let [x, y, z, ..] = own;
        let grid = Dim::ALL.map(|d| own[3 + self.axis(d).index()]);
        let in_grid = host
            .b
            .icmp(Pred::LLVMIntULE, grid[1], host.constant(GRID_ROWS));
        host.tests.push(in_grid);
        let answer = host.answer()?;
        host.store(own, [x, y, z], grid, answer);
        Some(answer)
    }
}
