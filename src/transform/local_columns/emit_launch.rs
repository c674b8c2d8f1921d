//! The launch of a version with columns: the program's own. Its shared memory is what the record says (`Needs`).

use super::plan::LocalColumns;
use crate::choice::{Host, Relaunch};
use crate::llvm::ir::Value;

impl Relaunch for LocalColumns {
    fn write(&self, host: &mut Host, _: &[Value]) -> Option<Value> {
        let own = host.own();
        host.tests.push(host.b.i1().constant(1));
        let answer = host.answer()?;
        let [block, grid] = [0, 3].map(|first| [0, 1, 2].map(|k| own[first + k]));
        host.store(own, block, grid, answer);
        Some(answer)
    }
}
