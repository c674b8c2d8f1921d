//! Which facts are tested as if the block were the largest there may be.
//!
//! ```text
//! ctaid.x*ntid.x + tid.x <= 2^31 - 1     at the last thread   ctaid.x*ntid.x + ntid.x - 1 <= 2^31 - 1
//!                                        in a largest block   ctaid.x*ntid.x + 1023 <= 2^31 - 1
//! ```
//! Then the test is a comparison of one product with a constant. It is so where that is no matter: a number of the grid's threads, held
//! against what 32 bits hold, fails some blocks earlier, at 2^31 threads. It fails no later: what is put in is no less than what was there.

use super::{Fact, Plan};
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;

/// A fact whose upper limit is tested so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Largest {
    /// The fact's value.
    pub poly: Poly,
    /// Its greatest.
    pub hi: i64,
    /// Along which dimensions, where the greatest value has the block's threads by themselves.
    pub along: Vec<Dim>,
}

/// Sets it for all versions of a plan.
pub fn choose(plan: &mut Plan) {
    let lists = [
        &plan.first,
        &plan.then,
        &plan.gates,
        &plan.facts,
        &plan.host,
    ];
    let all = lists.into_iter().flatten();
    plan.largest = all.filter_map(|fact| of(plan, fact)).collect();
    plan.largest.dedup();
    let others = plan.alternatives.iter_mut().chain(&mut plan.short);
    others.for_each(choose);
}

fn of(plan: &Plan, fact: &Fact) -> Option<Largest> {
    let Fact::InRange { poly, hi, .. } = fact else {
        return None;
    };
    let greatest = plan.at_extreme(poly, true)?;
    let is_product = |m: &[Atom]| matches!(m, [Atom::Ntid(_), _] | [_, Atom::Ntid(_)]);
    let numbers = |m: &[Atom]| m.len() < 2 || is_product(m);
    if *hi != i64::from(i32::MAX) || !greatest.terms().all(|(m, _)| numbers(m)) {
        return None;
    }
    let is_there = |d: &Dim| {
        let threads = Atom::Ntid(*d);
        let mut products = greatest.terms();
        let product = products.any(|(m, c)| m.len() > 1 && m.contains(&threads) && c > 0);
        let mut alone = greatest.terms();
        product && alone.any(|(m, c)| m[..] == [threads] && c > 0)
    };
    let along: Vec<Dim> = Dim::ALL.into_iter().filter(is_there).collect();
    (!along.is_empty()).then(|| Largest {
        poly: poly.clone(),
        hi: *hi,
        along,
    })
}

impl Plan {
    /// `poly` with the thread numbers at which it is greatest, or least, in what facts are about: the merged blocks, or the whole grid
    /// along dimensions in which the grid's first blocks lead. `None`: which way it grows is not known.
    pub fn at_extreme(&self, poly: &Poly, greatest: bool) -> Option<Poly> {
        let mut out = poly.clone();
        for d in Dim::ALL {
            let tid = Atom::Tid(d);
            let (coefficients, _) = out.split(|a| a == tid)?;
            let Some(c) = coefficients.get(&tid) else {
                continue;
            };
            let up = c.as_constant()? > 0;
            let of_grid = self.heads && self.merge.along(d) > 1;
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
        let blocks = Poly::constant(i64::from(self.merge.along(d)));
        let one = Poly::constant(1);
        let threads = Poly::atom(Atom::Ntid(d));
        let all = match of_grid {
            true => threads.times(&Poly::atom(Atom::Nctaid(d)).plus(&blocks.minus(&one))),
            false => threads.times(&blocks),
        };
        all.minus(&one)
    }
}
