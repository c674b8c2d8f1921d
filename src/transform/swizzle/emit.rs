//! A copy that permutes the words of its shared arrays.

use super::legality::{offset, place};
use super::plan::{Array, Swizzle};
use crate::kernel::{Kernel, callees};
use crate::llvm::ir::{Builder, Value};
use crate::machine::target::WARP;

/// Has all accesses take the permuted places.
pub fn emit(swizzle: &Swizzle, copy: &Kernel) -> Result<(), String> {
    let b = Builder::new(copy.function.module());
    for array in &swizzle.arrays {
        let all = array.accesses.iter();
        for i in all.map(|i| copy.value(*i)) {
            permute(&b, array, i).ok_or("an access of a shared array is not what it was")?;
        }
    }
    copy.function.run_passes("dce")
}

fn permute(b: &Builder, array: &Array, i: Value) -> Option<()> {
    let address = i.operand(place(i));
    let at = offset(i, base_of(address)?)?;
    b.before(i);
    b.locate_as(i);
    let constant = b.int(at.constant);
    let terms = at.terms.into_iter();
    let from = terms.fold(constant, |sum, (index, scale)| {
        let index = match index.ty().int_width() {
            Some(bits) if bits > 32 => b.trunc(index, b.i32()),
            _ => b.sext(index, b.i32()),
        };
        b.plus(sum, b.mul(index, b.int(scale)))
    });
    // Words are counted in rows of as many as there are banks: the row's number, in bytes of a word.
    let rows = b.lshr(from, b.int(WARP.trailing_zeros().into()));
    let within = b.int(i64::from((WARP - 1) * array.word));
    let to = b.xor(from, b.and(rows, within));
    i.set_operand(place(i), b.byte_offset(at.base, b.zext(to, b.i64())));
    i.set_alignment(array.word);
    Some(())
}

/// The shared array that an address is of.
fn base_of(mut address: Value) -> Option<Value> {
    while address.is_instruction() {
        address = address.operand(0);
    }
    callees::shared_global(address)
}
