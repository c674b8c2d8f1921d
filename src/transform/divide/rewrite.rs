//! Multiplication in place of division as one of the ways in which a kernel is written.

use super::plan::Divide;
use super::{emit, legality};
use crate::kernel::Kernel;
use crate::plan::Analyses;
use crate::transform::way::{Found, Rewrite};

/// Which divisions of the kernel are replaced, or why none is; `None`: there is none that LLVM does not replace.
pub fn find(f: &Analyses) -> Option<Found> {
    Some(Found::of(legality::find(f)?, None))
}

impl Rewrite for Divide {
    fn title(&self) -> &'static str {
        "divisions by numbers of its launch can be multiplications"
    }

    /// What is done to its loops and tiles gains more, as a rule.
    fn takes_spare_place(&self) -> bool {
        true
    }

    fn words(&self) -> Option<usize> {
        Some(Divide::words(self))
    }

    fn emit(&self, own: &Kernel) -> Result<(), String> {
        emit::emit(own, self)
    }

    fn describe(&self, _: &Kernel) -> String {
        let count = |n: usize, what: &str| match n {
            1 => format!("1 {what}"),
            n => format!("{n} {what}s"),
        };
        let divisions = count(self.divisions().count(), "division");
        format!("{divisions} by {}", count(self.divisors.len(), "number"))
    }
}
