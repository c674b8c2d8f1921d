//! A way to break the code, and the kernels on which the quick run tries it.

use crate::stage::{Emitted, Planned};

/// Breaks the plan at the place with this number; `false` if there is none.
pub type PlanEdit = fn(&mut Planned, usize) -> bool;
/// Breaks emitted code likewise.
pub type CodeEdit = fn(&Emitted, usize) -> bool;

/// A kernel, in the way in which it is staged, and the mutations that the oracle must notice on it.
pub type Noticed = (&'static str, &'static [&'static str]);

/// One way to break the code.
pub struct Mutation {
    /// Short name.
    pub name: &'static str,
    /// What is wrong with a mutant.
    pub what: &'static str,
    /// How it is made.
    pub edit: Change,
}

/// Which stage's result is changed.
#[derive(Clone, Copy)]
pub enum Change {
    /// The plan, before `lower`.
    Plan(PlanEdit),
    /// The code, after it.
    Code(CodeEdit),
}

impl Mutation {
    /// One that changes the plan.
    pub fn plan(name: &'static str, what: &'static str, edit: PlanEdit) -> Mutation {
        let edit = Change::Plan(edit);
        Mutation { name, what, edit }
    }

    /// One that changes emitted code.
    pub fn code(name: &'static str, what: &'static str, edit: CodeEdit) -> Mutation {
        let edit = Change::Code(edit);
        Mutation { name, what, edit }
    }
}
