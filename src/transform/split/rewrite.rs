//! The split as one of the ways in which a kernel is written.

use super::{Split, emit, legality};
use crate::kernel::Kernel;
use crate::plan::Analyses;
use crate::transform::way::{Found, Leaves, Rewrite};

/// How the reductions of a kernel are dealt out, if they can be.
pub fn find(f: &Analyses) -> Option<Found> {
    Some(Found::Way(Box::new(legality::find(f)?)))
}

impl Rewrite for Split {
    fn name(&self) -> &'static str {
        "split"
    }

    fn title(&self) -> &'static str {
        "its integer reductions are split"
    }

    fn leaves(&self) -> Leaves {
        Leaves::Staging
    }

    fn emit(&self, own: &Kernel) -> Result<(), String> {
        emit::emit(self, own)
    }

    fn describe(&self, _: &Kernel) -> String {
        let count = |n: usize, what: &str| match n {
            1 => format!("1 {what}"),
            n => format!("{n} {what}s"),
        };
        let sums = self.loops.iter().map(|l| l.accumulators.len()).sum();
        format!(
            "a warp for each thread, {} with {}",
            count(self.loops.len(), "loop"),
            count(sums, "accumulator")
        )
    }
}
