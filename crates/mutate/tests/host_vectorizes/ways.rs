//! Versions whose loops by the block's size run over neighbours, broken; and how the host launches them: as the program
//! did, or in shorter blocks.

use anyhow::Result;

use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::gate_edits::compare_inverted;
use mesi_mutate::host_launches::Shape;
use mesi_mutate::relaunched::{Relaunched, Tried};

/// Corpus kernels with such loops: halves to bytes, in blocks of a length that the code has, in place with a gate, cells
/// that move within their row, bytes in several blocks of code, behind barriers.
pub const KERNELS: [&str; 6] = [
    "row_quantize",
    BY_NUMBER,
    "row_activate",
    "row_shift",
    "row_threshold",
    "row_normalise",
];
/// The one whose loop goes on by a number, and that.
const BY_NUMBER: &str = "row_scale";
const NUMBER: u32 = 128;
/// Threads of a block at most, and blocks from which on they are as few.
const THREADS: u32 = 256;
const ENOUGH: u64 = 1024;

/// Ways to break the function that makes the launch.
pub const MUTATIONS: &[(&str, Edit)] = &[
    ("vectorize-compare-inverted", compare_inverted),
    ("vectorize-length-lost", |l| instead(l, "256", "512")),
    ("vectorize-few-blocks-shortened", |l| {
        instead(l, "1024", "64")
    }),
    ("vectorize-blocks-not-multiplied", |l| {
        instead(l, " = mul ", " = add ")
    }),
    ("vectorize-chunks-not-divided", |l| {
        instead(l, " = udiv ", " = add ").or_else(|| instead(l, " = lshr ", " = add "))
    }),
    ("vectorize-other-length", |l| instead(l, ", 128", ", 64")),
    ("vectorize-length-not-stored", |l| {
        l.trim_start().starts_with("store ").then(String::new)
    }),
];

/// Ways to break the version.
pub const CODE: &[(&str, Edit)] = &[
    ("vectorize-may-meet", |l| {
        instead(l, "icmp uge i64", "icmp ne i64")
    }),
    ("vectorize-not-aligned", |l| {
        let tests = l.contains("icmp eq i32").then_some(l)?;
        instead(tests, "icmp eq i32", "icmp uge i32")
    }),
    ("vectorize-first-too-early", |l| {
        let first = l.contains(" = and i32 ").then_some(l)?;
        instead(first, ", 3", ", 1").or_else(|| instead(first, ", 7", ", 3"))
    }),
    ("vectorize-too-many-chunks", |l| {
        let chunks = l.contains(" = lshr i32 ").then_some(l)?;
        instead(chunks, ", 2", ", 1").or_else(|| instead(chunks, ", 3", ", 2"))
    }),
    ("vectorize-leftovers-not-moved", |l| {
        let moved = l.contains(" = select i1 ").then_some(l)?;
        instead(moved, ", i32 0", ", i32 1")
    }),
    ("vectorize-lane-again", |l| {
        let lane = l.contains(" = extractelement ").then_some(l)?;
        instead(lane, ", i32 1", ", i32 0")
    }),
    ("vectorize-lane-lost", |l| {
        let lane = l.contains(" = insertelement ").then_some(l)?;
        instead(lane, ", i32 2", ", i32 1")
    }),
    ("vectorize-chunk-not-multiplied", |l| {
        let chunk = l.contains(" = mul ").then_some(l)?;
        instead(chunk, ", 4", ", 2").or_else(|| instead(chunk, ", 8", ", 4"))
    }),
    ("vectorize-block-of-rows", |l| {
        instead(l, "sreg.ntid.x", "sreg.ntid.z")
    }),
];

/// Launches that are tried.
const BLOCKS: [[u32; 3]; 10] = [
    [1024, 1, 1],
    [128, 1, 1],
    [128, 2, 4],
    [256, 1, 1],
    [257, 1, 1],
    [64, 1, 1],
    [33, 1, 1],
    [1, 1, 1],
    [512, 2, 1],
    [300, 1, 2],
];
const GRIDS: [[u32; 3]; 6] = [
    [1, 1, 1],
    [1023, 1, 1],
    [1024, 1, 1],
    [32, 32, 1],
    [65_536, 1, 1],
    [2, 3, 500],
];
/// Elements of rows, and iterations at a time of the first kernel.
const LENGTHS: [i32; 6] = [1, 203, 700, 2041, 4096, 100_000];
const LANES: u32 = 8;

/// Launches that the function of `subject`, given as text, makes others of than it should; and how many it makes.
pub fn wrong(subject: &Relaunched, text: &str) -> Result<(Vec<String>, usize)> {
    let kernel = &*subject.corpus.kernel;
    let values = subject.values()?;
    let is_first = kernel == KERNELS[0];
    let any_length = kernel != "row_normalise" && kernel != BY_NUMBER;
    let declines = |own: Shape| kernel == BY_NUMBER && own[0][0] != NUMBER;
    let lengths: &[i32] = if is_first { &LENGTHS } else { &[0] };
    let shapes = BLOCKS.into_iter().flat_map(|b| GRIDS.map(|g| [b, g]));
    let all = lengths
        .iter()
        .flat_map(|n| shapes.clone().map(|own| (*n, own)));
    let launches = all.filter_map(|(n, own): (i32, Shape)| {
        let mut values = values.clone();
        let wants = match (any_length, is_first) {
            (false, _) => own,
            (true, true) => {
                values[3] = n.to_le_bytes().to_vec();
                shortened(own, n as u32)
            }
            // How long their rows are is not written down here.
            (true, false) if own[0][0] <= 32 || few(own) => own,
            (true, false) => return None,
        };
        Some(Tried {
            values,
            own,
            wants: (!declines(own)).then_some(wants),
            told: n,
        })
    });
    subject.wrong(text, launches)
}

fn few([block, grid]: Shape) -> bool {
    let blocks: u64 = grid.iter().map(|n| u64::from(*n)).product();
    blocks < ENOUGH || block[1] * block[2] != 1
}

/// The launch in shorter blocks.
fn shortened(own: Shape, n: u32) -> Shape {
    let [[x, y, z], grid] = own;
    if few(own) {
        return own;
    }
    let chunks = n.div_ceil(32 * LANES).max(1) * 32;
    [[x.min(chunks).min(THREADS), y, z], grid]
}
