//! Which blocks a launch gets: rules as data, and what they make of block and grid.
//!
//! The rules of a kernel are chosen by [`crate::transform::reshape`], which also says what they are worth.
//! `choice::blocks` emits the same as code.

use super::data::ActiveBound;
use crate::machine::target::{BLOCK_LAYERS, BLOCK_THREADS, GRID_ROWS, WARP};
use crate::machine::tuning::reshape_rules::{FLAT_ROWS, MOST_WASTE};
use std::fmt;

/// Threads of a grid that is looked at: ids of some more fit in 31 bits.
pub const MOST_THREADS: u64 = (1 << 31) - 1 - BLOCK_THREADS as u64;

/// Blocks that the threads of some launches are dealt out to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reshape {
    /// The first that fits says which.
    pub rules: Vec<Rule>,
    /// Which threads along x, and along y, are of use: there may be more of the others.
    pub active: [Option<ActiveBound>; 2],
    /// Blocks of several rows that get fewer of them.
    pub rows: Option<Rows>,
    /// Blocks of several short rows that get long ones.
    pub wide: Option<Wide>,
    /// Threads of a block that the kernel may be launched with, at most: what fails goes on to fail.
    pub most: u32,
}

/// Blocks of several rows of `along` threads at least and at most, and flat ones, get `rows` rows of `row` threads
/// each, and one layer.
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
    /// Whether blocks of as many threads, in rows of the most that there may be, keep them: what fills tiles for 8x32
    /// threads fills no fewer for 32x8, and counts in cells of its own no faster (`image_stats`: x0.78).
    pub tall: bool,
    /// Blocks that the grid has then, at least, where flat blocks get such rows, too: those of one row or two of a warp
    /// at least, and those of no whole warps. None: they keep theirs.
    pub flat: Option<u32>,
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
    fn applies(&self, x: u32, blocks: u64) -> bool {
        let threads = blocks * u64::from(x);
        (self.from[0]..=self.from[1]).contains(&x)
            && blocks >= u64::from(self.least)
            && self
                .threads
                .is_none_or(|[low, high]| (u64::from(low)..=u64::from(high)).contains(&threads))
    }
}

impl Reshape {
    /// Each kind of launches, in words.
    pub fn lines(&self) -> Vec<String> {
        let rules = self.rules.iter().map(ToString::to_string);
        let rows = self.rows.map(|r| r.to_string());
        let wide = self.wide.map(|w| w.to_string());
        rules.chain(rows).chain(wide).collect()
    }

    /// How many blocks a launch has; `None`: no chip takes it, or thread numbers may not fit, so it stays as it is.
    fn blocks_of(&self, block: [u32; 3], grid: [u32; 3]) -> Option<u64> {
        let is_taken = block.iter().all(|n| *n <= BLOCK_THREADS)
            && block[2] <= BLOCK_LAYERS
            && grid[1..].iter().all(|n| *n <= GRID_ROWS);
        // No product wraps then.
        let product = |sizes: [u32; 3]| sizes.iter().map(|n| u64::from(*n)).product::<u64>();
        let [area, blocks] = is_taken.then(|| [block, grid].map(product))?;
        let is_allowed =
            area <= u64::from(self.most) && blocks <= MOST_THREADS && blocks * area <= MOST_THREADS;
        is_allowed.then_some(blocks)
    }

    /// The block and grid that a launch gets; `None`: its own. `active`: how many threads along x and y do something,
    /// where that is known. `choice::blocks` emits the same.
    pub fn of(
        &self,
        block: [u32; 3],
        grid: [u32; 3],
        active: [Option<i128>; 2],
    ) -> Option<([u32; 3], [u32; 3])> {
        let ([x, y, z], [along, gy, gz]) = (block, grid);
        let blocks = self.blocks_of(block, grid)?;
        let threads = u64::from(along) * u64::from(x);
        let up = u64::from(gy) * u64::from(y);
        let ends = |d: usize, threads: u64| active[d].is_some_and(|n| n <= i128::from(threads));
        let spare = [ends(0, threads), ends(1, up)];
        let wide = self.wide.and_then(|w| w.of(block, grid, spare));
        if wide.is_some() || [y, z] != [1, 1] {
            return wide.or_else(|| self.rows?.of(block, grid));
        }
        let is_whole = |r: &Rule| spare[0] || threads.is_multiple_of(u64::from(r.block));
        let mut rules = self.rules.iter();
        let rule = rules.find(|r| r.applies(x, blocks) && is_whole(r))?;
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
        let is_allowed = all.is_multiple_of(u64::from(rows)) && count <= GRID_ROWS;
        is_allowed.then_some(([x, rows, 1], [gx, count, gz]))
    }
}

impl Wide {
    fn of(
        &self,
        block: [u32; 3],
        grid: [u32; 3],
        spare: [bool; 2],
    ) -> Option<([u32; 3], [u32; 3])> {
        let [row, rows] = self.block.map(u64::from);
        let [along, up, deep] = [0, 1, 2].map(|d| u64::from(block[d]) * u64::from(grid[d]));
        let count = [along.div_ceil(row), up.div_ceil(rows), deep];
        let area: u64 = block.iter().map(|n| u64::from(*n)).product();
        let is_short = self.is_short(block, area);
        let least = match (is_short, self.flat) {
            (true, _) => self.least,
            (_, Some(least)) if self.is_flat(block, area) && up >= rows => least,
            _ => return None,
        };
        let is_full =
            |count: u64, each: u64, of: u64| count * each * MOST_WASTE[0] <= of * MOST_WASTE[1];
        let is_allowed = (block[2] == 1 || self.layers)
            && is_full(count[0], row, along)
            && is_full(count[1], rows, up)
            && (spare[0] || along.is_multiple_of(row))
            && (spare[1] || up.is_multiple_of(rows))
            && count[1..].iter().all(|n| *n <= u64::from(GRID_ROWS))
            && count.iter().product::<u64>() >= u64::from(least);
        let count = count.map(|n| u32::try_from(n).ok());
        let [Some(x), Some(y), Some(z)] = count else {
            return None;
        };
        is_allowed.then_some(([self.block[0], self.block[1], 1], [x, y, z]))
    }

    /// Several short rows.
    fn is_short(&self, block: [u32; 3], area: u64) -> bool {
        let [row, rows] = self.block.map(u64::from);
        let is_tall = block[0] == self.along[1] && area >= row * rows;
        let is_within = (self.along[0]..=self.along[1]).contains(&block[0]);
        is_within && block[1..] != [1, 1] && !(self.tall && is_tall)
    }

    /// One row or two, or no whole warps; no short rows.
    fn is_flat(&self, [x, y, _]: [u32; 3], area: u64) -> bool {
        let is_long = x >= self.block[0] && y <= FLAT_ROWS;
        x > self.along[1] && (is_long || !area.is_multiple_of(u64::from(WARP)))
    }
}

impl fmt::Display for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([row, rows], [low, high], least) = (self.block, self.along, self.least);
        write!(
            f,
            "blocks of {row}x{rows} threads in place of rows of {low} to {high} if there are {least} of them or more"
        )?;
        if self.tall {
            write!(f, ", of {high} in smaller blocks")?;
        }
        match self.flat {
            Some(least) => write!(f, ", in place of flat blocks if there are {least}"),
            None => Ok(()),
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

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [u32; 2] = [16, 32];
    const SHORT_ROWS: [u32; 2] = [1, 8];
    const WIDE: [u32; 2] = [32, 8];

    fn reshape() -> Reshape {
        let rule = |block, from, threads, least| Rule {
            block,
            from,
            threads,
            least,
        };
        Reshape {
            rules: vec![
                rule(64, [65, 1024], Some([512, 8192]), 1),
                rule(256, [1, 128], None, 4096),
            ],
            active: [None; 2],
            rows: Some(Rows {
                threads: 256,
                along: ROWS,
            }),
            wide: Some(Wide {
                block: WIDE,
                along: SHORT_ROWS,
                layers: true,
                least: 100,
                tall: false,
                flat: None,
            }),
            most: 1024,
        }
    }

    #[test]
    fn the_first_rule_that_applies_is_taken() {
        let of = |x, along| reshape().of([x, 1, 1], [along, 2, 1], [None; 2]);
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
        let of = |active| reshape().of([100, 1, 1], [10, 1, 1], [active, None]);
        assert_eq!(of(None), None);
        assert_eq!(of(Some(1001)), None);
        assert_eq!(of(Some(1000)), Some(([64, 1, 1], [16, 1, 1])));
    }

    #[test]
    fn rows_go_to_blocks_of_their_own() {
        let of = |block, grid| reshape().of(block, grid, [None; 2]);
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
        let of = |block, grid, active| reshape().of(block, grid, [active, None]);
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
        let [deep, deeper] = [64, 128].map(|z| own([2, 2, z], [128, 128, 8]));
        assert_eq!((deep, deeper), (Some(([32, 8, 1], [8, 32, 512])), None));
        let flat = Reshape {
            wide: reshape().wide.map(|w| Wide { layers: false, ..w }),
            ..reshape()
        };
        assert_eq!(flat.of([8, 8, 4], [64, 64, 3], [None; 2]), None);
        let tall = Reshape {
            wide: reshape().wide.map(|w| Wide { tall: true, ..w }),
            ..reshape()
        };
        let of = |block| tall.of(block, [512, 8, 1], [None; 2]).map(|o| o.0);
        assert_eq!(own([8, 32, 1], [512, 8, 1]).map(|o| o.0), Some([32, 8, 1]));
        assert_eq!(of([8, 32, 1]), None);
        assert_eq!([[4, 64, 1], [8, 16, 1]].map(of), [Some([32, 8, 1]); 2]);
    }

    #[test]
    fn flat_blocks_become_several_rows() {
        let flat = Reshape {
            wide: reshape().wide.map(|w| Wide {
                flat: Some(100),
                ..w
            }),
            ..reshape()
        };
        let of = |block, grid, active| flat.of(block, grid, active);
        let own = |block, grid| of(block, grid, [None; 2]);
        assert_eq!(own([256, 1, 1], [8, 64, 1]), Some(([32, 8, 1], [64, 8, 1])));
        assert_eq!(own([96, 2, 2], [4, 64, 3]), Some(([32, 8, 1], [12, 16, 6])));
        assert_eq!(
            own([12, 12, 1], [16, 16, 1]),
            Some(([32, 8, 1], [6, 24, 1]))
        );
        // Threads more along y must end as those along x.
        assert_eq!(own([256, 1, 1], [8, 63, 1]), None);
        let [low, high] = [63, 64].map(|n| of([256, 1, 1], [8, 63, 1], [None, Some(n)]));
        assert_eq!((low, high), (Some(([32, 8, 1], [64, 8, 1])), None));
        // One row of threads, as many blocks as before by the rules for rows, too few, square ones.
        assert_eq!(own([256, 1, 1], [4096, 1, 1]), None);
        assert_eq!(own([256, 1, 1], [4, 7, 1]), Some(([64, 1, 1], [16, 7, 1])));
        assert_eq!(own([256, 1, 1], [4, 8, 1]), Some(([64, 1, 1], [16, 8, 1])));
        assert_eq!(own([64, 4, 1], [32, 64, 1]), None);
        assert_eq!(own([16, 16, 1], [32, 64, 1]), None);
    }
}
