//! A kernel's copy whose ids are those of other axes.

use super::Permute;
use crate::kernel::ids::{self, Register};
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::{Builder, Value};

/// Has `copy` take each of its numbers along the axis that its dimension lies along.
pub fn emit(permute: &Permute, copy: &Kernel) -> Result<(), String> {
    let function = copy.function;
    let b = Builder::new(function.module());
    let all = function.blocks().into_iter().flat_map(|b| b.instructions());
    let all: Vec<Value> = all.collect();
    for read in all {
        let Some((register, d)) = ids::register(read) else {
            continue;
        };
        let axis = permute.axis(d);
        // Along z blocks have one thread.
        let is_made = permute.by_block[d.index()] && axis != Dim::Z;
        if axis == d && !is_made {
            continue;
        }
        let read_along = |register: Register| {
            let name = format!("{}{}.{}", ids::SPECIAL, register.name(), axis.letter());
            b.intrinsic(&name, &[], &[])
        };
        b.before(read);
        let new = match is_made {
            // A block's number was the id: now it is made of both.
            true => {
                let [block, threads, thread] =
                    [Register::Ctaid, Register::Ntid, Register::Tid].map(read_along);
                b.add_nsw(b.mul_nsw(block, threads), thread)
            }
            false => read_along(register),
        };
        read.replace_uses(new);
        read.erase();
    }
    Ok(())
}
