//! Versions for kernels whose threads read sliding windows: moving averages, convolutions, filters.
//!
//! Staging a window saves little where L1 holds it anyway; merged blocks whose reads slide
//! (`plan::slide`) read the tile once per iteration for all lanes. So where plain staging is not sure
//! to pay, blocks are merged only if all that a loop reads comes from tiles and slides.
//!
//! Measured on an H200 against the naive kernel: convolution 17x17, 4096², 8 blocks along x x4.0,
//! 4 blocks x3.6; 1024² x3.0 and x3.2; 64² x1.05 and x1.40. Moving average, radius 64, 4 blocks
//! x2.2 where a block of 256 takes 12 KiB, and x2.6 with blocks of 64; those with 48 KiB x1.3.

use super::legality::Facets;
use super::merge::NoMerge;
use super::model::{self, Shape};
use super::{Member, Plan, Region, slide::Slide, versions};
use crate::access::{AccessId, AccessKind};
use crate::kernel::Dim;
use crate::target::Target;
use crate::tree::{LoopId, Node};

/// Factors that are tried, by the dimensions that blocks have: those for large grids, those for all.
const LARGE: [[u32; 3]; 2] = [[4, 2, 1], [1, 8, 1]];
const ALL: [[u32; 3]; 2] = [[4, 1, 1], [1, 4, 1]];
/// Bytes of tiles for blocks that are rows: 16 blocks of 64 threads with them fit a multiprocessor,
/// as many as have registers.
const ROW_BYTES: u32 = 12 * 1024;
/// For blocks of two dimensions: 7 blocks fit a multiprocessor, more than have registers at 256
/// threads; 17 x 17 elements around 32x8 threads fit, 8 blocks merged.
const SQUARE_BYTES: u32 = 28 * 1024;
/// A version with twice the lanes must be expected to gain this much more.
const WORTH_LANES: f64 = 1.05;

/// What makes a version with some blocks merged, given the bytes it may take.
pub type Merged<'a> = dyn Fn([u32; 3], u32) -> Result<Plan, NoMerge> + 'a;

/// The versions that the model expects to gain, best first for large grids. None: there are none.
pub fn versions(f: &Facets, target: &Target, reads: [bool; 3], merged: &Merged) -> Vec<Plan> {
    let budget = if reads[1] || reads[2] {
        SQUARE_BYTES
    } else {
        ROW_BYTES
    };
    let of = |factors: [[u32; 3]; 2]| {
        let allowed = |r: &[u32; 3]| (0..3).all(|d| r[d] == 1 || reads[d]);
        let made = factors.into_iter().filter(allowed).filter_map(|r| {
            let plan = merged(r, budget).ok().filter(|p| slides(f, p))?;
            let forecast = model::forecast(f, &plan, target, Shape::of(&plan));
            let gain = forecast.large()?.gain();
            let plan = versions::with_least_trip(plan, forecast.least_trip);
            model::verdict(&forecast).then_some((gain, plan))
        });
        made.max_by(|a, b| a.0.total_cmp(&b.0))
    };
    let Some((gain, small)) = of(ALL) else {
        return Vec::new();
    };
    let mut list = Vec::new();
    if let Some((more, large)) = of(LARGE)
        && more >= gain * WORTH_LANES
    {
        list.push(versions::for_large_grids(large, target, None));
    }
    list.push(small);
    list
}

/// Whether all that the innermost loops of a plan's regions read comes from tiles and slides, and
/// some of it from lane to lane.
fn slides(f: &Facets, plan: &Plan) -> bool {
    let members = || {
        let tiles = plan.regions.iter().flat_map(|r| &r.tiles);
        tiles.flat_map(|t| &t.members)
    };
    let of = |a: AccessId| members().find(|m| m.access == a).and_then(|m| m.slide);
    let is_along = |s: &Slide| s.along.is_some();
    let whole = |r: &Region| r.strip.is_none();
    let inner = |l: &LoopId| {
        let body = f.tree.loop_(*l).body;
        let holds = f.tree.loops.iter().any(|x| f.tree.contains(body, x.node));
        let node = f.tree.loop_(*l).node;
        !holds && plan.regions.iter().any(|r| f.tree.contains(r.node, node))
    };
    let fine = |l: LoopId| {
        let blocks = &f.tree.loop_(l).blocks;
        let mut loads = f.accesses.list.iter().filter(|a| blocks.contains(&a.block));
        let all: Option<Vec<Slide>> = loads
            .by_ref()
            .map(|a| of(a.id).filter(|_| a.kind == AccessKind::Load))
            .collect();
        all.is_some_and(|s| s.iter().any(is_along))
    };
    let loops = (0..f.tree.loops.len() as u32).map(LoopId).filter(inner);
    let loops: Vec<LoopId> = loops.collect();
    let in_loop = |m: &Member| {
        let node = f.node_of(m.access);
        node.is_some_and(|n| {
            loops
                .iter()
                .any(|l| f.tree.contains(f.tree.loop_(*l).node, n))
        })
    };
    plan.regions.iter().all(whole)
        && plan
            .regions
            .iter()
            .all(|r| matches!(f.tree.node(r.node), Node::Loop(_)))
        && !loops.is_empty()
        && loops.iter().all(|l| fine(*l))
        && members().all(in_loop)
        && Dim::ALL
            .iter()
            .all(|d| plan.merge.along(*d) == 1 || plan.merge.consecutive[d.index()])
}
