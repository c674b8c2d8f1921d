//! What a plan to trim a kernel's grids is, and what host and version agree on.
//!
//! ```text
//! list:  gridDim.x .y .z of the program's launch, then for each box: end  low.x .y .z  size.x .y
//! end: blocks of this box and of all before it; size.z follows from that
//! ```

use crate::kernel::{BlockId, Dim};
use crate::machine::tuning::trim::BOXES;
use crate::plan::EmptyBlocks;
use std::fmt;

/// Words of the list.
pub const fn words() -> usize {
    3 + BOXES * Part::ALL.len()
}

/// A word of a box.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Blocks up to its end.
    End,
    /// Its lowest block.
    Low(Dim),
    /// Blocks along a dimension.
    Size(Dim),
}

impl Part {
    /// All, in their order.
    pub const ALL: [Part; 6] = [
        Part::End,
        Part::Low(Dim::X),
        Part::Low(Dim::Y),
        Part::Low(Dim::Z),
        Part::Size(Dim::X),
        Part::Size(Dim::Y),
    ];

    /// Where it stands in the list for a box.
    pub fn place(self, number: usize) -> usize {
        let at = Part::ALL.iter().position(|p| *p == self);
        3 + number * Part::ALL.len() + at.expect("one of all")
    }
}

/// What of a kernel decides whether a block is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trim {
    /// The blocks that a thread comes through without a trace, from the entry on, each behind all of these that lead to
    /// it.
    pub traceless: Vec<BlockId>,
    /// Along which dimensions guards tell blocks apart.
    pub dims: [bool; 3],
    /// How many blocks have to go for the model to be sure of the version.
    pub sure: Option<EmptyBlocks>,
}

/// Why a kernel that has a guard is not trimmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoTrim {
    /// It is left alone whatever could be gained.
    Rejected,
    /// A thread may learn in other ways than by its reads of `blockIdx` where it is.
    AsksElsewhere,
    /// Several files may have it.
    Mergeable,
    /// It has more parameters than there is room for.
    Parameters,
    /// Its blocks are launched in clusters.
    Clusters,
    /// Threads leave a trace, or loop, before any guard.
    Trace,
    /// No guard can be told by the block's number.
    Unknown,
    /// Guards end the last blocks of a grid only: a launch that just covers what there is has none (`rules.rs`).
    Covered,
}

impl fmt::Display for NoTrim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoTrim::Rejected => "its threads may wait for others, or it cannot be cloned",
            NoTrim::AsksElsewhere => "threads may ask in another way where they are",
            NoTrim::Mergeable => "several files may have it",
            NoTrim::Parameters => "it has too many parameters",
            NoTrim::Clusters => "its blocks come in clusters",
            NoTrim::Trace => "threads leave a trace before any guard",
            NoTrim::Unknown => "no guard is known for a whole block",
            NoTrim::Covered => "its guards only end a grid's last blocks",
        })
    }
}
