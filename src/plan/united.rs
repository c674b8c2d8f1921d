//! Reads that are guarded one by one, as one set.
//!
//! ```text
//! if (0 <= x - 1) s += u[x - 1];            offset -1, tid.x >= 1 - b          b = ctaid.x*ntid.x
//! s += u[x];                                offset 0
//! if (x + 1 < n) s += u[x + 1];             offset 1, tid.x <= n - 2 - b
//! ```
//! Each guard says the same of the element that is read: `-b <= tid.x + offset <= n - 1 - b`. The union of the boxes is
//! then one box, and a block finds it in a few instructions; found read by read, that takes more than the window's
//! arithmetic.
//!
//! Sound, since the box has exactly the elements of the union. Threads of a block have consecutive numbers `lo ..= hi`,
//! the same for all reads; if there is one, offsets `p ..= q` without a gap reach `lo+p ..= hi+q` without a gap, of
//! which guards leave what lies within their limits. With every combination of the dimensions' offsets, the boxes of
//! single dimensions combine to one.
//!
//! Left as they are: sets whose offsets have gaps or lack a combination, guards on sums of several numbers (a window's
//! loop that is not unrolled), and limits of which it is not proven that they hold for a read without the guard.

use super::data::{ActiveSet, Bound, Within, add_offsets};
use super::shape::ShapeDim;
use crate::affine::{Atom, Poly, Sense};

/// `sets` as one set of the same elements, where there is one.
pub fn united(sets: Vec<ActiveSet>, dims: &[ShapeDim]) -> Vec<ActiveSet> {
    match union(&sets, dims) {
        Some(all) => vec![all],
        None => sets,
    }
}

fn union(sets: &[ActiveSet], dims: &[ShapeDim]) -> Option<ActiveSet> {
    let (first, others) = sets.split_first()?;
    if others.is_empty() || others.iter().any(|s| s.when != first.when) {
        return None;
    }
    let is_common = |b: &&Bound| sets.iter().all(|s| s.bounds.contains(b));
    let mut all = ActiveSet {
        bounds: first.bounds.iter().filter(is_common).cloned().collect(),
        within: Vec::new(),
        when: first.when.clone(),
        offsets: Vec::new(),
    };
    for s in sets {
        for b in s.bounds.iter().filter(|b| !is_common(b)) {
            let w = within(b, s, dims)?;
            if !all.within.contains(&w) {
                all.within.push(w);
            }
        }
        add_offsets(&mut all.offsets, &s.offsets);
    }
    let holds = |s: &ActiveSet| all.within.iter().all(|w| holds(w, s, dims));
    let whole = sets.iter().all(holds) && is_box(&all.offsets, &all.within);
    whole.then_some(all)
}

/// What a bound says of the element that the reads of its set have in common.
fn within(b: &Bound, s: &ActiveSet, dims: &[ShapeDim]) -> Option<Within> {
    let dim = dims.iter().position(|d| d.terms == b.terms)?;
    let offset = s.offsets.first()?[dim];
    let limit = b.limit.plus(&Poly::constant(offset));
    let is_one = s.offsets.iter().all(|o| o[dim] == offset) && thread(&dims[dim]).is_some();
    is_one.then_some(Within {
        dim,
        sense: b.sense,
        limit,
    })
}

/// The thread number that is all of a dimension's coordinate.
fn thread(d: &ShapeDim) -> Option<Atom> {
    match d.terms[..] {
        [(a @ Atom::Tid(_), 1)] => Some(a),
        _ => None,
    }
}

/// Whether all elements of a set lie within a limit, by its own bounds.
fn holds(w: &Within, s: &ActiveSet, dims: &[ShapeDim]) -> bool {
    let own = s.bounds.iter().filter(|b| b.terms == dims[w.dim].terms);
    let own = own.filter(|b| b.sense == w.sense).map(|b| b.limit.clone());
    let mut known: Vec<Poly> = own.collect();
    if w.sense == Sense::AtLeast {
        known.push(Poly::constant(0));
    }
    let covers = |k: &Poly, offset: i64| {
        let element = k.plus(&Poly::constant(offset));
        match w.sense {
            Sense::AtLeast => element.minus(&w.limit).is_surely_nonnegative(),
            Sense::AtMost => w.limit.minus(&element).is_surely_nonnegative(),
        }
    };
    let mut offsets = s.offsets.iter().map(|o| o[w.dim]);
    offsets.all(|offset| known.iter().any(|k| covers(k, offset)))
}

/// Whether offsets are all combinations of the dimensions' own, without a gap where elements have limits.
fn is_box(offsets: &[Vec<i64>], within: &[Within]) -> bool {
    let Some(first) = offsets.first() else {
        return false;
    };
    let mut combinations = 1;
    for dim in 0..first.len() {
        let mut own: Vec<i64> = offsets.iter().map(|o| o[dim]).collect();
        crate::order::sort(&mut own);
        own.dedup();
        let has_gap = own.windows(2).any(|w| w[0] + 1 != w[1]);
        if has_gap && within.iter().any(|w| w.dim == dim) {
            return false;
        }
        combinations *= own.len();
    }
    combinations == offsets.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Dim;

    const X: Atom = Atom::Tid(Dim::X);

    fn dims() -> Vec<ShapeDim> {
        let dim = |a| ShapeDim {
            stride: Poly::constant(4),
            terms: vec![(a, 1)],
            offsets: Vec::new(),
            extent: None,
        };
        vec![dim(Atom::Tid(Dim::Y)), dim(X)]
    }

    fn block() -> Poly {
        Poly::atom(Atom::Ctaid(Dim::X))
    }

    fn bound(sense: Sense, limit: Poly) -> Bound {
        Bound {
            terms: vec![(X, 1)],
            sense,
            limit,
        }
    }

    /// A read at `offset`, of elements from 0 on and up to `n - 1`, here a constant.
    fn read(offset: i64, last: i64) -> ActiveSet {
        let shift = |c: i64| Poly::constant(c - offset).minus(&block());
        ActiveSet {
            bounds: vec![
                bound(Sense::AtLeast, shift(0)),
                bound(Sense::AtMost, shift(last)),
            ],
            within: Vec::new(),
            when: Vec::new(),
            offsets: vec![vec![0, offset]],
        }
    }

    #[test]
    fn guards_of_the_same_elements_are_one() {
        let all = united(vec![read(-1, 99), read(0, 99), read(1, 99)], &dims());
        let [one] = &all[..] else { panic!("{all:?}") };
        assert_eq!(one.offsets, [[0, -1], [0, 0], [0, 1]]);
        assert!(one.bounds.is_empty());
        let limits: Vec<String> = one.within.iter().map(|w| w.limit.to_string()).collect();
        assert_eq!(limits, ["-ctaid.x", "-ctaid.x + 99"]);
    }

    #[test]
    fn a_guard_that_needs_no_test_may_be_absent() {
        let mut middle = read(0, 99);
        middle.bounds.remove(0);
        // Without `tid.x + ctaid.x >= 0`, which is always so.
        assert_eq!(united(vec![read(-1, 99), middle.clone()], &dims()).len(), 1);
        // Without a guard that is needed: the element behind the last may be read.
        middle.bounds = Vec::new();
        assert_eq!(united(vec![read(-1, 99), middle], &dims()).len(), 2);
    }

    #[test]
    fn what_is_no_box_stays() {
        assert_eq!(united(vec![read(-1, 99), read(1, 99)], &dims()).len(), 2);
        let mut below = read(0, 99);
        below.offsets = vec![vec![1, 0]];
        assert_eq!(united(vec![read(-1, 99), below], &dims()).len(), 2);
        assert_eq!(united(vec![read(0, 99), read(1, 98)], &dims()).len(), 2);
    }
}
