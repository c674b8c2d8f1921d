//! A copy without the guards. Idea and soundness: [`super`].

use super::plan::{Branch, GuardElimination};
use crate::kernel::{Kernel, ids};
use crate::llvm::ir::Builder;

/// Has all threads take one side of each branch.
pub fn emit(elimination: &GuardElimination, copy: &Kernel) {
    let b = Builder::new(copy.function.module());
    let all = elimination.guards.iter();
    all.for_each(|branch| meet(&b, *branch, copy));
}

fn meet(b: &Builder, Branch { at, wanted }: Branch, copy: &Kernel) {
    let end = copy.block(at).terminator();
    let to = copy.block(at).successors()[usize::from(!wanted)];
    let condition = end.condition();
    b.before(end);
    let holds = match wanted {
        true => condition,
        false => b.xor(condition, condition.ty().constant(1)),
    };
    ids::mark_as_met(b, holds);
    b.br(to);
    end.erase();
}
