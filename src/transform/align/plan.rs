//! Which pointers of a kernel are taken for aligned, as plain data.

use crate::kernel::ValueId;
use std::fmt;

/// How a kernel is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Align {
    /// Parameters, and loads from parameters that are passed by value: pointers that the host knows.
    pub pointers: Vec<ValueId>,
    /// Loads and stores through them that become part of another one.
    pub joined: usize,
    /// Loads and stores of memory, all in all.
    pub of: usize,
}

/// Why no pointer of a kernel with neighbouring accesses is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAlign {
    /// No version is made of it.
    Rejected,
    /// Other files may have it.
    Mergeable,
    /// Too few of its accesses become one.
    Few,
}

impl fmt::Display for NoAlign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoAlign::Rejected => "its threads may wait for others, or it cannot be cloned",
            NoAlign::Mergeable => "several files may have it",
            NoAlign::Few => "too few loads and stores would become one",
        })
    }
}
