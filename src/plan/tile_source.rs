//! What a tile is made from, for those who say how it is read.

use super::analyses::Analyses;
use super::candidate::Candidate;
use super::data::Merge;

/// What a tile is made from.
pub struct TileSource<'a> {
    /// The kernel.
    pub f: &'a Analyses<'a>,
    /// The accesses, and their box.
    pub candidate: &'a Candidate,
    /// The blocks that it serves.
    pub merge: Merge,
}
