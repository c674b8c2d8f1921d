//! The launch that the host makes of small blocks that are packed, held against what it is to say, written down here a
//! second time, whole and broken; and the packed kernels themselves, broken.

use anyhow::Result;

use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::gate_edits::{compare_inverted, limit};
use mesi_mutate::host_launches::{Shape, with_room};
use mesi_mutate::relaunched::Relaunched;

/// Corpus kernels whose blocks are packed; of the third, whole warps; the last two share arrays, one of them dynamic.
pub const KERNELS: [&str; 5] = [
    "small_rows",
    "small_search",
    "small_norm",
    SHARING[0],
    SHARING[1],
];
const SHARING: [&str; 2] = ["group_scores", "window_maxima"];
/// Blocks of those that there is room for in one.
const PARTS: u64 = 16;

/// Ways to break the function.
pub const MUTATIONS: &[(&str, Edit)] = &[
    ("pack-compare-inverted", compare_inverted),
    ("pack-limit-twice", |l| limit(l, |c| c * 2)),
    ("pack-or-for-and", |l| instead(l, " = and i1 ", " = or i1 ")),
    ("pack-not-multiplied", |l| instead(l, " = mul ", " = add ")),
    ("pack-last-left-out", |l| instead(l, " = sub ", " = or ")),
    ("pack-threads-not-divided", |l| {
        instead(l, " = udiv ", " = add ")
    }),
    ("pack-not-stored", |l| {
        l.trim_start().starts_with("store ").then(String::new)
    }),
];

/// Ways to break the version.
pub const CODE: &[(&str, Edit)] = &[
    ("pack-block-lost", |l| {
        instead(l, "icmp ult i32", "icmp ule i32")
    }),
    ("pack-layer-not-added", |l| {
        let sum = l.contains(" = add i32 ").then_some(l)?;
        instead(sum, " = add i32 ", " = or i32 ")
    }),
    ("pack-step-not-multiplied", |l| {
        instead(l, " = mul i32 ", " = or i32 ")
    }),
    ("pack-other-dimension", |l| {
        instead(l, "sreg.ctaid.x", "sreg.ctaid.y")
    }),
    ("pack-row-for-layer", |l| {
        instead(l, "sreg.tid.z", "sreg.tid.y")
    }),
];

/// Ways to break what threads of a block share in it.
pub const SHARED: &[(&str, Edit)] = &[
    ("pack-members-of-others", |l| {
        instead(l, " = shl i32 ", " = or i32 ")
    }),
    ("pack-too-few-members", |l| {
        instead(l, " = lshr i32 -1", " = lshr i32 1")
    }),
    ("pack-no-meeting", |l| {
        l.contains("@llvm.nvvm.bar.warp.sync(").then(String::new)
    }),
    ("pack-parts-overlap", |l| {
        instead(l, " = mul i64 ", " = lshr i64 ")
    }),
    ("pack-part-of-all", |l| {
        instead(l, " = udiv i32 ", " = or i32 ")
    }),
];

/// Launches that are tried.
const BLOCKS: [[u32; 3]; 10] = [
    [1, 1, 1],
    [6, 1, 1],
    [32, 1, 1],
    [8, 4, 1],
    [31, 1, 1],
    [33, 1, 1],
    [16, 1, 1],
    [2, 1, 1],
    [2, 1, 2],
    [1024, 1, 1],
];
const GRIDS: [[u32; 3]; 12] = [
    [1, 1, 1],
    [2, 1, 1],
    [1, 3, 1],
    [100, 1, 1],
    [1023, 1, 1],
    [65_535, 1, 1],
    [70_000, 3, 1],
    [3, 65_535, 1],
    [512, 512, 4],
    [1, 1, 500],
    [1 << 20, 1, 1],
    [2_147_483_647, 2, 2],
];
/// Threads of a warp, of a block that others are packed in, layers of a block, blocks that fill a chip.
const WARP: u64 = 32;
const THREADS: u64 = 128;
const LAYERS: u64 = 64;
const ENOUGH: u64 = 1024;

/// Launches that the function of `subject`, given as text, makes others of than it should; and how many it makes at all.
pub fn wrong(subject: &Relaunched, text: &str) -> Result<(Vec<String>, usize)> {
    let values = subject.values()?;
    let count = values.len() as u32 + 1;
    let kernel = &*subject.corpus.kernel;
    let (whole_warps, shares) = (kernel == "small_norm", SHARING.contains(&kernel));
    with_room(text, subject.function(), |ask| {
        let (mut wrong, mut made) = (Vec::new(), 0);
        for own in BLOCKS.into_iter().flat_map(|b| GRIDS.map(|g| [b, g])) {
            let found = ask(&values, own).map(|room| room[..14].to_vec());
            made += usize::from(found.is_some());
            let wants = expected(own, (whole_warps, shares))
                .map(|([block, grid], list)| [&block[..], &grid, &[count], &list].concat());
            if found != wants {
                wrong.push(format!("{own:?}: {found:?} in place of {wants:?}"));
            }
        }
        (wrong, made)
    })
}

/// The launch in packed blocks, and the list.
fn expected(
    [block, grid]: Shape,
    (whole_warps, shares): (bool, bool),
) -> Option<(Shape, [u32; 7])> {
    let area = u64::from(block[0]) * u64::from(block[1]);
    let fits = match (whole_warps, shares) {
        (true, _) => area == WARP,
        (_, true) => WARP.is_multiple_of(area),
        _ => area <= WARP,
    };
    if block[2] != 1 || !fits {
        return None;
    }
    let d = usize::from(grid[1] > grid[0]);
    let along = u64::from(grid[d]);
    let all: u64 = grid.iter().map(|n| u64::from(*n)).product();
    let wanted = (WARP / area).max(all / ENOUGH);
    let packed = (THREADS / area).min(LAYERS).min(wanted).min(along);
    let packed = if shares { packed.min(PARTS) } else { packed };
    if packed < 2 {
        return None;
    }
    let mut left = grid;
    left[d] = along.div_ceil(packed) as u32;
    let (mut step, mut layers) = ([1, 1], [0, 0]);
    (step[d], layers[d]) = (packed as u32, 1);
    let list = [
        grid[0], grid[1], grid[2], step[0], step[1], layers[0], layers[1],
    ];
    Some(([[block[0], block[1], packed as u32], left], list))
}
