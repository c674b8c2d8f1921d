//! A kernel's copy whose blocks have rows.

use super::legality::ids_of;
use crate::kernel::ids::{self, Register};
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::{Builder, Value};

/// Has `copy` make its columns of what lies along x, and its rows of what lies along y.
pub fn emit(copy: &Kernel) -> Result<(), String> {
    let (_, all) = ids_of(copy).ok_or("a flat block's ids are lost")?;
    let b = Builder::new(copy.function.module());
    for id in all {
        let axis = if id.is_column { Dim::X } else { Dim::Y };
        let read_along = |register: Register| {
            let name = format!("{}{}.{}", ids::SPECIAL, register.name(), axis.letter());
            b.intrinsic(&name, &[], &[])
        };
        b.before(id.sum);
        let [block, threads, thread] =
            [Register::Ctaid, Register::Ntid, Register::Tid].map(read_along);
        let new = b.add_nsw(b.mul_nsw(block, threads), thread);
        // Ids have 31 bits, as the host tests.
        let new = match id.sum.ty() == new.ty() {
            true => new,
            false => b.zext_nneg(new, id.sum.ty()),
        };
        id.sum.replace_uses(new);
        erase_unused(id.sum);
    }
    Ok(())
}

/// Erases what nothing uses any more, with what only that used.
fn erase_unused(v: Value) {
    let is_lost = v.is_instruction() && v.users().is_empty();
    if is_lost && ids::is_speculatable(v) {
        let of = v.operands();
        v.erase();
        of.into_iter().for_each(erase_unused);
    }
}
