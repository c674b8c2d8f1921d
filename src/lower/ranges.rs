//! Ranges of variables over the whole kernel, a region or a strip, and the boxes of elements that
//! active sets span there. Facts and copies use the same code: a fact asks for a superset, and
//! gets one because limits that vary over the kernel enter as intervals; a copy asks for the exact
//! hull, and gets it because limits are single values at a region.
//!
//! Coordinates are relative to the first one (`Σ m·first(v)`), so that a strip's columns are the
//! constants `0 ..= T-1`, wherever the strip begins.

use super::Lower;
use super::state::{Extent, Ranges, SetBox, Terms, View};
use crate::affine::{Atom, ClampId, Poly, Sense};
use crate::kernel::{Dim, ids};
use crate::llvm::ir::Value;
use crate::plan::{ActiveSet, Along, Bound, When};
use crate::tree::LoopId;

impl Lower<'_> {
    /// Whether a loop takes several iterations over a view.
    pub(crate) fn iterates(&self, view: View, l: LoopId) -> bool {
        match view {
            View::Entry => true,
            View::Region { node, strip } => {
                let at = self.from.tree.loop_(l).node;
                strip.is_some_and(|s| s.loop_ == l)
                    || (self.from.tree.contains(node, at) && !(at == node && strip.is_some()))
            }
        }
    }

    /// The range of a variable.
    pub(crate) fn range(&mut self, r: &Ranges, a: Atom) -> Extent {
        if let Some(e) = r.cut.get(&a) {
            return *e;
        }
        if !self.varies(r.view, a) {
            let v = self.eval(&Poly::atom(a));
            return Extent {
                lo: v,
                hi: v,
                span: self.b.long(0),
            };
        }
        match (a, r.view) {
            (Atom::Ctaid(d), _) => {
                let blocks = self.eval(&Poly::atom(Atom::Nctaid(d)));
                self.up_to(blocks)
            }
            (Atom::Symbol(s), _) => self.part_of_block(s),
            (Atom::Tid(d), _) if self.is_joined(d) => {
                let all = self.threads_of_groups(d);
                self.up_to(all)
            }
            (Atom::Tid(d), _) => {
                let n = self.eval(&Poly::atom(Atom::Ntid(d)));
                let replicas = i64::from(self.replicas.merge.along(d));
                let all = self.b.scaled(n, replicas);
                self.up_to(all)
            }
            (Atom::Iter(l), View::Region { strip: Some(s), .. }) if s.loop_ == l => Extent {
                lo: s.first,
                hi: self.b.plus(s.first, s.span),
                span: s.span,
            },
            (Atom::Iter(l), _) => {
                let (_, most) = self.trip_interval(r, l);
                self.up_to(most)
            }
            (Atom::Clamp(c), _) => self.clamped(r, c),
            (Atom::Trip(l), _) => {
                let (lo, hi) = self.trip_interval(r, l);
                Extent {
                    lo,
                    hi,
                    span: self.b.minus(hi, lo),
                }
            }
            _ => unreachable!("{a} does not vary"),
        }
    }

    /// The range of a clamp.
    fn clamped(&mut self, r: &Ranges, c: ClampId) -> Extent {
        let c = self.from.affine.clamps[c.index()].clone();
        let v = self.interval(r, &c.varying);
        let limit = self.interval(r, &c.limit);
        let b = &self.b;
        let (lo, hi) = if c.is_min {
            (b.least(v.0, limit.0), b.least(v.1, limit.1))
        } else {
            (b.greatest(v.0, limit.0), b.greatest(v.1, limit.1))
        };
        Extent {
            lo,
            hi,
            span: b.minus(hi, lo),
        }
    }

    /// `Σ m·first(v)` over the view: where coordinate 0 lies.
    pub(crate) fn first_coordinate(&mut self, view: View, terms: &Terms) -> Value {
        let r = Ranges::of(view);
        let mut sum = self.b.long(0);
        for &(atom, m) in terms {
            let e = self.range(&r, atom);
            let v = self.b.scaled(if m > 0 { e.lo } else { e.hi }, m);
            sum = self.b.plus(sum, v);
        }
        sum
    }

    /// The box of `set` in the dimensions `dims`.
    pub(crate) fn set_box(&mut self, view: View, dims: &[&Terms], set: &ActiveSet) -> SetBox {
        let mut r = Ranges::of(view);
        let mut tests = Vec::new();
        self.cut_missing_blocks(&mut r);
        self.cut_variables(&mut r, set, &mut tests);
        let (mut lo, mut hi) = (Vec::new(), Vec::new());
        for terms in dims {
            let (l, h) = self.coordinate_range(&r, terms, set, &mut tests);
            lo.push(l);
            hi.push(h);
        }
        for w in &set.when {
            let t = self.holds(&r, w);
            tests.push(t);
        }
        SetBox {
            nonempty: self.b.all(tests),
            lo,
            hi,
        }
    }

    /// The grid may end before the last of the merged blocks.
    fn cut_missing_blocks(&mut self, r: &mut Ranges) {
        for d in Dim::ALL {
            if self.replicas.merge.along(d) > 1 {
                let n = self.replica_threads(d);
                let there = self.up_to(n);
                r.cut.insert(Atom::Tid(d), there);
            }
        }
    }

    /// Applies the bounds on single variables; clamps come last, as they follow the others.
    fn cut_variables(&mut self, r: &mut Ranges, set: &ActiveSet, tests: &mut Vec<Value>) {
        let mut bounds: Vec<(Atom, Bound)> = set.bounds.iter().filter_map(single).collect();
        crate::order::sort_by_key(&mut bounds, |(a, _)| *a);
        for (atom, bound) in bounds {
            let e = self.range(r, atom);
            let limit = self.interval(&Ranges::of(r.view), &bound.limit);
            let b = &self.b;
            let (lo, hi) = match bound.sense {
                Sense::AtLeast => (b.greatest(e.lo, limit.0), e.hi),
                Sense::AtMost => (e.lo, b.least(e.hi, limit.1)),
            };
            tests.push(b.at_most(lo, hi));
            r.cut.insert(
                atom,
                Extent {
                    lo,
                    hi,
                    span: b.minus(hi, lo),
                },
            );
        }
    }

    /// One coordinate under the cuts, and under bounds on the sum that it is.
    fn coordinate_range(
        &mut self,
        r: &Ranges,
        terms: &Terms,
        set: &ActiveSet,
        tests: &mut Vec<Value>,
    ) -> (Value, Value) {
        let full = Ranges::of(r.view);
        let (mut lo, mut hi) = (self.b.long(0), self.b.long(0));
        for &(atom, m) in terms {
            let e = self.range(&full, atom);
            let (mut from, mut to) = (self.b.long(0), e.span);
            if r.cut.contains_key(&atom) || matches!(atom, Atom::Clamp(_)) {
                let c = self.range(r, atom);
                from = self.b.minus(c.lo, e.lo);
                to = self.b.minus(c.hi, e.lo);
            } else if self.may_be_empty(r.view, atom) {
                tests.push(self.b.at_most(from, to));
            }
            if m < 0 {
                (from, to) = (self.b.minus(e.span, to), self.b.minus(e.span, from));
            }
            let k = m.saturating_abs();
            lo = self.b.plus(lo, self.b.scaled(from, k));
            hi = self.b.plus(hi, self.b.scaled(to, k));
        }
        for bound in set.bounds.iter().filter_map(|b| on_sum(b, terms)) {
            let limit = self.interval(&full, &bound.limit);
            let first = self.first_coordinate(r.view, terms);
            let b = &self.b;
            match bound.sense {
                Sense::AtLeast => lo = b.greatest(lo, b.minus(limit.0, first)),
                Sense::AtMost => hi = b.least(hi, b.minus(limit.1, first)),
            }
            tests.push(b.at_most(lo, hi));
        }
        (lo, hi)
    }

    /// Whether a loop inside the view may take no iteration.
    fn may_be_empty(&self, view: View, a: Atom) -> bool {
        let Atom::Iter(l) = a else { return false };
        let strip = matches!(view, View::Region { strip: Some(s), .. } if s.loop_ == l);
        !strip && self.iterates(view, l) && self.trip(l).least == 0
    }

    /// Whether there may be a thread for which it holds. Of what blocks do not have alike the host supposes so.
    pub(crate) fn holds(&mut self, r: &Ranges, w: &When) -> Value {
        match w {
            When::Is { value, wanted } => {
                let several = Dim::ALL.map(|d| self.runs_over_grid(d, Along::Each));
                if ids::reads_block_id(self.from.kernel.value(*value), several) {
                    return self.b.i1().constant(1);
                }
                let v = self.at_entry(*value);
                if *wanted {
                    v
                } else {
                    self.b.xor(v, self.b.i1().constant(1))
                }
            }
            When::NotNegative(p) => {
                let (_, hi) = self.interval(&Ranges::of(r.view), p);
                self.b.at_most(self.b.long(0), hi)
            }
        }
    }
}

/// The bound as one on a variable, if it is one.
pub(crate) fn single(b: &Bound) -> Option<(Atom, Bound)> {
    match b.terms[..] {
        [(a, 1)] => Some((a, b.clone())),
        [(a, -1)] => Some((a, flipped(b))),
        _ => None,
    }
}

/// The bound as one on the sum `terms`, if it is one. Bounds on variables are not.
fn on_sum(b: &Bound, terms: &Terms) -> Option<Bound> {
    if single(b).is_some() {
        return None;
    }
    if b.terms == terms {
        return Some(b.clone());
    }
    let f = flipped(b);
    (f.terms == terms).then_some(f)
}

/// The same bound, both sides negated.
fn flipped(b: &Bound) -> Bound {
    Bound {
        terms: b.terms.iter().map(|(a, m)| (*a, -m)).collect(),
        sense: match b.sense {
            Sense::AtLeast => Sense::AtMost,
            Sense::AtMost => Sense::AtLeast,
        },
        limit: b.limit.times_constant(-1),
    }
}
