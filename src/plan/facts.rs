//! The facts a plan rests on, gathered once each, and the magnitudes that keep 64-bit arithmetic
//! at the entry from overflowing.
//!
//! A fact can be tested at entry only if every iteration number in it has a range there: the trip
//! count of each loop it names must be the same for all threads.

use super::data::{ActiveSet, Fact, Footprint};
use crate::affine::{Affine, Atom, FactId, Poly, Range, SymbolId};
use crate::kernel::{Kernel, ValueId, ids};
use crate::tree::LoopId;

/// Products of up to this many bits are computed without a test of the factors.
const SAFE_BITS: u32 = 60;
/// Bits that a symbol of a product keeps at least: 16 million elements.
const ROOM: u32 = 25;
/// Byte offsets are at most this wide (1 TiB): no allocation on a GPU is larger.
const OFFSET_LIMIT: i64 = 1 << 40;

/// The facts about narrow arithmetic with these ids, and what their own evaluation needs; `None`: they name a loop
/// whose length threads do not share.
pub fn facts_of(affine: &Affine, ids: &[FactId]) -> Option<Vec<Fact>> {
    let mut facts = Facts::default();
    facts.add_ids(affine, ids).ok()?;
    Some(facts.list)
}

/// A value that all threads share, or what it was widened from, as a polynomial; `None`: no index is made of it.
pub fn number(kernel: &Kernel, affine: &Affine, v: ValueId) -> Option<Poly> {
    let (value, stripped) = (kernel.value(v), ids::unextended(kernel.value(v)));
    let is = |id: ValueId| [value, stripped].contains(&kernel.value(id));
    let at = affine.symbols.iter().position(|s| is(s.value))?;
    let symbol = SymbolId(at as u32);
    Some(Poly::atom(Atom::Symbol(symbol)))
}

/// Facts in order of discovery, no repeats.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The list.
    pub list: Vec<Fact>,
    /// Loops whose trip count's facts are in the list, or being added: such a fact may name the
    /// loop's own iterations.
    trips: Vec<LoopId>,
}

impl Facts {
    /// Adds a fact unless it is there, or a constant proves it.
    pub fn add(&mut self, f: Fact) {
        if let Fact::InRange { poly, lo, hi } = &f
            && poly.as_constant().is_some_and(|c| (*lo..=*hi).contains(&c))
        {
            return;
        }
        if self.list.iter().any(|x| implies(x, &f)) {
            return;
        }
        if let Some(both) = self.list.iter_mut().find_map(|x| same_value(x, &f)) {
            let Fact::InRange { lo, hi, .. } = f else {
                unreachable!("a range was found")
            };
            *both.0 = lo.max(*both.0);
            *both.1 = hi.min(*both.1);
            return;
        }
        self.list.retain(|x| !implies(&f, x));
        self.list.push(f);
    }

    /// Adds `lo <= poly <= hi`.
    pub fn add_range(&mut self, poly: &Poly, lo: i64, hi: i64) {
        self.add(Fact::InRange {
            poly: poly.clone(),
            lo,
            hi,
        });
    }

    /// Adds everything of `other`.
    pub fn extend(&mut self, other: &Facts) {
        other.list.iter().cloned().for_each(|f| self.add(f));
        self.trips.extend(&other.trips);
    }

    /// Adds the facts about narrow arithmetic with these ids, and what their own evaluation
    /// needs. The loop without a shared trip count is the error.
    pub fn add_ids(&mut self, affine: &Affine, ids: &[FactId]) -> Result<(), LoopId> {
        for id in ids {
            let Range { poly, lo, hi } = &affine.facts[id.index()];
            self.add_poly(affine, poly)?;
            self.add_range(poly, *lo, *hi);
        }
        Ok(())
    }

    /// Adds what the evaluation of `poly` at entry rests on: the trip counts it uses, and that
    /// its products stay small.
    pub fn add_poly(&mut self, affine: &Affine, poly: &Poly) -> Result<(), LoopId> {
        for a in poly.atoms() {
            match a {
                Atom::Iter(l) | Atom::Trip(l) => self.add_trip(affine, l)?,
                Atom::Clamp(c) => {
                    let c = &affine.clamps[c.index()];
                    self.add_poly(affine, &c.varying)?;
                    self.add_poly(affine, &c.limit)?;
                }
                _ => {}
            }
        }
        for (m, c) in poly.terms() {
            self.add_magnitude(m, c);
        }
        Ok(())
    }

    /// Adds the facts of a loop's trip count, and that it fits 31 bits.
    pub fn add_trip(&mut self, affine: &Affine, l: LoopId) -> Result<(), LoopId> {
        let t = affine.uniform_trip(l).ok_or(l)?;
        if self.trips.contains(&l) {
            return Ok(());
        }
        self.trips.push(l);
        let facts = t.facts.clone();
        self.add_ids(affine, &facts)?;
        self.add_poly(affine, &t.span.clone())?;
        self.add_range(&t.span, i64::from(i32::MIN), i64::from(i32::MAX));
        Ok(())
    }

    /// Keeps a product below 2^63. Where the bits add up to too many, its symbols are bounded, each by
    /// itself, which costs a comparison; where little room would be left to them, the factors are
    /// multiplied from the left, and the product so far is bounded.
    fn add_magnitude(&mut self, m: &[Atom], c: i64) {
        let mut bits = 64 - c.unsigned_abs().leading_zeros();
        let (symbols, others): (Vec<Atom>, Vec<Atom>) =
            m.iter().partition(|a| matches!(a, Atom::Symbol(_)));
        let taken = bits + others.iter().map(|a| a.bits()).sum::<u32>();
        let room = SAFE_BITS.saturating_sub(taken) / (symbols.len() as u32).max(1);
        if room >= ROOM {
            for s in symbols.into_iter().filter(|s| s.bits() > room) {
                let most = 1i64 << (room - 1);
                self.add_range(&Poly::atom(s), -most, most - 1);
            }
            return;
        }
        let mut product: Vec<Atom> = Vec::new();
        for a in m {
            if bits + a.bits() > SAFE_BITS && product.len() > 1 {
                let mut p = Poly::default();
                p.add_term(product.clone(), 1);
                self.add_range(&p, i64::from(i32::MIN), i64::from(i32::MAX));
                bits = 31;
            }
            product.push(*a);
            bits += a.bits();
        }
        if bits > SAFE_BITS && product.len() > 1 {
            let mut p = Poly::default();
            p.add_term(product, 1);
            let limit = OFFSET_LIMIT / c.abs().max(1);
            // The limit itself left out, so that looking at the upper bits is enough.
            self.add_range(&p, -limit, limit - 1);
        }
    }
}

/// The bounds of a fact about the value that another one is about.
fn same_value<'a>(a: &'a mut Fact, b: &Fact) -> Option<(&'a mut i64, &'a mut i64)> {
    match (a, b) {
        (Fact::InRange { poly, lo, hi }, Fact::InRange { poly: other, .. }) if poly == other => {
            Some((lo, hi))
        }
        _ => None,
    }
}

/// Whether `b` holds wherever `a` does, as far as that is plain to see.
fn implies(a: &Fact, b: &Fact) -> bool {
    match (a, b) {
        (Fact::Disjoint { a: p, b: q }, Fact::Disjoint { a: x, b: y }) => {
            // What is apart is so either way round.
            (includes(p, x) && includes(q, y)) || (includes(p, y) && includes(q, x))
        }
        (Fact::InRange { .. }, Fact::InRange { .. }) => a == b || bounds(a, b) || is_narrower(a, b),
        (Fact::Mapped { bytes: p }, Fact::Mapped { bytes: q }) => p == q,
        _ => false,
    }
}

impl Fact {
    /// Whether the fact says that `p` fits 32 bits.
    pub fn keeps_int32(&self, p: &Poly) -> bool {
        let (lo, hi) = (i64::from(i32::MIN), i64::from(i32::MAX));
        let poly = p.clone();
        implies(self, &Fact::InRange { poly, lo, hi })
    }

    /// Whether the fact says that `p` is not negative: that it, but for a constant, is large enough.
    pub fn keeps_positive(&self, p: &Poly) -> bool {
        let Fact::InRange { poly, lo, .. } = self else {
            return false;
        };
        let more = p.minus(poly).as_constant();
        more.is_some_and(|c| lo.checked_add(c).is_some_and(|least| least >= 0))
    }
}

/// Whether both are about one value, and `a` leaves it no more.
fn is_narrower(a: &Fact, b: &Fact) -> bool {
    match (a, b) {
        (
            Fact::InRange { poly, lo, hi },
            Fact::InRange {
                poly: q,
                lo: l,
                hi: h,
            },
        ) => poly == q && lo >= l && hi <= h,
        _ => false,
    }
}

/// Whether `a` bounds the sum of what `b` bounds, the same for all threads, and of thread numbers, of
/// which the least is 0: a global id and the block's first one.
fn bounds(a: &Fact, b: &Fact) -> bool {
    let (
        Fact::InRange { poly, lo, hi },
        Fact::InRange {
            poly: q,
            lo: l,
            hi: h,
        },
    ) = (a, b)
    else {
        return false;
    };
    // The difference last: there are thousands of such pairs where arrays are many.
    if l > lo || hi > h || q.any(Atom::varies) {
        return false;
    }
    poly.difference(q)
        .all(|(m, c)| c > 0 && matches!(m[..], [Atom::Tid(_)]))
}

/// Whether the bytes of `part` are among those of `all`: one access among several of its cluster.
fn includes(all: &Footprint, part: &Footprint) -> bool {
    if all == part {
        return true;
    }
    let same = |r: &Footprint| (r.array, r.base);
    let last = part.dims.last().and_then(|d| d.stride.as_constant());
    // The difference last, as above.
    if same(all) != same(part) || all.dims != part.dims || last != Some(1) || part.size > all.size {
        return false;
    }
    let Some(shift) = part.rest.minus_if_constant(&all.rest) else {
        return false;
    };
    let has = |s: &ActiveSet, t: &ActiveSet| {
        let moved = |o: &Vec<i64>| {
            let mut o = o.clone();
            if let Some(last) = o.last_mut() {
                *last += shift;
            }
            o
        };
        s.bounds == t.bounds
            && s.when == t.when
            && s.within == t.within
            && t.offsets.iter().all(|o| s.offsets.contains(&moved(o)))
    };
    part.active
        .iter()
        .all(|t| all.active.iter().any(|s| has(s, t)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::{Atom, SymbolId};

    #[test]
    fn a_lower_limit_keeps_a_number_and_more_than_it_positive() {
        let s = Poly::atom(Atom::Symbol(SymbolId(0)));
        let less_one = s.minus(&Poly::constant(1));
        let fact = Fact::at_least(less_one.clone(), 0);
        assert!(fact.keeps_positive(&s) && fact.keeps_positive(&less_one));
        assert!(fact.keeps_positive(&s.plus(&Poly::constant(5))));
        assert!(!fact.keeps_positive(&s.minus(&Poly::constant(2))));
        assert!(!fact.keeps_positive(&s.times_constant(-1)));
        assert!(!fact.keeps_positive(&s.times_constant(2)));
        assert!(!Fact::at_least(s.clone(), -1).keeps_positive(&s));
    }
}
