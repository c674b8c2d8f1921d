//! Launches whose threads the host deals out to blocks of another size.
//!
//! ```text
//! grid 32, blocks of 256      8,192 threads on 32 of 132 multiprocessors
//! grid 128, blocks of 64      the same threads on 128 of them
//! ```
//! Where thread and block numbers along x occur in `ctaid.x * ntid.x + tid.x` alone, and threads of a block have nothing to do with each other, which block a
//! thread is in cannot be told. So the host may launch the same threads in other blocks; what the kernel then does is what it
//! does for any launch of that shape. Where the new ones do not hold exactly the same threads, the last one has some
//! more, which must be of no use: their ids lie beyond a limit that the kernel tests first of all, and ends. The host works that limit out.
//!
//! Measured on an H200, each launched in blocks of its own size, microseconds (the plug-in's kernel or, in italics, the original that the host launched):
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
//! Starting a block takes the chip 0.6 ns. Two seeds of random launches (3,900), the host's choice before and after: where the kernel ran both times x1.30 in the mean,
//! where the original ran and now the kernel does x4.4, where the original ran both times x1.22.
//!
//! Refused: anything by which threads communicate, shared memory, volatile accesses, any other use of the ids, a block size that is given.

use super::legality::Facets;
use super::reached::{Reached, reach};
use super::{Plan, Tile};
use crate::access::{Access, AccessKind};
use crate::affine::Atom;
use crate::kernel::{Dim, ids};
use crate::llvm::ir::Op;
use crate::options::Options;
use crate::target::{BLOCK_THREADS, GRID_ROWS, Target};
use std::fmt;

/// Threads of a small block, and of a large one.
const SMALL: u32 = 64;
const LARGE: u32 = 256;
/// Threads of a grid from which more blocks are of use: below, a block's threads that have no work still copy (`row_scan`, 64 rows in a block of 256: x0.44).
const SOME: u32 = 512;
/// Threads of a row of blocks that lose rows.
const ROWS: [u32; 2] = [16, 32];
/// Threads of a row of blocks that get rows of a warp, and how many of those they get.
const NARROW: [u32; 2] = [1, 8];
const WIDE: [u32; 2] = [32, 8];
/// Threads for each multiprocessor up to which a grid is small, and where strips grow with the room that blocks have.
const FILLED: u32 = 256;
const STRETCHED: u32 = 1024;
/// Blocks from which a grid is one of many.
const MANY: u32 = 4096;
/// Threads of long rows to those of short ones, at most: of the others nobody has any use (rows of 40 threads in 64: x0.87 to x0.90, of 24 in 32: x0.81).
pub const MOST_WASTE: [u64; 2] = [8, 9];
/// Blocks for each multiprocessor from which long rows are of more use than small blocks: 1,024 blocks of 32x8 are too few (`mm_early`, 512 x 512).
const EACH: u32 = 16;
/// Bytes of a sector of memory.
const SECTOR: i64 = 32;
/// Threads of a grid that is looked at: ids of some more fit in 31 bits.
pub const MOST_THREADS: u64 = (1 << 31) - 1 - BLOCK_THREADS as u64;

/// Blocks that the threads of some launches are dealt out to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regroup {
    /// The first that fits says which.
    pub rules: Vec<Rule>,
    /// Which threads are of use: there may be more of the others.
    pub reach: Option<Reached>,
    /// Blocks of several rows that get fewer of them.
    pub rows: Option<Rows>,
    /// Blocks of several short rows that get long ones.
    pub wide: Option<Wide>,
    /// Threads of a block that the kernel may be launched with, at most: what fails goes on to fail.
    pub most: u32,
}

/// Blocks in rows of `along` at least and at most get `rows` rows of `row` threads each, and one layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wide {
    /// Threads of a row, and rows.
    pub block: [u32; 2],
    /// Threads of a row that there are.
    pub along: [u32; 2],
    /// Whether blocks may have had layers.
    pub layers: bool,
    /// Blocks of the grid then, at least.
    pub least: u32,
    /// Whether blocks of as many threads, in rows of the most that there may be, keep them: what fills tiles for 8x32 threads fills no
    /// fewer for 32x8.
    pub tall: bool,
}

/// Blocks of more than `threads` threads, in rows of `along` at least and at most, get as many rows as make `threads`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Threads of a block.
    pub threads: u32,
    /// Threads of a row.
    pub along: [u32; 2],
}

/// Which launches get blocks of another size. All sizes are threads along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What a block gets.
    pub block: u32,
    /// What it has: at least and at most.
    pub from: [u32; 2],
    /// Threads of the grid, at least and at most; none: any number.
    pub threads: Option<[u32; 2]>,
    /// Blocks of the grid, at least.
    pub least: u32,
}

impl Rule {
    fn fits(&self, x: u32, blocks: u64) -> bool {
        let threads = blocks * u64::from(x);
        (self.from[0]..=self.from[1]).contains(&x)
            && blocks >= u64::from(self.least)
            && self
                .threads
                .is_none_or(|[low, high]| (u64::from(low)..=u64::from(high)).contains(&threads))
    }
}

impl Regroup {
    /// Each kind of launches, in words.
    pub fn lines(&self) -> Vec<String> {
        let rules = self.rules.iter().map(ToString::to_string);
        let rows = self.rows.map(|r| r.to_string());
        let wide = self.wide.map(|w| w.to_string());
        rules.chain(rows).chain(wide).collect()
    }

    /// Whether every launch keeps its blocks.
    pub fn is_none(&self) -> bool {
        self.rules.is_empty() && self.rows.is_none() && self.wide.is_none()
    }

    /// Blocks of a launch that may be another, if it is one that the chip takes and thread numbers fit.
    fn looked_at(&self, block: [u32; 3], grid: [u32; 3]) -> Option<u64> {
        let is_taken =
            block.iter().all(|n| *n <= BLOCK_THREADS) && grid[1..].iter().all(|n| *n <= GRID_ROWS);
        let area: u64 = block.iter().map(|n| u64::from(*n)).product();
        let blocks: u64 = grid
            .iter()
            .filter(|_| is_taken)
            .map(|n| u64::from(*n))
            .product();
        let fits = is_taken
            && area <= u64::from(self.most)
            && blocks <= MOST_THREADS
            && blocks * area <= MOST_THREADS;
        fits.then_some(blocks)
    }

    /// The block and grid that a launch gets; `None`: its own. `reached`: how many threads along x do something, where that is known.
    /// `choice::blocks` emits the same.
    pub fn of(
        &self,
        block: [u32; 3],
        grid: [u32; 3],
        reached: Option<i128>,
    ) -> Option<([u32; 3], [u32; 3])> {
        let ([x, y, z], [along, gy, gz]) = (block, grid);
        let blocks = self.looked_at(block, grid)?;
        let threads = u64::from(along) * u64::from(x);
        let spare = reached.is_some_and(|n| n <= i128::from(threads));
        if [y, z] != [1, 1] {
            let wide = self.wide.and_then(|w| w.of(block, grid, spare));
            return wide.or_else(|| self.rows?.of(block, grid));
        }
        let is_whole = |r: &Rule| spare || threads.is_multiple_of(u64::from(r.block));
        let mut rules = self.rules.iter();
        let rule = rules.find(|r| r.fits(x, blocks) && is_whole(r))?;
        let along = u32::try_from(threads.div_ceil(u64::from(rule.block))).ok()?;
        Some(([rule.block, 1, 1], [along, gy, gz]))
    }
}

impl Rows {
    fn of(&self, block: [u32; 3], grid: [u32; 3]) -> Option<([u32; 3], [u32; 3])> {
        let ([x, y, z], [gx, gy, gz]) = (block, grid);
        let area = u64::from(x) * u64::from(y);
        let is_tall = (self.along[0]..=self.along[1]).contains(&x)
            && self.threads.is_multiple_of(x)
            && z == 1
            && area > u64::from(self.threads);
        let rows = is_tall.then(|| self.threads / x)?;
        let all = u64::from(gy) * u64::from(y);
        let count = u32::try_from(all / u64::from(rows)).ok()?;
        let fits = all.is_multiple_of(u64::from(rows)) && count <= GRID_ROWS;
        fits.then_some(([x, rows, 1], [gx, count, gz]))
    }
}

impl Wide {
    fn of(&self, block: [u32; 3], grid: [u32; 3], spare: bool) -> Option<([u32; 3], [u32; 3])> {
        let [row, rows] = self.block.map(u64::from);
        let [along, up, deep] = [0, 1, 2].map(|d| u64::from(block[d]) * u64::from(grid[d]));
        let count = [along.div_ceil(row), up / rows, deep];
        let area: u64 = block.iter().map(|n| u64::from(*n)).product();
        let is_tall = block[0] == self.along[1] && area >= row * rows;
        let all = count[0] * row;
        let is_full = all * MOST_WASTE[0] <= along * MOST_WASTE[1];
        let fits = (self.along[0]..=self.along[1]).contains(&block[0])
            && (block[2] == 1 || self.layers)
            && !(self.tall && is_tall)
            && is_full
            && (spare || along.is_multiple_of(row))
            && up.is_multiple_of(rows)
            && count[1..].iter().all(|n| *n <= u64::from(GRID_ROWS))
            && count.iter().product::<u64>() >= u64::from(self.least);
        let count = count.map(|n| u32::try_from(n).ok());
        let [Some(x), Some(y), Some(z)] = count else {
            return None;
        };
        fits.then_some(([self.block[0], self.block[1], 1], [x, y, z]))
    }
}

impl fmt::Display for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([row, rows], [low, high], least) = (self.block, self.along, self.least);
        write!(
            f,
            "blocks of {row}x{rows} threads in place of rows of {low} to {high} if there are {least} of them or more"
        )?;
        match self.tall {
            true => write!(f, ", of {high} in smaller blocks"),
            false => Ok(()),
        }
    }
}

impl fmt::Display for Rows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (threads, [low, high]) = (self.threads, self.along);
        write!(
            f,
            "blocks of {threads} threads in place of more in rows of {low} to {high}"
        )
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([low, high], block) = (self.from, self.block);
        write!(f, "blocks of {block} threads in place of {low} to {high}")?;
        if let Some([low, high]) = self.threads {
            write!(f, " in grids of {low} to {high} threads")?;
        }
        if self.least > 1 {
            write!(f, " in grids of {} blocks and more", self.least)?;
        }
        Ok(())
    }
}

/// What the host does with launches of a kernel for which `plan` is made; `f`: the kernel as a whole.
pub fn choose(f: &Facets, plan: &Plan, options: &Options) -> Regroup {
    let free = options.regroup && !plan.is_idle() && is_free(f);
    let Some(target) = Target::of_sm(f.kernel.sm).filter(|_| free) else {
        return Regroup::default();
    };
    let [along, up, deep] = [Dim::X, Dim::Y, Dim::Z].map(|d| ids::tells_no_block(f.kernel, d));
    let rules = [few(f, plan, target), large(plan), many(f, plan)];
    let tiles = !plan.regions.is_empty();
    let [row, rows] = WIDE;
    let wide = along && up && f.kernel.max_threads >= row * rows && !walks_up(f);
    Regroup {
        rules: rules.into_iter().flatten().filter(|_| along).collect(),
        reach: reach(f).filter(|_| along),
        rows: (up && tiles).then_some(Rows {
            threads: LARGE,
            along: ROWS,
        }),
        wide: wide.then_some(Wide {
            block: WIDE,
            along: NARROW,
            layers: deep,
            least: EACH * target.sms,
            tall: plan.regions.iter().any(|r| !r.only_stores()),
        }),
        most: f.kernel.max_threads.min(BLOCK_THREADS),
    }
}

/// Whether threads of a column access neighbouring elements: long rows spread those over more lines (`transpose`, 128 rows in blocks of 8x32 that run the original: x0.24).
fn walks_up(f: &Facets) -> bool {
    f.accesses.list.iter().any(|a| {
        let index = f.affine.address(a.id).map(|x| &x.index);
        let each = index.and_then(|p| p.split(|a| a == Atom::Tid(Dim::Y)));
        let steps = each.into_iter().flat_map(|(each, _)| each.into_values());
        let mut steps = steps.filter_map(|c| c.as_constant());
        steps.any(|c| c.abs() < SECTOR)
    })
}

/// Small blocks where a grid does not fill the chip with larger ones, and loops run, so that starting more blocks costs nothing beside them. What
/// windows slide over is short work (`mavg_edges`: x0.9 to x1.1).
fn few(f: &Facets, plan: &Plan, target: &Target) -> Option<Rule> {
    let slides = plan.regions.iter().flat_map(|r| &r.tiles).any(Tile::slides);
    if f.tree.loops.is_empty() || slides {
        return None;
    }
    let stretches = plan.regions.iter().any(|r| r.stretch.is_some());
    let each = if stretches { STRETCHED } else { FILLED };
    Some(Rule {
        block: SMALL,
        from: [SMALL + 1, BLOCK_THREADS],
        threads: Some([SOME, each * target.sms]),
        least: 1,
    })
}

/// Blocks whose tiles there is room for.
fn large(plan: &Plan) -> Option<Rule> {
    (!plan.regions.is_empty()).then_some(Rule {
        block: LARGE,
        from: [LARGE + 1, BLOCK_THREADS],
        threads: None,
        least: 1,
    })
}

/// Larger blocks where starting blocks takes as long as what they do, as of merged blocks, most of which end at once, and where each block has tiles to
/// fill. A kernel that stays as it is keeps its blocks (an update of structs in place: x0.91 to x1.02 in blocks of 256).
fn many(f: &Facets, plan: &Plan) -> Option<Rule> {
    let merged = plan.merge.lanes() > 1;
    let gains = merged || plan.tally.is_some() || !plan.regions.is_empty();
    let strips = plan.regions.iter().any(|r| r.strip.is_some());
    let block = if merged && strips { LARGE / 2 } else { LARGE };
    let fits = f.kernel.max_threads >= block;
    (gains && fits).then_some(Rule {
        block,
        from: [1, block / 2],
        threads: None,
        least: MANY,
    })
}

/// Whether threads of a block have nothing to do with each other, and the kernel itself asks where they are.
fn is_free(f: &Facets) -> bool {
    let kernel = f.kernel;
    let told = ["nvvm.reqntid", "nvvm.cluster_dim", "nvvm.maxclusterrank"];
    let own = kernel.own_shared > 0 || kernel.dynamic_shared;
    if own
        || told
            .iter()
            .any(|k| kernel.function.string_attribute(k).is_some())
    {
        return false;
    }
    let quiet = |a: &Access| match a.kind {
        AccessKind::Load | AccessKind::Store => !a.is_volatile,
        // Updates that may come in any order, whose outcome nobody looks at.
        AccessKind::Atomic => {
            let update = kernel.value(a.value);
            update.is(Op::LLVMAtomicRMW) && update.rmw().is_some() && update.users().is_empty()
        }
        AccessKind::Barrier | AccessKind::WarpOperation | AccessKind::Unknown => false,
    };
    f.accesses.list.iter().all(quiet) && !ids::asks_elsewhere(kernel)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regroup() -> Regroup {
        let rule = |block, from, threads, least| Rule {
            block,
            from,
            threads,
            least,
        };
        Regroup {
            rules: vec![
                rule(64, [65, 1024], Some([512, 8192]), 1),
                rule(256, [1, 128], None, 4096),
            ],
            reach: None,
            rows: Some(Rows {
                threads: 256,
                along: ROWS,
            }),
            wide: Some(Wide {
                block: WIDE,
                along: NARROW,
                layers: true,
                least: 100,
                tall: false,
            }),
            most: 1024,
        }
    }

    #[test]
    fn the_first_that_fits_says_which() {
        let of = |x, along| regroup().of([x, 1, 1], [along, 2, 1], None);
        assert_eq!(of(256, 16), Some(([64, 1, 1], [64, 2, 1])));
        assert_eq!(of(256, 17), None);
        assert_eq!(of(256, 1), Some(([64, 1, 1], [4, 2, 1])));
        assert_eq!(of(128, 1), None);
        assert_eq!(of(64, 2048), Some(([256, 1, 1], [512, 2, 1])));
        assert_eq!(of(64, 2047), None);
        assert_eq!(of(0, 2048), None);
        // Ids of a few threads more must fit in 31 bits.
        assert_eq!(of(128, 1 << 23), None);
    }

    #[test]
    fn threads_more_must_be_of_no_use() {
        let of = |reached| regroup().of([100, 1, 1], [10, 1, 1], reached);
        assert_eq!(of(None), None);
        assert_eq!(of(Some(1001)), None);
        assert_eq!(of(Some(1000)), Some(([64, 1, 1], [16, 1, 1])));
    }

    #[test]
    fn rows_go_to_blocks_of_their_own() {
        let of = |block, grid| regroup().of(block, grid, None);
        assert_eq!(of([32, 32, 1], [3, 5, 7]), Some(([32, 8, 1], [3, 20, 7])));
        assert_eq!(of([16, 24, 1], [3, 2, 1]), Some(([16, 16, 1], [3, 3, 1])));
        for block in [[16, 16, 1], [64, 16, 1], [24, 32, 1], [32, 32, 2]] {
            assert_eq!(of(block, [3, 6, 1]), None, "{block:?}");
        }
        assert_eq!(of([32, 9, 1], [3, 1, 1]), None);
        assert_eq!(of([32, 32, 1], [3, 16384, 1]), None);
        // No chip takes these: they fail as they did.
        assert_eq!(of([32, 64, 1], [3, 8, 1]), None);
        assert_eq!(of([32, 32, 1], [3, 8, 65536]), None);
    }

    #[test]
    fn short_rows_become_long_ones() {
        let of = |block, grid, reached| regroup().of(block, grid, reached);
        let own = |block, grid| of(block, grid, None);
        // Rows of 40 threads would be 64, of 120 are 128.
        assert_eq!(of([8, 8, 1], [5, 2000, 1], Some(40)), None);
        assert_eq!(
            of([8, 8, 1], [15, 2000, 1], Some(120)),
            Some(([32, 8, 1], [4, 2000, 1]))
        );
        assert_eq!(own([8, 8, 1], [128, 3, 1]), None);
        assert_eq!(own([8, 8, 1], [128, 8, 1]), Some(([32, 8, 1], [32, 8, 1])));
        assert_eq!(
            own([8, 8, 4], [64, 64, 3]),
            Some(([32, 8, 1], [16, 64, 12]))
        );
        assert_eq!(
            own([4, 4, 1], [128, 128, 1]),
            Some(([32, 8, 1], [16, 64, 1]))
        );
        assert_eq!(
            own([1, 256, 1], [4096, 3, 1]),
            Some(([32, 8, 1], [128, 96, 1]))
        );
        // Rows that do not divide, along y, and along x unless those threads end.
        assert_eq!(own([8, 4, 1], [1024, 33, 1]), None);
        assert_eq!(own([8, 8, 1], [127, 64, 1]), None);
        assert_eq!(
            of([8, 8, 1], [127, 64, 1], Some(1016)),
            Some(([32, 8, 1], [32, 64, 1]))
        );
        assert_eq!(of([8, 8, 1], [127, 64, 1], Some(1017)), None);
        // Longer rows, and grids that no chip takes.
        assert_eq!(own([16, 8, 1], [128, 128, 1]), None);
        assert_eq!(own([8, 8, 4], [64, 64, 65_535]), None);
        assert_eq!(own([8, 4, 1], [4, 65_536, 1]), None);
        let flat = Regroup {
            wide: regroup().wide.map(|w| Wide { layers: false, ..w }),
            ..regroup()
        };
        assert_eq!(flat.of([8, 8, 4], [64, 64, 3], None), None);
        let tall = Regroup {
            wide: regroup().wide.map(|w| Wide { tall: true, ..w }),
            ..regroup()
        };
        let of = |block| tall.of(block, [512, 8, 1], None).map(|o| o.0);
        assert_eq!(own([8, 32, 1], [512, 8, 1]).map(|o| o.0), Some([32, 8, 1]));
        assert_eq!(of([8, 32, 1]), None);
        assert_eq!([[4, 64, 1], [8, 16, 1]].map(of), [Some([32, 8, 1]); 2]);
    }
}
