//! Versions for kernels whose threads read sliding windows: moving averages, convolutions, filters.
//!
//! Staging a window saves little where L1 holds it anyway; merged blocks whose reads slide
//! ([`super`]) read the tile once per iteration for all replicas. So where plain staging is not sure
//! to pay, blocks are merged only if all that a loop reads comes from tiles and slides.
//!
//! Measured on an H200 against the naive kernel: convolution 17x17, 4096², 16x16 threads, 8 blocks
//! along x x4.88, 4 blocks x4.3; 1024² x3.4 and x3.3; 512² x1.9 and x2.4; 64² x1.2 and x1.7. Moving
//! average, 2^24, 4 blocks: radius 64 x2.57, 16 x1.5; 2048 elements x1.4. The same for interior blocks
//! (`affine::interior`): convolution with clamps x4.8, with tests in the loop x3.2 (31 taps in constant
//! memory), moving average with tests x4.8.
//!
//! For rows the blocks that end at once decide: three of four do, and every instruction before that
//! counts. Eight blocks in place of four gain nothing there, nor do gaps in the tile that keep reads of
//! neighbouring threads in different banks (radius 64: x2.50, with gaps x2.30).

use crate::access::{Access, AccessId, AccessKind, Base};
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::machine::target::Target;
use crate::machine::tuning::register_window::{
    FEWER_REPLICAS, MANY_REPLICAS, REPLICAS, ROW_BYTES, SHORT, SQUARE_BYTES,
};
use crate::plan::analyses::{Analyses, is_launch_wide};
use crate::plan::data::{Member, Plan, Region, Reuse};
use crate::plan::model::{self, Shape};
use crate::transform::way::{MergedVersions, MergedWithin};
use crate::tree::{LoopId, Node};

/// How they are chosen, and told from others.
pub const VERSIONS: MergedVersions = MergedVersions {
    choose: versions,
    is_one: has_windows,
};

/// The versions that the model expects to gain, best first for large grids; none if there are none. Eight blocks merged
/// gain more in large grids (4096², 16x16 threads, 17x17: x4.7 in place of x4.2), less in others (1024²: x3.0 and
/// x3.2).
fn versions(f: &Analyses, target: &Target, reads: [bool; 3], merged: &MergedWithin) -> Vec<Plan> {
    let square = reads[1] || reads[2];
    let budget = if square { SQUARE_BYTES } else { ROW_BYTES };
    let windowed = |factor| merged(factor, budget).ok().filter(|p| has_windows(f, p));
    let Some(usual) = windowed(REPLICAS) else {
        return Vec::new();
    };
    if !model::verdict(&model::forecast(f, &usual, target, Shape::of(&usual)))
        || longest(f, &loops_of(f, &usual)).is_some_and(|n| n < SHORT)
    {
        return Vec::new();
    }
    let trips = loops_of(f, &usual).into_iter().map(Atom::Trip);
    // Where the iteration of one loop, or the block, decides how long another one is, no launch tells how long windows
    // are.
    if !trips.map(Poly::atom).all(|t| is_launch_wide(f, &t)) {
        return Vec::new();
    }
    if !square {
        return vec![usual];
    }
    let all = !f.affine.interior;
    let many = all.then(|| windowed(MANY_REPLICAS)).flatten();
    let few = windowed(FEWER_REPLICAS);
    many.into_iter().chain([usual]).chain(few).collect()
}

/// The loops around a member, which run through the window.
fn loops_of(f: &Analyses, plan: &Plan) -> Vec<LoopId> {
    let tiles = plan.tiles();
    let mut members = tiles.flat_map(|t| &t.members);
    let node = members.find_map(|m| f.node_of(m.access));
    node.map_or(Vec::new(), |n| f.tree.enclosing_loops(n))
}

/// The most elements that a window can have, where each of its loops walks through an array of known size: a mask in
/// constant memory, say. Nothing rests on it: other iterations would read beyond the array's end.
fn longest(f: &Analyses, loops: &[LoopId]) -> Option<i64> {
    let module = f.kernel.function.module();
    let within = |l: LoopId, a: &Access| {
        let index = &f.affine.address(a.id)?.index;
        let (each, _) = index.split(|x| x == Atom::Iter(l))?;
        let step = each.get(&Atom::Iter(l))?.as_constant()?.checked_abs()?;
        let base = f.kernel.value(f.accesses.array(a.array?).base);
        let (root, _) = base.parameter_offset(module)?;
        let bytes = root
            .is_global_variable()
            .then(|| module.alloc_size(root.global_value_type()))?;
        let bytes = i64::try_from(bytes).ok().filter(|b| *b > 0)?;
        (step > 0).then(|| bytes.div_euclid(step) + 1)
    };
    let most = |l: &LoopId| {
        let mine = f.accesses_in(*l);
        mine.filter_map(|a| within(*l, a)).min()
    };
    loops
        .iter()
        .map(most)
        .try_fold(1i64, |all, n| all.checked_mul(n?))
        .filter(|_| !loops.is_empty())
}

/// Whether all that the innermost loops of a plan's regions read comes from tiles and slides, and
/// some of it from replica to replica.
fn has_windows(f: &Analyses, plan: &Plan) -> bool {
    let members = || {
        let tiles = plan.tiles();
        tiles.flat_map(|t| &t.members)
    };
    let of = |a: AccessId| members().find(|m| m.access == a)?.reuse;
    let is_along = |s: &Reuse| s.along.is_some();
    let whole = |r: &Region| r.strip.is_none();
    let inner = |l: &LoopId| {
        let body = f.tree.loop_(*l).body;
        let holds = f.tree.loops.iter().any(|x| f.tree.contains(body, x.node));
        let node = f.tree.loop_(*l).node;
        !holds && plan.regions.iter().any(|r| f.tree.contains(r.node, node))
    };
    let fine = |l: LoopId| {
        let loop_accesses = f.accesses_in(l);
        // Constant memory serves all replicas at once.
        let constant = |a: &&Access| {
            let origin = a.array.map(|x| f.accesses.array(x).origin);
            origin == Some(Base::Constant)
        };
        let mut loads = loop_accesses.filter(|a| !constant(a));
        let window = |a: &Access| of(a.id).filter(|_| a.kind == AccessKind::Load);
        let all: Option<Vec<Reuse>> = loads.by_ref().map(window).collect();
        all.is_some_and(|s| s.iter().any(is_along))
    };
    let loops = f.tree.loop_ids().filter(inner);
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
