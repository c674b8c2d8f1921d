//! What the model is asked, and what it answers.

use super::super::analyses::Analyses;
use crate::machine::target::Target;
use crate::plan::data::Plan;
use crate::plan::model::known::Known;
use crate::plan::model::launch::Launch;
use crate::plan::model::machine;
use crate::plan::model::machine::{Load, Resource};
use std::fmt;

/// How a plan's regions are run: what a search varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Iterations per strip.
    pub length: u32,
    /// Tiles in flight.
    pub depth: u32,
    /// Bytes a copy moves at once; less than a cell means a cell.
    pub width: u32,
    /// Neighbouring blocks done by one, per dimension; 1: none.
    pub merge: [u32; 3],
    /// Whether a thread's merged elements are neighbours, so that it reads them together.
    pub consecutive: bool,
}

impl Shape {
    /// What the plan itself says.
    pub fn of(plan: &Plan) -> Shape {
        let strip = plan.regions.iter().find_map(|r| r.strip);
        Shape {
            length: strip.map_or(32, |s| s.length),
            depth: strip.map_or(1, |s| s.depth.max(1)),
            width: 0,
            merge: plan.merge.factor.map(|m| m.max(1)),
            consecutive: plan.merge.consecutive.iter().any(|c| *c),
        }
    }
}

/// Time before and after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    /// Microseconds of the kernel as it is.
    pub before_us: f64,
    /// Microseconds with the plan; where its facts fail, of the original body behind the test.
    pub after_us: f64,
    /// What holds the kernel back with the plan.
    pub bound: Resource,
    /// What holds it back without.
    pub bound_before: Resource,
    /// Whether the launch passes the plan's facts.
    pub serves: bool,
}

impl Prediction {
    /// From what the launch does without the plan and with it.
    pub fn of(target: &Target, before: &Load, after: &Load, serves: bool) -> Prediction {
        let (before_us, bound_before) = machine::time(target, before);
        let (after_us, bound) = machine::time(target, after);
        Prediction {
            before_us,
            after_us,
            bound,
            bound_before,
            serves,
        }
    }

    /// How many times faster.
    pub fn gain(&self) -> f64 {
        self.before_us / self.after_us
    }
}

impl fmt::Display for Prediction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (gain, before, after) = (self.gain(), self.before_us, self.after_us);
        write!(
            f,
            "predicted x{gain:.2} (before {before:.1} us, after {after:.1} us, bound by {})",
            self.bound
        )
    }
}

/// One plan and one launch.
pub struct Question<'a> {
    /// The kernel.
    pub f: Analyses<'a>,
    /// What is done with it.
    pub plan: &'a Plan,
    /// The chip.
    pub target: &'a Target,
    /// How its regions are run.
    pub shape: Shape,
    /// Its launch.
    pub launch: &'a Launch,
    /// Its instructions and addresses.
    pub known: &'a Known,
    /// What it surely has of a multiprocessor; `None`: by the shape asked about.
    pub whole: Option<Whole>,
    /// Whether what fits L2 is there already.
    pub warm: bool,
}

/// What a version has of a multiprocessor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Whole {
    /// Registers of a thread.
    pub registers: f64,
    /// Bytes of shared memory of a block, the kernel's own included.
    pub shared: f64,
}
