//! The entry's first branch: launches that no version serves go to the original at once.
//!
//! ```text
//! first:  (ntid.x*nctaid.x) * (ntid.y*nctaid.y) >= 540672      two products in 32 bits, and one of them in 64
//!         br %gains, test, original
//! ```
//! Nothing rests on a gate, so what is beyond the width of a product may go either way.

use super::Lower;
use crate::affine::Atom;
use crate::kernel::Dim;
use crate::llvm::ir::{Pred, Value};
use crate::plan::Fact;
use crate::tree::LoopId;

impl Lower<'_> {
    /// Emits what the plan wants tested first; emission goes on behind it.
    pub(super) fn emit_first(&mut self) {
        let plan = self.plan;
        let all = plan.first.iter().map(|g| self.gate(g)).collect();
        let Some(all) = self.b.all(all) else { return };
        let gains = self.b.opaque_condition(all, &[]);
        let test = self.new_block("mesi.gains");
        self.b.cond_br(gains, test, self.original);
        self.b.at_end(test);
        self.hoist.at_end(test);
    }

    /// The test of a lower limit.
    pub(super) fn gate(&mut self, gate: &Fact) -> Value {
        let Some((terms, least)) = terms_of(gate) else {
            return self.fact(gate);
        };
        // Where sums kept in memory hold registers with their addresses, the product stays as the facts have it:
        // worked out otherwise, ptxas spilled 112 bytes (`mm_alpha_beta`; x10.4 to x7.3 in a small grid).
        let is_full = !self.plan.promotions.is_empty();
        let trips: Option<Vec<LoopId>> = match &terms[..] {
            [(atoms, 1)] => atoms.iter().map(trip_of).collect(),
            _ => None,
        };
        if let Some(trips) = trips.filter(|_| i32::try_from(least).is_ok()) {
            let all = trips.into_iter().map(|l| self.narrow_trip(l));
            let all: Vec<Value> = all.collect();
            let product = all.into_iter().reduce(|p, q| self.b.mul(p, q));
            let product = product.unwrap_or(self.b.int(1));
            return self.b.icmp(Pred::LLVMIntUGE, product, self.b.int(least));
        }
        let mut atoms = terms.iter().flat_map(|(m, _)| m);
        let long = terms.iter().any(|(m, _)| m.len() > 2);
        if !is_full && long && atoms.all(|a| register_of(a).is_some()) {
            let all = terms.iter().map(|(m, c)| {
                let product = self.threads_of(m);
                self.b.times(product, self.b.long(*c))
            });
            let all: Vec<Value> = all.collect();
            let sum = all.into_iter().reduce(|p, q| self.b.plus(p, q));
            let sum = sum.unwrap_or(self.b.long(0));
            return self.b.icmp(Pred::LLVMIntUGE, sum, self.b.long(least));
        }
        self.fact(gate)
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

/// The terms of a gate that is a lower limit of products, and their positive multiples; and the limit.
fn terms_of(gate: &Fact) -> Option<(Vec<(Vec<Atom>, i64)>, i64)> {
    let Fact::InRange { poly, lo, hi } = gate else {
        return None;
    };
    let terms: Vec<(Vec<Atom>, i64)> = poly.terms().map(|(m, c)| (m.clone(), c)).collect();
    let positive = terms.iter().all(|(m, c)| *c > 0 && !m.is_empty());
    let alone = terms.len() > 1 || terms.iter().any(|(_, c)| *c == 1);
    (positive && alone && *hi == i64::MAX && *lo > 0).then_some((terms, *lo))
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
