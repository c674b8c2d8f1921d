//! A kernel's clone whose pointers are promised to be aligned.

use super::plan::Align;
use crate::kernel::Kernel;
use crate::machine::target::WIDEST_ACCESS;

/// Promises it.
pub fn emit(own: &Kernel, plan: &Align) -> Result<(), String> {
    for pointer in plan.pointers.iter().map(|id| own.value(*id)) {
        match pointer.argument_index() {
            Some(place) => own.function.align_param(place, WIDEST_ACCESS),
            None => pointer.promise_alignment(own.function.module(), WIDEST_ACCESS),
        }
    }
    Ok(())
}
