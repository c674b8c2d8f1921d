//! Which arrays of a thread's own become columns, as plain data.
//!
//! ```text
//! columns of a block:  [first array: row 0 of all threads, row 1 of all threads, …] [second array: …]
//! ```

use crate::kernel::{BlockId, ValueId};
use crate::transform::offset::Offset;
use std::fmt;

/// Arrays that lie in shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalColumns {
    /// One behind the other.
    pub arrays: Vec<Column>,
}

/// An array of a thread's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// What makes it.
    pub array: ValueId,
    /// Bytes of those before it, of one thread.
    pub start: u32,
    /// Bytes of a row, which one thread has: 4, 8 or 16.
    pub word: u32,
    /// How many rows it has.
    pub rows: u32,
    /// All that is done to it.
    pub uses: Vec<Use>,
}

/// Something that is done to an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The instruction.
    pub at: ValueId,
    /// What it does.
    pub what: What,
}

/// What is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// It is loaded or stored; which operand the address is, and how many bytes.
    Access {
        place: u32,
        bytes: u32,
        offset: Offset,
    },
    /// So many bytes from one on are filled with one.
    Fill { from: u32, bytes: u32 },
    /// Its life begins or ends.
    Marker,
}

/// Loops that are unrolled so that arrays become registers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registers {
    /// How many arrays become registers, and their bytes.
    pub arrays: usize,
    pub bytes: u32,
    /// The blocks that end the loops' iterations.
    pub latches: Vec<BlockId>,
    /// Threads that a block may have, as more leave each too few registers. `None`: as many as the kernel's own.
    pub most: Option<u32>,
}

impl Column {
    /// Bytes of one thread.
    pub fn bytes(&self) -> u32 {
        self.rows * self.word
    }
}

impl LocalColumns {
    /// Bytes of one thread.
    pub fn bytes(&self) -> u32 {
        self.arrays.last().map_or(0, |a| a.start + a.bytes())
    }
}

/// Chunks of a range of bytes that are as long as they can be, up to `most` bytes, and aligned to their length: where
/// each begins, and its length.
pub fn chunks(from: u32, bytes: u32, most: u32) -> Vec<(u32, u32)> {
    let (mut at, end) = (from, from + bytes);
    let mut all = Vec::new();
    while at < end {
        let mut length = most;
        while at % length != 0 || at + length > end {
            length /= 2;
        }
        all.push((at, length));
        at += length;
    }
    all
}

/// Why a kernel with arrays of a thread's own keeps them where they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoColumns {
    /// It is left alone whatever could be gained.
    Rejected,
    /// Several files may have it.
    Mergeable,
    /// It has dynamic shared memory already.
    Dynamic,
    /// A product might meet a sum in one of the two that it does not meet in the other.
    MayFuse,
    /// An address of the array is used otherwise.
    Escapes,
    /// The array is copied, or part of it that is not known is filled.
    Copied,
    /// An access may reach over a word's end.
    Straddles,
    /// Nothing but counters index it.
    Counters,
    /// Too few threads would have room.
    TooLarge,
    /// Its loops would be too long, or its arrays take more registers than there are.
    TooLong,
}

impl fmt::Display for NoColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoColumns::Rejected => "its threads may wait for others, or it cannot be cloned",
            NoColumns::Mergeable => "several files may have it",
            NoColumns::Dynamic => "it has dynamic shared memory already",
            NoColumns::MayFuse => "LLVM may bring products to sums in one of the two alone",
            NoColumns::Escapes => "the address of its array is used otherwise",
            NoColumns::Copied => "its array is copied, or an unknown part of it filled",
            NoColumns::Straddles => "accesses to its array may reach over a word's end",
            NoColumns::Counters => "its arrays are indexed by counters of fixed loops alone",
            NoColumns::TooLarge => "its array is too large for shared memory",
            NoColumns::TooLong => "unrolled, its loops would be too long, or its arrays more than a thread's registers",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::chunks;

    #[test]
    fn chunks_are_aligned_and_cover_all() {
        assert_eq!(chunks(0, 8, 4), [(0, 4), (4, 4)]);
        assert_eq!(chunks(3, 8, 4), [(3, 1), (4, 4), (8, 2), (10, 1)]);
        assert_eq!(chunks(2, 16, 8), [(2, 2), (4, 4), (8, 8), (16, 2)]);
        assert_eq!(chunks(5, 0, 8), []);
    }
}
