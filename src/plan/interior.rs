//! The plan for interior blocks (`affine::interior`), where there is none for all of them.

use super::analyses::Analyses;
use super::data::{KernelPlan, Plan};
use super::make::{Candidates, make};
use super::unsure::may_have_more;
use super::whole;
use crate::access::Accesses;
use crate::affine::{self, Affine, Interior};
use crate::kernel::Kernel;
use crate::options::Options;
use crate::transform::reshape;
use crate::tree::Tree;

/// A plan and what it is about, which `lower` must be given with it: the kernel as a whole, or what the
/// interior blocks run of it.
pub struct Planned {
    /// The tree.
    pub tree: Tree,
    /// Its accesses.
    pub accesses: Accesses,
    /// Its indices.
    pub affine: Affine,
    /// The plan.
    pub plan: KernelPlan,
    /// The kernel as a whole, which [`KernelPlan::whole`] is about, where the rest is about interior blocks.
    pub whole: Option<Whole>,
}

/// A kernel as it is.
pub struct Whole {
    /// The tree.
    pub tree: Tree,
    /// Its accesses.
    pub accesses: Accesses,
    /// Its indices.
    pub affine: Affine,
}

/// The plan for all blocks, or else that for interior blocks, with what each of them is about.
pub fn plan(kernel: &Kernel, whole: Whole, options: &Options, fuel: Option<u32>) -> Planned {
    let f = Analyses {
        kernel,
        tree: &whole.tree,
        accesses: &whole.accesses,
        affine: &whole.affine,
    };
    let all = |candidates| {
        make(
            kernel, f.tree, f.accesses, f.affine, options, fuel, candidates,
        )
    };
    let mut plan = all(Candidates::Expected);
    match interior(&f, &plan, options, fuel) {
        Some(mut interior) => {
            interior.plan.reshape = reshape::choose(&f, &interior.plan.first, options);
            Planned {
                whole: Some(whole),
                ..interior
            }
        }
        None => {
            let measured = options.host == Some(true) && !options.force;
            if measured && may_have_more(&plan) {
                plan = all(Candidates::All);
            }
            plan.reshape = reshape::choose(&f, &plan.first, options);
            Planned {
                tree: whole.tree,
                accesses: whole.accesses,
                affine: whole.affine,
                plan,
                whole: None,
            }
        }
    }
}

impl Planned {
    /// What the plan is about.
    pub fn analyses<'a>(&'a self, kernel: &'a Kernel) -> Analyses<'a> {
        Analyses {
            kernel,
            tree: &self.tree,
            accesses: &self.accesses,
            affine: &self.affine,
        }
    }
    /// What [`KernelPlan::whole`] is about.
    pub fn whole<'a>(&'a self, kernel: &'a Kernel) -> Analyses<'a> {
        match &self.whole {
            Some(w) => Analyses {
                kernel,
                tree: &w.tree,
                accesses: &w.accesses,
                affine: &w.affine,
            },
            None => self.analyses(kernel),
        }
    }
}

/// The plan for interior blocks of a kernel of which by default nothing is staged as a whole. `plan` is what
/// there is for the whole.
fn interior(
    f: &Analyses,
    plan: &KernelPlan,
    options: &Options,
    fuel: Option<u32>,
) -> Option<Planned> {
    if options.force || plan.kernel_missed().is_some() {
        return None;
    }
    // Windows gain more than what is done without tiles.
    let stages_nothing = |p: &Plan| !p.stages();
    let keeps_original = stages_nothing(&plan.first) || {
        let default = Options {
            merge: None,
            ..options.clone()
        };
        options.merge.is_some()
            && stages_nothing(
                &make(
                    f.kernel,
                    f.tree,
                    f.accesses,
                    f.affine,
                    &default,
                    fuel,
                    Candidates::Expected,
                )
                .first,
            )
    };
    let interior = keeps_original.then(|| affine::interior(f.kernel, f.tree))??;
    let Interior {
        tree,
        accesses,
        affine,
    } = interior;
    let expected = Candidates::Expected;
    let mut plan = make(f.kernel, &tree, &accesses, &affine, options, fuel, expected);
    whole::choose(f, &mut plan, options);
    (!plan.is_idle()).then_some(Planned {
        tree,
        accesses,
        affine,
        plan,
        whole: None,
    })
}
