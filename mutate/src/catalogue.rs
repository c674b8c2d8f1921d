//! Every mutation of staged code.

use crate::mutation::Mutation;
use crate::{
    code_edits, fact_edits, flight_edits, head_edits, merge_edits, own_edits, place_edits,
    plan_edits, round_edits, store_edits, tally_edits, together_edits, window_edits,
};

/// All of them, in the order of the matrix.
pub fn all() -> Vec<Mutation> {
    let mut list = plan_edits::all();
    list.extend(fact_edits::all());
    list.extend(store_edits::of_plans());
    list.extend(code_edits::all());
    list.extend(store_edits::of_code());
    list.extend(flight_edits::all());
    list.extend(merge_edits::all());
    list.extend(head_edits::all());
    list.extend(place_edits::all());
    list.extend(window_edits::all());
    list.extend(together_edits::all());
    list.extend(round_edits::all());
    list.extend(tally_edits::all());
    list.extend(own_edits::all());
    list
}
