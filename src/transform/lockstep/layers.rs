//! Blocks of several layers of the grid that load the same in their loops: maps of a convolution, heads that share
//! keys.
//!
//! ```text
//! map = ctaid.z;  s = 0                                              4 rows and 4 maps a thread:
//! for (c) for (i, j) s += in[c][y + i][x + j] * w[map][c][i][j]      6 rows of in for 16 sums, 4 of w
//! out[map][y][x] = s
//! ```
//! A thread's replicas are the same thread in neighbouring layers, and in neighbouring rows where there are such. What
//! does not hang on the layer is loaded once for all of them, and what hangs on it alone once for all rows. Sums of a
//! thread in registers, as in a product's tiles by hand (Volkov, *Better performance at lower occupancy*, GTC 2010).
//! Whether it gains, and with how many, is measured.

use super::version::version;
use crate::access::{Access, AccessKind};
use crate::kernel::Dim;
use crate::kernel::ids::{self, Register};
use crate::machine::tuning::layers::{FLAT, PLANE};
use crate::plan::analyses::Analyses;
use crate::plan::data::{KernelPlan, Plan, Proposal};
use crate::plan::extent;
use crate::plan::global_ids::is_free_of;
use crate::plan::replica_address::is_out_of_place;
use crate::tree::Node;

/// The versions of a kernel that asks along a dimension for its block's number alone.
pub fn choose(f: &Analyses) -> Proposal {
    let asks = |d: Dim, of: Register| {
        let mut all = f.kernel.blocks.iter().flat_map(|b| b.instructions());
        all.any(|i| ids::register(i) == Some((of, d)))
    };
    let is_layered = |d: &Dim| asks(*d, Register::Ctaid) && !asks(*d, Register::Tid);
    let mut all = Dim::ALL.into_iter().filter(is_layered);
    let d = all.find(|d| shares_loads(f, *d) && shares_loops(f, *d));
    let d = d.ok_or(None)?;
    let [_, y, _] = extent::thread_dimensions(f.affine);
    let factors = if y && d != Dim::Y {
        &PLANE[..]
    } else {
        &FLAT[..]
    };
    let versions = factors.iter().filter_map(|(rows, layers)| {
        let mut factor = [1, *rows, 1];
        factor[d.index()] = *layers;
        rolled(f, factor)
    });
    let mut versions = versions.collect::<Vec<Plan>>().into_iter();
    let first = versions.next().ok_or(None)?;
    Ok(KernelPlan {
        first,
        alternatives: versions.collect(),
        ..KernelPlan::default()
    })
}

/// Whether half of what a loop's iterations load, or more, is the same for all blocks along `d`.
fn shares_loads(f: &Analyses, d: Dim) -> bool {
    let is_looped = |a: &&Access| {
        let node = f.node_of(a.id);
        a.kind == AccessKind::Load && node.is_some_and(|n| !f.tree.enclosing_loops(n).is_empty())
    };
    let looped = f.accesses.iter().filter(is_looped);
    let is_own = |a: &&Access| {
        let pointer = f.kernel.value(a.value).operand(0);
        ids::reads_block_id(pointer, Dim::ALL.map(|x| x == d))
    };
    let (own, shared): (Vec<_>, Vec<_>) = looped.partition(is_own);
    !shared.is_empty() && shared.len() >= own.len()
}

/// Whether loops are as long for all blocks along `d`: others run replica by replica.
fn shares_loops(f: &Analyses, d: Dim) -> bool {
    f.tree.loop_ids().all(|l| {
        let trip = f.affine.uniform_trip(l);
        trip.is_some_and(|t| [&t.span, &t.step].iter().all(|p| is_free_of(f, p, d)))
    })
}

/// Replicas without tiles, where all of them run each loop equally often and store to places of their own; loops stay
/// as they are written.
pub fn rolled(f: &Analyses, factor: [u32; 3]) -> Option<Plan> {
    let is_joint = |l| f.affine.uniform_trip(l).is_some();
    let is_opaque = |n: &Node| matches!(n, Node::Opaque { .. });
    if !f.tree.loop_ids().all(is_joint) || f.tree.nodes.iter().any(is_opaque) || !is_out_of_place(f)
    {
        return None;
    }
    let mut plan = version(f, factor).ok()?;
    let ifs = f.tree.nodes.iter().filter(|n| matches!(n, Node::If { .. }));
    let how = plan.lockstep_mut()?;
    how.rolled = true;
    let guarded = ifs.count() == how.guards.len();
    (guarded && super::stores_are_disjoint(f, plan.merge)).then_some(plan)
}
