//! A cluster that may be staged in a region.

use super::data::ActiveSet;
use super::facts::Facts;

/// A cluster that may be staged in a region.
#[derive(Clone, Debug, Default)]
pub struct Legal {
    /// Elements surely overwritten, to be written back, in boxes.
    pub write_back: Vec<ActiveSet>,
    /// What the entry must test.
    pub facts: Facts,
    /// See [`super::Region::barrier_before`].
    pub barrier_before: bool,
    /// See [`super::Region::barrier_after`].
    pub barrier_after: bool,
}
