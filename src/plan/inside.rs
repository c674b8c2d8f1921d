//! The plan for the blocks inside (`affine::inside`), where there is none for all of them.

use super::legality::Facets;
use super::{Plan, make};
use crate::access::Accesses;
use crate::affine::{self, Affine, Inside};
use crate::options::Options;
use crate::tree::Tree;

/// A plan and what it is about, which `lower` must be given with it: the kernel as a whole, or what the
/// blocks inside run of it.
pub struct Planned {
    /// The tree.
    pub tree: Tree,
    /// Its accesses.
    pub accesses: Accesses,
    /// Its indices.
    pub affine: Affine,
    /// The plan.
    pub plan: Plan,
}

/// The plan for the blocks inside of a kernel of which by default nothing is staged as a whole. `plan` is what
/// there is for the whole.
pub fn inside(f: &Facets, plan: &Plan, options: &Options, fuel: Option<u32>) -> Option<Planned> {
    if options.force || plan.kernel_missed.is_some() {
        return None;
    }
    // Windows gain more than what is done without tiles.
    let stages_nothing = |p: &Plan| p.regions.is_empty() && p.tally.is_none();
    let left_alone = stages_nothing(plan) || {
        let default = Options {
            merge: None,
            ..options.clone()
        };
        options.merge.is_some()
            && stages_nothing(&make(
                f.kernel, f.tree, f.accesses, f.affine, &default, fuel,
            ))
    };
    let inside = left_alone.then(|| affine::inside(f.kernel, f.tree))??;
    let Inside {
        tree,
        accesses,
        affine,
    } = inside;
    let plan = make(f.kernel, &tree, &accesses, &affine, options, fuel);
    (!plan.is_idle()).then_some(Planned {
        tree,
        accesses,
        affine,
        plan,
    })
}
