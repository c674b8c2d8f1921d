//! The product as one of the ways in which a kernel is written.

use super::{Mma, Side, emit, legality};
use crate::kernel::Kernel;
use crate::machine::tuning::mma::{SHARED, TILE};
use crate::plan::{Analyses, Fact};
use crate::transform::way::{Found, Leaves, Rewrite};

/// How the kernel's product is worked out, or why it is not; `None`: it has none.
pub fn find(f: &Analyses) -> Option<Found> {
    Some(Found::of(
        legality::find(f)?,
        Some("its product is not for tensor cores"),
    ))
}

impl Rewrite for Mma {
    fn title(&self) -> &'static str {
        "its product is for tensor cores"
    }

    fn shared(&self, _: &Kernel) -> u32 {
        SHARED
    }

    fn facts(&self) -> &[Fact] {
        &self.facts
    }

    fn leaves(&self) -> Leaves {
        // Where nothing limits what threads do, its tiles must be whole.
        match self.sides.iter().all(|s| s.bound.is_some()) {
            true => Leaves::Small,
            false => Leaves::LargeAndSmall,
        }
    }

    fn emit(&self, own: &Kernel) -> Result<(), String> {
        emit::emit(self, own)
    }

    fn describe(&self, kernel: &Kernel) -> String {
        let side = |s: &Side| {
            let many = s.bound.as_ref().map(|b| b.number.describe(kernel));
            let ty = if s.signed { "s8" } else { "u8" };
            let lies = if s.lengthwise { "along" } else { "across" };
            format!(
                "{} lines of {ty} {lies} the sum by {}",
                many.unwrap_or_else(|| "all".into()),
                s.dim.letter()
            )
        };
        let [down, along] = &self.sides;
        let [rows, cols] = TILE;
        format!("tiles of {rows} x {cols}, {}, {}", side(down), side(along))
    }
}
