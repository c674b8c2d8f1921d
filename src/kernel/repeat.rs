//! Values again, in another place.

use crate::llvm::ir::{Builder, Op, Type, Value};

/// `v` worked out again where `b` stands, where the kernel's own may not stand yet: a number made of arguments, without
/// what else the original knows of it.
pub fn repeat(b: &Builder, v: Value) -> Value {
    if !v.is_instruction() {
        return v;
    }
    let copy = v.clone_instruction();
    copy.drop_poison_flags();
    copy.drop_all_metadata();
    if v.is(Op::LLVMLoad) {
        copy.set_operand(0, address(b, v.operand(0)));
    } else {
        for (k, o) in v.operands().into_iter().enumerate() {
            copy.set_operand(k as u32, repeat(b, o));
        }
    }
    b.insert(copy);
    copy
}

/// The address of a part of a parameter.
fn address(b: &Builder, pointer: Value) -> Value {
    let module = b.module();
    match pointer.parameter_offset(module) {
        Some((base, offset)) if pointer.is_instruction() => {
            let offset = Type::int(module, 64).constant(offset);
            b.byte_offset(base, offset)
        }
        _ => pointer,
    }
}
