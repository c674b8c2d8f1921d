//! The plan for interior blocks (`affine::interior`), where there is none for all of them.

use super::analyses::Analyses;
use super::data::{KernelPlan, Plan};
use super::make::{Candidates, make};
use super::unsure::may_have_more;
use super::whole;
use crate::affine::{self, Analyzed};
use crate::kernel::Kernel;
use crate::options::Options;
use crate::transform::reshape;

/// A plan and what it is about, which `lower` must be given with it: the kernel as a whole, or what the
/// interior blocks run of it.
pub struct Planned {
    /// What the plan is about.
    pub found: Analyzed,
    /// The plan.
    pub plan: KernelPlan,
    /// The kernel as a whole, which [`KernelPlan::whole`] is about, where the rest is about interior blocks.
    pub whole: Option<Analyzed>,
}

/// The plan for all blocks, or else that for interior blocks, with what each of them is about.
pub fn plan(kernel: &Kernel, whole: Analyzed, options: &Options, fuel: Option<u32>) -> Planned {
    let f = Analyses::of(kernel, &whole);
    let mut plan = make(&f, options, fuel, Candidates::Expected);
    if let Some(mut interior) = interior(&f, &plan, options, fuel) {
        interior.plan.reshape = reshape::choose(&f, &interior.plan.first, options);
        return Planned {
            whole: Some(whole),
            ..interior
        };
    }
    let measured = options.host == Some(true) && !options.force;
    if measured && may_have_more(&plan) {
        plan = make(&f, options, fuel, Candidates::All);
    }
    plan.reshape = reshape::choose(&f, &plan.first, options);
    Planned {
        found: whole,
        plan,
        whole: None,
    }
}

impl Planned {
    /// What the plan is about.
    pub fn analyses<'a>(&'a self, kernel: &'a Kernel) -> Analyses<'a> {
        Analyses::of(kernel, &self.found)
    }
    /// What [`KernelPlan::whole`] is about.
    pub fn whole<'a>(&'a self, kernel: &'a Kernel) -> Analyses<'a> {
        Analyses::of(kernel, self.whole.as_ref().unwrap_or(&self.found))
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
            && stages_nothing(&make(f, &default, fuel, Candidates::Expected).first)
    };
    let found = keeps_original.then(|| affine::interior(f.kernel, f.tree))??;
    let of_interior = Analyses::of(f.kernel, &found);
    let plan = make(&of_interior, options, fuel, Candidates::Expected);
    let plan = KernelPlan {
        whole: whole::propose(f, &plan, options).unwrap_or(plan.whole),
        ..plan
    };
    (!plan.is_idle()).then_some(Planned {
        found,
        plan,
        whole: None,
    })
}
