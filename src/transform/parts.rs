//! Parts of shared memory, one for each block that a version's block does the work of.

use crate::kernel::{callees, ids};
use crate::llvm::ir::{Builder, Function, Type, Value};
use crate::machine::target::DYNAMIC_ALIGNMENT;

/// Bytes from one of `parts` parts of a launch's dynamic shared memory to the next, in 64 bits: what the launch has,
/// divided, down to what each is aligned to (`dynamic_of` of `rt/rt_launch.h` gives it so much).
pub(super) fn stride(b: &Builder, parts: u32) -> Value {
    let name = format!("{}dynamic_smem_size", ids::SPECIAL);
    let all = b.intrinsic(&name, &[], &[]);
    let number = |n: i64| all.ty().constant(n);
    let part = b.udiv(all, number(parts.into()));
    let part = b.and(part, number(-i64::from(DYNAMIC_ALIGNMENT)));
    b.zext(part, Type::int(b.module(), 64))
}

/// The static shared arrays of a block as they lie one behind the other, each at its alignment: so ptxas 13.0 lays out
/// those of a kernel, in the order of the module. Programs are seen whose index leaves an array. What it finds then is
/// the next one's, in each part as in the kernel; were an array's parts side by side, that of the last one might be
/// beyond the block's memory, which ends the program.
pub(super) struct Layout {
    /// The arrays, each with the bytes before it.
    pub arrays: Vec<(Value, u64)>,
    /// What it is aligned to.
    pub align: u32,
    /// From one to the next.
    pub stride: u64,
}

impl Layout {
    /// That of all static arrays of a function.
    pub fn of_all(function: Function) -> Layout {
        Layout::of(function, &callees::static_arrays(function))
    }

    /// That of some of them.
    pub fn of(function: Function, arrays: &[Value]) -> Layout {
        let mut layout = Layout {
            arrays: Vec::new(),
            align: DYNAMIC_ALIGNMENT,
            stride: 0,
        };
        for array in arrays {
            let align = array.alignment().max(1);
            let begin = layout.stride.next_multiple_of(align.into());
            layout.arrays.push((*array, begin));
            layout.align = layout.align.max(align);
            layout.stride = begin + function.module().alloc_size(array.global_value_type());
        }
        layout.stride = layout.stride.next_multiple_of(layout.align.into());
        layout
    }

    /// Adds so many of them as a global with that name, the first of which is in the place of the arrays.
    pub fn add(&self, function: Function, parts: u64, name: &str) -> Value {
        let module = function.module();
        let ty = Type::int(module, 8).array(self.stride * parts);
        let merged = function.value().is_mergeable();
        let all = module.add_shared_global(name, ty, self.align, merged);
        let (b, i64t) = (Builder::new(module), Type::int(module, 64));
        for (array, begin) in &self.arrays {
            array.replace_uses(match begin {
                0 => all,
                _ => b.byte_offset(all, i64t.constant(*begin as i64)),
            });
        }
        all
    }
}
