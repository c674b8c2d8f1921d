//! The launch that the host makes for a kernel whose loop is a dimension of the grid: the function that the plug-in leaves for that, held against what it is to say, written down here a
//! second time, whole and broken; and the collapsed kernels themselves, broken.

use anyhow::{Context as _, Result};

use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::drawn::{self, Choices, Launch, MOST, MOST_ROWS, over, unchanged};
use mesi_mutate::gate_edits::{compare_inverted, limit};
use mesi_mutate::host_launches::Shape;
use mesi_mutate::relaunched::Relaunched;

/// A corpus kernel that is collapsed.
pub struct Collapsed {
    /// Its name.
    pub name: &'static str,
    /// From the scalars behind its arrays, and the program's threads: how many iterations a thread has at most; `None`:
    /// something that the launch rests on does not hold.
    iterations: fn(&[i64], i128) -> Option<i128>,
}

/// All of them.
pub const KERNELS: [Collapsed; 8] = [
    Collapsed {
        name: "rotate_layers",
        iterations: |s, _| Some(short(s[0]) - 1),
    },
    Collapsed {
        name: "rotate_unsigned",
        iterations: |s, threads| has_32_bits(short(s[0]), threads).then(|| short(s[0]) - 1),
    },
    Collapsed {
        name: "rotate_size_t",
        iterations: |s, _| {
            (0..=MOST)
                .contains(&s[0].into())
                .then(|| i128::from(s[0]) - 1)
        },
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

/// Whether all indices of a rotation have 32 bits with their signs, for all threads of the launch that is made.
fn has_32_bits(n: i128, threads: i128) -> bool {
    let along = drawn::row(n - 1);
    let last = (threads - 1, over(n - 1, along) * along - 1);
    let corners = [(0, 0), (last.0, 0), (0, last.1), last];
    let fits = |index: i128| (i128::from(i32::MIN)..=MOST).contains(&index);
    n >= 0
        && corners.into_iter().all(|(id, k)| {
            let end = n - 1 - id;
            let top = id * n + id + k;
            let left = (end - k) * n + id;
            let bottom = end * n + end - k;
            let right = (id + k) * n + end;
            [top, left, bottom, right].into_iter().all(fits)
        })
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
    ],
    blocks: &[
        [256, 1, 1],
        [32, 1, 1],
        [33, 1, 1],
        [1, 1, 1],
        [12, 1, 1],
        [1022, 1, 1],
        [16, 16, 1],
        [64, 1, 2],
    ],
    grids: &[
        [1, 1, 1],
        [12, 1, 1],
        [8, 1, 1],
        [4097, 1, 1],
        [65_536, 1, 1],
        [8_388_607, 1, 1],
        [8_388_608, 1, 1],
        [3, 2, 1],
        [3, 1, 5],
    ],
};

/// Launches that the function of `subject`, given as text, makes others of than it should; and how many it makes at all.
pub fn wrong(subject: &Relaunched, text: &str) -> Result<(Vec<String>, usize)> {
    let found = KERNELS.iter().find(|k| k.name == subject.corpus.kernel);
    let collapsed = found.context("not one of them")?;
    let wants = |launch: &Launch| collapsed.expected(launch);
    drawn::wrong((subject, text), &CHOICES, unchanged, wants)
}

impl Collapsed {
    /// The launch of the collapsed kernel that does what the program's does.
    fn expected(&self, Launch { scalars, own }: &Launch) -> Option<Shape> {
        let [block, grid] = own;
        let threads = i128::from(block[0]) * i128::from(grid[0]);
        let is_line = block[1..] == [1, 1] && grid[1..] == [1, 1] && threads <= MOST;
        let iterations = (self.iterations)(scalars, threads)?;
        if !is_line || !(8..=MOST).contains(&iterations) {
            return None;
        }
        let along = drawn::row(iterations);
        let mut rows = [8, 4, 2].into_iter();
        let up = rows.find(|n| threads % n == 0).unwrap_or(1);
        let grid = [over(iterations, along), threads / up, 1];
        let fits = grid[0] * along <= MOST && grid[1] <= MOST_ROWS;
        fits.then(|| drawn::shape([along, up, 1], grid))
    }
}
