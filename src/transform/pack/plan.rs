//! What a plan to pack a kernel's blocks is, and what host and version agree on.
//!
//! ```text
//! list:  gridDim.x .y .z of the program's launch, then blocks to a layer of the grid along x and y: one of them is 1,
//!        then whether layers lie along x, along y
//! ```

use std::fmt;

/// Words of the list.
pub const fn words() -> usize {
    Word::Layers.place(1) + 1
}

/// A word of the list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// Blocks of the program's launch along a dimension.
    Grid,
    /// How many of them a block has, x or y.
    Step,
    /// 1 where a block's layers are these.
    Layers,
}

impl Word {
    /// Where it stands for a dimension.
    pub const fn place(self, dim: usize) -> usize {
        dim + match self {
            Word::Grid => 0,
            Word::Step => 3,
            Word::Layers => 5,
        }
    }
}

/// How a kernel's blocks can be packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pack {
    /// Whether a block has to be a whole warp, as its threads exchange values.
    pub whole_warps: bool,
    /// What its threads share, if they do: then a warp holds whole blocks.
    pub shared: Option<Shared>,
}

/// What the threads of a block share: barriers at which they meet, and arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// Bytes of static arrays of one block.
    pub bytes: u32,
    /// Whether it has dynamic ones, too.
    pub dynamic: bool,
    /// Blocks that one has room for.
    pub parts: u32,
}

/// Why the blocks of a kernel that tells them apart are not packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPack {
    /// It is left alone whatever could be gained.
    Rejected,
    /// A thread may learn in other ways than by reads of the registers that are replaced where it is.
    AsksElsewhere,
    /// Threads of a block meet in other ways than at barriers for all, in functions that are not inlined, or exchange
    /// values besides.
    Meets,
    /// Shared arrays have addresses that mean something, or more alignment than their parts would.
    Arrays,
    /// Several files may have it.
    Mergeable,
    /// It has more parameters than there is room for.
    Parameters,
    /// Its blocks have one size, or are launched in clusters.
    Fixed,
}

impl fmt::Display for NoPack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoPack::Rejected => "its threads may wait for others, or it cannot be cloned",
            NoPack::AsksElsewhere => "threads may ask in another way where they are",
            NoPack::Meets => {
                "threads of a block meet in other ways than at barriers for all of them"
            }
            NoPack::Arrays => {
                "addresses of shared arrays are numbers, or multiples of more than 16"
            }
            NoPack::Mergeable => "several files may have it",
            NoPack::Parameters => "it has too many parameters",
            NoPack::Fixed => "its blocks have a size of their own, or come in clusters",
        })
    }
}
