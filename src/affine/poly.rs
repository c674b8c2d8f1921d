//! Polynomials with integer coefficients over thread, block, loop and launch-time variables.
//!
//! ```text
//! row * n + k  =  ctaid.y*ntid.y*n + n*tid.y + iter(loop0)
//! ```
//! An index is affine when every term holds at most one varying atom, to the first power; the
//! rest of the term, a product of block-uniform atoms, is its coefficient. Arithmetic is exact:
//! what the machine computes in 32 bits equals it only under the facts that `affine` records.

use crate::kernel::{Dim, id};
use crate::tree::LoopId;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

id!(/// A block-uniform value that the kernel's entry can compute (argument, product, quotient …).
    SymbolId, "s");
id!(/// A thread-varying value that is monotone in affine operands: a clamp.
    ClampId, "clamp");

/// Coefficients from which on a polynomial is [huge](Poly::is_huge).
const HUGE: u64 = 1 << 40;

/// A variable of the polynomials.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Atom {
    /// `threadIdx`, 0 up to `ntid - 1`.
    Tid(Dim),
    /// The number of the iteration of a loop, from 0.
    Iter(LoopId),
    /// A clamp's value.
    Clamp(ClampId),
    /// `blockIdx`.
    Ctaid(Dim),
    /// `blockDim`.
    Ntid(Dim),
    /// `gridDim`.
    Nctaid(Dim),
    /// How often a loop runs, where that is the same for every thread.
    Trip(LoopId),
    /// A block-uniform value computed at entry.
    Symbol(SymbolId),
}

impl Atom {
    /// Whether threads of one block can see different values at one time. Iteration numbers are
    /// counted as varying: whether one is fixed depends on the region looked at.
    pub fn varies(self) -> bool {
        matches!(self, Atom::Tid(_) | Atom::Iter(_) | Atom::Clamp(_))
    }
    /// An upper bound of the value's magnitude, in bits, from the architecture's limits.
    pub fn bits(self) -> u32 {
        match self {
            Atom::Tid(Dim::Z) => 6,
            Atom::Tid(_) => 10,
            Atom::Ntid(Dim::Z) => 7,
            Atom::Ntid(_) => 11,
            Atom::Ctaid(Dim::X) | Atom::Nctaid(Dim::X) => 31,
            Atom::Ctaid(_) | Atom::Nctaid(_) => 16,
            Atom::Symbol(_) | Atom::Iter(_) | Atom::Trip(_) | Atom::Clamp(_) => 31,
        }
    }
    /// Whether the value is never negative.
    pub fn is_nonnegative(self) -> bool {
        !matches!(self, Atom::Symbol(_) | Atom::Clamp(_))
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Tid(d) => write!(f, "tid.{}", d.letter()),
            Atom::Ctaid(d) => write!(f, "ctaid.{}", d.letter()),
            Atom::Ntid(d) => write!(f, "ntid.{}", d.letter()),
            Atom::Nctaid(d) => write!(f, "nctaid.{}", d.letter()),
            Atom::Iter(l) => write!(f, "iter({l})"),
            Atom::Clamp(c) => write!(f, "{c}"),
            Atom::Trip(l) => write!(f, "trip({l})"),
            Atom::Symbol(s) => write!(f, "{s}"),
        }
    }
}

/// A product of atoms, sorted, repeats kept; empty is 1.
pub type Monomial = Vec<Atom>;

/// A sum of integer multiples of monomials. No zero coefficients are stored.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Poly {
    /// By monomial, in ascending order.
    terms: Vec<(Monomial, i64)>,
}

impl Poly {
    /// The constant `c`.
    pub fn constant(c: i64) -> Poly {
        let mut p = Poly::default();
        p.add_term(Vec::new(), c);
        p
    }
    /// One atom.
    pub fn atom(a: Atom) -> Poly {
        let mut p = Poly::default();
        p.add_term(vec![a], 1);
        p
    }
    /// Terms in a fixed order.
    pub fn terms(&self) -> impl Iterator<Item = (&Monomial, i64)> {
        self.terms.iter().map(|(m, c)| (m, *c))
    }
    fn monomials(&self) -> impl Iterator<Item = &Monomial> {
        self.terms.iter().map(|(m, _)| m)
    }
    /// Whether it is 0.
    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }
    /// Its value if it holds no atoms.
    pub fn as_constant(&self) -> Option<i64> {
        match &self.terms[..] {
            [] => Some(0),
            [(m, c)] if m.is_empty() => Some(*c),
            _ => None,
        }
    }
    /// The constant term.
    pub fn constant_term(&self) -> i64 {
        // The empty monomial is the least.
        let first = self.terms.first().filter(|(m, _)| m.is_empty());
        first.map_or(0, |(_, c)| *c)
    }
    /// Adds `c * m`; `None` never: coefficients saturate, and a saturated one fails every fact.
    pub fn add_term(&mut self, mut m: Monomial, c: i64) {
        crate::order::sort(&mut m);
        match self.terms.binary_search_by(|(x, _)| x.cmp(&m)) {
            Err(at) => {
                if c != 0 {
                    self.terms.insert(at, (m, c));
                }
            }
            Ok(at) => match self.terms[at].1.saturating_add(c) {
                0 => _ = self.terms.remove(at),
                sum => self.terms[at].1 = sum,
            },
        }
    }
    /// The sum of atoms, each so many times.
    pub fn sum(terms: &[(Atom, i64)]) -> Poly {
        terms.iter().fold(Poly::default(), |p, (a, m)| {
            p.plus(&Poly::atom(*a).times_constant(*m))
        })
    }
    /// The product of all.
    pub fn product(factors: impl IntoIterator<Item = Poly>) -> Poly {
        factors
            .into_iter()
            .fold(Poly::constant(1), |p, x| p.times(&x))
    }
    /// Sum.
    pub fn plus(&self, o: &Poly) -> Poly {
        Poly::of(self.merged(o, 1))
    }
    /// Difference.
    pub fn minus(&self, o: &Poly) -> Poly {
        Poly::of(self.difference(o))
    }
    /// The terms of the difference, without making it.
    pub fn difference<'a>(&'a self, o: &'a Poly) -> impl Iterator<Item = (&'a Monomial, i64)> {
        self.merged(o, -1)
    }
    /// Of terms in their order, each monomial once.
    fn of<'a>(terms: impl Iterator<Item = (&'a Monomial, i64)>) -> Poly {
        Poly {
            terms: terms.map(|(m, c)| (m.clone(), c)).collect(),
        }
    }
    /// The terms of the sum of this and `k` times `o`.
    fn merged<'a>(&'a self, o: &'a Poly, k: i64) -> impl Iterator<Item = (&'a Monomial, i64)> {
        let (mut own, mut other) = (self.terms().peekable(), o.terms().peekable());
        let next = move || {
            let order = match (own.peek(), other.peek()) {
                (Some((m, _)), Some((n, _))) => m.cmp(n),
                (Some(_), None) => Ordering::Less,
                (None, _) => Ordering::Greater,
            };
            if order == Ordering::Less {
                return own.next();
            }
            let (m, c) = other.next()?;
            let more = c.saturating_mul(k);
            let mine = own.next_if(|_| order == Ordering::Equal);
            Some((m, mine.map_or(more, |(_, c)| c.saturating_add(more))))
        };
        std::iter::from_fn(next).filter(|(_, c)| *c != 0)
    }
    /// The difference, if it holds no atoms: the same as of [`Poly::minus`], without making it.
    pub fn minus_if_constant(&self, o: &Poly) -> Option<i64> {
        let constant = self.constant_term().saturating_sub(o.constant_term());
        let same = self.terms_of_atoms() == o.terms_of_atoms();
        same.then_some(constant)
    }
    /// The terms that are no constant, which comes first.
    fn terms_of_atoms(&self) -> &[(Monomial, i64)] {
        let has_constant = self.terms.first().is_some_and(|(m, _)| m.is_empty());
        &self.terms[usize::from(has_constant)..]
    }
    /// Multiple.
    pub fn times_constant(&self, k: i64) -> Poly {
        let terms = self.terms().map(|(m, c)| (m.clone(), c.saturating_mul(k)));
        Poly {
            terms: terms.filter(|(_, c)| *c != 0).collect(),
        }
    }
    /// Product.
    pub fn times(&self, o: &Poly) -> Poly {
        let mut r = Poly::default();
        for (a, ca) in self.terms() {
            for (b, cb) in o.terms() {
                r.add_term(a.iter().chain(b).copied().collect(), ca.saturating_mul(cb));
            }
        }
        r
    }
    /// The poly divided by `k` if every coefficient is a multiple.
    pub fn divided_exactly(&self, k: i64) -> Option<Poly> {
        let mut r = Poly::default();
        for (m, c) in self.terms() {
            if k == 0 || c % k != 0 {
                return None;
            }
            r.add_term(m.clone(), c / k);
        }
        Some(r)
    }
    /// Every atom in it, sorted, once.
    pub fn atoms(&self) -> Vec<Atom> {
        let mut v: Vec<Atom> = self.monomials().flatten().copied().collect();
        crate::order::sort(&mut v);
        v.dedup();
        v
    }
    /// Whether `atom` occurs.
    pub fn mentions(&self, atom: Atom) -> bool {
        self.monomials().any(|m| m.contains(&atom))
    }
    /// Whether an atom for which `f` holds occurs.
    pub fn any(&self, f: impl Fn(Atom) -> bool) -> bool {
        self.monomials().flatten().any(|a| f(*a))
    }
    /// Greatest common divisor of all coefficients; 0 for the zero poly.
    pub fn content(&self) -> i64 {
        self.terms().fold(0i64, |g, (_, c)| gcd(g, c))
    }
    /// Splits into the coefficient of each atom that `is_variable` names, and the rest.
    /// `None` when a term holds two of them, or one twice: not affine.
    pub fn split(
        &self,
        is_variable: impl Fn(Atom) -> bool,
    ) -> Option<(BTreeMap<Atom, Poly>, Poly)> {
        let mut coefficients: BTreeMap<Atom, Poly> = BTreeMap::new();
        let mut rest = Poly::default();
        for (m, c) in self.terms() {
            let mut variables = m.iter().filter(|a| is_variable(**a));
            match (variables.next(), variables.next()) {
                (None, _) => rest.add_term(m.clone(), c),
                (Some(v), None) => {
                    let others = m.iter().filter(|a| *a != v).copied().collect();
                    coefficients.entry(*v).or_default().add_term(others, c);
                }
                _ => return None,
            }
        }
        coefficients.retain(|_, p| !p.is_zero());
        Some((coefficients, rest))
    }
    /// Replaces `atom` by `by`.
    pub fn substitute(&self, atom: Atom, by: &Poly) -> Poly {
        let mut r = Poly::default();
        for (m, c) in self.terms() {
            let power = m.iter().filter(|a| **a == atom).count();
            let rest = m.iter().filter(|a| **a != atom).copied().collect();
            let mut t = Poly::default();
            t.add_term(rest, c);
            for _ in 0..power {
                t = t.times(by);
            }
            r = r.plus(&t);
        }
        r
    }
    /// Whether it has a coefficient that no index has, as hashes and random numbers do; sums and products of such would
    /// no longer fit.
    pub fn is_huge(&self) -> bool {
        self.terms().any(|(_, c)| c.unsigned_abs() >= HUGE)
    }
    /// Whether it is never negative, judged term by term.
    pub fn is_surely_nonnegative(&self) -> bool {
        self.terms()
            .all(|(m, c)| c >= 0 && m.iter().all(|a| a.is_nonnegative()))
    }
}

/// Greatest common divisor, never negative.
pub fn gcd(a: i64, b: i64) -> i64 {
    i64::try_from(gcd_of_128(a.into(), b.into())).unwrap_or(i64::MAX)
}

/// The same of 128 bits.
pub(super) fn gcd_of_128(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(i128::MAX)
}

impl fmt::Display for Poly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.terms.is_empty() {
            return write!(f, "0");
        }
        // The constant term is stored first and printed last.
        let (constant, rest): (Vec<_>, Vec<_>) = self.terms().partition(|(m, _)| m.is_empty());
        for (i, (m, c)) in rest.into_iter().chain(constant).enumerate() {
            let sign = if c < 0 { "-" } else { "+" };
            match (i, c < 0) {
                (0, true) => write!(f, "-")?,
                (0, false) => {}
                _ => write!(f, " {sign} ")?,
            }
            let factors: Vec<String> = m.iter().map(ToString::to_string).collect();
            match (c.unsigned_abs(), factors.is_empty()) {
                (k, true) => write!(f, "{k}")?,
                (1, false) => write!(f, "{}", factors.join("*"))?,
                (k, false) => write!(f, "{k}*{}", factors.join("*"))?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Poly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tid() -> Poly {
        Poly::atom(Atom::Tid(Dim::X))
    }
    fn n() -> Poly {
        Poly::atom(Atom::Symbol(SymbolId(0)))
    }

    #[test]
    fn prints_and_multiplies() {
        let p = tid().times(&n()).plus(&Poly::constant(-3));
        assert_eq!(p.to_string(), "tid.x*s0 - 3");
        assert_eq!(p.minus(&p), Poly::default());
    }

    #[test]
    fn splits_into_coefficients() {
        let p = tid().times(&n()).plus(&n()).plus(&tid().times_constant(4));
        let (c, rest) = p.split(Atom::varies).expect("affine");
        assert_eq!(c[&Atom::Tid(Dim::X)].to_string(), "s0 + 4");
        assert_eq!(rest.to_string(), "s0");
    }

    #[test]
    fn a_product_of_two_thread_indices_is_not_affine() {
        assert!(tid().times(&tid()).split(Atom::varies).is_none());
    }

    #[test]
    fn substitutes_powers() {
        let p = tid().times(&tid());
        assert_eq!(
            p.substitute(Atom::Tid(Dim::X), &Poly::constant(3)),
            Poly::constant(9)
        );
    }
}
