//! Ifs that are assumed to go one way, and what that rests on.

use super::guard;
use super::poly::Poly;
use super::types::{FactId, Guard};
use super::value::{Exact, Values};
use crate::kernel::{BlockId, ids};
use std::collections::BTreeSet;

/// An if that is assumed to go one way.
#[derive(Clone, Copy)]
pub(super) struct Assumed {
    /// The block that decides it.
    pub(super) at: BlockId,
    /// The outcome.
    pub(super) wanted: bool,
}

/// What must not be negative for an if to go as assumed; `None` where that is not all that decides.
pub(super) fn conditions(v: &mut Values, a: Assumed) -> Option<Vec<Exact>> {
    let guards = guard::of_branch(v, a.at, a.wanted);
    numbers(guards)
}

/// What must not be negative for all guards to hold; `None`: that is not all, or there is none.
fn numbers(guards: Vec<Guard>) -> Option<Vec<Exact>> {
    let exact = |(poly, facts): (Poly, &[FactId])| Exact {
        poly,
        facts: facts.iter().copied().collect(),
    };
    let all = guards.iter().map(|g| g.not_negative().map(exact));
    let all: Option<Vec<Exact>> = all.collect();
    all.filter(|all| !all.is_empty())
}

/// What the conditions rest on that are noted to hold in every launch of a copy; `None` where that is not known.
pub(super) fn met(v: &mut Values) -> Option<Vec<FactId>> {
    let kernel = v.kernel;
    let mut all = BTreeSet::new();
    for (n, block) in kernel.blocks.iter().enumerate() {
        for condition in block.instructions().into_iter().filter_map(ids::met) {
            let guards = guard::of_condition(v, condition, BlockId(n as u32));
            for c in numbers(guards)? {
                all.extend(v.not_negative(c).facts);
            }
        }
    }
    Some(all.into_iter().collect())
}

/// Notes what the assumed ifs rest on; `None` where that is not known, as it may be once a clamp counts for its
/// operand: an index that was linear in the clamp may be a product of what varies.
pub(super) fn assume(v: &mut Values, assumed: &[Assumed]) -> Option<()> {
    for a in assumed {
        for c in conditions(v, *a)? {
            let e = v.not_negative(c);
            v.assumed.extend(e.facts);
        }
    }
    Some(())
}
