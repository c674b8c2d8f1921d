//! Where tiles live: regions, and the strips that loops are cut into.

use super::Tile;
use crate::affine::Poly;
use crate::tree::{LoopId, NodeId};
use std::fmt;

/// A part of the tree during which tiles live.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// A `Loop` node when `strip` is given; else a `Loop` or `Seq`, whose whole execution the
    /// tiles serve.
    pub node: NodeId,
    /// Strip-mining of the loop at `node`.
    pub strip: Option<Strip>,
    /// Longer strips, and more of them, that smaller blocks are served with.
    pub stretch: Option<Stretch>,
    /// The tiles filled before the region, or before each strip. Where strips are in flight, store tiles,
    /// which have one slot, come behind all others.
    pub tiles: Vec<Tile>,
    /// Whether a barrier must stand before the first copy: some thread of the block may store to
    /// a staged array outside the region, and other threads' copies must see it.
    pub barrier_before: bool,
    /// Whether a barrier must stand behind the last write-back even if nothing is staged after it:
    /// a thread may touch the array again, and others wrote its elements back.
    pub barrier_after: bool,
    /// Whether the tiles, filled whole, are copied by asynchronous transactions of up to 16 bytes.
    pub whole_async: bool,
}

impl Region {
    /// Whether it is not cut into strips and has store tiles only.
    pub fn only_stores(&self) -> bool {
        self.strip.is_none() && self.tiles.iter().all(|t| t.footprint.active.is_empty())
    }
}

/// A loop cut into runs of `length` iterations, with a shorter run at the end.
/// `depth` 1: copy, barrier, use, barrier. With more, each tile has `depth` slots, and while one is
/// used the strips after it are on their way to the others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strip {
    /// The loop.
    pub loop_: LoopId,
    /// Iterations per strip.
    pub length: u32,
    /// Slots of each tile.
    pub depth: u32,
    /// Bytes from one slot to the next, the same for all tiles of the region; a multiple of 16. 0
    /// where there is one slot, or the block decides (`Region::stretch`).
    pub slot: u32,
    /// How strips are fetched.
    pub pipeline: PipelineMode,
}

impl Strip {
    /// One slot: copy, barrier, use, barrier.
    pub fn waited(loop_: LoopId, length: u32) -> Strip {
        Strip {
            loop_,
            length,
            depth: 1,
            slot: 0,
            pipeline: PipelineMode::Waited(None),
        }
    }
}

/// How a region's strips are fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PipelineMode {
    /// Before they are used; the reason, if more than one slot was asked for.
    Waited(Option<SingleBuffered>),
    /// By asynchronous copies (`cp.async`).
    Async,
    /// Into registers before a strip is used, and from there to the other slot behind it.
    Registers,
}

impl fmt::Display for PipelineMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PipelineMode::Waited(None) | PipelineMode::Async => "",
            PipelineMode::Registers => " by registers",
            PipelineMode::Waited(Some(SingleBuffered::Written)) => " (a tile is written)",
            PipelineMode::Waited(Some(SingleBuffered::RuntimeSize)) => " (a tile of run-time size)",
            PipelineMode::Waited(Some(SingleBuffered::Clipped)) => " (a clipped copy)",
            PipelineMode::Waited(Some(SingleBuffered::Changing)) => {
                " (a box that changes with the strip)"
            }
        })
    }
}

/// Why a region's strips are not fetched ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SingleBuffered {
    /// A tile is read and written, or nothing is read.
    Written,
    /// A tile's size is known at run time only.
    RuntimeSize,
    /// Corners of a tile's box are left out, which is decided strip by strip.
    Clipped,
    /// A tile's box changes with the strip otherwise than by moving on.
    Changing,
}

/// How strips grow where blocks are small. The region's `strip` says how they are cut
/// for the largest block served; its slots lie where the block's way puts them.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// Best first; the last always fits, as a fact says. The entry of the region takes the first that
    /// fits with all behind it. Lengths are the strip's times powers of two, no longer from way to way.
    pub ways: Vec<Way>,
    /// Bytes of all slots, and of the store tiles behind them.
    pub area: u32,
}

/// One way to cut and fetch strips.
#[derive(Clone, Debug, PartialEq)]
pub struct Way {
    /// Iterations of a strip.
    pub length: u32,
    /// Slots of each tile.
    pub depth: u32,
    /// Bytes of a slot, a multiple of 16, as a function of the launch.
    pub slot: Poly,
    /// Bytes of the store tiles, which lie behind the slots.
    pub stores: Poly,
}

impl Way {
    /// Bytes of all slots and store tiles.
    pub fn bytes(&self) -> Poly {
        let slots = self.slot.times_constant(i64::from(self.depth));
        slots.plus(&self.stores)
    }
}
