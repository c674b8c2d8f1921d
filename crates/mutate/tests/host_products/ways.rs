//! The launch that the host makes for a product by tensor cores, or of floats in tiles of its own, held against what it is to say, written down here a second time, whole and
//! broken; and the kernels themselves, broken.

use anyhow::{Context as _, Result};

use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::drawn::MOST_ROWS;
use mesi_mutate::gate_edits::{compare_inverted, limit};
use mesi_mutate::host_launches::Shape;
use mesi_mutate::relaunched::{self, Relaunched, drawn};

/// A corpus kernel with such a version: arrays `a`, `b`, `c` and lengths `m`, `n`, `k` are its first six arguments.
pub struct Product {
    /// Its name.
    pub name: &'static str,
    /// Whether rows of the result are along x.
    swapped: bool,
    /// Whether the second matrix has rows of `k`.
    by_columns: bool,
    index: Index,
    numbers: Numbers,
}

/// What is multiplied.
#[derive(Clone, Copy, PartialEq)]
enum Numbers {
    /// Bytes, summed up in 32 bits.
    Bytes,
    /// Doubles.
    Doubles,
    /// Floats.
    Floats,
}

impl Numbers {
    /// Bytes of a factor and of a sum.
    fn sizes(self) -> [i128; 2] {
        match self {
            Numbers::Bytes => [1, 4],
            Numbers::Doubles => [8, 8],
            Numbers::Floats => [4, 4],
        }
    }
}

/// What elements' numbers are.
enum Index {
    /// Numbers of 32 bits that do not wrap.
    Signed,
    /// Numbers of 32 bits that wrap: none of the program's threads may go beyond them.
    Unsigned,
    /// Numbers of 64 bits: no block of the program's may lie further than is sure to be exact.
    Wide,
}

/// Some of bytes.
pub const BYTES: [&str; 3] = ["mm_i8", "mm_u8_nt", "mm_mixed_swapped"];
/// Some of doubles.
pub const DOUBLES: [&str; 2] = ["mm_double", "mm_double_nt"];
/// Some of floats.
pub const FLOATS: [&str; 2] = ["mm_unsigned", "mm_nt"];

/// All of these.
const KERNELS: [Product; 7] = [
    Product {
        name: "mm_i8",
        swapped: false,
        by_columns: false,
        index: Index::Signed,
        numbers: Numbers::Bytes,
    },
    Product {
        name: "mm_u8_nt",
        swapped: false,
        by_columns: true,
        index: Index::Unsigned,
        numbers: Numbers::Bytes,
    },
    Product {
        name: "mm_mixed_swapped",
        swapped: true,
        by_columns: false,
        index: Index::Wide,
        numbers: Numbers::Bytes,
    },
    Product {
        name: "mm_double",
        swapped: false,
        by_columns: false,
        index: Index::Signed,
        numbers: Numbers::Doubles,
    },
    Product {
        name: "mm_double_nt",
        swapped: false,
        by_columns: true,
        index: Index::Signed,
        numbers: Numbers::Doubles,
    },
    Product {
        name: "mm_unsigned",
        swapped: false,
        by_columns: false,
        index: Index::Unsigned,
        numbers: Numbers::Floats,
    },
    Product {
        name: "mm_nt",
        swapped: false,
        by_columns: true,
        index: Index::Signed,
        numbers: Numbers::Floats,
    },
];

/// One of bytes whose lines have gaps.
pub const GAPS: &str = "mm_i8_layer";
/// One of doubles whose lines have gaps.
pub const GAPS_OF_DOUBLES: &str = "mm_double_tn";
/// One of floats, and one of doubles, whose sums begin with what is loaded.
pub const BEGINS: [&str; 2] = ["mm_layer", "mm_update"];
/// Some of floats with a product in each layer of the grid: by its number, and by parts of that.
pub const LAYERS: [&str; 3] = ["mm_batch", "head_scores", "head_values"];
/// One of floats whose lines are across the sum.
pub const ACROSS_OF_FLOATS: &str = "mm_tn";

/// Ways to break the function.
pub const MUTATIONS: &[(&str, Edit)] = &[
    ("mma-compare-inverted", compare_inverted),
    ("mma-constant-short", |l| limit(l, |c| c & 0xff)),
    ("mma-limit-twice", |l| limit(l, |c| c * 2)),
    ("mma-or-for-and", |l| instead(l, " = and i1 ", " = or i1 ")),
    ("mma-test-dropped", |l| {
        let (to, _) = l.split_once(" = freeze i1 ")?;
        Some(format!("{to} = freeze i1 true"))
    }),
    ("mma-meeting-not-asked", |l| {
        let (to, _) = l.split_once(" = or i1 ")?;
        Some(format!("{to} = or i1 true, true"))
    }),
    ("mma-rounded-down", |l| {
        let sum = l.contains(", 127").then_some(l)?;
        instead(sum, ", 127", ", 0")
    }),
    ("mma-rows-rounded-down", |l| {
        let sum = (l.contains(" = add ") && l.contains(", 63")).then_some(l)?;
        instead(sum, ", 63", ", 0")
    }),
    ("mma-ids-not-multiplied", |l| {
        instead(l, " = mul ", " = add ")
    }),
    ("mma-not-stored", |l| {
        l.trim_start().starts_with("store ").then(String::new)
    }),
];

/// Lengths that launches are tried with.
const LENGTHS: [i64; 13] = [
    -1,
    0,
    1,
    3,
    64,
    127,
    128,
    129,
    1000,
    4096,
    65_536,
    1 << 20,
    i32::MAX as i64,
];
const BLOCKS: [[u32; 3]; 7] = [
    [16, 16, 1],
    [32, 8, 1],
    [7, 5, 1],
    [256, 1, 1],
    [1, 64, 1],
    [128, 8, 1],
    [8, 8, 2],
];
const GRIDS: [[u32; 3]; 8] = [
    [1, 1, 1],
    [8, 8, 1],
    [9, 200, 1],
    [256, 256, 1],
    [70_000, 9, 1],
    [9, 65_535, 1],
    [200_000_000, 1, 1],
    [8, 8, 2],
];
/// Launches of each kernel that are tried.
const TRIED: u64 = 20_000;
/// Most ids along a dimension, most lengths, and most rows of a grid.
const MOST: i128 = i32::MAX as i128;
const MOST_PITCH: i128 = (1 << 27) - 1;
const MOST_PITCH_OF_DOUBLES: i128 = (1 << 24) - 1;
const MOST_LINE_OF_DOUBLES: i128 = (1 << 28) - 1;
const MOST_UNSIGNED: i128 = u32::MAX as i128;
const FARTHEST: i128 = 1 << 40;

/// A launch: lengths, addresses of the arrays, block and grid.
struct Tried {
    lengths: [i64; 3],
    arrays: [i128; 3],
    own: Shape,
}

/// Launches that the function of `subject`, given as text, makes others of than it should; and how many it makes at all.
pub fn wrong(subject: &Relaunched, text: &str) -> Result<(Vec<String>, usize)> {
    let product = KERNELS.iter().find(|k| k.name == subject.corpus.kernel);
    let product = product.context("not one of them")?;
    let values = subject.values()?;
    // The version for small products rounds up to 32 rows, that of floats to 64 columns.
    let small = match product.numbers {
        Numbers::Floats => !subject.text.contains(", 127"),
        _ => subject.text.contains(", 31"),
    };
    let launches = product.launches().map(|tried| relaunched::Tried {
        values: relaunched::product_values(&values, tried.arrays, tried.lengths),
        own: tried.own,
        wants: product.expected(&tried, small),
        told: (tried.lengths, tried.arrays),
    });
    subject.wrong(text, launches)
}

impl Product {
    /// Ids down and along that the program launches.
    fn ids(&self, [block, grid]: Shape) -> [i128; 2] {
        let [x, y] = [0, 1].map(|d| i128::from(block[d]) * i128::from(grid[d]));
        if self.swapped { [x, y] } else { [y, x] }
    }

    /// Elements of the three arrays that so many rows and columns touch, from the first to the last.
    fn counts(&self, [_, n, k]: [i128; 3], [rows, columns]: [i128; 2]) -> [i128; 3] {
        let b = match self.by_columns {
            true => (columns - 1) * k + k,
            false => (k - 1) * n + columns,
        };
        [(rows - 1) * k + k, b, (rows - 1) * n + columns]
    }

    /// Rows and columns of a tile, and threads of a block.
    fn tile(&self, small: bool) -> ([i128; 2], u32) {
        match self.numbers {
            Numbers::Bytes => ([128, 128], 256),
            Numbers::Doubles if small => ([32, 64], 64),
            Numbers::Doubles => ([64, 128], 128),
            Numbers::Floats if small => ([64, 64], 128),
            Numbers::Floats => ([128, 128], 256),
        }
    }

    /// Bytes of the three arrays that the program touches.
    fn sizes(&self, lengths: [i64; 3], own: Shape) -> [i128; 3] {
        let lengths = lengths.map(i128::from);
        let [down, along] = self.ids(own);
        let [a, b, c] = self.counts(lengths, [lengths[0].min(down), lengths[1].min(along)]);
        let [factor, sum] = self.numbers.sizes();
        [factor * a, factor * b, sum * c]
    }

    /// The launch with a block for each tile, in each layer of the grid.
    fn expected(&self, tried: &Tried, small: bool) -> Option<Shape> {
        let own = tried.own;
        let [m, n, k] = tried.lengths.map(i128::from);
        let [down, along] = self.ids(own);
        let flat = own[0][2] == 1;
        let few = |v: i128| (1..=MOST).contains(&v);
        let short = match self.numbers {
            Numbers::Bytes => n <= MOST_PITCH,
            Numbers::Doubles => n <= MOST_PITCH_OF_DOUBLES && k <= MOST_LINE_OF_DOUBLES,
            Numbers::Floats => n <= 2 * MOST_PITCH_OF_DOUBLES && k <= 2 * MOST_LINE_OF_DOUBLES,
        };
        if !flat || ![m, n, k, down, along].into_iter().all(few) || !short {
            return None;
        }
        let sizes = self.sizes(tried.lengths, own);
        let apart = |a: usize| {
            let [mine, c] = [tried.arrays[a], tried.arrays[2]];
            mine + sizes[a] <= c || c + sizes[2] <= mine
        };
        let is_exact = match self.index {
            // Of rows that are as many as a grid has layers of blocks along y it is known.
            Index::Signed if self.by_columns => {
                let last = along - i128::from(own[0][0]);
                last * self.numbers.sizes()[0] * k < FARTHEST
            }
            Index::Signed => true,
            Index::Unsigned => {
                let counts = self.counts([m, n, k], [down, along]);
                counts.into_iter().all(|c| c - 1 <= MOST_UNSIGNED)
            }
            Index::Wide => {
                let last = down - i128::from(own[0][if self.swapped { 0 } else { 1 }]);
                [k, 4 * n].into_iter().all(|pitch| last * pitch < FARTHEST)
            }
        };
        if m > down || n > along || !is_exact || !apart(0) || !apart(1) {
            return None;
        }
        let (tile, threads) = self.tile(small);
        let tiles = [(n, tile[1]), (m, tile[0])].map(|(l, tile)| (l + tile - 1) / tile);
        let fits = tiles[1] <= MOST_ROWS;
        let grid = [tiles[0] as u32, tiles[1] as u32, own[1][2]];
        fits.then_some([[threads, 1, 1], grid])
    }

    /// Launches drawn by a fixed rule.
    fn launches(&self) -> impl Iterator<Item = Tried> + '_ {
        let mut draw = drawn();
        (0..TRIED).map(move |_| {
            let lengths = [(); 3].map(|()| LENGTHS[draw(LENGTHS.len())]);
            let own = [BLOCKS[draw(BLOCKS.len())], GRIDS[draw(GRIDS.len())]];
            let sizes = self.sizes(lengths, own);
            Tried {
                lengths,
                arrays: relaunched::product_arrays(1 << 40, sizes, &mut draw),
                own,
            }
        })
    }
}
