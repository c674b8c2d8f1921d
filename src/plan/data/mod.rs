//! What a plan is made of: plain data that prints, and nothing that decides. Whoever makes a part of a plan, or carries
//! it out, needs these types and not those who do the other.

mod active;
mod active_bound;
mod fact;
mod kernel;
mod loops;
mod merge;
mod plan;
mod region;
mod replicas;
mod steps;
mod tile;

use crate::kernel::id;

pub use active::{ActiveSet, Bound, Reach, When, Within, add_offsets};
pub use active_bound::ActiveBound;
pub use fact::Fact;
pub use kernel::{KernelPlan, Refusal};
pub use loops::{
    Counter, Moving, NoUnroll, NoUnrollJam, Remainder, ScalarReplacement, Unclamped, UnclampedLoop,
    Unroll, UnrollJam,
};
pub use merge::{Merge, NoMerge};
pub use plan::Plan;
pub use region::{PipelineMode, Region, SingleBuffered, Stretch, Strip, Way};
pub use replicas::{CarriedLoad, LockstepPlan, RegisterWindow, WideStore};
pub use steps::{Held, Steps, Updates};
pub use tile::{Member, Pitch, Tile, TileDim};

id!(/// A staged region, in tree order.
    RegionId, "region");
id!(/// A tile, in order of planning.
    TileId, "tile");
