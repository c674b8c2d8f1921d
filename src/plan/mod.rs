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

mod abreast;
mod ahead;
mod alias;
mod apart;
mod attempt;
mod candidate;
mod choose;
mod clear;
mod columns;
mod conditions;
mod count;
mod cuts;
pub mod data;
mod deal;
mod dump;
mod extent;
mod facets;
mod facts;
mod grid;
mod heads;
mod hull;
mod inside;
mod lane_address;
mod layout;
mod legal;
mod legality;
mod lift;
mod make;
mod merge;
pub mod model;
mod nest;
mod overlap;
mod places;
mod prior;
mod profit;
mod promote;
mod reach;
mod reached;
mod reasons;
mod registers;
mod regroup;
mod rounds;
mod settle;
mod shape;
mod slide;
mod sliding;
mod stores;
mod stretch;
mod stride;
mod tally;
mod tile;
mod united;
mod unstaged;
mod unsure;
mod versions;
mod whole;
mod wide;
mod windows;

pub use alias::disjoint;
pub use count::{Count, count_any};
pub use data::*;
pub use deal::{MOST_THREADS, Regroup, Rows, Rule, Wide};
pub use dump::{dump, foretold};
pub use facets::Facets;
pub use facts::{Facts as FactList, facts_of, number};
pub use grid::{Along, over_grid};
pub use inside::{Planned, Whole, plan};
pub use lane_address::lane_address;
pub use make::{Candidates, make};
pub use nest::{advance, moving};
pub use prior::large;
pub use reach::add_access_facts;
pub use reached::reach_of;
pub use registers::registers as unstaged_registers;
pub use regroup::is_free;
pub use windows::leaders_turn;
