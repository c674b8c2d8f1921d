//! The launch that the host makes for a kernel whose reductions are split, held against what it is to say, written down here a second time, whole and
//! broken; and the split kernels themselves, broken.

use anyhow::Result;

use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::gate_edits::{compare_inverted, limit};
use mesi_mutate::host_launches::Shape;
use mesi_mutate::relaunched::{Relaunched, Tried};

/// Corpus kernels that are split.
pub const KERNELS: [&str; 8] = [
    "row_dot_i8",
    "row_sum_int",
    "row_checksum",
    "row_count",
    "row_extremes",
    "block_match",
    "row_norms",
    "attention_values",
];

/// Those of which loops keep their order.
pub const ORDERED: [&str; 4] = [
    "ordered_rows",
    "ordered_forces",
    "ordered_nearest",
    "pitched_rows",
];

/// Those of which loops store.
pub const STORING: [&str; 2] = ["attention_values", "pitched_rows"];

/// Ways to break the function.
pub const MUTATIONS: &[(&str, Edit)] = &[
    ("split-compare-inverted", compare_inverted),
    ("split-constant-short", |l| limit(l, |c| c & 0xff)),
    ("split-limit-twice", |l| limit(l, |c| c * 2)),
    ("split-or-for-and", |l| {
        instead(l, " = and i1 ", " = or i1 ")
    }),
    ("split-rest-not-asked", |l| {
        instead(l, " = urem ", " = mul ")
    }),
    ("split-ids-not-multiplied", |l| {
        instead(l, " = mul ", " = add ")
    }),
    ("split-not-stored", |l| {
        l.trim_start().starts_with("store ").then(String::new)
    }),
];

/// Ways to break the split kernel, in its version.
pub const CODE: &[(&str, Edit)] = &[
    ("split-begins-with-one", |l| {
        instead(l, "[ 0, %first", "[ 1, %first")
    }),
    ("split-part-lost", |l| {
        let shuffled = l.contains(".bfly.").then_some(l)?;
        instead(shuffled, ", i32 16, i32 31)", ", i32 8, i32 31)")
    }),
    ("split-part-twice", |l| {
        let shuffled = l.contains(".bfly.").then_some(l)?;
        instead(shuffled, ", i32 1, i32 31)", ", i32 0, i32 31)")
    }),
    ("split-other-lane", |l| {
        let shuffled = l.contains(".idx.").then_some(l)?;
        instead(shuffled, ", i32 0, i32 31)", ", i32 1, i32 31)")
    }),
    ("split-one-less", |l| instead(l, "icmp ule ", "icmp ult ")),
    ("split-step-short", |l| {
        let sum = l.contains(" = add i").then_some(l)?;
        instead(sum, ", 32", ", 31")
    }),
    ("split-lane-not-first", |l| {
        instead(l, " = urem i32 ", " = udiv i32 ")
    }),
    ("split-others-store", |l| {
        let first = l.contains(", 0").then_some(l)?;
        instead(first, " = icmp eq i32 ", " = icmp ne i32 ")
    }),
    ("split-not-waited", |l| {
        l.contains("bar.warp.sync").then(String::new)
    }),
];

/// Ways to break one whose loops keep their order.
pub const ORDERED_CODE: &[(&str, Edit)] = &[
    ("ordered-begins-with-one", |l| {
        instead(l, "phi i32 [ 0, %first", "phi i32 [ 1, %first")
    }),
    ("ordered-one-less", |l| instead(l, "icmp ule ", "icmp ult ")),
    ("ordered-whole-early", |l| {
        let whole = l.contains("icmp uge ").then_some(l)?;
        instead(whole, ", 31", ", 30")
    }),
    ("ordered-chunk-left-out", |l| {
        let more = l.contains("icmp uge ").then_some(l)?;
        instead(more, ", 32", ", 33")
    }),
    ("ordered-step-short", |l| {
        let sum = l.contains(" = add i").then_some(l)?;
        instead(sum, ", 32", ", 31")
    }),
    ("ordered-steps-left-out", |l| {
        let sum = l.contains(" = add i32 ").then_some(l)?;
        instead(sum, ", 8", ", 9")
    }),
    ("ordered-other-way", |l| {
        let way = l.contains(", 1").then_some(l)?;
        instead(way, "icmp eq i32 ", "icmp ne i32 ")
    }),
    ("ordered-left-in-one-place", |l| {
        let place = l.contains("$left").then_some(l)?;
        instead(place, "i64 128", "i64 0")
    }),
    ("ordered-not-waited", |l| {
        l.contains("bar.warp.sync").then(String::new)
    }),
];

/// Ways to break one whose loops store.
pub const STORING_CODE: &[(&str, Edit)] = &[
    ("stores-in-all-lanes", |l| {
        instead(l, ", i32 32, i32 1", ", i32 32, i32 32")
    }),
    ("stores-in-one-lane-too-few", |l| {
        instead(l, ", i32 32, i32 1", ", i32 31, i32 1")
    }),
    ("stores-on-one-side", |l| {
        instead(l, "icmp uge i64 ", "icmp uge i64 0, 0 ; ")
    }),
    ("stores-one-cell-short", |l| {
        let length = l.contains(" = add i64 ").then_some(l)?;
        instead(length, ", 4", ", 0")
    }),
    ("stores-of-other-lanes", |l| {
        instead(l, "icmp ult i32 ", "icmp ule i32 ")
    }),
    ("stores-begin-elsewhere", |l| {
        instead(l, "icmp eq i64 ", "icmp ne i64 ")
    }),
    ("stores-steps-of-others", |l| {
        let left = l.contains(" = select i1 ").then_some(l)?;
        instead(left, ", i32 0", ", i32 1")
    }),
    ("stores-not-waited", |l| {
        l.contains("bar.warp.sync").then(String::new)
    }),
];

/// Blocks and grids that launches are tried in.
const BLOCKS: [[u32; 3]; 8] = [
    [256, 1, 1],
    [64, 1, 1],
    [1024, 1, 1],
    [33, 1, 1],
    [12, 1, 1],
    [1, 1, 1],
    [16, 16, 1],
    [16, 1, 2],
];
const GRIDS: [[u32; 3]; 10] = [
    [1, 1, 1],
    [2, 1, 1],
    [7, 1, 1],
    [100, 3, 1],
    [4096, 1, 5],
    [65_535, 1, 1],
    [65_536, 2, 2],
    [1_048_576, 1, 1],
    [8_388_607, 1, 1],
    [2_000_000_000, 1, 1],
];
/// Most ids of a launch.
const MOST: u64 = i32::MAX as u64;
/// Lanes of a warp.
const WARP: u64 = 32;

/// Most ids of a launch of which loops keep their order.
const MOST_ORDERED: u64 = 16_384;

/// Launches that the function of `subject`, given as text, makes others of than it should; and how many it makes at all.
pub fn wrong(subject: &Relaunched, text: &str) -> Result<(Vec<String>, usize)> {
    wrong_to(subject, text, expected)
}

/// The same where loops keep their order.
pub fn wrong_in_order(subject: &Relaunched, text: &str) -> Result<(Vec<String>, usize)> {
    let stores = STORING.contains(&subject.corpus.kernel.as_str());
    let expected = match stores {
        true => expected_in_order_storing,
        false => expected_in_order,
    };
    wrong_to(subject, text, expected)
}

fn wrong_to(
    subject: &Relaunched,
    text: &str,
    expected: fn(Shape) -> Option<Shape>,
) -> Result<(Vec<String>, usize)> {
    let values = subject.values()?;
    let grids = |b| GRIDS.into_iter().map(move |g| [b, g]);
    let launches = BLOCKS.into_iter().flat_map(grids).map(|own| Tried {
        values: values.clone(),
        own,
        wants: expected(own),
        told: (),
    });
    subject.wrong(text, launches)
}

/// The launch with a warp for each thread.
fn expected(own: Shape) -> Option<Shape> {
    with_warps(own, MOST / WARP, &[8, 4, 2])
}

fn expected_in_order(own: Shape) -> Option<Shape> {
    with_warps(own, MOST_ORDERED, &[2])
}

/// The same where loops store, too.
fn expected_in_order_storing(own: Shape) -> Option<Shape> {
    with_warps(own, MOST / WARP, &[2])
}

/// The launch of at most so many threads, with so many warps a block where they fill it.
fn with_warps([block, grid]: Shape, most: u64, warps: &[u64]) -> Option<Shape> {
    let ids = u64::from(block[0]) * u64::from(grid[0]);
    if block[1..] != [1, 1] || !(1..=most).contains(&ids) {
        return None;
    }
    let fills = |w: &&u64| ids.is_multiple_of(**w);
    let warps = warps.iter().find(fills).copied().unwrap_or(1);
    let threads = [(warps * WARP) as u32, 1, 1];
    Some([threads, [(ids / warps) as u32, grid[1], grid[2]]])
}
