//! Sets of whole numbers between linear limits, and whether one is surely empty.
//!
//! ```text
//! { (g, i, n): 0 <= g, 0 <= i, g + i <= n - 1, g + i >= n }        empty
//! ```
//! Fourier-Motzkin elimination: each variable in turn is taken out of all pairs of a lower and an upper limit. What is
//! left are numbers, one of which is negative where no rational point is in the set. Limits are divided by what their
//! coefficients have in common and rounded, so that some sets with rational points but no whole ones are seen to be
//! empty, too.
//!
//! Conservative: a set may be empty and not surely so, where it has rational points, where numbers go beyond 128 bits,
//! or where there are too many limits.

use super::poly::gcd_of_128;
use super::{Atom, Poly};

/// Limits from which on a set is given up.
const MOST_LIMITS: usize = 600;

/// Which of several copies of a varying value is meant, as the same of two threads.
pub type Instance = u32;

/// A conjunction of limits. Variables are atoms: those that vary are of an instance, the others are shared.
#[derive(Clone, Debug, Default)]
pub struct IntegerSet {
    variables: Vec<(Instance, Atom)>,
    limits: Vec<Limit>,
}

/// `sum of coefficients * variables + constant >= 0`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Limit {
    /// By variable; those that are missing are 0.
    coefficients: Vec<i128>,
    constant: i128,
}

impl IntegerSet {
    /// Takes out all points but those where `poly`, of an instance, is not negative. Whether it is linear: nothing is
    /// taken out where it is not.
    pub fn require(&mut self, poly: &Poly, instance: Instance) -> bool {
        self.require_sum(&[(poly, instance, 1)], 0)
    }

    /// The same of a sum of multiples and a constant.
    pub fn require_sum(&mut self, parts: &[(&Poly, Instance, i64)], constant: i64) -> bool {
        if !parts.iter().all(|(p, ..)| is_linear(p)) {
            return false;
        }
        let mut limit = Limit {
            coefficients: Vec::new(),
            constant: i128::from(constant),
        };
        for (poly, instance, times) in parts {
            for (monomial, c) in poly.terms() {
                let c = i128::from(c) * i128::from(*times);
                match monomial.first() {
                    None => limit.constant += c,
                    Some(atom) => {
                        let at = self.variable(*instance, *atom);
                        let length = limit.coefficients.len().max(at + 1);
                        limit.coefficients.resize(length, 0);
                        limit.coefficients[at] += c;
                    }
                }
            }
        }
        self.limits.push(limit);
        true
    }

    /// Whether it surely has no point.
    pub fn is_empty(&self) -> bool {
        let width = self.variables.len();
        let mut limits = Vec::new();
        for limit in &self.limits {
            let mut limit = limit.clone();
            limit.coefficients.resize(width, 0);
            if !limit.add_to(&mut limits) {
                return true;
            }
        }
        for _ in 0..width {
            let Some(v) = cheapest(&limits, width) else {
                return false;
            };
            match without(v, limits) {
                Some(Ok(left)) => limits = left,
                Some(Err(Empty)) => return true,
                None => return false,
            }
        }
        false
    }

    fn variable(&mut self, instance: Instance, atom: Atom) -> usize {
        let instance = if atom.varies() { instance } else { 0 };
        let known = self.variables.iter().position(|v| *v == (instance, atom));
        known.unwrap_or_else(|| {
            self.variables.push((instance, atom));
            self.variables.len() - 1
        })
    }
}

/// Whether no term is a product of atoms.
pub fn is_linear(p: &Poly) -> bool {
    p.terms().all(|(m, _)| m.len() <= 1)
}

/// A set that has no point.
struct Empty;

impl Limit {
    /// Adds it to a list, tightened, in place of a weaker one; `false`: nothing keeps to it.
    fn add_to(mut self, list: &mut Vec<Limit>) -> bool {
        let common = self.coefficients.iter().fold(0, |g, c| gcd_of_128(g, *c));
        if common == 0 {
            return self.constant >= 0;
        }
        self.coefficients.iter_mut().for_each(|c| *c /= common);
        self.constant = self.constant.div_euclid(common);
        match list
            .iter_mut()
            .find(|l| l.coefficients == self.coefficients)
        {
            Some(same) => same.constant = same.constant.min(self.constant),
            None => list.push(self),
        }
        true
    }

    /// The sum of `times` this and `others` times `other`; `None`: a number goes beyond 128 bits.
    fn combined(&self, times: i128, other: &Limit, others: i128) -> Option<Limit> {
        let of = |a: i128, b: i128| a.checked_mul(times)?.checked_add(b.checked_mul(others)?);
        let both = self.coefficients.iter().zip(&other.coefficients);
        Some(Limit {
            coefficients: both.map(|(a, b)| of(*a, *b)).collect::<Option<_>>()?,
            constant: of(self.constant, other.constant)?,
        })
    }
}

/// The variable of which least limits come when it is taken out; `None`: none has a limit.
fn cheapest(limits: &[Limit], width: usize) -> Option<usize> {
    let cost = |v: usize| {
        let count = |is: fn(i128) -> bool| {
            let all = limits.iter().filter(|l| is(l.coefficients[v]));
            all.count()
        };
        let (below, above) = (count(|c| c > 0), count(|c| c < 0));
        (below + above > 0).then_some((below * above, v))
    };
    (0..width).filter_map(cost).min().map(|(_, v)| v)
}

/// Limits on the other variables that leave `v` a rational value; `None`: too many, or too large ones.
fn without(v: usize, limits: Vec<Limit>) -> Option<Result<Vec<Limit>, Empty>> {
    let (about, mut left): (Vec<_>, Vec<_>) =
        limits.into_iter().partition(|l| l.coefficients[v] != 0);
    let (lower, upper): (Vec<_>, Vec<_>) = about.iter().partition(|l| l.coefficients[v] > 0);
    for low in &lower {
        for high in &upper {
            let both = low.combined(-high.coefficients[v], high, low.coefficients[v])?;
            if !both.add_to(&mut left) {
                return Some(Err(Empty));
            }
        }
    }
    (left.len() <= MOST_LIMITS).then_some(Ok(left))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::SymbolId;
    use crate::kernel::Dim;
    use crate::tree::LoopId;

    fn thread() -> Poly {
        Poly::atom(Atom::Tid(Dim::X))
    }
    fn iteration() -> Poly {
        Poly::atom(Atom::Iter(LoopId(0)))
    }
    fn n() -> Poly {
        Poly::atom(Atom::Symbol(SymbolId(0)))
    }

    /// Threads and iterations of a rotation in layers: `0 <= g`, `0 <= i <= n - 2 - 2 * g`.
    fn layers(set: &mut IntegerSet, instance: Instance) {
        let last = n()
            .minus(&Poly::constant(2))
            .minus(&thread().times_constant(2));
        for p in [thread(), iteration(), last.minus(&iteration())] {
            assert!(set.require(&p, instance));
        }
    }

    #[test]
    fn a_column_lies_in_its_row() {
        let mut set = IntegerSet::default();
        layers(&mut set, 0);
        assert!(!set.is_empty());
        // g + i >= n
        set.require(&thread().plus(&iteration()).minus(&n()), 0);
        assert!(set.is_empty());
    }

    #[test]
    fn sides_of_layers_are_disjoint() {
        // (g, g + i) and (n - 1 - g' - i', g'): the top of one layer, the left of another.
        let mut set = IntegerSet::default();
        layers(&mut set, 0);
        layers(&mut set, 1);
        let top = [thread(), thread().plus(&iteration())];
        let last = n().minus(&Poly::constant(1));
        let left = [last.minus(&thread()).minus(&iteration()), thread()];
        for (a, b) in top.iter().zip(&left) {
            set.require_sum(&[(a, 0, 1), (b, 1, -1)], 0);
            set.require_sum(&[(a, 0, -1), (b, 1, 1)], 0);
        }
        assert!(set.is_empty());
    }

    #[test]
    fn a_product_takes_nothing_out() {
        let mut set = IntegerSet::default();
        let negative = thread()
            .times(&n())
            .times_constant(-1)
            .minus(&Poly::constant(1));
        assert!(!set.require(&negative, 0));
        assert!(!set.is_empty());
    }

    #[test]
    fn whole_numbers_are_tightened() {
        // 2 * g = 1
        let mut set = IntegerSet::default();
        let twice = thread().times_constant(2).minus(&Poly::constant(1));
        set.require(&twice, 0);
        set.require(&twice.times_constant(-1), 0);
        assert!(set.is_empty());
    }

    /// Random limits on two variables of two instances and one that is shared, all of a few values: a set that is said
    /// to be empty has no point.
    #[test]
    fn what_is_empty_has_no_point() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = |n: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % n) as i64
        };
        let (mut empty, mut missed) = (0, 0);
        for _ in 0..3000 {
            let variables = [(thread(), 0), (thread(), 1), (iteration(), 0), (n(), 0)];
            let mut set = IntegerSet::default();
            let mut limits: Vec<([i64; 4], i64)> = Vec::new();
            for k in 0..4 {
                let mut unit = [0; 4];
                unit[k] = 1;
                limits.push((unit, 0));
                limits.push((unit.map(|c| -c), 4));
            }
            for _ in 0..2 + next(4) {
                limits.push(([0; 4].map(|_: i64| next(7) - 3), next(9) - 6));
            }
            for (c, constant) in &limits {
                let parts: Vec<_> = variables
                    .iter()
                    .zip(c)
                    .map(|((p, i), c)| (p, *i, *c))
                    .collect();
                assert!(set.require_sum(&parts, *constant));
            }
            let holds = |x: [i64; 4]| {
                limits.iter().all(|(c, constant)| {
                    c.iter().zip(x).map(|(c, x)| c * x).sum::<i64>() + constant >= 0
                })
            };
            let points = (0..625).map(|p| [p % 5, p / 5 % 5, p / 25 % 5, p / 125]);
            let has_point = points.into_iter().any(holds);
            match set.is_empty() {
                true => assert!(!has_point, "{limits:?}"),
                false if !has_point => missed += 1,
                false => {}
            }
            empty += i32::from(!has_point);
        }
        assert!(empty > 500 && missed * 10 < empty, "{missed} of {empty}");
    }
}
