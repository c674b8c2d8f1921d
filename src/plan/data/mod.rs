//! What a plan is made of: plain data that prints, and nothing that decides. Whoever makes a part of a plan, or carries
//! it out, needs these types and not those who do the other.

mod active;
mod active_bound;
mod fact;
mod footprint;
mod kernel;
mod loops;
mod merge;
mod plan;
mod prospect;
mod region;
mod replicas;
mod steps;
mod tile;
mod workers;

use crate::kernel::id;

pub use active::{ActiveSet, Bound, When, Within, add_access, add_offsets};
pub use active_bound::ActiveBound;
pub use fact::{Fact, Test};
pub use footprint::{Dimension, Footprint, Steps};
pub use kernel::{KernelPlan, Proposal, Refusal};
pub use loops::{
    Counter, LoopPlan, Moving, NoUnroll, NoUnrollJam, Remainder, ScalarReplacement, Unclamped,
    UnclampedLoop, Unroll, UnrollJam,
};
pub use merge::{Merge, NoMerge};
pub use plan::{Plan, Remat};
pub use prospect::{Prospect, Run, StagedAt, Trait};
pub use region::{PipelineMode, Region, SingleBuffered, Stretch, Strip, Way};
pub use replicas::{LockstepPlan, Reuse, SharedParts, Storage, WideStore};
pub use steps::{GridSteps, Held, Updates};
pub use tile::{Member, Pitch, Tile, TileDim, TilePlace};
pub use workers::Workers;

id!(/// A staged region, in tree order.
    RegionId, "region");
id!(/// A tile, in order of planning.
    TileId, "tile");
