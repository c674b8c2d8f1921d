//! Store tiles: arrays that are only written, by an index that no warp writes in one piece.
//!
//! ```text
//! out[x*h + y] = in[y*w + x]     neighbouring threads (tid.x) store 4*h bytes apart;
//!                                those of the next tid.y, 4 bytes apart
//!     tile[x'][y'] = …; barrier; out[…] = tile, threads along y
//! ```
//! The stores go to a tile, and when the region or strip is done the block writes the tile to
//! global memory along its innermost dimension. Nothing is copied in. The elements must be exactly
//! known (`legality`), because each is written back and nothing else may be.
//!
//! Worth a tile is a store with neighbouring threads a sector or more apart, if something else that
//! varies in the region, another thread index or a loop's iteration, moves it by less. All others
//! keep their stores, also at `force`: a tile would only add a copy.

use super::analyses::Analyses;
use super::data::{KernelPlan, NoMerge, Plan, Prospect, Refusal, Trait};
use crate::access::AccessId;
use crate::kernel::Dim;
use crate::machine::tuning::stores::TILE_CELLS;

/// The store tiles of a kernel in which nothing else is staged, if they gain: outside of loops, in a kernel without
/// any, so that the stores are most of what it does. Measured by hand on an H200: a transpose of 16x16 blocks gains
/// x1.9, of 32x32 blocks x3.3.
pub fn sure(f: &Analyses, candidates: &[Prospect]) -> Vec<Prospect> {
    let sure = |c: &&Prospect| c.is(Trait::OnlyStores) && c.row().is_some();
    let all = candidates.iter().filter(|_| f.tree.loops.is_empty());
    all.filter(sure).cloned().collect()
}

/// Whether all of some candidates are store tiles of whole regions.
pub fn are_all<'a>(picked: impl IntoIterator<Item = &'a Prospect>) -> bool {
    let mut list = picked.into_iter().peekable();
    list.peek().is_some() && list.all(|c| c.is(Trait::OnlyStores) && !c.in_strips())
}

/// The version in which four blocks fill a tile together, side by side along its rows, or `plan`, which
/// is that of one block. A thread of such a kernel loads an element, stores it, and ends: the tests and
/// the numbering of its threads take most of its time, and are done once for all four.
///
/// Transpose of 8192 on an H200, blocks of 16x16, 32x32, 32x8, and of 1024 with 16x16:
///
/// | blocks merged | gain |
/// |---|---|
/// | 1 | x1.69, x2.79, x3.52; x1.45 |
/// | 2x2 | x2.35, x3.51, x4.84; x1.46 |
/// | 1x4 | x2.51, x3.69, x5.28; x1.71 |
/// | 2x4 | x2.23, x4.24, x4.66; x1.49 |
pub fn merged(
    plan: Plan,
    picked: &[Prospect],
    merge: &dyn Fn([u32; 3]) -> Result<Plan, NoMerge>,
) -> KernelPlan {
    let Some(along) = picked.iter().find_map(Prospect::row) else {
        return plan.into();
    };
    let factor = Dim::ALL.map(|d| if d == along { 4 } else { 1 });
    if plan.is_idle() || along == Dim::X {
        return plan.into();
    }
    match merge(factor) {
        Ok(merged) => merged.into(),
        Err(why) => KernelPlan::from(plan).refused(Some(Refusal::Merge(why))),
    }
}

/// The candidate of `here`, read in strips of rows, in whose slots a store tile may lie: each thread reads
/// the cell that it stores to, once an iteration and before, and no other thread of a block without
/// further dimensions reads it (one row, one thread). `dst[row*n + j] = f(src[row*m + j])`.
pub fn over(f: &Analyses, here: &[&Prospect], store: &Prospect) -> Option<usize> {
    let ways = [true, false].map(|forwards| Trait::OwnCell { forwards });
    let way = ways.into_iter().find(|w| store.is(*w))?;
    let first = store.members.iter().min()?;
    // A loop inside the strip would read again what it has stored.
    let once = |c: &Prospect, a: AccessId| {
        let enclosing = f.node_of(a).map(|n| f.tree.enclosing_loops(n));
        enclosing.is_some_and(|l| l.first().copied() == c.place.1)
    };
    here.iter().position(|c| {
        !c.is(Trait::OnlyStores)
            && c.is(way)
            && c.size == store.size
            && c.members.iter().all(|a| a < first && once(c, *a))
    })
}

/// Shared memory that store tiles outside of loops may take.
pub fn budget(candidates: &[Prospect]) -> u32 {
    candidates.iter().map(|c| c.size * TILE_CELLS).sum()
}
