//! Clusters of accesses, and the box of cells a cluster needs in a region.
//!
//! ```text
//! u[y*w + x - 1], u[y*w + x], u[(y+1)*w + x]    one cluster, strides 4*w and 4:
//!     dim 4*w: tid.y, offsets 0..1      dim 4: tid.x, offsets -1..0
//! ```
//! Accesses of one array whose indices have the same coefficients form a cluster; their constant
//! and block-uniform differences become offsets in the strides' dimensions, which makes halos.
//! Each distinct stride is one dimension. Giving two strides dimensions of their own is always
//! right for loads: an element that two cells hold is in both. Tiles that are written need more
//! (`legality`).

use super::analyses::Analyses;
use super::data::{Footprint, Merge, StagedAt, Steps};
use crate::access::{AccessId, AccessKind, Accesses, ArrayId};
use crate::affine::{Affine, Atom, Monomial, Poly, gcd};
use crate::kernel::Dim;
use crate::machine::tuning::shape::{SAME_DIMENSION_RATIO, SPREAD_LIMIT};
use crate::tree::LoopId;
use std::collections::BTreeMap;

/// Accesses of one array with equal coefficients.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// The array.
    pub array: ArrayId,
    /// Loads and stores, in program order.
    pub accesses: Vec<AccessId>,
    /// Bytes per step of each varying atom; the same for all.
    pub coefficients: BTreeMap<Atom, Poly>,
    /// What does not vary, per access, in bytes.
    pub rests: Vec<Poly>,
    /// Whether none of them loads.
    pub only_stores: bool,
}

/// A dimension with the constant offset of each access.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeDim {
    /// Bytes per step.
    pub stride: Poly,
    /// Varying atoms and multipliers, sorted.
    pub terms: Vec<(Atom, i64)>,
    /// Per access of the cluster: first and last step it touches at constant offset.
    pub offsets: Vec<(i64, i64)>,
    /// How far it extends; `None`: a clamp hides it.
    pub extent: Option<Extent>,
}

impl ShapeDim {
    fn new(stride: Poly, terms: Vec<(Atom, i64)>, offsets: Vec<(i64, i64)>) -> ShapeDim {
        ShapeDim {
            stride,
            terms,
            offsets,
            extent: None,
        }
    }
}

impl Steps for ShapeDim {
    fn stride(&self) -> &Poly {
        &self.stride
    }
    fn terms(&self) -> &[(Atom, i64)] {
        &self.terms
    }
}

/// How far a dimension extends, in steps: `Σ |m|·(span of v) + high - low + 1`.
#[derive(Clone, Debug, PartialEq)]
pub struct Extent {
    /// Least constant offset of an access.
    pub low: i64,
    /// Greatest constant offset of an access.
    pub high: i64,
    /// The extent for one block and one iteration of the loop in strips, as a function of launch and trip counts.
    least: Poly,
    /// Steps that each further iteration of a strip adds.
    per_iteration: i64,
}

impl Extent {
    /// That of a dimension, in strips of the loop `strip`; `None` if a clamp hides the span.
    fn of(affine: &Affine, dim: &ShapeDim, strip: Option<LoopId>) -> Option<Extent> {
        let low = dim.offsets.iter().map(|o| o.0).min().unwrap_or(0);
        let high = dim.offsets.iter().map(|o| o.1).max().unwrap_or(0);
        let mut extent = Extent {
            low,
            high,
            least: Poly::constant(high - low + 1),
            per_iteration: 0,
        };
        for (a, m) in &dim.terms {
            extent.add(affine, *a, m.abs(), strip)?;
        }
        Some(extent)
    }

    /// Adds what `times` steps in each value of an atom span.
    fn add(&mut self, affine: &Affine, a: Atom, times: i64, strip: Option<LoopId>) -> Option<()> {
        let last = match a {
            Atom::Tid(d) => Poly::atom(Atom::Ntid(d)),
            Atom::Iter(l) if strip == Some(l) => {
                self.per_iteration += times;
                return Some(());
            }
            Atom::Iter(l) => trip(affine, l)?,
            // A clamp spreads no further than what it clamps. Iterations of loops around the region
            // are fixed there and add nothing, which this counts needlessly.
            Atom::Clamp(c) => {
                let (coefficients, _) = affine.clamps[c.index()].varying.split(Atom::varies)?;
                for (b, k) in &coefficients {
                    self.add(affine, *b, times * k.as_constant()?.abs(), strip)?;
                }
                return Some(());
            }
            _ => return Some(()),
        };
        let last = last.minus(&Poly::constant(1));
        self.least = self.least.plus(&last.times_constant(times));
        Some(())
    }

    /// With strips of `length` iterations and `merge` blocks that the tile serves.
    pub fn at(&self, length: u32, merge: Merge) -> Poly {
        let threads = |p: Poly, d: &Dim| match merge.along(*d) {
            1 => p,
            n => p.substitute(
                Atom::Ntid(*d),
                &Poly::atom(Atom::Ntid(*d)).times_constant(n.into()),
            ),
        };
        let iterations = self.per_iteration * (i64::from(length) - 1);
        let all = Dim::ALL.iter().fold(self.least.clone(), threads);
        all.plus(&Poly::constant(iterations))
    }
}

/// The trip count as a polynomial: a constant where it is one.
fn trip(affine: &Affine, l: LoopId) -> Option<Poly> {
    let t = affine.uniform_trip(l)?;
    Some(match (t.span.as_constant(), t.step.as_constant()) {
        (Some(s), Some(d)) => Poly::constant(ceil_div(s.max(0), d).max(i64::from(t.least))),
        _ => Poly::atom(Atom::Trip(l)),
    })
}

/// The quotient of non-negative numbers, rounded up.
fn ceil_div(a: i64, b: i64) -> i64 {
    (a + b - 1) / b
}

/// Clusters of every array, arrays in order, clusters by first access. Accesses that are not
/// affine are left out.
pub fn collect_clusters(accesses: &Accesses, affine: &Affine) -> Vec<Cluster> {
    let mut out: Vec<Cluster> = Vec::new();
    for a in &accesses.list {
        let (Some(array), Some(address)) = (a.array, affine.address(a.id)) else {
            continue;
        };
        let is_store = match a.kind {
            AccessKind::Load => false,
            AccessKind::Store => true,
            _ => continue,
        };
        let Some((coefficients, rest)) = address.index.split(Atom::varies) else {
            continue;
        };
        let joins = |c: &&mut Cluster| {
            c.array == array && c.coefficients == coefficients && is_near(c, &rest)
        };
        match out.iter_mut().find(joins) {
            Some(c) => {
                c.accesses.push(a.id);
                c.rests.push(rest);
                c.only_stores &= is_store;
            }
            None => out.push(Cluster {
                array,
                accesses: vec![a.id],
                coefficients,
                rests: vec![rest],
                only_stores: is_store,
            }),
        }
    }
    out
}

/// Whether `rest` differs from the cluster's little enough for one tile: in every dimension by at
/// most [`SPREAD_LIMIT`] steps.
fn is_near(cluster: &Cluster, rest: &Poly) -> bool {
    let mut strides: Vec<i64> = cluster
        .coefficients
        .values()
        .filter_map(Poly::as_constant)
        .map(i64::abs)
        .collect();
    strides.sort_unstable();
    strides.dedup();
    let constant = |d: i64| {
        let mut left = d;
        let near = strides.iter().rev().all(|s| {
            let q = nearest(left, *s);
            left -= q * s;
            q.abs() <= SPREAD_LIMIT
        });
        near && left.abs() <= 16 * SPREAD_LIMIT
    };
    let units = std::cell::LazyCell::new(|| rest_units(&cluster.rests));
    cluster.rests.iter().any(|r| {
        if let Some(d) = rest.minus_if_constant(r) {
            return d == 0 || constant(d);
        }
        let d = rest.minus(r);
        d.terms().all(|(m, c)| {
            let unit = gcd(c, units.get(m).copied().unwrap_or(0)).max(1);
            if m.is_empty() {
                constant(c)
            } else {
                c.abs() / unit <= SPREAD_LIMIT
            }
        })
    })
}

/// The common divisor of the cluster's coefficients, by monomial.
fn rest_units(rests: &[Poly]) -> BTreeMap<&Monomial, i64> {
    let mut units = BTreeMap::new();
    for (m, c) in rests.iter().flat_map(Poly::terms) {
        let unit = units.entry(m).or_insert(0);
        *unit = gcd(*unit, c);
    }
    units
}

/// The box of `cluster` in a region. `None` if no power-of-two cell of at most 16 bytes fits the accesses. Which of
/// them execute is not looked at.
pub fn shape_in(
    f: &Analyses,
    cluster: &Cluster,
    (node, strip): StagedAt,
) -> Option<Footprint<ShapeDim>> {
    let sizes = cluster.accesses.iter().map(|a| f.accesses.get(*a).size);
    let sizes: Vec<u32> = sizes.collect();
    let mut rest = cluster.rests[0].clone();
    let mut symbolic: BTreeMap<Poly, Vec<(Atom, i64)>> = BTreeMap::new();
    let mut constant: Vec<(Atom, i64)> = Vec::new();
    for (a, c) in &cluster.coefficients {
        if !f.varies_in(node, *a) {
            rest = rest.plus(&c.times(&Poly::atom(*a)));
        } else if let Some(k) = c.as_constant() {
            constant.push((*a, k));
        } else {
            let (primitive, content) = primitive(c)?;
            symbolic.entry(primitive).or_default().push((*a, content));
        }
    }
    let mut deltas: Vec<Poly> = cluster
        .rests
        .iter()
        .map(|r| r.minus(&cluster.rests[0]))
        .collect();
    add_offset_dimensions(&deltas, &mut symbolic);
    let mut dims: Vec<ShapeDim> = Vec::new();
    let mut primitives: Vec<(Poly, Vec<(Atom, i64)>)> = symbolic.into_iter().collect();
    crate::order::sort_by_key(&mut primitives, |(p, _)| {
        std::cmp::Reverse(p.terms().map(|(m, _)| m.len()).max())
    });
    for (p, terms) in primitives {
        dims.push(symbolic_dimension(&p, &terms, &mut deltas)?);
    }
    let constants: Option<Vec<i64>> = deltas.iter().map(Poly::as_constant).collect();
    let (inner, size, shift) = constant_dimensions(&constant, &constants?, &sizes)?;
    dims.extend(inner);
    for d in &mut dims {
        d.extent = Extent::of(f.affine, d, strip);
    }
    Some(Footprint {
        array: cluster.array,
        base: f.affine.base(cluster.array),
        rest: rest.plus(&Poly::constant(shift)),
        dims,
        active: Vec::new(),
        size,
    })
}

/// A polynomial as its primitive part, leading coefficient positive, and its content.
fn primitive(p: &Poly) -> Option<(Poly, i64)> {
    let negative = p.terms().next_back_sign();
    let content = if negative { -p.content() } else { p.content() };
    Some((p.divided_exactly(content)?, content))
}

/// The sign of the last term, which stands for the polynomial's.
trait LastSign {
    fn next_back_sign(self) -> bool;
}
impl<'a, I: Iterator<Item = (&'a Monomial, i64)>> LastSign for I {
    fn next_back_sign(self) -> bool {
        self.last().is_some_and(|(_, c)| c < 0)
    }
}

/// Differences in monomials that no coefficient covers get a dimension of offsets only.
fn add_offset_dimensions(deltas: &[Poly], symbolic: &mut BTreeMap<Poly, Vec<(Atom, i64)>>) {
    for (m, _) in deltas.iter().flat_map(Poly::terms) {
        let covered = symbolic.keys().any(|p| p.terms().any(|(n, _)| n == m));
        if !m.is_empty() && !covered {
            let mut p = Poly::default();
            p.add_term(m.clone(), 1);
            symbolic.insert(p, Vec::new());
        }
    }
}

/// One symbolic stride; takes its multiples out of `deltas`.
fn symbolic_dimension(
    primitive: &Poly,
    terms: &[(Atom, i64)],
    deltas: &mut [Poly],
) -> Option<ShapeDim> {
    let (lead, k) = primitive.terms().last().map(|(m, k)| (m.clone(), k))?;
    let in_delta = |d: &Poly| d.terms().find(|(m, _)| **m == lead).map_or(0, |(_, c)| c);
    let mut bytes = terms.iter().fold(0, |g, (_, c)| gcd(g, *c));
    for d in deltas.iter() {
        let c = in_delta(d);
        if c % k != 0 {
            return None;
        }
        bytes = gcd(bytes, c / k);
    }
    let bytes = bytes.max(1);
    let stride = primitive.times_constant(bytes);
    let mut offsets = Vec::new();
    for d in deltas.iter_mut() {
        let q = in_delta(d) / k / bytes;
        *d = d.minus(&stride.times_constant(q));
        offsets.push((q, q));
    }
    let terms = terms.iter().map(|(a, c)| (*a, c / bytes)).collect();
    Some(ShapeDim::new(stride, terms, offsets))
}

/// Dimensions of constant stride, the cell's size, and the constant to add to the rest.
fn constant_dimensions(
    terms: &[(Atom, i64)],
    deltas: &[i64],
    sizes: &[u32],
) -> Option<(Vec<ShapeDim>, u32, i64)> {
    let shift = deltas.iter().copied().min().unwrap_or(0);
    let mut left: Vec<i64> = deltas.iter().map(|d| d - shift).collect();
    let classes = stride_classes(terms);
    let mut dims = Vec::new();
    for (i, (stride, members)) in classes.iter().enumerate() {
        // Inner dimensions that vary reach to both sides, so the nearest multiple is taken;
        // inside the innermost, what is left over is a field of a struct.
        let innermost = i + 1 == classes.len();
        let mut offsets = Vec::new();
        for d in &mut left {
            let q = if innermost {
                d.div_euclid(*stride)
            } else {
                nearest(*d, *stride)
            };
            *d -= q * stride;
            offsets.push((q, q));
        }
        let terms = members.iter().map(|(a, c)| (*a, c / stride)).collect();
        dims.push(ShapeDim::new(Poly::constant(*stride), terms, offsets));
    }
    let sizes: Vec<i64> = sizes.iter().map(|s| i64::from(*s)).collect();
    let equal = sizes.iter().all(|s| *s == sizes[0]) && left.iter().all(|d| *d == 0);
    let innermost_stride = classes.last().map_or(sizes[0], |(s, _)| *s);
    let unit = if equal && innermost_stride >= sizes[0] {
        sizes[0]
    } else {
        let unit = left.iter().chain(&sizes).fold(0, |g, x| gcd(g, *x));
        let unit = largest_power_of_two_divisor(gcd(unit, innermost_stride)).min(16);
        let field = |(d, s): (&i64, &i64)| (d / unit, (d + s) / unit - 1);
        let offsets = left.iter().zip(&sizes).map(field).collect();
        dims.push(ShapeDim::new(Poly::constant(unit), Vec::new(), offsets));
        unit
    };
    if !(unit.count_ones() == 1 && (1..=16).contains(&unit)) {
        return None;
    }
    if dims.is_empty() {
        let offsets = vec![(0, 0); deltas.len()];
        dims.push(ShapeDim::new(Poly::constant(unit), Vec::new(), offsets));
    }
    Some((dims, unit as u32, shift))
}

/// Constant strides that are small multiples of a common one belong together; largest first.
fn stride_classes(terms: &[(Atom, i64)]) -> Vec<(i64, Vec<(Atom, i64)>)> {
    let mut sorted = terms.to_vec();
    crate::order::sort_by_key(&mut sorted, |(a, c)| (c.abs(), *a));
    let mut classes: Vec<(i64, Vec<(Atom, i64)>)> = Vec::new();
    for (a, c) in sorted {
        let belongs =
            |(s, _): &&mut (i64, Vec<_>)| c.abs() % *s == 0 && c.abs() / *s <= SAME_DIMENSION_RATIO;
        match classes.iter_mut().find(belongs) {
            Some((_, members)) => members.push((a, c)),
            None => classes.push((c.abs(), vec![(a, c)])),
        }
    }
    classes.iter_mut().for_each(|(_, m)| crate::order::sort(m));
    crate::order::sort_by_key(&mut classes, |(s, _)| std::cmp::Reverse(*s));
    classes
}

fn nearest(d: i64, stride: i64) -> i64 {
    (d + stride / 2).div_euclid(stride)
}

fn largest_power_of_two_divisor(x: i64) -> i64 {
    if x == 0 {
        16
    } else {
        1 << x.trailing_zeros().min(6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_grow_with_strips_and_merged_blocks() {
        let threads = Poly::atom(Atom::Ntid(Dim::X));
        let window = Extent {
            low: -1,
            high: 1,
            least: threads.plus(&Poly::constant(2)),
            per_iteration: 1,
        };
        assert_eq!(window.at(1, Merge::default()), window.least);
        let merge = Merge {
            factor: [2, 1, 1],
            ..Merge::default()
        };
        let expected = threads.times_constant(2).plus(&Poly::constant(2 + 15));
        assert_eq!(window.at(16, merge), expected);
    }
}
