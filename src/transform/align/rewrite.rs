//! Aligned pointers as one of the ways in which a kernel is written.

use super::plan::Align;
use super::{emit, legality};
use crate::kernel::Kernel;
use crate::plan::Analyses;
use crate::transform::way::{Found, Rewrite};

/// Which pointers of the kernel are taken for aligned, or why none is; `None`: it has no neighbouring accesses.
pub fn find(f: &Analyses) -> Option<Found> {
    Some(Found::of(legality::find(f.kernel)?, None))
}

impl Rewrite for Align {
    fn title(&self) -> &'static str {
        "its pointers can be taken for aligned"
    }

    /// What is done to its loops and tiles gains more, as a rule.
    fn takes_spare_place(&self) -> bool {
        true
    }

    fn keeps_launch(&self) -> bool {
        true
    }

    fn emit(&self, own: &Kernel) -> Result<(), String> {
        emit::emit(own, self)
    }

    fn describe(&self, _: &Kernel) -> String {
        let pointers = match self.pointers.len() {
            1 => "1 pointer".into(),
            n => format!("{n} pointers"),
        };
        let (joined, of) = (self.joined, self.of);
        format!("{joined} of {of} loads and stores become part of others, through {pointers}")
    }
}
