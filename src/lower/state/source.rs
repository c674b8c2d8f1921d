//! What an emission is made from.

use crate::access::Accesses;
use crate::affine::Affine;
use crate::kernel::Kernel;
use crate::plan::{Facets, Plan};
use crate::tree::Tree;

/// The kernel, what is known of it, and what is to be done with it. Nothing of it changes.
pub struct Source<'a> {
    pub kernel: &'a Kernel,
    pub tree: &'a Tree,
    pub accesses: &'a Accesses,
    pub affine: &'a Affine,
    pub plan: &'a Plan,
}

impl<'a> Source<'a> {
    pub fn new(f: &Facets<'a>, plan: &'a Plan) -> Source<'a> {
        Source {
            kernel: f.kernel,
            tree: f.tree,
            accesses: f.accesses,
            affine: f.affine,
            plan,
        }
    }
}
