//! The launch that the host makes for a kernel whose grid is interchanged: the function that the plug-in leaves for that, held against what it is to say, written down here a second time,
//! whole and broken; and the kernels themselves, broken.

use anyhow::Result;

use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::drawn::{self, Choices, Launch, MOST_ROWS, unchanged};
use mesi_mutate::gate_edits::{compare_inverted, limit};
use mesi_mutate::host_launches::Shape;
use mesi_mutate::relaunched::Relaunched;

/// Kernels whose versions ask for no more than that.
pub const KERNELS: [&str; 1] = ["stencil_crossed"];

/// Ways to break the function.
pub const MUTATIONS: &[(&str, Edit)] = &[
    ("interchange-compare-inverted", compare_inverted),
    ("interchange-limit-short", |l| limit(l, |c| c & 0xff)),
    ("interchange-limit-twice", |l| limit(l, |c| c * 2)),
    ("interchange-not-stored", |l| {
        l.trim_start().starts_with("store ").then(String::new)
    }),
];

/// Ways to break the interchanged kernel, in its version.
pub const CODE: &[(&str, Edit)] = &[
    ("interchange-block-of-another", |l| {
        instead(l, "sreg.ctaid.y()", "sreg.ctaid.x()")
    }),
    ("interchange-size-of-another", |l| {
        instead(l, "sreg.ntid.y()", "sreg.ntid.x()")
    }),
];

/// What launches are drawn from.
const CHOICES: Choices = Choices {
    scalars: &[-1, 0, 1, 7, 32, 33, 1024, 4096],
    blocks: &[[32, 8, 1], [16, 16, 1], [7, 5, 1], [64, 4, 1]],
    grids: &[
        [1, 1, 1],
        [2, 3, 1],
        [16, 16, 16],
        [1000, 7, 2],
        [65_535, 2, 1],
        [65_536, 1, 1],
        [3, 65_535, 1],
        [2_000_000_000, 2, 1],
    ],
};

/// Launches that the function of `subject`, given as text, makes others of than it should; and how many it makes at all.
pub fn wrong(subject: &Relaunched, text: &str) -> Result<(Vec<String>, usize)> {
    drawn::wrong((subject, text), &CHOICES, unchanged, expected)
}

/// The launch of the interchanged kernel that does what the program's does.
fn expected(Launch { own, .. }: &Launch) -> Option<Shape> {
    let [[bx, by, _], [x, y, z]] = own.map(|all| all.map(i128::from));
    (x <= MOST_ROWS).then(|| drawn::shape([bx, by, 1], [y, x, z]))
}
