//! Which threads have an element of a product, and what all of them know.

use crate::access::Access;
use crate::affine::{Atom, Guard, Poly, Sense};
use crate::kernel::ids::Register;
use crate::kernel::{Dim, ValueId, ids};
use crate::number;
use crate::plan::{Analyses, FactList};

/// Who runs an access: the limits of ids along x and y, and what else must be so for all threads.
#[derive(Default, PartialEq)]
pub struct Limits {
    pub bounds: [Option<Poly>; 2],
    pub when: Vec<(ValueId, bool)>,
}

impl Limits {
    /// Those of two loads, if they have the same.
    pub fn of_both(f: &Analyses, both: [&Access; 2], facts: &mut FactList) -> Option<Limits> {
        let [mine, others] = both.map(|a| Limits::of(f, a, facts));
        mine.filter(|m| others.as_ref() == Some(m))
    }

    /// Those of a load, if nothing else is asked.
    fn of(f: &Analyses, a: &Access, facts: &mut FactList) -> Option<Limits> {
        let mut limits = Limits::default();
        for (_, guard) in &f.affine.guards[a.id.index()] {
            if let Guard::Uniform { value, wanted } = guard
                && names_layer_only(f, *value)
            {
                limits.when.push((*value, *wanted));
                continue;
            }
            if is_of_launch(f, guard, facts) {
                continue;
            }
            let (d, bound) = limit(f, guard, facts)?;
            let known = &mut limits.bounds[d.index()];
            if known.as_ref().is_some_and(|k| *k != bound) {
                return None;
            }
            *known = Some(bound);
        }
        Some(limits)
    }

    /// Whether what `a` does is done by threads alone that have an element.
    pub fn hold(&self, f: &Analyses, a: &Access, facts: &mut FactList) -> bool {
        let guards = f.affine.guards[a.id.index()].iter();
        let own: Vec<(Dim, Poly)> = guards.filter_map(|(_, g)| limit(f, g, facts)).collect();
        let all = [Dim::X, Dim::Y].into_iter();
        all.zip(&self.bounds).all(|(d, bound)| {
            let mut own = own.iter();
            bound
                .as_ref()
                .is_none_or(|b| own.any(|(x, p)| *x == d && p == b))
        })
    }
}

/// Whether a guard says the same to all threads of a launch: then the host asks whether it lets them in.
fn is_of_launch(f: &Analyses, guard: &Guard, facts: &mut FactList) -> bool {
    let Guard::Fixed { poly, facts: ids } = guard else {
        return false;
    };
    let asks = is_of_symbols(f, poly) && facts.add_ids(f.affine, ids).is_ok();
    if asks {
        facts.add_range(poly, 0, i64::from(i32::MAX));
    }
    asks
}

/// The limit that a guard sets to the ids along one dimension.
fn limit(f: &Analyses, guard: &Guard, facts: &mut FactList) -> Option<(Dim, Poly)> {
    let Guard::Linear {
        terms,
        sense: Sense::AtMost,
        limit,
        facts: ids,
    } = guard
    else {
        return None;
    };
    let [(Atom::Tid(d @ (Dim::X | Dim::Y)), 1)] = terms[..] else {
        return None;
    };
    let bound = limit.plus(&block_of(d)).plus(&Poly::constant(1));
    let is_known = is_of_symbols(f, &bound) && facts.add_ids(f.affine, ids).is_ok();
    is_known.then_some((d, bound))
}

/// The first id of a block along a dimension.
pub fn block_of(d: Dim) -> Poly {
    Poly::atom(Atom::Ctaid(d)).times(&Poly::atom(Atom::Ntid(d)))
}

/// Whether all threads of a launch, and all blocks, have it alike, made of the kernel's arguments.
pub fn is_of_symbols(f: &Analyses, p: &Poly) -> bool {
    let is_free = |a| match a {
        Atom::Symbol(s) => {
            let value = f.affine.symbols[s.index()].value;
            ids::registers_of(f.kernel.value(value)).is_empty()
        }
        _ => false,
    };
    !p.any(|a| !is_free(a))
}

/// Whether all blocks of a layer of the grid have it alike, made of arguments and the layer's number.
pub fn is_of_layer(f: &Analyses, p: &Poly) -> bool {
    let is_known = |a| match a {
        Atom::Ctaid(d) => d == Dim::Z,
        Atom::Symbol(s) => names_layer_only(f, f.affine.symbols[s.index()].value),
        _ => false,
    };
    !p.any(|a| !is_known(a))
}

/// The same of a value of the kernel's entry.
fn names_layer_only(f: &Analyses, v: ValueId) -> bool {
    let mut all = ids::registers_of(f.kernel.value(v)).into_iter();
    all.all(|r| r == (Register::Ctaid, Dim::Z))
}

pub fn is_of_arguments(f: &Analyses, v: ValueId) -> bool {
    number::is_of_arguments(f.kernel.function, f.kernel.value(v))
}
