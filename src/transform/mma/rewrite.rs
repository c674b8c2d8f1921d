//! The product as one of the ways in which a kernel is written.

use super::{Mma, emit, legality};
use crate::kernel::Kernel;
use crate::machine::target::{ORDERED_MMA, Target};
use crate::machine::tuning::prior::LONG;
use crate::plan::{self, Analyses, Fact};
use crate::transform::way::{Found, Leaves, Rewrite};

/// How the kernel's product is worked out, or why it is not; `None`: it has none.
pub fn find(f: &Analyses) -> Option<Found> {
    let (numbers, found) = legality::find(f, false)?;
    let title = match numbers.are_for_tensor_cores() {
        true => "its product is not for tensor cores",
        false => "its product stays in the program's blocks",
    };
    Some(Found::of(found, Some(title)))
}

/// The same in small tiles, if it is worked out so, too.
pub fn find_small(f: &Analyses) -> Option<Found> {
    let found = legality::find(f, true)?.1.ok()?;
    Some(Found::Way(Box::new(found)))
}

impl Rewrite for Mma {
    fn title(&self) -> &'static str {
        match self.numbers.are_for_tensor_cores() {
            true => "its product is for tensor cores",
            false => "its product is worked out in blocks of another shape",
        }
    }

    fn shared(&self, _: &Kernel) -> u32 {
        self.numbers.shape().shared()
    }

    fn chip(&self) -> Option<u32> {
        self.numbers.are_doubles().then_some(ORDERED_MMA)
    }

    fn facts(&self) -> &[Fact] {
        &self.facts
    }

    fn takes_joins(&self) -> bool {
        true
    }

    /// Long sums, and a block for each multiprocessor, where tensor cores do many times what threads do. Floats gain
    /// little more than by the plan's tiles, of which the model is sure, too.
    fn pays(&self, f: &Analyses) -> Vec<Fact> {
        let is_many_times = self.numbers.are_for_tensor_cores();
        let target = Target::of_sm(f.kernel.sm).filter(|_| is_many_times);
        let of = |t| vec![plan::fills(t), Fact::at_least(self.count.clone(), LONG)];
        target.map_or(Vec::new(), of)
    }

    fn leaves(&self) -> Leaves {
        // Where nothing limits what threads do, its tiles must be whole. Of a version of real numbers for the largest
        // launches the model is sure before anything is measured.
        match self.sides.iter().all(|s| s.bound.is_some()) && !self.numbers.are_real() {
            true => Leaves::Small,
            false => Leaves::LargeAndSmall,
        }
    }

    fn emit(&self, own: &Kernel) -> Result<(), String> {
        emit::emit(self, own)
    }

    fn describe(&self, kernel: &Kernel) -> String {
        let side = |k: usize| {
            let s = &self.sides[k];
            let many = s.bound.as_ref().map(|b| b.number.describe(kernel));
            let ty = self.numbers.of_side(k);
            let lies = if s.lengthwise { "along" } else { "across" };
            format!(
                "{} lines of {ty} {lies} the sum by {}",
                many.unwrap_or_else(|| "all".into()),
                s.dim.letter()
            )
        };
        let [rows, cols] = self.numbers.shape().tile;
        format!("tiles of {rows} x {cols}, {}, {}", side(0), side(1))
    }
}
