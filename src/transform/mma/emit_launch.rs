//! The launch of a version with tensor cores: a block for each tile of the product, in each layer of the grid.
//!
//! Tested is that blocks have two dimensions, that there is something to work out, that the program launches all
//! threads that are of use, or whole tiles of them where the kernel has no limit, and all facts that the version rests
//! on, of the program's launch: the version's own says nothing of that.

use super::{Mma, Side};
use crate::choice::{Host, Relaunch};
use crate::kernel::Dim;
use crate::llvm::ir::{Pred, Value};
use crate::machine::target::GRID_ROWS;

impl Relaunch for Mma {
    fn write(&self, host: &mut Host, tests: &[Value]) -> Option<Value> {
        let b = host.b;
        let (own, one) = (host.own(), host.constant(1));
        let flat = b.icmp(Pred::LLVMIntEQ, own[2], one);
        host.tests.push(flat);
        for t in tests {
            host.add_test(*t)?;
        }
        let mut blocks = [one; 2];
        for (k, side) in self.sides.iter().enumerate() {
            blocks[k] = tiles(host, own, side, self.numbers.shape().tile[k])?;
        }
        let [rows, cols] = blocks;
        let in_grid = b.icmp(Pred::LLVMIntULE, rows, host.constant(GRID_ROWS));
        host.tests.push(in_grid);
        let answer = host.answer()?;
        let block = [host.constant(self.numbers.shape().threads()), one, one];
        host.store(own, block, [cols, rows, own[5]], answer);
        Some(answer)
    }
}

/// How many tiles of so many lines a side has.
fn tiles(host: &mut Host, own: [Value; 6], side: &Side, lines: u32) -> Option<Value> {
    let b = host.b;
    let at = match side.dim {
        Dim::X => 0,
        _ => 1,
    };
    let ids = b.mul(own[at], own[3 + at]);
    host.is_length(ids);
    let each = host.constant(lines);
    let count = match &side.bound {
        Some(bound) => {
            let count = host.number(&bound.number)?;
            host.is_length(count);
            let enough = host.are_enough(count, ids, None);
            host.tests.extend(enough);
            count
        }
        None => {
            let rest = b.urem(ids, each);
            let whole = b.icmp(Pred::LLVMIntEQ, rest, host.constant(0));
            host.tests.push(whole);
            ids
        }
    };
    Some(b.udiv(b.add(count, b.sub(each, host.constant(1))), each))
}
