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
use super::data::{Footprint, Merge, Prospect, StagedAt, Trait};
use super::extent::{self, MaxBlock};
use super::legal::Legal;
use super::legality::{self, Riders};
use super::places::places;
use super::reasons::{Reasons, is_only_written};
use super::shape::{self, Cluster, Extent, ShapeDim};
use super::traits::prospect_of;
use crate::access::{AccessId, AccessKind};
use crate::affine::{Atom, Guard, Sense};
use crate::machine::target::SECTOR;
use crate::machine::tuning::candidate::{TYPICAL_STRIP, UNBOUNDED_COST};
use crate::machine::tuning::extent::TYPICAL_TRIP;
use crate::machine::tuning::overlap::STRIPS;
use crate::machine::tuning::tiles::BOX_DIMENSION;
use crate::missed::Missed;
use crate::options::Options;
use crate::tree::{LoopId, NodeId};

/// A legal place for a cluster.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// What it is chosen by.
    pub prospect: Prospect,
    /// The cluster's box there, and which of its elements are surely read or written.
    pub shape: Footprint<ShapeDim>,
    /// How far the box extends in each dimension.
    pub extents: Vec<Extent>,
    /// Bounds, facts.
    pub legal: Legal,
    /// Barriers per block, and the cost of an unknown size.
    cost: f64,
}

impl Candidate {
    /// Whether a copy of it costs more than all that it serves, of which there are so many `reads` of one thread, and
    /// so many `per_sector` that is copied by those threads that are left where an equality holds for one of a row.
    ///
    /// It may ask for more sectors, were each of the reads a sector of its own: a row of which the first and the last
    /// thread alone read an element each. Or each thread takes more instructions to find out what is to be copied than
    /// it reads, of a table that all threads read alike: many reads, each with a guard of its own, that are no box
    /// together (`united`). L1 serves such reads as fast as shared memory does.
    fn is_lost(&self, reads: f64, per_sector: f64) -> bool {
        let dims = &self.shape.dims;
        let mut terms = dims.iter().flat_map(|d| &d.terms);
        let alike = terms.all(|(a, _)| !matches!(a, Atom::Tid(_)));
        let boxes = self.shape.active.len().saturating_sub(1) * dims.len();
        let in_guards = alike && boxes as f64 * BOX_DIMENSION > reads;
        in_guards || per_sector < 1.0 && !self.prospect.is(Trait::OnlyStores)
    }
}

/// What candidates are measured against.
struct Limits {
    /// The largest block shape that may be served.
    largest: MaxBlock,
    /// The smallest cap that will be tried.
    smallest: MaxBlock,
    /// The shortest strips that will be tried.
    shortest: u32,
    /// A block as users launch it.
    block: [i64; 3],
    /// Bytes of shared memory there are.
    budget: u32,
    /// Whether a host asks before versions are launched.
    has_host: bool,
}

/// The candidates of all clusters, cluster by cluster, of each the best place first.
pub fn rank(f: &Analyses, options: &Options, budget: u32, reasons: &mut Reasons) -> Vec<Candidate> {
    let reads = extent::thread_dimensions(f.affine);
    let max_block = MaxBlock::choices(f.kernel, reads);
    let limits = Limits {
        largest: max_block[0],
        smallest: max_block[max_block.len() - 1],
        shortest: options.strip.unwrap_or(STRIPS[STRIPS.len() - 1]),
        block: max_block[0].typical(reads),
        budget,
        has_host: options.host == Some(true),
    };
    let mut out = Vec::new();
    let clusters = shape::collect_clusters(f.accesses, f.affine);
    for (i, c) in clusters.iter().enumerate() {
        if reasons.is_refused(c.array) {
            continue;
        }
        match candidates(f, (i, c), &limits) {
            Ok(best) => {
                // Where it is not staged in the end, that is why.
                let access = best[0].prospect.members[0];
                let mapped = best[0].prospect.is(Trait::Mapped);
                let why = mapped.then_some((c.array, Missed::UnboundedGuard { access }));
                reasons.early.extend(why);
                out.extend(best);
            }
            // An array that is also read has a reason why its reads are not staged.
            Err(_) if c.only_stores && !is_only_written(f, c.array) => {}
            Err(m) => reasons.early.push((c.array, m)),
        }
    }
    for (id, c) in out.iter_mut().enumerate() {
        c.prospect.id = id;
    }
    out
}

/// The legal candidates of a cluster, best first; or, of the reasons against each place, the first in guard order.
fn candidates(
    f: &Analyses,
    (index, cluster): (usize, &Cluster),
    limits: &Limits,
) -> Result<Vec<Candidate>, Missed> {
    let open = places(f, cluster)?;
    let mut all = cluster.accesses.iter();
    if let Some(m) = all.find_map(|a| legality::refuse_access(f, f.accesses.get(*a))) {
        return Err(m);
    }
    let in_places = |riders| {
        let all = open.iter();
        let all = all.map(|place| candidate(f, (index, cluster), (*place, riders), limits));
        let (found, refused): (Vec<_>, Vec<_>) = all.partition(Result::is_ok);
        let found: Vec<Candidate> = found.into_iter().flatten().collect();
        let refused = refused.into_iter().filter_map(Result::err);
        (found, refused.min_by_key(Missed::rank))
    };
    let (mut found, refused) = in_places(Riders::Covered);
    // What the kernel surely reads in some place is copied there.
    if found.is_empty() && limits.has_host && matches!(refused, Some(Missed::UnboundedGuard { .. }))
    {
        found = in_places(Riders::Mapped).0;
    }
    if found.is_empty() {
        return Err(refused.unwrap_or(Missed::Unstructured {
            access: cluster.accesses[0],
        }));
    }
    crate::order::sort_by(&mut found, |a, b| {
        let (x, y) = (a.prospect.reuse.round(), b.prospect.reuse.round());
        y.total_cmp(&x).then(a.cost.total_cmp(&b.cost))
    });
    Ok(found)
}

fn candidate(
    f: &Analyses,
    (index, cluster): (usize, &Cluster),
    ((node, strip), riders): (StagedAt, Riders),
    limits: &Limits,
) -> Result<Candidate, Missed> {
    let not_affine = Missed::NotAffine {
        access: cluster.accesses[0],
    };
    let mut shape = shape::shape_in(f, cluster, (node, strip)).ok_or(not_affine)?;
    let mut legal = legality::check(f, cluster, &mut shape, (node, riders))?;
    if let Some(l) = strip {
        let added = legal.facts.add_trip(f.affine, l);
        added.map_err(|at| Missed::DivergentLoop { at })?;
    }
    let extents = shape.dims.iter().map(|d| d.extent.clone());
    let extents: Option<Vec<Extent>> = extents.collect();
    let mut made = Candidate {
        prospect: prospect_of((index, cluster), &shape, &legal, (node, strip)),
        shape,
        extents: extents.ok_or(Missed::UnboundedTile)?,
        legal,
        cost: 0.0,
    };
    check_size(&made, limits)?;
    measure(f, &mut made, limits);
    Ok(made)
}

/// Counts the reads of a typical launch, and what the copies of them cost.
fn measure(f: &Analyses, made: &mut Candidate, limits: &Limits) {
    let (node, strip) = made.prospect.place;
    let block = limits.block;
    let (cells, bounded) = cells(&made.extents, limits);
    let only_stores = made.prospect.is(Trait::OnlyStores);
    let members = made.prospect.members.iter().copied();
    let is_load = |a: AccessId| f.accesses.get(a).kind == AccessKind::Load;
    let loads: Vec<AccessId> = members.filter(|a| only_stores || is_load(*a)).collect();
    let cut = strip.map(|l| (l, TYPICAL_STRIP));
    let count = |threads: &dyn Fn(AccessId) -> f64| -> f64 {
        let each = loads
            .iter()
            .map(|a| executions(f, *a, node, cut) * threads(*a));
        each.sum()
    };
    let sectors = cells * f64::from(made.shape.size) / SECTOR as f64;
    let per_sector = count(&|a| extent::threads(left_by_equalities(f, a, block))) / sectors;
    let loads = count(&|_| extent::threads(block));
    made.prospect.reuse = loads / cells;
    made.cost = fills(f, node, strip) * 2.0 + if bounded { 0.0 } else { UNBOUNDED_COST };
    if made.is_lost(loads / extent::threads(block), per_sector) {
        made.prospect.traits.insert(Trait::Lost);
    }
}

/// Elements of a box for a typical block, and whether their number is bounded for every block.
fn cells(extents: &[Extent], limits: &Limits) -> (f64, bool) {
    let mut cells = 1.0;
    let mut bounded = true;
    for extent in extents {
        let e = extent.at(TYPICAL_STRIP, Merge::default());
        bounded &= extent::at_cap(&e, limits.largest).is_some();
        cells *= extent::typical(&e, limits.block).max(1.0);
    }
    (cells, bounded)
}

/// A tile too large even for the smallest blocks and strips is no candidate.
fn check_size(made: &Candidate, limits: &Limits) -> Result<(), Missed> {
    let mut bytes = u64::from(made.shape.size);
    for extent in &made.extents {
        let e = extent.at(limits.shortest, Merge::default());
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
