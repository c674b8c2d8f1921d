//! A kernel's copy whose ids are those of other axes.

use super::Permute;
use crate::kernel::{Kernel, ids};
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
        if axis == d {
            continue;
        }
        let name = format!("{}{}.{}", ids::SPECIAL, register.name(), axis.letter());
        b.before(read);
        let new = b.call(b.module().intrinsic(&name, &[]), &[]);
        read.replace_uses(new);
        read.erase();
    }
    Ok(())
}
