//! A copy that permutes the words of its shared arrays.

use super::plan::{Access, Array, Swizzle};
use crate::kernel::Kernel;
use crate::llvm::ir::{Builder, Op, Value};
use crate::machine::target::WARP;

/// Has all accesses take the permuted places.
pub fn emit(swizzle: &Swizzle, copy: &Kernel) -> Result<(), String> {
    let b = Builder::new(copy.function.module());
    for array in &swizzle.arrays {
        array
            .accesses
            .iter()
            .for_each(|a| permute(&b, array, a, copy));
    }
    copy.function.run_passes("dce")
}

fn permute(b: &Builder, array: &Array, access: &Access, copy: &Kernel) {
    let i = copy.value(access.at);
    b.before(i);
    b.locate_as(i);
    let from = access.offset.emit(b, copy, 1);
    // Words are counted in rows of as many as there are banks: the row's number, in bytes of a word.
    let rows = b.lshr(from, b.int(WARP.trailing_zeros().into()));
    let within = b.int(i64::from((WARP - 1) * array.word));
    let to = b.xor(from, b.and(rows, within));
    let beginning = beginning_of(i.operand(access.place));
    i.set_operand(access.place, b.byte_offset(beginning, b.zext(to, b.i64())));
    i.set_alignment(array.word);
}

/// Where an address is moved on from: the array, as it is, or seen as a part of all memory.
fn beginning_of(address: Value) -> Value {
    match address.opcode() {
        Some(Op::LLVMGetElementPtr) => beginning_of(address.operand(0)),
        Some(Op::LLVMAddrSpaceCast) if !address.operand(0).is_global_variable() => {
            beginning_of(address.operand(0))
        }
        _ => address,
    }
}
