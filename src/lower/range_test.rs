//! Range facts tested in as few instructions as they need: light kernels feel every one, and blocks
//! whose work a leader does run nothing else.
//!
//! ```text
//! 0 <= 4*s1 - 8*ntid.y <= 2^40      2*ntid.y <= s1, in 32 bits: 4*s1 is below 2^40 in any case
//! ```
//! A fact is split into its two sides, each of them a sum that must not be negative. What the widths of
//! its atoms prove is not tested. Else positive terms are compared with negative ones, divided by
//! what they have in common, in 32 bits where both surely fit; or products with the rest. That is exact.

use super::Lower;
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::llvm::ir::{Pred, Value};
use crate::tree::LoopId;

/// Least and greatest value that an architecture allows.
type Bounds = (i128, i128);

impl Lower<'_> {
    /// Whether `lo <= poly <= hi` for all threads of the block; `None`: `poly` holds more than thread
    /// numbers, and what is the same for all threads and of known width.
    pub(crate) fn range_test(&mut self, poly: &Poly, lo: i64, hi: i64) -> Option<Value> {
        let below = self.at_extreme(poly, false)?.minus(&Poly::constant(lo));
        let above = Poly::constant(hi).minus(&self.at_extreme(poly, true)?);
        // Differences with the limits of 64 bits may not be sums of 64 bits.
        let limits = [i64::MIN, i64::MAX];
        let mut tests = Vec::new();
        if !limits.contains(&lo) {
            tests.extend(self.not_negative(&below)?);
        }
        if !limits.contains(&hi) {
            tests.extend(self.not_negative(&above)?);
        }
        Some(self.b.all(tests).unwrap_or(self.b.i1().constant(1)))
    }

    /// `poly` with the thread numbers at which it is greatest, or least, in what facts are about: the merged blocks, or
    /// the whole grid along dimensions in which the grid's first blocks lead. `None`: which way it grows is not known.
    fn at_extreme(&self, poly: &Poly, greatest: bool) -> Option<Poly> {
        let mut out = poly.clone();
        for d in Dim::ALL {
            let tid = Atom::Tid(d);
            let (coefficients, _) = out.split(|a| a == tid)?;
            let Some(c) = coefficients.get(&tid) else {
                continue;
            };
            let up = c.as_constant()? > 0;
            let of_grid = self.from.plan.merge.compacted && self.from.plan.merge.along(d) > 1;
            let at = match up == greatest {
                true => self.last_thread(d, of_grid),
                false => Poly::default(),
            };
            out = out.substitute(tid, &at);
            if of_grid {
                out = out.substitute(Atom::Ctaid(d), &Poly::default());
            }
        }
        Some(out)
    }

    fn last_thread(&self, d: Dim, of_grid: bool) -> Poly {
        let blocks = Poly::constant(i64::from(self.from.plan.merge.along(d)));
        let one = Poly::constant(1);
        let threads = Poly::atom(Atom::Ntid(d));
        let all = match of_grid {
            true => threads.times(&Poly::atom(Atom::Nctaid(d)).plus(&blocks.minus(&one))),
            false => threads.times(&blocks),
        };
        all.minus(&one)
    }

    /// The test of `p >= 0`: none if that is sure; `None`: some width is not known.
    pub(crate) fn not_negative(&mut self, p: &Poly) -> Option<Option<Value>> {
        let constant = p.constant_term();
        let moving = p.minus(&Poly::constant(constant));
        let g = moving.content().max(1);
        let moving = moving.divided_exactly(g)?;
        let constant = Poly::constant(constant.div_euclid(g));
        if self.bounds(&moving.plus(&constant))?.0 >= 0 {
            return Some(None);
        }
        let part = |keep: &dyn Fn(&[Atom], i64) -> bool| {
            let mut part = Poly::default();
            for (m, c) in moving.terms().filter(|(m, c)| keep(m, *c)) {
                part.add_term(m.clone(), c);
            }
            part
        };
        let (mut more, mut less) = (part(&|_, c| c > 0), part(&|_, c| c < 0).times_constant(-1));
        if constant.is_surely_nonnegative() {
            more = more.plus(&constant);
        } else {
            less = less.minus(&constant);
        }
        let in_int32 = |b: Bounds| b.0 >= i128::from(i32::MIN) && b.1 <= i128::from(i32::MAX);
        if in_int32(self.bounds(&more)?) && in_int32(self.bounds(&less)?) {
            let (x, y) = self.both_int32(&less, &more);
            return Some(Some(self.b.at_most(x, y)));
        }
        let counts = |b: Bounds| b.0 >= 0 && b.1 <= i128::from(u32::MAX);
        if counts(self.bounds(&more)?) && counts(self.bounds(&less)?) {
            let (x, y) = self.both_int32(&less, &more);
            return Some(Some(self.b.icmp(Pred::LLVMIntULE, x, y)));
        }
        // Beyond 32 bits LLVM compares both sides at once where the sum is one.
        if p.any(|a| matches!(a, Atom::Trip(_))) {
            return None;
        }
        // Products on one side, as they are needed elsewhere and by the fact's other side.
        let products = part(&|m, _| m.len() > 1);
        let others = moving.minus(&products).plus(&constant);
        let lead = products.terms().next().map_or(0, |(_, c)| c);
        if lead < 0 {
            let (x, y) = (self.eval(&products.times_constant(-1)), self.eval(&others));
            return Some(Some(self.b.at_most(x, y)));
        }
        let (x, y) = (self.eval(&others.times_constant(-1)), self.eval(&products));
        Some(Some(self.b.at_most(x, y)))
    }

    /// The values of two sums modulo 2^32.
    fn both_int32(&mut self, p: &Poly, q: &Poly) -> (Value, Value) {
        let counts = |p: &Poly| p.any(|a| matches!(a, Atom::Trip(_)));
        if counts(p) || counts(q) {
            return (self.eval_int32(p), self.eval_int32(q));
        }
        let int = self.b.i32();
        let (x, y) = (self.eval(p), self.eval(q));
        (self.b.trunc(x, int), self.b.trunc(y, int))
    }

    /// The value of `p` modulo 2^32. A loop's length is worked out in 32 bits, which LLVM does not find.
    fn eval_int32(&mut self, p: &Poly) -> Value {
        let int = self.b.i32();
        let mut sum: Option<Value> = None;
        for (m, c) in p.terms() {
            let mut product = self.b.int(c);
            for a in m {
                let v = match a {
                    Atom::Trip(l) => self.trip_int32(*l),
                    a => {
                        let v = self.eval(&Poly::atom(*a));
                        self.b.trunc(v, int)
                    }
                };
                product = if product.const_int() == Some(1) {
                    v
                } else {
                    self.b.mul(product, v)
                };
            }
            sum = Some(sum.map_or(product, |s| self.b.add(s, product)));
        }
        sum.unwrap_or(self.b.int(0))
    }

    /// How often a loop runs, in 32 bits; what is beyond them is lost.
    pub(crate) fn trip_int32(&mut self, l: LoopId) -> Value {
        let t = self.trip(l).clone();
        let int = self.b.i32();
        if t.step.as_constant() != Some(1) {
            let count = self.eval(&Poly::atom(Atom::Trip(l)));
            return self.b.trunc(count, int);
        }
        let span = self.eval(&t.span);
        let span = self.b.trunc(span, int);
        self.b.greatest(span, self.b.int(i64::from(t.least)))
    }

    fn bounds(&self, p: &Poly) -> Option<Bounds> {
        let mut sum: Bounds = (0, 0);
        for (m, c) in p.terms() {
            let c = i128::from(c);
            let mut product = (c, c);
            for a in m {
                let (lo, hi) = self.bounds_of(*a)?;
                let all = [
                    product.0.checked_mul(lo)?,
                    product.0.checked_mul(hi)?,
                    product.1.checked_mul(lo)?,
                    product.1.checked_mul(hi)?,
                ];
                product = (*all.iter().min()?, *all.iter().max()?);
            }
            sum = (sum.0.checked_add(product.0)?, sum.1.checked_add(product.1)?);
        }
        Some(sum)
    }

    fn bounds_of(&self, a: Atom) -> Option<Bounds> {
        let bits = a.bits();
        match a {
            Atom::Ntid(_) => Some((1, 1 << (bits - 1))),
            Atom::Tid(_) | Atom::Ctaid(_) => Some((0, (1 << bits) - 1)),
            Atom::Nctaid(_) => Some((1, (1 << bits) - 1)),
            Atom::Symbol(s) => {
                let v = self
                    .from
                    .kernel
                    .value(self.from.affine.symbols[s.index()].value);
                let width = v.ty().int_width().filter(|w| *w <= 32)?;
                Some((-(1 << (width - 1)), (1 << (width - 1)) - 1))
            }
            Atom::Trip(l) => self.bounds_of_trip(l),
            Atom::Iter(_) | Atom::Clamp(_) => None,
        }
    }

    /// Whether facts, `known` numbers that are not negative, and what numbers of threads and iterations are anyway,
    /// keep `p` from being negative. NB: it may say so where a fact does not hold, so it is not for tests of facts
    /// about such numbers.
    pub(crate) fn keeps_positive(&self, p: &Poly, known: &[Poly]) -> bool {
        let is_kept = |p: &Poly| {
            let mut more = known.iter().map(|k| p.minus(k));
            self.from.plan.facts().any(|f| f.keeps_positive(p))
                || more.any(|m| m.is_surely_nonnegative())
        };
        let each = p.terms().all(|(m, c)| {
            let all = |a: &Atom| a.is_nonnegative() || is_kept(&Poly::atom(*a));
            c >= 0 && m.iter().all(all)
        });
        each || is_kept(p)
    }

    /// A loop's length is at most its span, which facts of the plan keep in 32 bits: where they do not hold,
    /// what is said of the length does not matter.
    fn bounds_of_trip(&self, l: LoopId) -> Option<Bounds> {
        let t = self.trip(l);
        let in_int32 = |b: Bounds| b.0 >= i128::from(i32::MIN) && b.1 <= i128::from(i32::MAX);
        let short = self.is_int32(&t.span) || self.bounds(&t.span).is_some_and(in_int32);
        let counts = t.step.as_constant().is_some_and(|s| s > 0);
        // Where a loop around changes it, it has no one value.
        let one = self.is_fixed(&Poly::atom(Atom::Trip(l)));
        (short && counts && one).then_some((i128::from(t.least), i128::from(i32::MAX)))
    }
}
