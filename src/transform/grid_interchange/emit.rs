//! A kernel's copy whose blocks lie along the other axis.

use super::GridInterchange;
use crate::kernel::Kernel;
use crate::kernel::ids::{self, Register};
use crate::llvm::ir::{Builder, Value};

/// Has `copy` read what it asks of its grid along the other axis.
pub fn emit(interchange: GridInterchange, copy: &Kernel) {
    let b = Builder::new(copy.function.module());
    let all = copy.blocks.iter().flat_map(|b| b.instructions());
    let all: Vec<Value> = all.collect();
    for read in all {
        let Some((register @ (Register::Ctaid | Register::Nctaid), d)) = ids::register(read) else {
            continue;
        };
        let axis = interchange.axis(d);
        if axis == d {
            continue;
        }
        b.before(read);
        let name = format!("{}{}.{}", ids::SPECIAL, register.name(), axis.letter());
        let other = b.intrinsic(&name, &[], &[]);
        read.replace_uses(other);
        read.erase();
    }
}
