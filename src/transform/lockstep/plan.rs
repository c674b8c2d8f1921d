//! What of a kernel it is done to, as plain data, or why it is not. Idea and soundness: [`super`].

use super::legality::guards;
use super::version::version;
use super::{side_by_side, streaming};
use crate::access::AccessKind;
use crate::kernel::ids;
use crate::machine::target::Target;
use crate::machine::tuning::replica_address::{COALESCED, MOST_INSTRUCTIONS};
use crate::options::Options;
use crate::plan::analyses::Analyses;
use crate::plan::data::{KernelPlan, Plan, Proposal, Refusal};
use crate::plan::extent;
use crate::plan::model::{self, Shape};
use crate::plan::replica_address::is_out_of_place;
use crate::tree::Node;

/// The version without tiles for a kernel of which nothing is staged.
pub fn choose(f: &Analyses, options: &Options) -> Proposal {
    match options.merge {
        Some([1, 1, 1]) => Err(None),
        Some(factor) => {
            let other = streaming::version_of(f, factor);
            let other = other.or_else(|| side_by_side::version_of(f, factor));
            match other.map_or_else(|| version(f, factor), Ok) {
                Ok(first) => Ok(first.into()),
                Err(why) => Err(Some(Refusal::Merge(why))),
            }
        }
        None => by_default(f).ok_or(None),
    }
}

/// The version that is sure to gain: a thread of such a kernel loads a few neighbours' elements,
/// stores one, and ends. Too few bytes are in flight to fill the memory's pipes, and blocks come and go;
/// replicas add bytes, and share what they load. Measured on an H200, large grids:
///
/// | kernel | replicas | gain |
/// |---|---|---|
/// | saxpy, moving averages of 3, 5, 7, blocks of 256 | 4x1x1 | x1.28, x1.29, x1.32, x1.37 |
/// | 5-point stencil, 32x8 and 16x16 | 2x2x1 | x1.50, x1.53 |
/// | maximum of 3x3 | 2x2x1 | x1.10 |
/// | 9-point stencil with clamps, 16x16 and 32x8 | 2x2x1 | x1.31, x1.34 |
/// | 7-point stencil in 3-D, 32x4x2 and 8x8x4 | 1x4x1 | x1.40, x1.19 |
/// | radius 4 in 3-D, 32x4x1 and 8x8x4 | 1x2x1 | x1.14, x1.22 |
///
/// Loops inside (gather x0.97, sparse rows x0.71, a march along z x0.46) are left alone: unsure means
/// hands off.
fn by_default(f: &Analyses) -> Option<KernelPlan> {
    if !loads_any(f) || !is_short(f) || !is_coalesced(f) || !is_out_of_place(f) {
        return None;
    }
    let target = Target::of_sm(f.kernel.sm)?;
    let reads = extent::thread_dimensions(f.affine);
    let (four, two) = match reads {
        [_, _, true] => ([1, 4, 1], [1, 2, 1]),
        [_, true, _] => ([2, 2, 1], [1, 2, 1]),
        _ => ([4, 1, 1], [2, 1, 1]),
    };
    let gains = |plan: &Plan| {
        let forecast = model::forecast(f, plan, target, Shape::of(plan));
        forecast.large().is_some_and(|p| p.gain() > 1.0)
    };
    let made = |factor| version(f, factor).ok();
    let mut all: Vec<Plan> = [four, two].into_iter().filter_map(made).collect();
    all.retain(|p| super::stores_are_disjoint(f, p.merge) && gains(p));
    // Fewer replicas are another choice where what they share needs registers.
    let shares = |p: &Plan| p.lockstep().is_some_and(|t| t.addresses.1 < t.addresses.0);
    let mut all = all.into_iter();
    let first = all.next()?;
    let streamed = streaming::by_default(f).filter(|p| loads_each(p) < loads_each(&first));
    Some(KernelPlan {
        first,
        alternatives: all
            .filter(shares)
            .chain(streamed)
            .chain(side_by_side::by_default(f))
            .collect(),
        ..KernelPlan::default()
    })
}

/// Loads of a replica.
fn loads_each(plan: &Plan) -> f64 {
    let loaded = plan.lockstep().map_or(0, |t| t.addresses.1);
    f64::from(loaded) / f64::from(plan.merge.replicas())
}

/// Whether there is a load to bring forward: replicas have nothing else to gain. Every program that uses CUB has an
/// empty kernel, by which it asks for the chip's architecture.
fn loads_any(f: &Analyses) -> bool {
    f.accesses.iter().any(|a| a.kind == AccessKind::Load)
}

/// Straight code between guards, and little of it.
fn is_short(f: &Analyses) -> bool {
    let shape = f
        .tree
        .nodes
        .iter()
        .all(|n| !matches!(n, Node::Loop(_) | Node::Opaque { .. }));
    let ifs = f.tree.nodes.iter().filter(|n| matches!(n, Node::If { .. }));
    let instructions: usize = f.kernel.blocks.iter().map(|b| b.instructions().len()).sum();
    shape && ifs.count() == guards(f).len() && instructions <= MOST_INSTRUCTIONS
}

/// Whether neighbouring threads access neighbouring elements, everywhere.
fn is_coalesced(f: &Analyses) -> bool {
    f.accesses.iter().all(|a| {
        let pointer = a.pointer.map(|p| f.kernel.value(p));
        let step = pointer.and_then(|p| ids::step_along_x(f.kernel, p));
        step.is_some_and(|s| s <= COALESCED)
    })
}
