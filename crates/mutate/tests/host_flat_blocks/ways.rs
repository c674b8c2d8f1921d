//! The launch that the host makes for a kernel whose flat blocks are blocks of rows: the function that the plug-in leaves for that, held against what it is to say, written down here a
//! second time, whole and broken; and the kernels themselves, broken.

use anyhow::{Context as _, Result};

use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::drawn::{self, Choices, Launch, MOST, MOST_ROWS, unchanged};
use mesi_mutate::gate_edits::{compare_inverted, limit};
use mesi_mutate::host_launches::Shape;
use mesi_mutate::relaunched::Relaunched;

/// A corpus kernel that takes its threads' numbers apart.
pub struct FlatBlocks {
    /// Its name.
    pub name: &'static str,
    /// Threads of a row, and rows of a block.
    block: [i128; 2],
    /// Along which dimension of the grid other columns lie, and along which other rows.
    axes: [usize; 2],
}

/// All of them.
pub const KERNELS: [FlatBlocks; 2] = [
    FlatBlocks {
        name: "box_flat_blocks",
        block: [24, 10],
        axes: [1, 0],
    },
    FlatBlocks {
        name: "stencil_flat_blocks",
        block: [32, 8],
        axes: [0, 1],
    },
];

/// Ways to break the function.
pub const MUTATIONS: &[(&str, Edit)] = &[
    ("flat-compare-inverted", compare_inverted),
    ("flat-constant-short", |l| limit(l, |c| c & 0xff)),
    ("flat-limit-twice", |l| limit(l, |c| c * 2)),
    ("flat-or-for-and", |l| instead(l, " = and i1 ", " = or i1 ")),
    ("flat-not-multiplied", |l| instead(l, " = mul ", " = add ")),
    ("flat-not-stored", |l| {
        l.trim_start().starts_with("store ").then(String::new)
    }),
];

/// Ways to break the kernel in blocks of rows, in its version.
pub const CODE: &[(&str, Edit)] = &[
    ("flat-thread-of-another", |l| {
        instead(l, "sreg.tid.x()", "sreg.tid.y()")
    }),
    ("flat-block-of-another", |l| {
        instead(l, "sreg.ctaid.y()", "sreg.ctaid.x()")
    }),
    ("flat-columns-few", |l| {
        let id = l.contains(" = mul ").then_some(l)?;
        instead(id, ", 24", ", 12")
    }),
];

/// What launches are drawn from.
const CHOICES: Choices = Choices {
    scalars: &[-1, 0, 1, 7, 32, 33, 1024, 65_536, 1 << 20, i32::MAX as i64],
    blocks: &[
        [240, 1, 1],
        [240, 2, 1],
        [240, 1, 2],
        [256, 1, 1],
        [256, 2, 1],
        [256, 1, 2],
        [512, 1, 1],
        [32, 32, 1],
        [32, 8, 1],
        [24, 10, 1],
        [255, 1, 1],
    ],
    grids: &[
        [1, 1, 1],
        [2, 3, 1],
        [16, 16, 16],
        [65_535, 7, 2],
        [65_536, 1, 1],
        [2, 65_536, 1],
        [89_478_485, 1, 1],
        [2, 89_478_485, 1],
        [67_108_863, 1, 1],
        [67_108_864, 1, 1],
        [8_388_608, 1, 1],
        [3, 65_535, 1],
        [1, 1, 65_535],
        [2_000_000_000, 2, 1],
    ],
};

/// Launches that the function of `subject`, given as text, makes others of than it should; and how many it makes at all.
pub fn wrong(subject: &Relaunched, text: &str) -> Result<(Vec<String>, usize)> {
    let found = KERNELS.iter().find(|k| k.name == subject.corpus.kernel);
    let flat = found.context("not one of them")?;
    let wants = |launch: &Launch| flat.expected(launch);
    drawn::wrong((subject, text), &CHOICES, unchanged, wants)
}

impl FlatBlocks {
    /// The launch in blocks of rows that does what the program's does.
    fn expected(&self, Launch { own, .. }: &Launch) -> Option<Shape> {
        let [block, grid] = own;
        let [columns, rows] = self.block;
        let is_flat = i128::from(block[0]) == columns * rows && block[1..] == [1, 1];
        let [x, y] = self.axes.map(|axis| i128::from(grid[axis]));
        let fits = is_flat && y <= MOST_ROWS && x * columns <= MOST && y * rows <= MOST;
        fits.then(|| drawn::shape([columns, rows, 1], [x, y, grid[2].into()]))
    }
}
