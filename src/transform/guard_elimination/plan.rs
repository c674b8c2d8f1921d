//! Which branches a copy has no more, as plain data. Idea and soundness: [`super`].

use crate::kernel::{BlockId, Kernel};
use crate::plan::{self, Analyses, Fact};
use crate::transform::way::Recasting;
use std::fmt;

/// Guards that all threads of a launch meet.
#[derive(Clone, Debug)]
pub struct GuardElimination {
    /// Outermost first; one at least.
    pub(super) guards: Vec<Branch>,
}

/// A branch, and the side that all threads take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Branch {
    /// The block that ends in it.
    pub(super) at: BlockId,
    /// Whether its condition holds.
    pub(super) wanted: bool,
}

/// Why guards around barriers stay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// One asks for more than ids and the launch's numbers.
    Unknown,
    /// Threads that do not meet one do something else, or values hang on it.
    Work,
    /// Several files may have the kernel.
    Shared,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::Unknown => "the host cannot tell whether all threads meet one",
            Refused::Work => "threads that do not meet one have something to do",
            Refused::Shared => "other files may have this kernel, too",
        })
    }
}

impl Recasting for GuardElimination {
    fn name(&self) -> &'static str {
        "GuardElimination"
    }

    fn word(&self) -> &'static str {
        "guards met"
    }

    fn describe(&self, _: &Kernel) -> String {
        let guards = match self.guards.len() {
            1 => "1 guard is".to_string(),
            n => format!("{n} guards are"),
        };
        format!("{guards} left out in front of barriers, for grids of which all threads go on")
    }

    /// That all threads meet the guards.
    fn facts_of_launch(&self, f: &Analyses) -> Option<Vec<Fact>> {
        plan::facts_of(f.affine, f.affine.met.as_ref()?)
    }

    fn must_know_facts(&self) -> bool {
        true
    }

    /// Of what no plan is made the host asks nothing but what that way asks.
    fn may_be_rewritten(&self) -> bool {
        false
    }
}
