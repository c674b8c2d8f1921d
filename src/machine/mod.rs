//! The one place that knows a chip: what it has, and every number that was fitted on one.

pub mod target;
pub mod tuning;
