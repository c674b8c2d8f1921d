//! A spread copy as one of the ways in which copies are written.

use super::{DisjointCells, Spread};
use crate::choice::Relaunch;
use crate::kernel::Kernel;
use crate::plan::{Analyses, Fact};
use crate::transform::way::Recasting;

/// A copy that is spread, and what says that its elements are apart.
pub struct Distributed(pub Spread, pub DisjointCells);

impl Recasting for Distributed {
    fn name(&self) -> &'static str {
        "Spread"
    }

    fn word(&self) -> &'static str {
        "spread"
    }

    fn title(&self) -> Option<&'static str> {
        Some("its loop is dealt out")
    }

    fn facts(&self, f: &Analyses) -> Option<Vec<Fact>> {
        self.1.facts(f)
    }

    fn must_know_facts(&self) -> bool {
        true
    }

    fn relaunch(&self) -> Option<&dyn Relaunch> {
        Some(&self.0)
    }

    fn describe(&self, kernel: &Kernel) -> String {
        let count = self.0.count.describe(kernel);
        match self.0.run {
            1 => format!("a thread for each of {count} elements"),
            n => format!("a thread for each of {count} elements, which have {n} each"),
        }
    }
}
