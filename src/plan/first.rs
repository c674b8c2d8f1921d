//! What the entry tests before anything else: whether a launch may gain at all.
//!
//! ```text
//! first: 542 <= nctaid.x*nctaid.y      fewer than 970944 threads and blocks by 768 in any case: the original, at once
//! first: 16 <= trip(loop0)             a window of fewer elements
//! first: 0 <= 16*trip(loop0)*trip(loop1) - ntid.x*ntid.y        the same by the block
//! ```
//! Launches that no version serves then pay for one comparison, not for the facts of all versions. That
//! is felt: public one-dimensional convolutions run some 80 instructions a thread, and 20 of facts before
//! them cost x0.82 (5 to 15 taps on an H200), and a product of 4 blocks x0.94. What gains pays a branch.
//! Nothing rests on it: the versions test their facts, and those gates that this does not say already.
//!
//! What all versions ask for alike is tested next, once ([`shared`]): in `mm_alpha_beta`, of two versions, the second one's
//! copy of the first one's tests was 6% of the code.
//!
//! NB: versions that ask for different things test their own. A convolution in two dimensions was served x0.95 as
//! fast with a test that let either of two pass.

use super::legality::Facets;
use super::{Fact, Plan};
use crate::affine::{Atom, Poly};
use crate::kernel::ids;
use crate::target::BLOCK_THREADS;

/// Facts of light kernels beside which another branch costs more than it saves.
const FEW_FACTS: usize = 4;

/// Sets what a launch must meet; none: every launch is looked at.
pub fn choose(f: &Facets, plan: &mut Plan) {
    plan.full_gates = is_full(plan);
    for p in &mut plan.alternatives {
        p.full_gates = is_full(p);
    }
    let versions: Vec<&Plan> = std::iter::once(&*plan).chain(&plan.alternatives).collect();
    let few = |p: &Plan| p.together.is_some() && p.tally.is_none() && p.facts.len() <= FEW_FACTS;
    if versions.len() == 1 && (plan.facts.is_empty() || few(plan)) {
        return;
    }
    let telling = |of_both: bool| {
        let mine = |p: &&Plan| -> Vec<Fact> {
            let told = |g: &&Fact| tells(f, g) && is_of_grid_and_loops(g) == of_both;
            p.gates.iter().filter(told).cloned().collect()
        };
        weakest(versions.iter().map(mine).collect())
    };
    let first: Vec<Fact> = telling(false).iter().map(by_blocks).collect();
    let then = telling(true);
    plan.short_trips = first.iter().any(is_of_loops);
    plan.first = first;
    plan.then = then;
    plan.shared = shared(f, plan);
}

impl Plan {
    /// What an alternative need not test, because the first version did, whatever it found of its own facts.
    pub fn tested_for_others(&self) -> Vec<Fact> {
        match self.shared.is_empty() {
            true => Vec::new(),
            false => [&self.first[..], &self.then, &self.shared].concat(),
        }
    }
}

/// Gates and facts that every version has, gates first; none of a plan with one version.
///
/// The first version's merge groups are made of whole groups of the others, so what it finds for a group holds in the
/// groups of theirs, and all blocks of those go the same way. Windows that lie whole in tiles share nothing: in their 32
/// registers ptxas does worse with it (`conv2d_padded`: 17x17 x3.99 to x3.74, 5x5 x0.99 to x0.89), and where plans are about blocks
/// inside, smaller groups at the image's border may be served where larger ones are not.
fn shared(f: &Facets, plan: &Plan) -> Vec<Fact> {
    let others = &plan.alternatives;
    let whole = plan.regions.iter().any(|r| r.strip.is_none());
    if whole || f.affine.inside || !others.iter().all(|p| covers(plan, p)) {
        return Vec::new();
    }
    let done = |fact: &Fact| plan.first.contains(fact) || plan.then.contains(fact);
    let all = plan.gates.iter().chain(&plan.facts);
    let everywhere = |x: &Fact| {
        let mut others = others.iter();
        others.len() > 0 && others.all(|p| p.gates.contains(x) || p.facts.contains(x))
    };
    let all = all.filter(|x| !done(x) && everywhere(x));
    all.cloned().collect()
}

/// Whether every group of blocks that `plan` merges is made of whole groups of `other`'s.
fn covers(plan: &Plan, other: &Plan) -> bool {
    let mut factors = plan.merge.factor.iter().zip(other.merge.factor);
    let whole = factors.all(|(all, some)| all % some == 0) && plan.heads >= other.heads;
    whole && plan.tally.is_none() && other.tally.is_none()
}

/// Whether a gate weighs the grid against the loops' lengths: small grids may have long loops, which the body for short ones is
/// slow at.
fn is_of_grid_and_loops(gate: &Fact) -> bool {
    is_of_loops(gate) && names(gate, |a| matches!(a, Atom::Nctaid(_)))
}

fn is_of_loops(gate: &Fact) -> bool {
    names(gate, |a| matches!(a, Atom::Trip(_)))
}

fn names(gate: &Fact, atom: impl Fn(Atom) -> bool) -> bool {
    matches!(gate, Fact::InRange { poly, .. } if poly.any(atom))
}

/// Whether a version's gates are worked out as its facts are: where sums kept in memory hold registers with their
/// addresses, ptxas spilled 112 bytes otherwise (`mm_alpha_beta`; x10.4 to x7.3 in a small grid).
fn is_full(plan: &Plan) -> bool {
    !plan.promotions.is_empty()
}

/// The blocks that so many threads, or threads and blocks, are at least: two numbers of the launch in place of four.
fn by_blocks(gate: &Fact) -> Fact {
    let Fact::InRange { poly, lo, hi } = gate else {
        return gate.clone();
    };
    let blocks_in = |m: &[Atom]| -> Vec<Atom> {
        let blocks = m.iter().filter(|a| matches!(a, Atom::Nctaid(_)));
        blocks.copied().collect()
    };
    let mut terms = poly.terms();
    let Some(blocks) = terms.next().map(|(m, _)| blocks_in(m)) else {
        return gate.clone();
    };
    if !is_of_launch(poly) || blocks.is_empty() || terms.any(|(m, _)| blocks_in(m) != blocks) {
        return gate.clone();
    }
    // How much a block counts at most.
    let most = poly.terms().map(|(m, c)| {
        let threads = if m.len() > blocks.len() {
            i64::from(BLOCK_THREADS)
        } else {
            1
        };
        c * threads
    });
    let most: i64 = most.sum();
    let blocks = blocks
        .into_iter()
        .fold(Poly::constant(1), |p, a| p.times(&Poly::atom(a)));
    Fact::InRange {
        poly: blocks,
        lo: lo.div_euclid(most) + i64::from(lo % most > 0),
        hi: *hi,
    }
}

/// Whether it is made of the launch's sizes alone.
fn is_of_launch(p: &Poly) -> bool {
    let of_launch = |a: &Atom| matches!(a, Atom::Nctaid(_) | Atom::Ntid(_));
    p.terms().flat_map(|(m, _)| m).all(of_launch)
}

/// The least of what all versions ask for, of everything that each of them asks for.
fn weakest(mut lists: Vec<Vec<Fact>>) -> Vec<Fact> {
    let mut least = lists.remove(0);
    least.retain_mut(|gate| {
        let Fact::InRange { poly, lo, .. } = gate else {
            return false;
        };
        let same = |list: &Vec<Fact>| {
            list.iter().find_map(|g| match g {
                Fact::InRange { poly: p, lo, .. } if p == poly => Some(*lo),
                _ => None,
            })
        };
        let others: Option<Vec<i64>> = lists.iter().map(same).collect();
        let Some(others) = others else {
            return false;
        };
        *lo = others.into_iter().fold(*lo, i64::min);
        true
    });
    least
}

/// Whether a gate is a lower limit of a product, of what threads and blocks add up to, or of loops' lengths, and
/// decides alike in all blocks of the grid: blocks that another version merges must not part here. Numbers of the launch alone say little.
fn tells(f: &Facets, gate: &Fact) -> bool {
    let Fact::InRange { poly, hi, .. } = gate else {
        return false;
    };
    let says = |m: &[Atom]| m.len() > 1 || matches!(m, [Atom::Trip(_)]);
    let alone = poly.terms().count() == 1 && poly.terms().all(|(_, c)| c == 1);
    let sum = is_of_launch(poly) && poly.terms().all(|(_, c)| c > 0);
    let product = poly.terms().all(|(m, _)| says(m)) && (alone || sum);
    let lengths = poly.any(|a| matches!(a, Atom::Trip(_)));
    (product || lengths) && *hi == i64::MAX && is_launch_wide(f, poly)
}

/// Whether no block's own number is in it.
pub(super) fn is_launch_wide(f: &Facets, p: &Poly) -> bool {
    !p.any(|a| match a {
        Atom::Ntid(_) | Atom::Nctaid(_) => false,
        Atom::Symbol(s) => {
            let value = f.affine.symbols[s.index()].value;
            ids::reads_block_id(f.kernel.value(value), [true; 3])
        }
        Atom::Trip(l) => match f.affine.uniform_trip(l) {
            Some(t) => !is_launch_wide(f, &t.span) || !is_launch_wide(f, &t.step),
            None => true,
        },
        Atom::Tid(_) | Atom::Ctaid(_) | Atom::Iter(_) | Atom::Clamp(_) => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merging(factor: [u32; 3], heads: bool) -> Plan {
        let mut plan = Plan::default();
        (plan.merge.factor, plan.heads) = (factor, heads);
        plan
    }

    #[test]
    fn facts_are_shared_by_groups_of_whole_groups() {
        let four_by_four = merging([4, 4, 1], false);
        assert!(covers(&four_by_four, &merging([2, 4, 1], false)));
        assert!(covers(&four_by_four, &merging([1, 1, 1], false)));
    }

    #[test]
    fn facts_are_not_shared_by_groups_that_cross() {
        let rows = merging([4, 1, 1], false);
        assert!(!covers(&rows, &merging([1, 2, 1], false)));
        assert!(!covers(&rows, &merging([4, 1, 1], true)));
        assert!(covers(&merging([4, 1, 1], true), &rows));
    }
}
