//! Which threads along one dimension a kernel has any use for.

use crate::kernel::ValueId;
use std::fmt;

/// Threads whose global id is `value` or more, or above it if that is `included`, end at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveBound {
    /// Computed at the kernel's entry.
    pub value: ValueId,
    /// Whether the thread of that id still does something.
    pub included: bool,
    /// Whether ids are compared with it as signed numbers.
    pub signed: bool,
}

impl ActiveBound {
    /// How many threads do something, if the value is `value`, sign-extended from `width` bits.
    pub fn threads(&self, value: i64, width: u32) -> i128 {
        let value = match self.signed {
            true => i128::from(value),
            false => i128::from(value) & ((1 << width) - 1),
        };
        value + i128::from(self.included)
    }
}

impl fmt::Display for ActiveBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let than = if self.included { "<=" } else { "<" };
        let bits = if self.signed { "" } else { ", unsigned" };
        write!(f, "id {than} {}{bits}", self.value)
    }
}
