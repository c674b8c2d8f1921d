//! The launch that the host makes for a kernel whose loop is a dimension of the grid: the function that the plug-in leaves for that, held against what it is to say, written down here a
//! second time, whole and broken; and the collapsed kernels themselves, broken.

use anyhow::{Context as _, Result};
use mesi_launch::Size;

use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::gate_edits::{compare_inverted, limit};
use mesi_mutate::host_launches::Shape;
use mesi_mutate::relaunched::{Relaunched, Tried, drawn};

/// A corpus kernel that is collapsed.
pub struct Collapsed {
    /// Its name.
    pub name: &'static str,
    /// From the scalars behind its arrays, and the program's threads: how many iterations a thread has at most; `None`:
    /// something that the launch rests on does not hold.
    iterations: fn(&[i64], i128) -> Option<i128>,
}

/// All of them.
pub const KERNELS: [Collapsed; 6] = [
    Collapsed {
        name: "rotate_layers",
        iterations: |s, _| Some(short(s[0]) - 1),
    },
    Collapsed {
        name: "rotate_pitch",
        iterations: |s, _| (short(s[1]) >= short(s[0])).then(|| short(s[0]) - 1),
    },
    Collapsed {
        name: "transpose_in_place",
        iterations: |s, _| {
            (0..=MOST)
                .contains(&s[0].into())
                .then(|| i128::from(s[0]) - 1)
        },
    },
    Collapsed {
        name: "conjugate_rows",
        iterations: |s, _| Some(short(s[1]) / 2),
    },
    Collapsed {
        name: "row_smooth",
        iterations: |s, _| Some(short(s[1]) - 2),
    },
    Collapsed {
        name: "lower_products",
        iterations: |_, threads| Some(threads),
    },
];

/// Of 32 bits.
fn short(n: i64) -> i128 {
    i128::from(n as i32)
}

/// Ways to break the function.
pub const MUTATIONS: &[(&str, Edit)] = &[
    ("collapse-compare-inverted", compare_inverted),
    ("collapse-constant-short", |l| limit(l, |c| c & 0xff)),
    ("collapse-limit-twice", |l| limit(l, |c| c * 2)),
    ("collapse-or-for-and", |l| {
        instead(l, " = and i1 ", " = or i1 ")
    }),
    ("collapse-bits-lost", |l| {
        instead(l, " = sext i32 ", " = zext i32 ")
    }),
    ("collapse-rest-not-asked", |l| {
        instead(l, " = urem ", " = mul ")
    }),
    ("collapse-rounded-down", |l| {
        instead(l, " = udiv ", " = mul ")
    }),
    ("collapse-not-multiplied", |l| {
        instead(l, " = mul ", " = add ")
    }),
    ("collapse-not-stored", |l| {
        l.trim_start().starts_with("store ").then(String::new)
    }),
];

/// Ways to break the collapsed kernel, in its version.
pub const CODE: &[(&str, Edit)] = &[
    ("collapse-thread-of-another", |l| {
        instead(l, "sreg.tid.x()", "sreg.tid.y()")
    }),
    ("collapse-block-of-another", |l| {
        instead(l, "sreg.ctaid.y()", "sreg.ctaid.x()")
    }),
    ("collapse-one-iteration-more", |l| {
        instead(l, "icmp slt i64", "icmp sle i64")
            .or_else(|| instead(l, "icmp sgt i64", "icmp sge i64"))
    }),
    ("collapse-from-the-thread", |l| {
        instead(l, " = add nsw i32 ", " = sub nsw i32 ")
    }),
];

/// Scalars that launches are tried with.
const SCALARS: [i64; 17] = [
    -1,
    0,
    1,
    7,
    8,
    9,
    16,
    17,
    31,
    33,
    34,
    100,
    4096,
    65_536,
    1 << 20,
    i32::MAX as i64,
    1 << 40,
];
/// Threads of a block, and blocks.
const BLOCKS: [[u32; 3]; 8] = [
    [256, 1, 1],
    [32, 1, 1],
    [33, 1, 1],
    [1, 1, 1],
    [12, 1, 1],
    [1022, 1, 1],
    [16, 16, 1],
    [64, 1, 2],
];
const GRIDS: [[u32; 3]; 9] = [
    [1, 1, 1],
    [12, 1, 1],
    [8, 1, 1],
    [4097, 1, 1],
    [65_536, 1, 1],
    [8_388_607, 1, 1],
    [8_388_608, 1, 1],
    [3, 2, 1],
    [3, 1, 5],
];
/// Launches of each kernel that are tried.
const TRIED: u64 = 20_000;
/// Most ids of a launch, and most rows of a grid.
const MOST: i128 = i32::MAX as i128;
const MOST_ROWS: i128 = 65_535;

/// Launches that the function of `subject`, given as text, makes others of than it should; and how many it makes at all.
pub fn wrong(subject: &Relaunched, text: &str) -> Result<(Vec<String>, usize)> {
    let found = KERNELS.iter().find(|k| k.name == subject.corpus.kernel);
    let collapsed = found.context("not one of them")?;
    let mut cases = subject.corpus.cases(Size::Small).into_iter();
    let arrays = cases.next().context("no case")?.buffers.len();
    let values = subject.values()?;
    let mut draw = drawn();
    let launches = (0..TRIED).map(|_| {
        let mut values = values.clone();
        let scalars: Vec<i64> = values[arrays..]
            .iter_mut()
            .map(|v| {
                let s = SCALARS[draw(SCALARS.len())];
                v[..8].copy_from_slice(&s.to_le_bytes());
                s
            })
            .collect();
        let own = [BLOCKS[draw(BLOCKS.len())], GRIDS[draw(GRIDS.len())]];
        Tried {
            values,
            own,
            wants: collapsed.expected(&scalars, own),
            told: scalars,
        }
    });
    subject.wrong(text, launches)
}

impl Collapsed {
    /// The launch of the collapsed kernel that does what the program's does.
    fn expected(&self, scalars: &[i64], [block, grid]: Shape) -> Option<Shape> {
        let threads = i128::from(block[0]) * i128::from(grid[0]);
        let is_line = block[1..] == [1, 1] && grid[1..] == [1, 1] && threads <= MOST;
        let iterations = (self.iterations)(scalars, threads)?;
        if !is_line || !(8..=MOST).contains(&iterations) {
            return None;
        }
        let along = [32, 16].into_iter().find(|n| iterations >= *n).unwrap_or(8);
        let up = [8, 4, 2]
            .into_iter()
            .find(|n| threads % n == 0)
            .unwrap_or(1);
        let grid = [(iterations + along - 1) / along, threads / up, 1];
        let fits = grid[0] * along <= MOST && grid[1] <= MOST_ROWS;
        let numbers = |of: [i128; 3]| of.map(|n| n as u32);
        fits.then(|| [numbers([along, up, 1]), numbers(grid)])
    }
}
