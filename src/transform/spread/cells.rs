//! Whether elements have cells of their own.

use super::Spread;
use crate::access::{Access, AccessKind};
use crate::affine::{Affine, Atom, Poly};
use crate::kernel::{Dim, Kernel};
use crate::number::Number;
use crate::plan::{self, Analyses, Fact, FactList};

/// What says that elements have nothing to do with each other.
#[derive(Clone, Debug)]
pub struct DisjointCells {
    /// How many elements there are; `None`: no product of parameters.
    count: Option<Product>,
    /// Where they are folded, the lengths of the inner dimensions, x first.
    lengths: Vec<Product>,
}

/// A product of parameters, by their numbers, and of a constant.
#[derive(Clone, Debug)]
struct Product(Vec<u32>, i64);

impl Product {
    fn of(kernel: &Kernel, n: &Number) -> Option<Product> {
        let factors = n.factors.iter();
        let parameters = factors.map(|v| kernel.value(*v).argument_index());
        let all: Option<Vec<u32>> = parameters.collect();
        Some(Product(all.filter(|_| n.is_whole())?, n.constant))
    }

    fn poly(&self, f: &Analyses) -> Option<Poly> {
        let all = f.kernel.function.params();
        let factors = self.0.iter().map(|p| {
            let v = f.kernel.known_id(all[*p as usize])?;
            plan::number(f.kernel, f.affine, v)
        });
        let one = Poly::constant(self.1);
        factors.into_iter().try_fold(one, |p, x| Some(p.times(&x?)))
    }
}

impl DisjointCells {
    /// What says that elements of `kernel` are apart, which are folded into rows of these `lengths`, x first; none:
    /// they are not folded. `None`: a length is no product of parameters.
    pub fn of(kernel: &Kernel, spread: &Spread, lengths: &[Number]) -> Option<DisjointCells> {
        let lengths = lengths.iter().map(|n| Product::of(kernel, n));
        let lengths: Option<Vec<Product>> = lengths.collect();
        Some(DisjointCells {
            count: Product::of(kernel, &spread.count),
            lengths: lengths?,
        })
    }

    /// What a launch of the spread copy must be tested for; `None`: two elements may touch the same.
    pub fn facts(&self, f: &Analyses) -> Option<Vec<Fact>> {
        let mut facts = FactList::default();
        let (within, between): (Vec<_>, Vec<_>) =
            pairs(f).into_iter().partition(|(s, a)| s.array == a.array);
        plan::all_disjoint(f, &between, &mut facts)?;
        for (s, a) in within {
            s.array?;
            for x in [s, a] {
                plan::add_access_facts(f, x.id, &mut facts).ok()?;
            }
            match self.lengths.is_empty() {
                true => self.own_cells(f, s, a, &mut facts)?,
                false => self.own_places(f, s, a, &mut facts)?,
            }
        }
        Some(facts.list)
    }

    /// Two accesses of one array, of folded elements: a dimension's lie as far apart as the inner ones reach.
    fn own_places(&self, f: &Analyses, s: &Access, a: &Access, facts: &mut FactList) -> Option<()> {
        let [mine, other] = [Folded::of(f, s)?, Folded::of(f, a)?];
        let distance = mine.base.minus(&other.base).as_constant()?.checked_abs()?;
        let taken = distance.checked_add(i64::from(s.size.max(a.size)))?;
        let dims = self.lengths.len() + 1;
        (mine.each == other.each && mine.each[dims..].iter().all(Poly::is_zero)).then_some(())?;
        let mut reach = Poly::constant(taken);
        for (k, each) in mine.each[..dims].iter().enumerate() {
            require(f, each.minus(&reach), facts)?;
            if let Some(n) = self.lengths.get(k) {
                let last = n.poly(f)?.minus(&Poly::constant(1));
                reach = reach.plus(&each.times(&last));
            }
        }
        Some(())
    }

    /// Two accesses of one array: an element's are cells of its own.
    fn own_cells(&self, f: &Analyses, s: &Access, a: &Access, facts: &mut FactList) -> Option<()> {
        let parts = [Part::of(f, s)?, Part::of(f, a)?];
        let each = &parts[0].each;
        if *each != parts[1].each {
            return None;
        }
        let distance = parts[0]
            .base
            .minus(&parts[1].base)
            .as_constant()?
            .checked_abs()?;
        let taken = distance.checked_add(i64::from(s.size.max(a.size)))?;
        // Between what two elements begin with lies all that one has, or between what one has in two iterations all
        // elements do.
        let room = each.minus(&Poly::constant(taken));
        let loops: Vec<&(Poly, Poly)> = parts.iter().flat_map(|p| &p.loops).collect();
        let Some((pitch, _)) = loops.first() else {
            return require(f, room, facts);
        };
        let rows = loops
            .iter()
            .all(|(c, _)| c.as_constant().is_some_and(|c| c > 0));
        require(f, room.clone(), facts)?;
        if rows {
            for p in &parts {
                let longest = p.loops.iter().map(|(c, last)| c.times(last));
                let longest = longest.fold(Poly::default(), |all, x| all.plus(&x));
                require(f, room.minus(&longest), facts)?;
                // Some loops may run, others not.
                (p.loops.len() <= 1).then_some(())?;
            }
            return Some(());
        }
        if !loops
            .iter()
            .all(|(c, _)| c == pitch || *c == pitch.times_constant(-1))
        {
            return None;
        }
        let last = self.count.as_ref()?.poly(f)?.minus(&Poly::constant(1));
        let all = each.times(&last).plus(&Poly::constant(taken));
        require(f, pitch.minus(&all), facts)
    }
}

/// The accesses that may touch the same and do not only load, in pairs: one that stores or updates, and another.
fn pairs<'a>(f: &'a Analyses) -> Vec<(&'a Access, &'a Access)> {
    let all = || f.accesses.iter();
    let of = |s: &'a Access| {
        let others = all().filter(move |a| !a.writes() || a.id >= s.id);
        others.map(move |a| (s, a))
    };
    let pairs = all().filter(|a| a.writes()).flat_map(of);
    let pairs = pairs.filter(|(s, a)| !are_in_any_order(f, s, a) && f.accesses.may_meet(s, a));
    pairs.collect()
}

/// Updates of one kind and of cells of one size: those of half a cell would lose what it carries.
fn are_in_any_order(f: &Analyses, s: &Access, a: &Access) -> bool {
    let kind = |x: &Access| match x.kind {
        AccessKind::Atomic => f.kernel.value(x.value).rmw(),
        _ => None,
    };
    kind(s).is_some() && kind(s) == kind(a) && s.size == a.size
}

/// The place of an access, taken apart.
struct Part {
    /// Bytes from an element to the next.
    each: Poly,
    /// For each loop: bytes from an iteration to the next, and its last one, where it has one.
    loops: Vec<(Poly, Poly)>,
    /// What neither changes.
    base: Poly,
}

impl Part {
    fn of(f: &Analyses, a: &Access) -> Option<Part> {
        let index = &f.affine.address(a.id)?.index;
        let (mut of_threads, _) = index.split(|x| matches!(x, Atom::Tid(_)))?;
        let each = of_threads.remove(&Atom::Tid(Dim::X))?;
        let rest = index.minus(&each.times(&id_along(Dim::X)));
        let (loops, base) = rest.split(|x| matches!(x, Atom::Iter(_)))?;
        let last = |x: Atom| last_of(f.affine, x);
        let loops: Option<Vec<_>> = loops
            .into_iter()
            .map(|(x, c)| Some((c, last(x)?)))
            .collect();
        let part = Part {
            each,
            loops: loops?,
            base,
        };
        let loops = part.loops.iter().flat_map(|(c, last)| [c, last]);
        let all_fixed = loops.chain([&part.each, &part.base]).all(is_fixed);
        all_fixed.then_some(part)
    }
}

/// The place of an access of a folded element that touches one cell.
struct Folded {
    /// Bytes from an element to the next along each dimension.
    each: [Poly; 3],
    /// What none changes.
    base: Poly,
}

impl Folded {
    fn of(f: &Analyses, a: &Access) -> Option<Folded> {
        let index = &f.affine.address(a.id)?.index;
        let [x, y] = [Dim::X, Dim::Y].map(id_along);
        // Blocks have one layer.
        let z = Poly::atom(Atom::Ctaid(Dim::Z));
        let (mut of_threads, _) = index.split(|x| matches!(x, Atom::Tid(_)))?;
        let (mut of_layers, _) = index.split(|x| x == Atom::Ctaid(Dim::Z))?;
        let mut along = |d| of_threads.remove(&Atom::Tid(d)).unwrap_or_default();
        let layers = of_layers.remove(&Atom::Ctaid(Dim::Z)).unwrap_or_default();
        let each = [along(Dim::X), along(Dim::Y), layers];
        let ids = each.iter().zip([x, y, z]);
        let base = ids.fold(index.clone(), |left, (c, id)| left.minus(&c.times(&id)));
        let all_fixed = each.iter().chain([&base]).all(is_fixed);
        all_fixed.then_some(Folded { each, base })
    }
}

/// `ctaid * ntid + tid` along a dimension.
fn id_along(d: Dim) -> Poly {
    let first = Poly::atom(Atom::Ctaid(d)).times(&Poly::atom(Atom::Ntid(d)));
    first.plus(&Poly::atom(Atom::Tid(d)))
}

/// Whether neither thread, block nor iteration changes it.
fn is_fixed(p: &Poly) -> bool {
    !p.any(|x| x.varies() || matches!(x, Atom::Ctaid(_)))
}

/// The last iteration's number at most, of a loop that has more than none.
fn last_of(affine: &Affine, x: Atom) -> Option<Poly> {
    let Atom::Iter(l) = x else {
        return None;
    };
    let trip = affine.uniform_trip(l)?;
    let is_positive = trip.step.as_constant().is_some_and(|s| s > 0);
    is_positive.then(|| trip.span.minus(&Poly::constant(1)))
}

/// Requires that `p` is not negative.
fn require(f: &Analyses, p: Poly, facts: &mut FactList) -> Option<()> {
    if let Some(c) = p.as_constant() {
        return (c >= 0).then_some(());
    }
    facts.add_poly(f.affine, &p).ok()?;
    facts.add(Fact::at_least(p, 0));
    Some(())
}
