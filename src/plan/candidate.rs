//! Where a cluster might be staged, and which place serves it best.
//!
//! ```text
//! for q: for f: d += p[i*nf + f] - c[q*nf + f]
//!     p: in strips of f, each element copied once per q: reuse 1
//!        whole, before the loop over q: reuse trip(q)          <- chosen
//!     c: in strips of f: reuse 256 threads, but barriers inside the loop over q
//!        whole, before the loop over q: reuse 256, one barrier <- chosen
//! ```
//! A candidate is a loop whose iterations are cut into strips, or a loop or sequence before which
//! everything is copied. They are compared by *access frequency*, the reads per element copied
//! (Kamiya et al. 2013), then by barriers, where a tile whose size only the launch knows counts as
//! [`UNBOUNDED_COST`] barriers because it may not fit. Trip counts that are not known are taken as
//! `TYPICAL_TRIP`; ties go to program order.

use super::analyses::Analyses;
use super::data::{Footprint, Merge};
use super::extent::{self, MaxBlock};
use super::legal::Legal;
use super::legality;
use super::places::Place;
use super::shape::{self, Cluster, ShapeDim};
use crate::access::{AccessId, AccessKind};
use crate::affine::{Atom, Guard, Poly, Sense};
use crate::machine::target::SECTOR;
use crate::machine::tuning::candidate::{TYPICAL_STRIP, UNBOUNDED_COST};
use crate::machine::tuning::extent::TYPICAL_TRIP;
use crate::machine::tuning::tiles::BOX_DIMENSION;
use crate::missed::Missed;
use crate::tree::{LoopId, NodeId};

/// A legal place for a cluster.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Index of the cluster.
    pub cluster: usize,
    /// The region's node.
    pub node: NodeId,
    /// The loop cut into strips.
    pub strip: Option<LoopId>,
    /// The cluster's box there, and which of its elements are surely read or written.
    pub shape: Footprint<ShapeDim>,
    /// Bounds, members, facts.
    pub legal: Legal,
    /// Reads per copied element, for a typical launch; of a store tile, stores per element.
    pub reuse: f64,
    /// Barriers per block, and the cost of an unknown size.
    pub cost: f64,
    /// Reads of one thread.
    reads: f64,
    /// Reads per sector that is copied, of those threads that are left where an equality holds for one of a row.
    per_sector: f64,
}

impl Candidate {
    /// Whether the cluster is only stored here, so that its tile is a store tile.
    pub fn only_stores(&self) -> bool {
        self.shape.active.is_empty()
    }

    /// Whether the copy asks for more sectors than all that it serves, were each of the reads a sector of its own: a
    /// row of which the first and the last thread alone read an element each. It is only slower then, and longer.
    pub fn copies_more_than_is_read(&self) -> bool {
        !self.only_stores() && self.per_sector < 1.0
    }

    /// Whether each thread takes more instructions to find out what is to be copied than it reads, of a table that all
    /// threads read alike: many reads, each with a guard of its own, that are no box together (`united`). L1 serves
    /// such reads as fast as shared memory does.
    pub fn is_lost_in_guards(&self) -> bool {
        let terms = self.shape.dims.iter().flat_map(|d| &d.terms);
        let alike = terms.clone().all(|(a, _)| !matches!(a, Atom::Tid(_)));
        let boxes = self.shape.active.len().saturating_sub(1) * self.shape.dims.len();
        alike && boxes as f64 * BOX_DIMENSION > self.reads
    }
}

/// What candidates are measured against.
pub struct Limits {
    /// The largest block shape that may be served.
    pub largest: MaxBlock,
    /// The smallest cap that will be tried.
    pub smallest: MaxBlock,
    /// The shortest strips that will be tried.
    pub shortest: u32,
    /// Thread indices that addresses use.
    pub reads: [bool; 3],
    /// Bytes of shared memory there are.
    pub budget: u32,
}

/// The legal candidates of a cluster in some places, best first; or, of the reasons against each place, the first
/// in guard order.
pub fn candidates(
    f: &Analyses,
    index: usize,
    cluster: &Cluster,
    places: Vec<Place>,
    limits: &Limits,
) -> Result<Vec<Candidate>, Missed> {
    let mut found = Vec::new();
    let mut refused = Vec::new();
    for (node, strip) in places {
        match candidate(f, index, cluster, node, strip, limits) {
            Ok(c) => found.push(c),
            Err(m) => refused.push(m),
        }
    }
    if found.is_empty() {
        let first = refused.into_iter().min_by_key(Missed::rank);
        return Err(first.unwrap_or(Missed::Unstructured {
            access: cluster.accesses[0],
        }));
    }
    crate::order::sort_by(&mut found, |a, b| {
        b.reuse
            .round()
            .total_cmp(&a.reuse.round())
            .then(a.cost.total_cmp(&b.cost))
    });
    Ok(found)
}

fn candidate(
    f: &Analyses,
    index: usize,
    cluster: &Cluster,
    node: NodeId,
    strip: Option<LoopId>,
    limits: &Limits,
) -> Result<Candidate, Missed> {
    let sizes: Vec<u32> = cluster
        .accesses
        .iter()
        .map(|a| f.accesses.get(*a).size)
        .collect();
    let varies = |a: Atom| f.varies_in(node, a);
    let not_affine = Missed::NotAffine {
        access: cluster.accesses[0],
    };
    let mut shape = shape::shape_in(cluster, f.affine.base(cluster.array), &sizes, &varies)
        .ok_or(not_affine)?;
    let mut legal = legality::check(f, cluster, &mut shape, node)?;
    if let Some(l) = strip {
        legal
            .facts
            .add_trip(f.affine, l)
            .map_err(|at| Missed::DivergentLoop { at })?;
    }
    check_size(f, &shape, strip, limits)?;
    let block = limits.largest.typical(limits.reads);
    let cut = strip.map(|l| (l, TYPICAL_STRIP));
    let (cells, bounded) = cells(f, &shape, cut, limits)?;
    let only_stores = shape.active.is_empty();
    let members = legal.members.iter().map(|i| cluster.accesses[*i]);
    let loads: Vec<AccessId> = members
        .filter(|a| only_stores || f.accesses.get(*a).kind == AccessKind::Load)
        .collect();
    let count = |threads: &dyn Fn(AccessId) -> f64| -> f64 {
        let each = loads
            .iter()
            .map(|a| executions(f, *a, node, cut) * threads(*a));
        each.sum()
    };
    let sectors = cells * f64::from(shape.size) / SECTOR as f64;
    let per_sector = count(&|a| extent::threads(left_by_equalities(f, a, block))) / sectors;
    let loads = count(&|_| extent::threads(block));
    let fills = fills(f, node, strip);
    let cost = fills * 2.0 + if bounded { 0.0 } else { UNBOUNDED_COST };
    Ok(Candidate {
        cluster: index,
        node,
        strip,
        shape,
        legal,
        reuse: loads / cells,
        cost,
        reads: loads / extent::threads(block),
        per_sector,
    })
}

/// How far all accesses of a cluster extend in a dimension, of blocks that are not merged.
fn extent_of(f: &Analyses, d: &ShapeDim, cut: Option<(LoopId, u32)>) -> Result<Poly, Missed> {
    let (low, high) = d.ends(0..d.offsets.len());
    extent::extent(f.affine, d, low, high, cut, Merge::default()).ok_or(Missed::UnboundedTile)
}

/// Elements of a box for a typical block, and whether their number is bounded for every block.
fn cells(
    f: &Analyses,
    shape: &Footprint<ShapeDim>,
    cut: Option<(LoopId, u32)>,
    limits: &Limits,
) -> Result<(f64, bool), Missed> {
    let block = limits.largest.typical(limits.reads);
    let mut cells = 1.0;
    let mut bounded = true;
    for d in &shape.dims {
        let e = extent_of(f, d, cut)?;
        bounded &= extent::at_cap(&e, limits.largest).is_some();
        cells *= extent::typical(&e, block).max(1.0);
    }
    Ok((cells, bounded))
}

/// A tile too large even for the smallest blocks and strips is no candidate.
fn check_size(
    f: &Analyses,
    shape: &Footprint<ShapeDim>,
    strip: Option<LoopId>,
    limits: &Limits,
) -> Result<(), Missed> {
    let cut = strip.map(|l| (l, limits.shortest));
    let mut bytes = u64::from(shape.size);
    for d in &shape.dims {
        let e = extent_of(f, d, cut)?;
        let Some(n) = extent::at_cap(&e, limits.smallest) else {
            return Ok(());
        };
        bytes = bytes.saturating_mul(n.max(1) as u64);
    }
    if bytes > u64::from(limits.budget) {
        let need = u32::try_from(bytes).unwrap_or(u32::MAX);
        return Err(Missed::OverBudget {
            need,
            left: limits.budget,
        });
    }
    Ok(())
}

/// How many threads of a block come to an access along each dimension, if an index must be a number, or one of a few.
fn left_by_equalities(f: &Analyses, a: AccessId, block: [i64; 3]) -> [i64; 3] {
    let guards = f.affine.guards[a.index()].iter();
    let limits = guards.filter_map(|(_, g)| match g {
        Guard::Linear {
            terms,
            sense,
            limit,
            ..
        } => match terms[..] {
            [(Atom::Tid(d), times)] => Some((d, times, *sense, limit)),
            _ => None,
        },
        _ => None,
    });
    let limits: Vec<_> = limits.collect();
    let mut left = block;
    for (d, times, _, low) in limits.iter().filter(|l| l.2 == Sense::AtLeast) {
        let above = limits.iter().filter(|l| l.2 == Sense::AtMost);
        for (_, _, _, high) in above.filter(|l| (l.0, l.1) == (*d, *times)) {
            if let Some(width) = high.minus_if_constant(low) {
                let n = width.max(0) / times.abs() + 1;
                left[d.index()] = left[d.index()].min(n);
            }
        }
    }
    left
}

/// How often one thread executes an access while a region, or one strip of it, runs.
fn executions(f: &Analyses, a: AccessId, node: NodeId, strip: Option<(LoopId, u32)>) -> f64 {
    let Some(leaf) = f.node_of(a) else { return 0.0 };
    f.tree
        .enclosing_loops(leaf)
        .into_iter()
        .filter(|l| f.tree.contains(node, f.tree.loop_(*l).node))
        .map(|l| match strip {
            Some((s, t)) if s == l => f64::from(t),
            _ => typical_trip(f, l),
        })
        .product()
}

/// Copies per block: one per execution of the region, one per strip.
fn fills(f: &Analyses, node: NodeId, strip: Option<LoopId>) -> f64 {
    let enclosing: f64 = f
        .tree
        .enclosing_loops(node)
        .into_iter()
        .filter(|l| f.tree.loop_(*l).node != node)
        .map(|l| typical_trip(f, l))
        .product();
    enclosing
        * strip.map_or(1.0, |l| {
            (typical_trip(f, l) / f64::from(TYPICAL_STRIP)).max(1.0)
        })
}

/// The trip count if it is a constant, else the typical one.
pub fn typical_trip(f: &Analyses, l: LoopId) -> f64 {
    let known = f.affine.uniform_trip(l).and_then(|t| {
        let (s, d) = (t.span.as_constant()?, t.step.as_constant()?);
        Some((s as f64 / d as f64).ceil().max(f64::from(t.least)))
    });
    known.unwrap_or(TYPICAL_TRIP as f64)
}
