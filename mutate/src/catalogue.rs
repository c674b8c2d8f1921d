//! Every mutation of staged code.

use crate::mutation::Mutation;
use crate::{
    code_edits, compacted_edits, fact_edits, lockstep_edits, merge_edits, own_edits,
    pipeline_edits, place_edits, plan_edits, privatize_edits, store_edits, unroll_edits,
    window_edits,
};

/// All of them, in the order of the matrix.
pub fn all() -> Vec<Mutation> {
    let mut list = plan_edits::all();
    list.extend(fact_edits::all());
    list.extend(store_edits::of_plans());
    list.extend(code_edits::all());
    list.extend(store_edits::of_code());
    list.extend(pipeline_edits::all());
    list.extend(merge_edits::all());
    list.extend(compacted_edits::all());
    list.extend(place_edits::all());
    list.extend(window_edits::all());
    list.extend(lockstep_edits::all());
    list.extend(unroll_edits::all());
    list.extend(privatize_edits::all());
    list.extend(own_edits::all());
    list
}
