//! The split as one of the ways in which a kernel is written.

use super::{Reduction, Split, emit, gains, legality};
use crate::kernel::Kernel;
use crate::plan::{Analyses, Fact};
use crate::transform::way::{Found, Leaves, Rewrite};

/// How the reductions of a kernel are dealt out, if they can be.
pub fn find(f: &Analyses) -> Option<Found> {
    Some(Found::Way(Box::new(legality::find(f)?)))
}

impl Rewrite for Split {
    fn title(&self) -> &'static str {
        match (self.keeps_order(), self.reduces()) {
            (true, _) => "its loops are split, with their sums in order",
            (false, true) => "its integer reductions are split",
            (false, false) => "its loops that store are split",
        }
    }

    fn shared(&self, kernel: &Kernel) -> u32 {
        kernel.own_shared + self.bytes()
    }

    fn facts(&self) -> &[Fact] {
        &self.facts
    }

    fn pays(&self, f: &Analyses) -> Vec<Fact> {
        gains::pays(f, self)
    }

    fn leaves(&self) -> Leaves {
        match self.takes_spare_place() {
            true => Leaves::All,
            false => Leaves::Staging,
        }
    }

    fn takes_spare_place(&self) -> bool {
        self.keeps_order() || !self.reduces()
    }

    fn emit(&self, own: &Kernel) -> Result<(), String> {
        emit::emit(self, own)
    }

    fn describe(&self, _: &Kernel) -> String {
        let count = |n: usize, what: &str| match n {
            1 => format!("1 {what}"),
            n => format!("{n} {what}s"),
        };
        let sums = self.loops.iter().map(Reduction::carried);
        let loops = count(self.loops.len(), "loop");
        let sums = count(sums.sum(), "accumulator");
        let steps = self.loops.iter().filter_map(Reduction::serial);
        let steps: usize = steps.map(|s| s.steps.len()).sum();
        let order = match steps {
            0 => String::new(),
            n => format!(", {} in order", count(n, "step")),
        };
        let storing = self.loops.iter().filter(|l| l.cells.stores);
        let compared = storing.clone().map(|l| l.cells.pairs.len());
        let storing = match (storing.count(), compared.sum()) {
            (0, _) => String::new(),
            (n, 0) => format!(", {n} storing"),
            (n, pairs) => format!(", {n} storing where {} apart", count(pairs, "pair")),
        };
        format!("a warp for each thread, {loops} with {sums}{order}{storing}")
    }
}
