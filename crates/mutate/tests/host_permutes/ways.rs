//! The launch that the host makes for a kernel whose axes are exchanged: the function that the plug-in leaves for that, held against what it is to say, written down here a second time,
//! whole and broken; and the permuted kernels themselves, broken.

use anyhow::{Context as _, Result};

use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::drawn::{self, Choices, Launch, MOST, MOST_ROWS, over};
use mesi_mutate::gate_edits::{compare_inverted, limit};
use mesi_mutate::host_launches::Shape;
use mesi_mutate::relaunched::Relaunched;

/// A corpus kernel that is permuted.
pub struct Permuted {
    /// Its name.
    pub name: &'static str,
    /// The dimensions that lie along x, y and z.
    order: [usize; 3],
    /// By dimension, from the scalars behind its arrays: from which id on threads end; `None`: they do not.
    limits: fn(&[i128]) -> [Option<i128>; 3],
    /// Whether a dimension's id is its block's number, where blocks have one thread along it.
    by_block: [bool; 3],
    /// Whether the program's launch is folded first: rows of the first scalar, as many as the second says, and as many
    /// layers as the third.
    folds: bool,
}

/// All of them.
pub const KERNELS: [Permuted; 7] = [
    Permuted {
        name: "map_blocks",
        order: [1, 0, 2],
        limits: |s| [Some(unsigned(s[0])), Some(unsigned(s[1])), None],
        by_block: [true, false, false],
        folds: false,
    },
    Permuted {
        name: "map_rows",
        order: [1, 0, 2],
        limits: |s| [Some(unsigned(s[0])), Some(unsigned(s[1])), None],
        by_block: [false; 3],
        folds: false,
    },
    Permuted {
        name: "map_stencil",
        order: [1, 0, 2],
        limits: |s| [Some(s[0] - 1), Some(s[1] - 1), None],
        by_block: [false; 3],
        folds: false,
    },
    Permuted {
        name: "map_volume",
        order: [2, 1, 0],
        limits: |s| [Some(s[0]), Some(s[1]), Some(s[2])],
        by_block: [false; 3],
        folds: false,
    },
    Permuted {
        name: "map_whole",
        order: [1, 0, 2],
        limits: |_| [None; 3],
        by_block: [false; 3],
        folds: false,
    },
    Permuted {
        name: "map_flat",
        order: [1, 0, 2],
        limits: |_| [Some(0), Some(0), None],
        by_block: [false; 3],
        folds: true,
    },
    Permuted {
        name: "map_flat_volume",
        order: [2, 1, 0],
        limits: |_| [Some(0); 3],
        by_block: [false; 3],
        folds: true,
    },
];

/// Of 64 bits.
fn unsigned(n: i128) -> i128 {
    if n < 0 { n + (1 << 64) } else { n }
}

/// Ways to break the function.
pub const MUTATIONS: &[(&str, Edit)] = &[
    ("permute-compare-inverted", compare_inverted),
    ("permute-constant-short", |l| limit(l, |c| c & 0xff)),
    ("permute-limit-twice", |l| limit(l, |c| c * 2)),
    ("permute-or-for-and", |l| {
        instead(l, " = and i1 ", " = or i1 ")
    }),
    ("permute-rest-not-asked", |l| {
        instead(l, " = urem ", " = mul ")
    }),
    ("permute-rounded-down", |l| {
        instead(l, " = udiv ", " = mul ")
    }),
    ("permute-not-multiplied", |l| {
        instead(l, " = mul ", " = add ")
    }),
    ("permute-not-stored", |l| {
        l.trim_start().starts_with("store ").then(String::new)
    }),
];

/// Ways to break the permuted kernel, in its version.
pub const CODE: &[(&str, Edit)] = &[
    ("permute-thread-of-another", |l| {
        instead(l, "sreg.tid.x()", "sreg.tid.y()")
    }),
    ("permute-block-of-another", |l| {
        instead(l, "sreg.ctaid.y()", "sreg.ctaid.x()")
    }),
    ("permute-size-of-another", |l| {
        instead(l, "sreg.ntid.x()", "sreg.ntid.y()")
    }),
];

/// What launches are drawn from.
const CHOICES: Choices = Choices {
    scalars: &[
        -1,
        0,
        1,
        7,
        8,
        9,
        16,
        31,
        32,
        33,
        100,
        1024,
        4096,
        65_536,
        1 << 20,
        i32::MAX as i64,
    ],
    blocks: &[
        [16, 16, 1],
        [32, 8, 1],
        [8, 8, 4],
        [7, 5, 1],
        [1, 256, 1],
        [256, 1, 1],
        [4, 4, 4],
        [33, 3, 2],
    ],
    grids: &[
        [1, 1, 1],
        [2, 3, 1],
        [16, 16, 16],
        [100, 7, 2],
        [4096, 64, 1],
        [65_536, 1, 1],
        [8_388_608, 1, 1],
        [3, 65_535, 1],
        [1, 1, 65_535],
        [2_000_000_000, 2, 1],
    ],
};

/// Launches that the function of `subject`, given as text, makes others of than it should; and how many it makes at all.
pub fn wrong(subject: &Relaunched, text: &str) -> Result<(Vec<String>, usize)> {
    let found = KERNELS.iter().find(|k| k.name == subject.corpus.kernel);
    let permuted = found.context("not one of them")?;
    // A launch that is folded has one dimension.
    let change = |launch: &mut Launch, _: &[usize], draw: drawn::Draw| {
        if permuted.folds && draw(20) > 0 {
            let numbers = [draw(1024), draw(1 << 14)].map(|n| n as u32 + 1);
            launch.own = numbers.map(|n| [n, 1, 1]);
        }
        let [block, _] = &mut launch.own;
        for (n, by_block) in block.iter_mut().zip(permuted.by_block) {
            if by_block && draw(4) > 0 {
                *n = 1;
            }
        }
    };
    let wants = |launch: &Launch| permuted.expected(launch);
    drawn::wrong((subject, text), &CHOICES, change, wants)
}

impl Permuted {
    /// The launch of the permuted kernel that does what the program's does.
    fn expected(&self, Launch { scalars, own }: &Launch) -> Option<Shape> {
        let scalars: Vec<i128> = scalars.iter().map(|s| i128::from(*s)).collect();
        let [block, grid] = match self.folds {
            true => folded(&scalars, *own)?,
            false => *own,
        };
        let has_one = [0, 1, 2].map(|d| !self.by_block[d] || block[d] == 1);
        let count = [0, 1, 2].map(|d| i128::from(block[d]) * i128::from(grid[d]));
        let limits = (self.limits)(&scalars);
        let ends = [0, 1, 2].map(|d| limits[d].is_some_and(|n| n <= count[d]));
        let holds = |axis: usize, each: i128| {
            let d = self.order[axis];
            (count[d] % each == 0 || ends[d]) && count[d] >= each
        };
        let row = [32, 16].into_iter().find(|n| holds(0, *n)).unwrap_or(8);
        let rows = [32, 16, 8, 4, 2].into_iter().find(|n| holds(1, *n));
        let rows = rows.unwrap_or(1).min(256 / row);
        let [x, y, z] = self.order.map(|d| count[d]);
        let grid = [over(x, row), over(y, rows), z];
        let fits = holds(0, row)
            && has_one.iter().all(|is| *is)
            && count.iter().all(|n| (1..=MOST).contains(n))
            && [grid[0] * row, grid[1] * rows].iter().all(|n| *n <= MOST)
            && grid[1..].iter().all(|n| *n <= MOST_ROWS);
        fits.then(|| drawn::shape([row, rows, 1], grid))
    }
}

/// The launch in rows of the first scalar, and layers.
fn folded(scalars: &[i128], [block, grid]: Shape) -> Option<Shape> {
    let (length, rows) = (scalars[0], scalars[1]);
    let layers = scalars.get(2).copied().unwrap_or(1);
    let ids = i128::from(block[0]) * i128::from(grid[0]);
    let is_line = block[1..] == [1, 1] && grid[1..] == [1, 1] && ids <= MOST;
    let told = [length, rows, layers]
        .iter()
        .all(|n| (1..=MOST).contains(n))
        && length >= 8;
    if !is_line || !told || rows * length * layers > ids {
        return None;
    }
    let along = drawn::row(length);
    let up = 256 / along;
    let grid = [over(length, along), over(rows, up), layers];
    let fits = grid[1..].iter().all(|n| *n <= MOST_ROWS) && grid[1] * up * length <= MOST;
    fits.then(|| drawn::shape([along, up, 1], grid))
}
