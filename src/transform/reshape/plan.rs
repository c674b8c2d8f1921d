//! What of a kernel it is done to, as plain data, or why it is not. Idea and soundness: [`super`].

use super::legality::free_dimensions;
use crate::access::Access;
use crate::kernel::Dim;
use crate::machine::target::{BLOCK_THREADS, SECTOR, Target, WARP};
use crate::machine::tuning::reshape::{EACH, LARGE, MANY, ROWS, SHORT_ROWS, SMALL, WIDE};
use crate::options::Options;
use crate::plan::active_bound::active_bound;
use crate::plan::analyses::Analyses;
use crate::plan::data::Plan;
use crate::plan::{Reshape, Rows, Rule, Wide};

/// What the host does with launches of a kernel for which `plan` is made; `f`: the kernel as a whole.
pub fn choose(f: &Analyses, plan: &Plan, options: &Options) -> Option<Reshape> {
    let [along, up, deep] = options.reshape.then(|| free_dimensions(f))??;
    let target = Target::of_sm(f.kernel.sm)?;
    let rules = [few(f, plan, target), large(plan), many(f, plan)];
    let tiles = !plan.regions.is_empty() || plan.is_idle();
    let [row, rows] = WIDE;
    let wide = along && up && f.kernel.max_threads >= row * rows && !walks_up(f);
    let reshape = Reshape {
        rules: rules.into_iter().flatten().filter(|_| along).collect(),
        active: [(along, Dim::X), (up, Dim::Y)]
            .map(|(free, d)| active_bound(f, d).filter(|_| free)),
        rows: (up && tiles).then_some(Rows {
            threads: LARGE,
            along: ROWS,
        }),
        wide: wide.then_some(Wide {
            block: WIDE,
            along: SHORT_ROWS,
            layers: deep,
            least: EACH * target.sms,
            tall: plan.steps().is_some() || plan.regions.iter().any(|r| !r.only_stores()),
            flat: shares_both_ways(f, plan).then_some(target.sms),
        }),
        most: f.kernel.max_threads.min(BLOCK_THREADS),
    };
    (!reshape.lines().is_empty()).then_some(reshape)
}

/// Whether versions stage strips of what rows and columns of threads share: a flat block has one row or two to share
/// it, and no warps of 8x4 threads. Versions of a copy, which take the places of a kernel that stays, may do so,
/// too.
fn shares_both_ways(f: &Analyses, plan: &Plan) -> bool {
    let stages = plan.regions.iter().any(|r| r.strip.is_some());
    let is_unchanged = plan.is_idle() && !f.tree.loops.is_empty();
    is_unchanged || plan.merge.along(Dim::Y) > 1 && stages
}

/// Whether threads of a column access neighbouring elements: long rows spread those over more lines (`transpose`, 128
/// rows in blocks of 8x32 that run the original: x0.24).
fn walks_up(f: &Analyses) -> bool {
    let step = |a: &Access| f.step_along(a.id, Dim::Y)?.as_constant();
    let mut all = f.accesses.iter();
    all.any(|a| step(a).is_some_and(|s| s != 0 && s.abs() < SECTOR))
}

/// Small blocks where a grid does not fill the chip with larger ones, and loops run, so that starting more blocks costs
/// nothing beside them. What windows slide over is short work (`mavg_edges`: x0.9 to x1.1).
fn few(f: &Analyses, plan: &Plan, target: &Target) -> Option<Rule> {
    if f.tree.loops.is_empty() || plan.reuses() {
        return None;
    }
    let ways = || {
        let regions = plan.regions.iter();
        regions.flat_map(|r| &r.stretch).flat_map(|s| &s.ways)
    };
    let stretches = ways().next().is_some();
    // Fewer than one block each, or where strips grow with the room that blocks have.
    let each = if stretches { BLOCK_THREADS } else { LARGE };
    // Strips that are longer than a warp's are those of a warp.
    let block = match ways().any(|w| w.length > WARP) {
        true => WARP,
        false => SMALL,
    };
    Some(Rule {
        block,
        from: [block + 1, BLOCK_THREADS],
        threads: Some([1, each * target.sms]),
        least: 1,
    })
}

/// Blocks whose tiles there is room for; of a kernel without versions, blocks of which more fit a multiprocessor.
fn large(plan: &Plan) -> Option<Rule> {
    let wanted = !plan.regions.is_empty() || plan.is_idle();
    wanted.then_some(Rule {
        block: LARGE,
        from: [LARGE + 1, BLOCK_THREADS],
        threads: None,
        least: 1,
    })
}

/// Larger blocks where starting blocks takes as long as what they do, as of merged blocks, most of which end at once,
/// and where each block has tiles to fill. A kernel that stays as it is (an update of structs in place: x0.91 to x1.02
/// in blocks of 256) runs in other blocks where that was measured to gain, so it may have them, too.
fn many(f: &Analyses, plan: &Plan) -> Option<Rule> {
    let merged = plan.merge.replicas() > 1;
    let gains = merged || plan.stages() || plan.is_idle();
    let strips = plan.regions.iter().any(|r| r.strip.is_some());
    let ends_at_once = plan.lockstep().is_some_and(|t| !t.at_once.is_empty());
    let block = match merged && strips {
        true => LARGE / 2,
        // A few blocks do all, and the others end with their first comparison: the time that these take is that of
        // starting them.
        false if ends_at_once => BLOCK_THREADS,
        false => LARGE,
    };
    let is_launchable = f.kernel.max_threads >= block;
    (gains && is_launchable).then_some(Rule {
        block,
        from: [1, block / 2],
        threads: None,
        least: MANY,
    })
}
