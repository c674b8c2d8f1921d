//! Local columns as one of the ways in which a kernel is written.

use super::plan::LocalColumns;
use super::{emit, legality};
use crate::kernel::Kernel;
use crate::plan::Analyses;
use crate::transform::way::{Found, Rewrite};

/// Which arrays of a thread's own become columns, or why none does; `None`: the kernel has none.
pub fn find(f: &Analyses) -> Option<Found> {
    Some(Found::of(legality::find(f)?, None))
}

impl Rewrite for LocalColumns {
    fn title(&self) -> &'static str {
        "arrays of each thread's own can lie in shared memory"
    }

    fn per_thread(&self) -> u32 {
        self.bytes()
    }

    fn emit(&self, own: &Kernel) -> Result<(), String> {
        emit::emit(own, self)
    }

    fn describe(&self, _: &Kernel) -> String {
        let arrays = match self.arrays.len() {
            1 => "1 array".into(),
            n => format!("{n} arrays"),
        };
        format!("{arrays}, {} bytes for each thread", self.bytes())
    }
}
