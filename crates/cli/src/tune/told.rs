//! What tuning came to.

use crate::measured::Image;

/// Why learning ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All is settled.
    Settled,
    /// The last runs changed nothing.
    Stuck,
    /// `--runs` or `--time`.
    Limit,
}

/// Runs in a row that may change nothing.
pub const PATIENCE: u32 = 3;

/// All that is to be told.
pub struct Told {
    /// Why learning ended.
    pub outcome: Outcome,
    /// Runs that learnt.
    pub runs: u32,
    /// What was measured.
    pub images: Vec<Image>,
    /// Seconds of the whole program, without and with choices.
    pub compared: Vec<[f64; 2]>,
}

/// Kinds of launches that are settled, and all.
pub fn count(images: &[Image]) -> (usize, usize) {
    let classes = || {
        images
            .iter()
            .flat_map(|i| &i.kernels)
            .flat_map(|k| &k.classes)
    };
    (classes().filter(|c| c.settled).count(), classes().count())
}
