//! What a tile is made from, for those who say how it is read.

use super::analyses::Analyses;
use super::data::{Footprint, Merge};
use super::legal::Legal;
use super::shape::{Cluster, ShapeDim};
use crate::tree::LoopId;

/// What a tile is made from.
pub struct TileSource<'a> {
    /// The kernel.
    pub f: &'a Analyses<'a>,
    /// The accesses.
    pub cluster: &'a Cluster,
    /// Their box.
    pub shape: &'a Footprint<ShapeDim>,
    /// Which of them it serves.
    pub legal: &'a Legal,
    /// The loop in strips.
    pub strip: Option<LoopId>,
    /// The blocks that it serves.
    pub merge: Merge,
}
