//! What an emission is made from.

use crate::access::{AccessId, Accesses};
use crate::affine::Affine;
use crate::kernel::Kernel;
use crate::llvm::ir::{Type, Value};
use crate::plan::{Analyses, Plan};
use crate::tree::Tree;

/// The kernel, what is known of it, and what is to be done with it. Nothing of it changes.
pub struct Source<'a> {
    pub kernel: &'a Kernel,
    pub tree: &'a Tree,
    pub accesses: &'a Accesses,
    pub affine: &'a Affine,
    pub plan: &'a Plan,
    /// What all tiles carve; a constant where there are none.
    pub buffer: Value,
}

impl<'a> Source<'a> {
    pub fn new(f: &Analyses<'a>, plan: &'a Plan, buffer: Option<Value>) -> Source<'a> {
        let none = || Type::int(f.kernel.function.module(), 32).constant(0);
        Source {
            kernel: f.kernel,
            tree: f.tree,
            accesses: f.accesses,
            affine: f.affine,
            plan,
            buffer: buffer.unwrap_or_else(none),
        }
    }

    /// The instruction of an access, in the original body.
    pub fn instruction(&self, of: AccessId) -> Value {
        self.kernel.value(self.accesses.get(of).value)
    }
}
