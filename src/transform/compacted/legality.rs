//! What must hold of a kernel and its plan. Idea and soundness: [`super`].

use crate::kernel::{Dim, ids};
use crate::plan::analyses::Analyses;
use crate::plan::data::Plan;
use crate::plan::global_ids::is_about_grid;

/// Whether `plan` may have them, by itself: where blocks merged in two dimensions, or along y, read strips together.
///
/// Those that end at once come last, and nothing is left to run beside them: of light blocks along x that costs more
/// (`device_table`, 65,536 of 64 threads: x1.57 and x1.16). Where blocks differ along z too, each layer has its first
/// blocks, and so nothing is dealt out evenly (`mm_batch`: x6.5 and x6.2). Elsewhere windows slide, or blocks that lie
/// side by side fill a tile.
pub fn may(f: &Analyses, plan: &Plan) -> bool {
    let strips = plan.regions.iter().any(|r| r.strip.is_some());
    let mut tiles = plan.tiles();
    let reads =
        tiles.all(|t| t.write_back.is_empty()) && plan.regions.iter().all(|r| !r.whole_async);
    let mut merged = Dim::ALL.into_iter().filter(|d| plan.merge.along(*d) > 1);
    let alike = merged.all(|d| is_about_grid(f, plan, d));
    let flat = plan.merge.along(Dim::Y) > 1 && !ids::dimensions(f.kernel)[Dim::Z.index()];
    flat && strips && reads && !f.affine.interior && alike
}
