//! Vectorized loops as one of the ways in which a kernel is written.

use super::plan::Vectorize;
use super::{emit, legality};
use crate::kernel::{BlockId, Kernel};
use crate::plan::Analyses;
use crate::transform::way::{Found, Rewrite};

/// Which loops run over neighbours, or why none does; `None`: none runs by the block's size.
pub fn find(f: &Analyses) -> Option<Found> {
    Some(Found::of(legality::find(f)?, None))
}

impl Rewrite for Vectorize {
    fn title(&self) -> &'static str {
        "its loops by the block's size can run over neighbours"
    }

    fn others(&self) -> &[BlockId] {
        &self.others
    }

    fn emit(&self, own: &Kernel) -> Result<(), String> {
        emit::emit(own, self)
    }

    fn describe(&self, _: &Kernel) -> String {
        let width = self.loops.iter().map(|l| l.width.to_string());
        let width: Vec<String> = width.collect();
        let width = width.join(", ");
        let blocks = match self.any_length {
            true => ", in blocks of any length",
            false => "",
        };
        match self.loops.len() {
            1 => format!("1 loop, {width} iterations at a time{blocks}"),
            n => format!("{n} loops, {width} iterations at a time{blocks}"),
        }
    }
}
