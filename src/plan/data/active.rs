//! Sets of elements that the threads of a block touch.

use crate::affine::{Atom, Poly, Sense};
use crate::kernel::ValueId;

/// A set of elements that is a box in the tile's dimensions: those that accesses with equal
/// guards touch, when every thread and iteration within the bounds executes them.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ActiveSet {
    /// Bounds on varying atoms or on sums of them.
    pub bounds: Vec<Bound>,
    /// Bounds on the elements themselves; only in sets that `plan::united` made.
    pub within: Vec<Within>,
    /// Block-uniform conditions; if one fails the set is empty.
    pub when: Vec<When>,
    /// The distinct offset vectors of its accesses.
    pub offsets: Vec<Vec<i64>>,
}

/// `Σ multiplier·atom >= limit` or `<= limit`. With one term of multiplier 1 it bounds a variable;
/// otherwise it bounds the coordinate of the dimension with exactly these terms.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bound {
    /// Sorted by atom.
    pub terms: Vec<(Atom, i64)>,
    /// The side.
    pub sense: Sense,
    /// Block-uniform at the region.
    pub limit: Poly,
}

/// An element's coordinate in one dimension, its access's offset included, is `>= limit` or `<= limit`.
#[derive(Debug, Clone, PartialEq)]
pub struct Within {
    /// The dimension, counted from the outermost.
    pub dim: usize,
    /// The side.
    pub sense: Sense,
    /// Block-uniform at the region.
    pub limit: Poly,
}

/// A block-uniform condition.
#[derive(Debug, Clone, PartialEq)]
pub enum When {
    /// An `i1` the entry can compute has this outcome.
    Is {
        /// The value in the original body.
        value: ValueId,
        /// The outcome.
        wanted: bool,
    },
    /// `poly >= 0`, at the region.
    NotNegative(Poly),
}

impl ActiveSet {
    /// What is accessed at these offsets in any case.
    pub fn always(offsets: Vec<Vec<i64>>) -> ActiveSet {
        ActiveSet {
            offsets,
            ..ActiveSet::default()
        }
    }
}

/// Adds what is accessed at `offsets` under the conditions of `set`, which has no offsets yet.
pub fn add_access(to: &mut Vec<ActiveSet>, set: ActiveSet, offsets: Vec<i64>) {
    let is_alike = |x: &&mut ActiveSet| x.bounds == set.bounds && x.when == set.when;
    match to.iter_mut().find(is_alike) {
        Some(x) => add_offsets(&mut x.offsets, &[offsets]),
        None => to.push(ActiveSet {
            offsets: vec![offsets],
            ..set
        }),
    }
}

/// Adds offset vectors that are not there yet, keeping the list sorted.
pub fn add_offsets(to: &mut Vec<Vec<i64>>, more: &[Vec<i64>]) {
    for o in more {
        if !to.contains(o) {
            to.push(o.clone());
        }
    }
    crate::order::sort(to);
}
