//! The bytes that accesses touch in a block, and what must hold for that.

use super::analyses::Analyses;
use crate::access::{AccessId, ArrayId};
use crate::affine::{Atom, Guard, Poly};
use crate::plan::data::{ActiveSet, Bound, Dimension, Fact, Footprint, When, add_access};
use crate::plan::facts::Facts;
use crate::plan::sums::{cut_by_sums, is_sum_bound};
use crate::tree::LoopId;

/// The bytes that accesses with equal coefficients touch in a block; `None` if a loop's range is
/// not known at entry or an address is not affine.
pub fn footprint(f: &Analyses, array: ArrayId, accesses: &[AccessId]) -> Option<Footprint> {
    let mut dims: Vec<Dimension> = Vec::new();
    let mut rest: Option<Poly> = None;
    let mut active: Vec<ActiveSet> = Vec::new();
    let mut size = 0;
    for id in accesses {
        let address = f.affine.address(*id)?;
        let (coefficients, r) = address.index.split(Atom::varies)?;
        let mine: Vec<_> = coefficients
            .iter()
            .map(|(a, c)| Dimension::along(*a, c.clone()))
            .collect();
        let base = rest.get_or_insert_with(|| r.clone());
        if active.is_empty() {
            dims = mine;
        } else if dims != mine {
            return None;
        }
        let delta = r.minus(base);
        let constant = delta.as_constant();
        if constant.is_none() {
            // Offsets in symbolic strides: one dimension of offsets per access is not worth it;
            // the accesses get footprints of their own through the caller's loop over stores.
            return symbolic_footprint(f, array, accesses);
        }
        size = size.max(f.accesses.get(*id).size);
        let mut offsets = vec![0; dims.len() + 1];
        offsets[dims.len()] = constant?;
        add_access(&mut active, active_set(f, *id), offsets);
    }
    dims.push(Dimension::of_bytes());
    let base = f.affine.base(array);
    cut_by_sums(&mut dims, &mut active);
    Some(Footprint {
        array,
        base,
        rest: rest?,
        dims,
        active,
        size,
    })
}

/// The bytes that an access touches in a block where `index` is its address past the array's base;
/// `None` if two varying numbers are multiplied in it.
pub fn footprint_at(
    f: &Analyses,
    array: ArrayId,
    access: AccessId,
    index: &Poly,
) -> Option<Footprint> {
    let (coefficients, rest) = index.split(Atom::varies)?;
    let own = |(a, c): (Atom, Poly)| Dimension::along(a, c);
    let mut dims: Vec<_> = coefficients.into_iter().map(own).collect();
    dims.push(Dimension::of_bytes());
    let mut set = active_set(f, access);
    set.offsets.push(vec![0; dims.len()]);
    let mut active = vec![set];
    cut_by_sums(&mut dims, &mut active);
    Some(Footprint {
        array,
        base: f.affine.base(array),
        rest,
        dims,
        active,
        size: f.accesses.get(access).size,
    })
}

/// Adds that two footprints do not overlap, and what those of the accesses that `touch` them rest on.
pub fn add_disjoint<'a>(
    f: &Analyses,
    touch: impl Iterator<Item = &'a AccessId>,
    (a, b): (Footprint, Footprint),
    facts: &mut Facts,
) -> Option<()> {
    for id in touch {
        add_access_facts(f, *id, facts).ok()?;
    }
    for r in [&a, &b] {
        add_footprint_facts(f, r, facts).ok()?;
    }
    facts.add(Fact::Disjoint { a, b });
    Some(())
}

/// As [`footprint`], for accesses whose constants differ by symbolic strides: each such difference is
/// a dimension of its own.
pub fn symbolic_footprint(
    f: &Analyses,
    array: ArrayId,
    accesses: &[AccessId],
) -> Option<Footprint> {
    let first = f.affine.address(accesses[0])?;
    let (coefficients, rest) = first.index.split(Atom::varies)?;
    let mut dims: Vec<Dimension> = coefficients
        .iter()
        .map(|(a, c)| Dimension::along(*a, c.clone()))
        .collect();
    let varying = dims.len();
    let mut deltas = Vec::new();
    for id in accesses {
        let (_, r) = f.affine.address(*id)?.index.split(Atom::varies)?;
        let d = r.minus(&rest);
        for (m, _) in d.terms() {
            let mut p = Poly::default();
            p.add_term(m.clone(), 1);
            if !dims[varying..].iter().any(|d| d.stride == p) {
                dims.push(Dimension {
                    stride: p,
                    terms: Vec::new(),
                });
            }
        }
        deltas.push(d);
    }
    let mut active: Vec<ActiveSet> = Vec::new();
    let mut size = 0;
    for (id, d) in accesses.iter().zip(&deltas) {
        size = size.max(f.accesses.get(*id).size);
        let offset = |(g, dim): (usize, &Dimension)| {
            let lead = dim.stride.terms().next().filter(|_| g >= varying);
            let own = lead.and_then(|(m, _)| d.terms().find(|(n, _)| *n == m));
            own.map_or(0, |(_, c)| c)
        };
        let offsets = dims.iter().enumerate().map(offset).collect();
        add_access(&mut active, active_set(f, *id), offsets);
    }
    let base = f.affine.base(array);
    cut_by_sums(&mut dims, &mut active);
    Some(Footprint {
        array,
        base,
        rest,
        dims,
        active,
        size,
    })
}

/// The bounds of an access's guards on one thread index and on sums of some: enough for a range, and always a superset.
fn active_set(f: &Analyses, access: AccessId) -> ActiveSet {
    let mut s = ActiveSet::default();
    for (_, g) in &f.affine.guards[access.index()] {
        match g {
            Guard::Uniform { value, wanted } => {
                s.when.push(When::Is {
                    value: *value,
                    wanted: *wanted,
                });
            }
            Guard::Linear {
                terms,
                sense,
                limit,
                ..
            } if gives_bound(f, g) => {
                s.bounds.push(Bound {
                    terms: terms.clone(),
                    sense: *sense,
                    limit: limit.clone(),
                });
            }
            _ => {}
        }
    }
    s
}

/// Adds what the evaluation of a range at entry rests on.
pub fn add_footprint_facts(f: &Analyses, r: &Footprint, facts: &mut Facts) -> Result<(), LoopId> {
    facts.add_poly(f.affine, &r.rest)?;
    for d in &r.dims {
        facts.add_poly(f.affine, &d.stride.times(&Poly::sum(&d.terms)))?;
    }
    for s in &r.active {
        for b in &s.bounds {
            facts.add_poly(f.affine, &b.limit)?;
        }
    }
    Ok(())
}

/// The facts behind an access's address and behind the bounds its guards give.
pub fn add_access_facts(f: &Analyses, id: AccessId, facts: &mut Facts) -> Result<(), LoopId> {
    if let Some(a) = f.affine.address(id) {
        facts.add_ids(f.affine, &a.facts)?;
        facts.add_poly(f.affine, &a.index)?;
    }
    add_guard_facts(f, id, facts)
}

/// The facts behind the bounds on threads that an access's guards give.
pub fn add_guard_facts(f: &Analyses, id: AccessId, facts: &mut Facts) -> Result<(), LoopId> {
    for (_, g) in &f.affine.guards[id.index()] {
        if let Guard::Linear { facts: ids, .. } = g
            && gives_bound(f, g)
        {
            facts.add_ids(f.affine, ids)?;
        }
    }
    Ok(())
}

/// Whether a guard is one that active sets have bounds of.
fn gives_bound(f: &Analyses, g: &Guard) -> bool {
    let Guard::Linear { terms, limit, .. } = g else {
        return false;
    };
    is_thread_bound(terms, limit) || is_sum_bound(f.affine, g)
}

/// Whether a linear guard bounds one thread index by a value that is fixed in the kernel.
pub fn is_thread_bound(terms: &[(Atom, i64)], limit: &Poly) -> bool {
    terms.len() == 1
        && terms[0].1 == 1
        && matches!(terms[0].0, Atom::Tid(_))
        && !limit.any(|a| matches!(a, Atom::Iter(_)))
}
