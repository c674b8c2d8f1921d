//! A trimmed grid as one of the ways in which a kernel is written.

use super::plan::{Trim, words};
use super::{emit, legality};
use crate::kernel::{Dim, Kernel};
use crate::plan::{Analyses, EmptyBlocks};
use crate::transform::way::{Found, Rewrite};

/// How the kernel's grids can be trimmed, or why they cannot; `None`: there is no guard that names a block.
pub fn find(f: &Analyses) -> Option<Found> {
    Some(Found::of(legality::find(f)?, None))
}

impl Rewrite for Trim {
    fn title(&self) -> &'static str {
        "its grids can be trimmed"
    }

    fn words(&self) -> Option<usize> {
        Some(words())
    }

    fn emit(&self, own: &Kernel) -> Result<(), String> {
        emit::emit(own)
    }

    fn describe(&self, _: &Kernel) -> String {
        let along = Dim::ALL.into_iter().filter(|d| self.dims[d.index()]);
        let letters: Vec<String> = along.map(|d| d.letter().to_string()).collect();
        let sure = self.sure.map_or("nothing is sure".into(), |n| {
            let EmptyBlocks { for_each, places } = n;
            format!("sure where {for_each} blocks go for each that is left, and {places}")
        });
        format!(
            "guards tell blocks apart along {}; {sure}",
            letters.join(", ")
        )
    }
}
