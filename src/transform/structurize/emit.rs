//! The copy, block by block. Idea and soundness: [`super`].

use super::plan::{Structurized, switches};
use super::{emit_duplicate, emit_switch, legality};
use crate::kernel::Kernel;
use crate::llvm::ir::Function;
use crate::machine::tuning::structurize::MOST_COPIES;
use crate::tree;

/// Rewrites a copy of a kernel; what was done, if anything.
pub fn emit(copy: Function, collect: &dyn Fn() -> Kernel) -> Option<Structurized> {
    let switches = switches(&collect());
    emit_switch::emit(copy, &switches);
    let mut duplicates = 0;
    while duplicates < MOST_COPIES {
        let kernel = collect();
        let tree = tree::structure(&kernel)?;
        let Some((block, from)) = legality::find(&kernel, &tree) else {
            break;
        };
        emit_duplicate::emit(copy, block, from);
        duplicates += 1;
    }
    let switches = switches.len();
    (switches + duplicates > 0).then_some(Structurized {
        switches,
        duplicates,
    })
}
