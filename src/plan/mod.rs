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

mod active_bound;
mod ahead;
mod alias;
mod analyses;
mod attempt;
mod candidate;
mod carried_loads;
mod choose;
mod compacted;
mod conditions;
mod count;
mod cuts;
pub mod data;
mod dump;
mod extent;
mod facts;
mod grid;
mod hull;
mod interior;
mod layout;
mod legal;
mod legality;
mod lockstep;
mod make;
mod merge;
pub mod model;
mod nest;
mod overlap;
mod places;
mod prior;
mod privatize;
mod profit;
mod reach;
mod reasons;
mod register_window;
mod registers;
mod remat;
mod replica_address;
mod reshape;
mod reshape_rules;
mod scalar_replacement;
mod settle;
mod shape;
mod stores;
mod stretch;
mod stride;
mod tile;
mod unclamped;
mod united;
mod unroll;
mod unroll_jam;
mod unsure;
mod untiled_scalars;
mod untiled_windows;
mod versions;
mod whole;
mod wide;
mod windows;

pub use active_bound::reach_of;
pub use alias::disjoint;
pub use analyses::Analyses;
pub use count::{Count, count_any};
pub use data::*;
pub use dump::{answers, dump};
pub use facts::{Facts as FactList, facts_of, number};
pub use grid::{Along, over_grid};
pub use interior::{Planned, Whole, plan};
pub use make::{Candidates, make};
pub use nest::{advance, moving};
pub use prior::large;
pub use reach::add_access_facts;
pub use registers::registers as lockstep_registers;
pub use replica_address::replica_address;
pub use reshape::is_free;
pub use reshape_rules::{MOST_THREADS, Reshape, Rows, Rule, Wide};
pub use windows::rotates_leaders;
