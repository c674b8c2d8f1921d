//! One home per transformation: idea, example and soundness at the head of its folder, then what it asks, what it
//! plans, and what it emits.
//!
//! ```text
//! NAME/mod.rs         idea, example, why it is sound, what it does not do
//! NAME/legality.rs    what must hold of a kernel
//! NAME/plan.rs        what is done, as plain data, and where, or one reason why not
//! NAME/emit*.rs       carries that out, and asks nothing
//! ```
//! Of parts that a home does without `xtask/src/house/homes.rs` says why.
//!
//! A transformation knows no other one. What several ask is in `plan/`, which also combines them: `plan/make.rs` for
//! versions in the kernel's own threads, [`recast`] and [`rewrite`] for copies that are written in another way. What
//! parts of a plan are made of is in `plan/data/`, below all of them.
//!
//! In the order in which they are tried:
//!
//! ```text
//! copies, planned as kernels are     spread, collapse, fold, flat_block,              recast.rs, mapping.rs
//!                                    grid_interchange, permute, reroll,
//!                                    index_set_splitting, structurize, swizzle,
//!                                    else guard_elimination
//! versions in steps                  privatize                                        STEPS, plan/make.rs
//!   else in tiles                    register_window, compacted, scalar_replacement   MERGED, plan/versions.rs
//!   else without                     lockstep, unroll_jam, scalar_replacement, unroll
//!   for the kernel as a whole        lockstep, unroll, unclamped                      plan/whole.rs
//!   in each                          remat, unroll_jam over whole tiles
//! launches in other blocks           reshape                                          plan/interior.rs
//! clones, not planned                split, mma, trim, pack, divide, local_columns,   REWRITES, rewrite.rs
//!   of the kernel, else of its copy  vectorize, align
//! ```

pub mod align;
pub mod collapse;
pub mod compacted;
mod copied;
pub mod divide;
pub mod flat_block;
pub mod fold;
pub mod grid_interchange;
pub mod guard_elimination;
pub mod index_set_splitting;
pub mod local_columns;
pub mod lockstep;
mod mapping;
pub mod mma;
pub mod offset;
pub mod own_tiles;
pub mod pack;
mod parts;
pub mod permute;
pub mod privatize;
pub mod reads;
pub mod recast;
pub mod register_window;
pub mod remat;
pub mod reroll;
pub mod reshape;
pub mod rewrite;
pub mod scalar_replacement;
pub mod split;
pub mod spread;
pub mod structurize;
pub mod swizzle;
pub mod trim;
pub mod unclamped;
pub mod unroll;
pub mod unroll_jam;
pub mod vectorize;
pub mod way;

use crate::lower::Lower;
use crate::lower::state::Predicates;
use crate::lower::steps::EmitSteps;
use crate::names;
use crate::plan::{Analyses, Plan};
use crate::tree::LoopId;
use privatize::Privatization;
use way::{ChooseSteps, Found, MergedVersions};

/// Clones in another way that are not planned, in the order of their names, [`names::REWRITES`].
pub const REWRITES: [fn(&Analyses) -> Option<Found>; names::REWRITES.len()] = [
    split::find,
    mma::find,
    mma::find_small,
    trim::find,
    pack::find,
    divide::find,
    local_columns::find,
    local_columns::find_registers,
    vectorize::find,
    align::find,
];

/// Versions in which a few blocks do the work of the whole grid, in the order in which they are tried.
pub const STEPS: &[ChooseSteps] = &[privatize::choose];

/// Gives the steps of a plan to who emits them, if they are its own.
type StepsOf = fn(&Plan) -> Option<&dyn EmitSteps>;

/// How those are emitted.
const EMIT_STEPS: &[StepsOf] = &[|plan| plan.steps_as::<Privatization>().map(|s| s as _)];

/// Versions of merged blocks in whole tiles, in the order in which they are asked for.
pub const MERGED: &[MergedVersions] = &[register_window::VERSIONS];

/// Emits a loop for all replicas in a way of its own; whether the plan has that.
type EmitLoop = fn(&mut Lower, LoopId, &Predicates) -> bool;

/// Such ways, in the order in which they are asked.
const LOOPS: &[EmitLoop] = &[|lower, l, pred| lower.emit_over_windows(l, pred)];

impl<'a> Lower<'a> {
    /// How the plan's steps are emitted, if it has any.
    pub(crate) fn grid_steps(&self) -> Option<&'a dyn EmitSteps> {
        EMIT_STEPS.iter().find_map(|of| of(self.from.plan))
    }

    /// Emits a loop for all replicas in the first of those ways that the plan has, if any; whether it does.
    pub(crate) fn emit_loop_in_its_way(&mut self, l: LoopId, pred: &Predicates) -> bool {
        LOOPS.iter().any(|emit| emit(self, l, pred))
    }
}
