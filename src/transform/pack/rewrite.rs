//! Packed blocks as one of the ways in which a kernel is written.

use super::plan::{Pack, words};
use super::{emit, legality};
use crate::kernel::Kernel;
use crate::plan::Analyses;
use crate::transform::way::{Found, Rewrite};

/// How the kernel's blocks can be packed, or why they cannot; `None`: there is nothing to gain.
pub fn find(f: &Analyses) -> Option<Found> {
    Some(Found::of(legality::find(f)?, None))
}

impl Rewrite for Pack {
    fn title(&self) -> &'static str {
        "its small blocks can be packed"
    }

    fn words(&self) -> Option<usize> {
        Some(words())
    }

    fn emit(&self, own: &Kernel) -> Result<(), String> {
        emit::emit(own)
    }

    fn describe(&self, _: &Kernel) -> String {
        match self.whole_warps {
            true => "blocks of 32 threads".into(),
            false => "blocks of up to 32 threads".into(),
        }
    }
}
