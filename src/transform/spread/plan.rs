//! A loop over elements that is dealt out, as plain data.

use crate::kernel::{BlockId, ValueId};
use crate::number::Number;

/// How a kernel's loop over elements is dealt out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread {
    /// The loop's first block.
    pub(super) header: BlockId,
    /// Where it branches back, and where it goes at its end.
    pub(super) latch: BlockId,
    pub(super) exit: BlockId,
    /// Where a thread's elements lie, where it has several in a row.
    pub(super) row: Option<Row>,
    /// How many elements a thread has in a row; 1: every one that is so many on as there are threads.
    pub run: u32,
    /// How many elements there are.
    pub count: Number,
}

/// The elements of a thread that has several in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// The thread's id, and its first element, which is made of that.
    pub(super) id: ValueId,
    pub(super) first: ValueId,
    /// Where its elements end, or all do, whichever comes first; and which argument of that says where all do.
    pub(super) end: ValueId,
    pub(super) limit: u32,
}
