//! Launches whose threads the host may deal out to blocks of another size: candidates of each kernel, with versions or
//! without. What is launched is measured (`rt/`); a launch that no version is sure to gain keeps its blocks until then.
//!
//! ```text
//! grid 32, blocks of 256      8,192 threads on 32 of 132 multiprocessors
//! grid 128, blocks of 64      the same threads on 128 of them
//! ```
//! Where thread and block numbers along x occur in `ctaid.x * ntid.x + tid.x` alone, and threads of a block have
//! nothing to do with each other, which block a thread is in cannot be told. So the host may launch the same threads in
//! other blocks; what the kernel then does is what it does for any launch of that shape. Where the new ones do not hold
//! exactly the same threads, the last one has some more, which must be of no use: their ids lie beyond a limit that the
//! kernel tests first of all, and ends. The host works that limit out.
//!
//! Measured on an H200, each launched in blocks of its own size, microseconds (the plug-in's kernel or, in italics, the
//! original that the host launched):
//!
//! | kernel, threads | 32 | 64 | 128 | 256 | 512 |
//! |---|---|---|---|---|---|
//! | `mv_row`, 8,192 | 123 | 123 | 178 | 452 | *2202* |
//! | `row_max`, 16,384 | 73 | 72 | 110 | 174 | *1073* |
//! | `row_smooth`, 16,384 | 235 | 236 | 263 | 611 | *2447* |
//! | `softmax_rows`, 100,000 | 611 | 490 | 626 | 579 | *2221* |
//! | `covariance`, 1,024 | 8516 | 8705 | 8765 | 9937 | 11387 |
//! | `nbody`, 65,536 | *7204* | 3719 | 3695 | 3466 | 3521 |
//! | `kmeans`, 1 Mi | *2204* | 154 | 121 | 115 | *2222* |
//! | `device_table`, 4 Mi | 82 | 46 | 37 | 40 | 45 |
//! | `conv1d_constant`, 16 Mi | 319 | 161 | 83 | 78 | 83 |
//! | `mavg5`, 64 Mi | 1270 | 636 | 319 | 164 | 167 |
//! | `histogram`, 64 Mi | 1333 | 671 | 354 | 197 | 187 |
//!
//! Starting a block takes the chip 0.6 ns. Two seeds of random launches (3,900), the host's choice before and after:
//! where the kernel ran both times x1.30 in the mean, where the original ran and now the kernel does x4.4, where the
//! original ran both times x1.22.
//!
//! Refused: anything by which threads communicate, shared memory, volatile accesses, any other use of the ids, a block
//! size that is given.

use crate::access::Access;
use crate::kernel::{Dim, ids};
use crate::machine::target::{BLOCK_THREADS, SECTOR, Target};
use crate::machine::tuning::reshape::{EACH, LARGE, MANY, ROWS, SHORT_ROWS, SMALL, WIDE};
use crate::options::Options;
use crate::plan::active_bound::reach;
use crate::plan::analyses::Analyses;
use crate::plan::data::Plan;
use crate::plan::is_free;
use crate::plan::{Reshape, Rows, Rule, Wide};

/// What the host does with launches of a kernel for which `plan` is made; `f`: the kernel as a whole.
pub fn choose(f: &Analyses, plan: &Plan, options: &Options) -> Reshape {
    // Of a kernel that is left alone for what its threads do together nothing is known.
    let free = options.reshape && f.kernel.rejected.is_none() && is_free(f);
    let Some(target) = Target::of_sm(f.kernel.sm).filter(|_| free) else {
        return Reshape::default();
    };
    let [along, up, deep] = [Dim::X, Dim::Y, Dim::Z].map(|d| ids::uses_global_id_only(f.kernel, d));
    let rules = [few(f, plan, target), large(plan), many(f, plan)];
    let tiles = !plan.regions.is_empty() || plan.is_idle();
    let [row, rows] = WIDE;
    let wide = along && up && f.kernel.max_threads >= row * rows && !walks_up(f);
    Reshape {
        rules: rules.into_iter().flatten().filter(|_| along).collect(),
        reach: reach(f).filter(|_| along),
        rows: (up && tiles).then_some(Rows {
            threads: LARGE,
            along: ROWS,
        }),
        wide: wide.then_some(Wide {
            block: WIDE,
            along: SHORT_ROWS,
            layers: deep,
            least: EACH * target.sms,
            tall: plan.privatized.is_some() || plan.regions.iter().any(|r| !r.only_stores()),
        }),
        most: f.kernel.max_threads.min(BLOCK_THREADS),
    }
}

/// Whether threads of a column access neighbouring elements: long rows spread those over more lines (`transpose`, 128
/// rows in blocks of 8x32 that run the original: x0.24).
fn walks_up(f: &Analyses) -> bool {
    let step = |a: &Access| f.step_along(a.id, Dim::Y)?.as_constant();
    let mut all = f.accesses.list.iter();
    all.any(|a| step(a).is_some_and(|s| s != 0 && s.abs() < SECTOR))
}

/// Small blocks where a grid does not fill the chip with larger ones, and loops run, so that starting more blocks costs
/// nothing beside them. What windows slide over is short work (`mavg_edges`: x0.9 to x1.1).
fn few(f: &Analyses, plan: &Plan, target: &Target) -> Option<Rule> {
    if f.tree.loops.is_empty() || plan.has_windows() {
        return None;
    }
    let stretches = plan.regions.iter().any(|r| r.stretch.is_some());
    // Fewer than one block each, or where strips grow with the room that blocks have.
    let each = if stretches { BLOCK_THREADS } else { LARGE };
    Some(Rule {
        block: SMALL,
        from: [SMALL + 1, BLOCK_THREADS],
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
    let gains = merged || plan.privatized.is_some() || !plan.regions.is_empty() || plan.is_idle();
    let strips = plan.regions.iter().any(|r| r.strip.is_some());
    let ends_at_once = plan
        .lockstep
        .as_ref()
        .is_some_and(|t| !t.at_once.is_empty());
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
