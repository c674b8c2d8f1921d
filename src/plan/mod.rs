//! The plan: which arrays are staged, where, in what tiles, under which facts. Plain data.
//!
//! ```text
//! region0: loop0 in strips of 32
//!   tile0: array0, unit 4, cells 32x36, at byte 0
//!     dim stride 4*s0: 1*tid.y, offsets 0..0, pitch 36
//!     dim stride 4: 1*iter(loop0), offsets 0..0, pitch 1
//! facts: 1 <= ntid.y <= 32; array0 disjoint from access3
//! ```
//! `lower` executes a plan and asks nothing. Everything here is built from `tree`, `access` and
//! `affine` results and from `Options`; no LLVM handle occurs, so plans are tested as text.

pub(crate) mod active_bound;
mod advance;
pub(crate) mod alias;
pub(crate) mod analyses;
pub(crate) mod attempt;
pub(crate) mod candidate;
pub(crate) mod choose;
pub(crate) mod conditions;
pub(crate) mod context;
pub(crate) mod count;
pub(crate) mod cuts;
pub mod data;
pub(crate) mod dump;
pub(crate) mod extent;
pub(crate) mod facts;
pub(crate) mod footprint;
mod free;
pub(crate) mod global_ids;
pub(crate) mod grid;
pub mod groups;
pub(crate) mod hull;
pub(crate) mod interior;
pub(crate) mod layout;
pub(crate) mod legal;
pub(crate) mod legality;
pub(crate) mod make;
mod mapped;
pub(crate) mod merge;
pub mod model;
pub(crate) mod overlap;
pub(crate) mod places;
pub(crate) mod prior;
pub(crate) mod profit;
pub(crate) mod reasons;
pub(crate) mod registers;
pub(crate) mod replica_address;
pub(crate) mod reshape_rules;
pub(crate) mod scalar_replacement;
pub(crate) mod settle;
pub(crate) mod shape;
pub(crate) mod stores;
pub(crate) mod stretch;
mod sums;
mod thread_pair;
pub(crate) mod tile;
pub(crate) mod tile_source;
mod traits;
pub(crate) mod united;
pub(crate) mod unsure;
pub(crate) mod versions;
pub(crate) mod whole;
pub(crate) mod whole_async;
pub(crate) mod wide;

pub use active_bound::active_bound_of;
pub use advance::{advance, moving};
pub use alias::{all_disjoint, disjoint};
pub use analyses::Analyses;
pub use count::{Count, count_any};
pub use data::*;
pub use dump::{answers, dump};
pub use facts::{Facts as FactList, facts_of, number};
pub use footprint::add_access_facts;
pub use free::{is_free, is_unordered, may_be_redistributed};
pub use grid::{Along, over_grid};
pub use interior::{Planned, plan};
pub use make::{Candidates, make};
pub use merge::block_numbers_fit;
pub use prior::{
    EmptyBlocks, empty_blocks, fills, is_timed, large, pays_as_it_is, us_of_iteration,
};
pub use registers::{in_blocks_that_leave_registers, registers as lockstep_registers};
pub use replica_address::replica_address;
pub use reshape_rules::{MOST_THREADS, Reshape, Rows, Rule, Wide};
