//! The entry's first branch: launches that no version serves go to the original at once.
//!
//! ```text
//! first:  (ntid.x*nctaid.x) * (ntid.y*nctaid.y) >= 540672      two products in 32 bits, one of them in 64
//!         br %gains, test, original
//! ```
//! Nothing rests on a gate, so what is beyond the width of a product may go either way.

use super::Lower;
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::llvm::ir::{Pred, Value};
use crate::plan::Fact;
use crate::tree::LoopId;

impl Lower<'_> {
    /// Emits what the plan wants tested first; emission goes on behind it.
    pub(super) fn emit_first(&mut self) {
        let plan = self.plan;
        let all = plan.first.iter().map(|g| self.gate(g)).collect();
        self.emit_way_out("mesi.gains", all, self.original);
        let all = plan.then.iter().map(|g| self.gate(g)).collect();
        self.emit_way_out("mesi.facts", all, self.unserved);
    }

    /// The test of a lower limit.
    pub(super) fn gate(&mut self, gate: &Fact) -> Value {
        if let Some(test) = self.gate_of_room(gate) {
            return test;
        }
        let Some((terms, least)) = terms_of(gate) else {
            return self.by_sides(gate).unwrap_or_else(|| self.fact(gate));
        };
        let [(atoms, 1)] = &terms[..] else {
            return self.gate_of_sum(gate, &terms, least);
        };
        let trips: Vec<LoopId> = atoms.iter().filter_map(trip_of).collect();
        let launch: Vec<Atom> = atoms
            .iter()
            .copied()
            .filter(|a| register_of(a).is_some())
            .collect();
        if trips.len() + launch.len() < atoms.len() {
            return self.fact(gate);
        }
        if launch.is_empty() && i32::try_from(least).is_ok() {
            let product = self.iterations_of(trips);
            return self.b.icmp(Pred::LLVMIntUGE, product, self.b.int(least));
        }
        if !self.plan.full_gates
            && trips.is_empty()
            && launch.len() <= 2
            && let Ok(least) = i32::try_from(least)
        {
            return self.gate_of_few(&launch, least);
        }
        if self.plan.full_gates || launch.len() <= 2 {
            return self.fact(gate);
        }
        let mut product = self.threads_of(&launch);
        if !trips.is_empty() {
            let iterations = self.iterations_of(trips);
            let wide = self.b.zext(iterations, self.b.i64());
            product = self.b.mul(product, wide);
        }
        self.b.icmp(Pred::LLVMIntUGE, product, self.b.long(least))
    }

    /// The test of one or two of the launch's numbers, in 32 bits: kernels of a few microseconds feel each instruction
    /// before them.
    fn gate_of_few(&mut self, launch: &[Atom], least: i32) -> Value {
        let numbers = launch.iter().filter_map(register_of);
        let numbers: Vec<Value> = numbers.map(|(r, d)| self.register32(r, d)).collect();
        let product = numbers.into_iter().reduce(|p, q| self.b.mul(p, q));
        let product = product.unwrap_or(self.b.int(1));
        self.b
            .icmp(Pred::LLVMIntUGE, product, self.b.int(least.into()))
    }

    /// The test of an upper limit of the block's numbers and loops' lengths, in 32 bits.
    fn gate_of_room(&mut self, gate: &Fact) -> Option<Value> {
        let Fact::InRange { poly, lo, hi } = gate else {
            return None;
        };
        let known = |a: &Atom| trip_of(a).is_some() || matches!(a, Atom::Ntid(_));
        let plain = poly.terms().all(|(m, c)| c > 0 && m.iter().all(known));
        if *lo != i64::MIN || !plain || i32::try_from(*hi).is_err() {
            return None;
        }
        let terms = poly.terms().map(|(m, c)| (m.clone(), c)).collect();
        let sum = self.sum32(terms);
        Some(self.b.icmp(Pred::LLVMIntULE, sum, self.b.int(*hi)))
    }

    /// The test of `0 <= poly` where a poly is made of loops' lengths and the block's numbers: what counts for it in 32
    /// bits, and what counts against it.
    fn by_sides(&mut self, gate: &Fact) -> Option<Value> {
        let Fact::InRange { poly, lo: 0, hi } = gate else {
            return None;
        };
        let known = |a: &Atom| trip_of(a).is_some() || matches!(a, Atom::Ntid(_));
        let plain = poly.terms().all(|(m, _)| m.iter().all(known));
        if *hi != i64::MAX || !plain || !poly.any(|a| trip_of(&a).is_some()) {
            return None;
        }
        let of = |sign: i64| {
            let terms = poly.terms().filter(move |(_, c)| c.signum() == sign);
            terms.map(|(m, c)| (m.clone(), c.abs())).collect()
        };
        let (gains, costs) = (of(1), of(-1));
        let (gains, costs) = (self.sum32(gains), self.sum32(costs));
        Some(self.b.icmp(Pred::LLVMIntUGE, gains, costs))
    }

    /// A sum of products of loops' lengths and the block's numbers, in 32 bits.
    fn sum32(&mut self, terms: Vec<Term>) -> Value {
        let mut sum = self.b.int(0);
        for (atoms, times) in terms {
            let trips = atoms.iter().filter_map(trip_of).collect();
            let mut product = self.iterations_of(trips);
            for (r, d) in atoms.iter().filter_map(register_of) {
                let v = self.register32(r, d);
                product = self.b.mul(product, v);
            }
            product = self.b.mul(product, self.b.int(times));
            sum = self.b.plus(sum, product);
        }
        sum
    }

    /// The test of a multiple of a power of two, which the lowest bits tell.
    pub(super) fn is_multiple(&mut self, poly: &Poly, of: i64, or: Option<&(Poly, i64)>) -> Value {
        let trip = poly.atoms().first().and_then(trip_of);
        let value = match trip.filter(|l| *poly == Poly::atom(Atom::Trip(*l))) {
            Some(l) => self.narrow_trip(l),
            None => {
                let value = self.eval(poly);
                self.b.trunc(value, self.b.i32())
            }
        };
        let rest = self.b.and(value, self.b.int(of - 1));
        let whole = self.b.icmp(Pred::LLVMIntEQ, rest, self.b.int(0));
        let Some((other, least)) = or else {
            return whole;
        };
        let large = self.gate(&Fact::at_least(other.clone(), *least));
        self.b.or(whole, large)
    }

    /// The test of what the launch's numbers add up to.
    fn gate_of_sum(&mut self, gate: &Fact, terms: &[Term], least: i64) -> Value {
        let mut atoms = terms.iter().flat_map(|(m, _)| m);
        if self.plan.full_gates || !atoms.all(|a| register_of(a).is_some()) {
            return self.fact(gate);
        }
        let mut sum = self.b.long(0);
        for (atoms, times) in terms {
            let product = self.threads_of(atoms);
            sum = self.b.plus(sum, self.b.scaled(product, *times));
        }
        self.b.icmp(Pred::LLVMIntUGE, sum, self.b.long(least))
    }

    /// How often loops run, one inside the other, in 32 bits.
    fn iterations_of(&mut self, trips: Vec<LoopId>) -> Value {
        let all: Vec<Value> = trips.into_iter().map(|l| self.narrow_trip(l)).collect();
        let product = all.into_iter().reduce(|p, q| self.b.mul(p, q));
        product.unwrap_or(self.b.int(1))
    }

    /// A product of the launch's numbers: 32 bits hold those of each dimension.
    fn threads_of(&mut self, atoms: &[Atom]) -> Value {
        let mut product: Option<Value> = None;
        for d in Dim::ALL {
            let mut along: Option<Value> = None;
            for a in atoms {
                let Some((name, _)) = register_of(a).filter(|(_, x)| *x == d) else {
                    continue;
                };
                let v = self.register32(name, d);
                along = Some(along.map_or(v, |p| self.b.mul(p, v)));
            }
            let Some(along) = along else { continue };
            let wide = self.b.zext(along, self.b.i64());
            product = Some(product.map_or(wide, |p| self.b.mul(p, wide)));
        }
        product.unwrap_or(self.b.long(1))
    }
}

/// A product of atoms, and how often it counts.
type Term = (Vec<Atom>, i64);

/// The terms of a gate that is a lower limit, none of them negative, and the limit.
fn terms_of(gate: &Fact) -> Option<(Vec<Term>, i64)> {
    let Fact::InRange { poly, lo, hi } = gate else {
        return None;
    };
    let terms: Vec<Term> = poly.terms().map(|(m, c)| (m.clone(), c)).collect();
    let positive = terms.iter().all(|(m, c)| *c > 0 && !m.is_empty());
    (positive && *hi == i64::MAX && *lo > 0).then_some((terms, *lo))
}

fn trip_of(a: &Atom) -> Option<LoopId> {
    match a {
        Atom::Trip(l) => Some(*l),
        _ => None,
    }
}

fn register_of(a: &Atom) -> Option<(&'static str, Dim)> {
    match a {
        Atom::Ntid(d) => Some(("ntid", *d)),
        Atom::Nctaid(d) => Some(("nctaid", *d)),
        _ => None,
    }
}
