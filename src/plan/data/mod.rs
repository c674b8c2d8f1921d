//! What a plan is made of: plain data that prints, and nothing that decides. Whoever makes a part of a plan, or carries
//! it out, needs these types and not those who do the other.

mod active;
mod fact;
mod lanes;
mod loops;
mod merge;
mod plan;
mod region;
mod tally;
mod tile;

use crate::kernel::id;

pub use active::{ActiveSet, Bound, Reach, When, Within, add_offsets};
pub use fact::Fact;
pub use lanes::{Slide, Sliding, Together, WideStore};
pub use loops::{
    Abreast, Clear, Counter, Moving, NoAbreast, NoRounds, Promotion, Rest, Rounds, Unclamped,
};
pub use merge::{Merge, NoMerge};
pub use plan::Plan;
pub use region::{Alone, Flight, Region, Stretch, Strip, Way};
pub use tally::{CELL, Over, Reached, Stride, Tallied, Tally};
pub use tile::{Member, Pitch, Tile, TileDim};

id!(/// A staged region, in tree order.
    RegionId, "region");
id!(/// A tile, in order of planning.
    TileId, "tile");
