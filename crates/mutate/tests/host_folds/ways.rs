//! The launch that the host makes for a kernel whose flattened ids are folded, or whose loop over elements is spread: the function that the plug-in leaves for that, held against what it is
//! to say, written down here a second time, whole and broken; and the folded kernels themselves, broken.

use anyhow::{Context as _, Result};

use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::drawn::{self, Choices, Draw, Launch, MOST, MOST_ROWS, over};
use mesi_mutate::gate_edits::{compare_inverted, limit};
use mesi_mutate::host_launches::Shape;
use mesi_mutate::relaunched::Relaunched;

/// A corpus kernel that is folded or spread, and its lengths.
pub struct Folded {
    /// Its name.
    pub name: &'static str,
    /// The inner lengths and how many ids or elements are of use, from the scalars behind its three arrays, or two.
    lengths: fn(&[i128]) -> (Vec<i128>, i128),
    /// Which dimensions lie along x and y.
    axes: [usize; 2],
    /// Blocks along x and y that one of its version does the work of, where the others are not launched.
    merged: [i128; 2],
    /// Elements that a thread has in a row; 1: every one that is so many on as there are threads; 0: it has no loop over elements.
    run: i128,
}

/// The product of four, however large.
fn volume(s: &[i128]) -> i128 {
    s[..4].iter().fold(1, |p, n| p.saturating_mul(*n))
}

/// Dimensions in their order.
const IN_ORDER: [usize; 2] = [0, 1];

/// All of them.
pub const KERNELS: [Folded; 14] = [
    Folded {
        name: "flat_mm",
        lengths: |s| (vec![s[1]], s[0] * s[1]),
        axes: IN_ORDER,
        merged: [1, 1],
        run: 0,
    },
    Folded {
        name: "flat_mm_size_t",
        lengths: |s| (vec![s[1]], s[0] * s[1]),
        axes: IN_ORDER,
        merged: [1, 1],
        run: 0,
    },
    Folded {
        name: "flat_stencil7",
        lengths: |s| (vec![s[0], s[1]], s[0] * s[1] * s[2]),
        axes: IN_ORDER,
        merged: [2, 2],
        run: 0,
    },
    Folded {
        name: "flat_batch",
        lengths: |s| match s[0] > 0 && s[1] % s[0] == 0 {
            true => (vec![s[0], s[1] / s[0]], s[2]),
            false => (vec![0, 0], s[2]),
        },
        axes: IN_ORDER,
        merged: [4, 4],
        run: 0,
    },
    Folded {
        name: "attention_scores",
        lengths: |s| (vec![s[1], s[1]], s[0] * s[1] * s[1] * s[2]),
        axes: IN_ORDER,
        merged: [4, 4],
        run: 0,
    },
    Folded {
        name: "flat_mm_fixed",
        lengths: |s| (vec![256], s[0]),
        axes: IN_ORDER,
        merged: [1, 1],
        run: 0,
    },
    Folded {
        name: "stride_mm",
        lengths: |s| (vec![s[1]], s[0] * s[1]),
        axes: IN_ORDER,
        merged: [1, 1],
        run: 1,
    },
    Folded {
        name: "stride_rows",
        lengths: |s| (vec![], s[0]),
        axes: IN_ORDER,
        merged: [1, 1],
        run: 1,
    },
    Folded {
        name: "grid_stride",
        lengths: |s| (vec![], s[0]),
        axes: IN_ORDER,
        merged: [1, 1],
        run: 1,
    },
    Folded {
        name: "few_each",
        lengths: |s| (vec![], s[1]),
        axes: IN_ORDER,
        merged: [1, 1],
        run: 4,
    },
    Folded {
        name: "few_each_unsigned",
        lengths: |s| (vec![], s[1]),
        axes: IN_ORDER,
        merged: [1, 1],
        run: 8,
    },
    Folded {
        name: "permute3_reversed",
        lengths: |s| (vec![s[0], s[1]], s[0] * s[1] * s[2]),
        axes: [0, 2],
        merged: [1, 4],
        run: 0,
    },
    Folded {
        name: "permute4_scatter",
        lengths: |s| (vec![s[3], s[2], s[1]], volume(s)),
        axes: [0, 3],
        merged: [1, 4],
        run: 0,
    },
    Folded {
        name: "permute4_gather",
        lengths: |s| (vec![s[0], s[1], s[2]], volume(s)),
        axes: [3, 0],
        merged: [1, 4],
        run: 0,
    },
];
/// Elements up to which a spread kernel has blocks of 64 threads, not of 256: as many as the multiprocessors of sm_90 have blocks of those.
const FEW: i128 = 132 * 256;

/// What launches are drawn from.
const CHOICES: Choices = Choices {
    scalars: &[
        -1,
        0,
        1,
        3,
        7,
        8,
        9,
        15,
        16,
        31,
        32,
        33,
        64,
        100,
        1023,
        4096,
        65_536,
        1 << 20,
        1 << 26,
        i32::MAX as i64,
    ],
    blocks: &[
        [256, 1, 1],
        [64, 1, 1],
        [1024, 1, 1],
        [33, 1, 1],
        [16, 16, 1],
        [16, 1, 2],
    ],
    grids: &[
        [1, 1, 1],
        [2, 1, 1],
        [16, 1, 1],
        [100, 1, 1],
        [4096, 1, 1],
        [65_536, 1, 1],
        [8_388_607, 1, 1],
        [2_000_000_000, 1, 1],
        [4096, 2, 1],
    ],
};

/// Ways to break the function.
pub const MUTATIONS: &[(&str, Edit)] = &[
    ("fold-compare-inverted", compare_inverted),
    ("fold-constant-short", |l| limit(l, |c| c & 0xff)),
    ("fold-limit-twice", |l| limit(l, |c| c * 2)),
    ("fold-or-for-and", |l| instead(l, " = and i1 ", " = or i1 ")),
    ("fold-rounded-down", |l| instead(l, " = add ", " = sub ")),
    ("fold-rest-not-asked", |l| instead(l, " = urem ", " = mul ")),
    ("fold-lengths-not-multiplied", |l| {
        instead(l, " = mul ", " = add ")
    }),
    ("fold-not-stored", |l| {
        l.trim_start().starts_with("store ").then(String::new)
    }),
];

/// Ways to break the folded kernel, in its version.
pub const CODE: &[(&str, Edit)] = &[
    ("fold-row-longer", |l| {
        instead(l, "icmp slt i", "icmp sle i")
    }),
    ("fold-parts-swapped", |l| {
        let swapped = l
            .replace("tid.x()", "tid.?()")
            .replace("tid.y()", "tid.x()");
        instead(&swapped, "tid.?()", "tid.y()").filter(|_| l.contains("sreg.tid."))
    }),
    ("fold-block-forgotten", |l| {
        instead(l, "sreg.ctaid.y()", "sreg.tid.z()")
    }),
];

/// Ways to break what a folded kernel makes of the layers, where these are taken apart or lie between other dimensions.
pub const LAYERS: &[(&str, Edit)] = &[
    ("fold-layer-quotient-for-rest", |l| {
        instead(l, " = urem i32 ", " = udiv i32 ")
    }),
    ("fold-layer-rest-for-quotient", |l| {
        instead(l, " = udiv i32 ", " = urem i32 ")
    }),
    ("fold-layer-forgotten", |l| {
        instead(l, "sreg.ctaid.z()", "sreg.tid.z()")
    }),
    ("fold-group-of-two", |l| {
        let reads_first = l.contains(" = mul nsw i32 ") && l.ends_with(", 4");
        instead(l, ", 4", ", 2").filter(|_| reads_first)
    }),
    ("fold-layers-below-y", |l| {
        instead(l, "sreg.ctaid.z()", "sreg.ctaid.y()")
    }),
];

/// Ways to break a spread kernel, in its version.
pub const SPREAD: &[(&str, Edit)] = &[
    ("spread-one-more", |l| {
        instead(l, "icmp ult i64", "icmp ule i64")
            .or_else(|| instead(l, "icmp slt i32", "icmp sle i32"))
    }),
    ("spread-block-forgotten", |l| {
        instead(l, "sreg.ctaid.x()", "sreg.tid.z()")
    }),
    ("spread-neighbour", |l| {
        instead(l, "sreg.tid.x()", "sreg.ntid.x()")
    }),
];

/// The folded or spread kernel that a version is of.
fn folded(subject: &Relaunched) -> Result<&'static Folded> {
    let found = KERNELS.iter().find(|k| k.name == subject.corpus.kernel);
    found.context("not one of them")
}

/// Whether its kernel has a loop over elements.
pub fn is_spread(subject: &Relaunched) -> bool {
    folded(subject).is_ok_and(|f| f.run > 0)
}

/// Whether its dimensions lie along other axes than in their order.
pub fn is_out_of_order(subject: &Relaunched) -> bool {
    folded(subject).is_ok_and(|f| f.axes != IN_ORDER)
}

/// Launches that the function of `subject`, given as text, makes others of than it should; and how many it makes at all.
pub fn wrong(subject: &Relaunched, text: &str) -> Result<(Vec<String>, usize)> {
    let folded = folded(subject)?;
    let wants = |launch: &Launch| folded.expected(launch);
    drawn::wrong((subject, text), &CHOICES, mended, wants)
}

impl Folded {
    /// The launch of the folded kernel that does what the program's does.
    fn expected(&self, Launch { scalars, own }: &Launch) -> Option<Shape> {
        let [block, grid] = own;
        let scalars: Vec<i128> = scalars.iter().map(|s| i128::from(*s)).collect();
        let (lengths, limit) = (self.lengths)(&scalars);
        let ids = i128::from(block[0]) * i128::from(grid[0]);
        let line = block[1..] == [1, 1] && grid[1..] == [1, 1] && (1..=MOST).contains(&ids);
        let told = scalars[..self.used()].iter().chain(&lengths);
        if !line || !told.chain([&limit]).all(|s| (1..=MOST).contains(s)) {
            return None;
        }
        let theirs = ids * self.run.max(1);
        let enough = self.run == 1 || theirs >= limit;
        if !enough || theirs > MOST {
            return None;
        }
        if lengths.is_empty() {
            let threads = if limit <= FEW { 64 } else { 256 };
            let blocks = over(limit, threads);
            let fits = blocks * threads <= MOST;
            return fits.then(|| drawn::shape([threads, 1, 1], [blocks, 1, 1]));
        }
        let inner = lengths.iter().fold(1i128, |p, n| p.saturating_mul(*n));
        if inner > MOST || limit % inner != 0 {
            return None;
        }
        let sizes = [lengths.clone(), vec![limit / inner]].concat();
        let [row, rows] = self.axes.map(|d| sizes[d]);
        if row < 8 || self.axes != IN_ORDER && rows < 8 {
            return None;
        }
        let layers = (0..sizes.len()).filter(|d| !self.axes.contains(d));
        let layers: i128 = layers.map(|d| sizes[d]).product();
        let along = if self.axes == IN_ORDER {
            drawn::row(row)
        } else {
            32
        };
        let up = 256 / along;
        // Whole groups of merged blocks.
        let whole = |count: i128, k: usize| over(count, self.merged[k]) * self.merged[k];
        let grid = [whole(over(row, along), 0), whole(over(rows, up), 1), layers];
        let last = lengths.len();
        let of_row = if self.axes[1] == last { inner } else { row };
        let fits = grid[1..].iter().all(|n| *n <= MOST_ROWS)
            && grid[1] * up * of_row <= MOST
            && (self.axes[0] != last || grid[0] * along * inner <= MOST);
        let leaders = [grid[0] / self.merged[0], grid[1] / self.merged[1], layers];
        fits.then(|| drawn::shape([along, up, 1], leaders))
    }

    /// How many of the scalars lengths are made of: products have a last one that only tells how long sums are.
    fn used(&self) -> usize {
        match self.name {
            "flat_mm" | "flat_mm_size_t" | "stride_mm" => 2,
            "flat_mm_fixed" => 1,
            "permute4_scatter" | "permute4_gather" => 4,
            _ if self.run > 0 => 0,
            _ => 3,
        }
    }
}

/// A large number for a scalar of 64 bits at times, and for a batch, of which how many it has is a parameter, mostly as
/// many as it should have.
fn mended(launch: &mut Launch, bits: &[usize], draw: Draw) {
    for (s, bits) in launch.scalars.iter_mut().zip(bits) {
        if *bits == 64 && draw(40) == 0 {
            *s = 1 << 40;
        }
    }
    if let [m, p, q] = &mut launch.scalars[..]
        && draw(2) == 0
        && [&*m, &*p].iter().all(|n| (1..2000).contains(*n))
    {
        let size = *m * *p;
        (*p, *q) = (size, size.saturating_mul((*q).clamp(1, 9)));
    }
}
