//! Parts of a launch's dynamic shared memory, one for each block that a version's block does the work of.

use crate::kernel::ids;
use crate::llvm::ir::{Builder, Type, Value};
use crate::machine::target::DYNAMIC_ALIGNMENT;

/// Bytes from one of `parts` parts to the next, in 64 bits: what the launch has, divided, down to what each is aligned
/// to (`dynamic_of` of `rt/rt_launch.h` gives it so much).
pub(super) fn stride(b: &Builder, parts: u32) -> Value {
    let name = format!("{}dynamic_smem_size", ids::SPECIAL);
    let all = b.call(b.module().intrinsic(&name, &[]), &[]);
    let number = |n: i64| all.ty().constant(n);
    let part = b.udiv(all, number(parts.into()));
    let part = b.and(part, number(-i64::from(DYNAMIC_ALIGNMENT)));
    b.zext(part, Type::int(b.module(), 64))
}
