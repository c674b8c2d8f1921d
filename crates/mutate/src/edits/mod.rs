//! Every mutation of staged code: a file for each transformation, or part of the plug-in, that they break.

mod code_edits;
mod compacted_edits;
mod fact_edits;
mod jam_tiles_edits;
pub mod lockstep_edits;
pub mod merge_edits;
mod own_edits;
mod pipeline_edits;
pub mod place_edits;
mod plan_edits;
mod privatize_edits;
mod register_window_edits;
pub mod store_edits;
mod transaction_edits;
mod unclamped_edits;
mod unroll_edits;

use crate::mutation::{Mutation, Noticed};

/// The mutations of a file, and where they are noticed, but for those that the test of all of them says that of.
type Edits = (fn() -> Vec<Mutation>, &'static [Noticed]);

/// The files, in the order of the matrix.
const ALL: &[Edits] = &[
    (plan_edits::all, &[]),
    (fact_edits::all, &[]),
    (store_edits::of_plans, &[]),
    (code_edits::all, &[]),
    (store_edits::of_code, &[]),
    (pipeline_edits::all, &[]),
    (merge_edits::all, &[]),
    (compacted_edits::all, &[]),
    (place_edits::all, &[]),
    (transaction_edits::all, &[]),
    (register_window_edits::all, register_window_edits::NOTICED),
    (lockstep_edits::all, &[]),
    (unroll_edits::all, &[]),
    (unclamped_edits::all, unclamped_edits::NOTICED),
    (privatize_edits::all, privatize_edits::NOTICED),
    (own_edits::all, &[]),
    (jam_tiles_edits::all, jam_tiles_edits::NOTICED),
];

/// All of them.
pub fn all() -> Vec<Mutation> {
    ALL.iter().flat_map(|(of_file, _)| of_file()).collect()
}

/// Where those of one transformation are noticed.
pub fn noticed() -> impl Iterator<Item = &'static Noticed> {
    ALL.iter().flat_map(|(_, noticed)| *noticed)
}
