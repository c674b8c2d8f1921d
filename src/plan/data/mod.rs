//! What a plan is made of: plain data that prints, and nothing that decides. Whoever makes a part of a plan, or carries
//! it out, needs these types and not those who do the other.

mod active;
mod fact;
mod footprint;
mod kernel;
mod loops;
mod merge;
mod plan;
mod privatize;
mod region;
mod replicas;
mod tile;

use crate::kernel::id;

pub use active::{ActiveSet, Bound, When, Within, add_access, add_offsets};
pub use fact::{Fact, Test};
pub use footprint::{Dimension, Footprint, Steps};
pub use kernel::{KernelPlan, Refusal};
pub use loops::{
    Counter, LoopPlan, Moving, NoUnroll, NoUnrollJam, Remainder, ScalarReplacement, Unclamped,
    UnclampedLoop, Unroll, UnrollJam,
};
pub use merge::{Merge, NoMerge};
pub use plan::{Plan, Remat};
pub use privatize::{ActiveBound, CELL, Over, Privatization, PrivatizedArray, Stride, Workers};
pub use region::{PipelineMode, Region, SingleBuffered, Stretch, Strip, Way};
pub use replicas::{CarriedLoad, LockstepPlan, RegisterWindow, Storage, WideStore};
pub use tile::{Member, Pitch, Tile, TileDim, TilePlace};

id!(/// A staged region, in tree order.
    RegionId, "region");
id!(/// A tile, in order of planning.
    TileId, "tile");
