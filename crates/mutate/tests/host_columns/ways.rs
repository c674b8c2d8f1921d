//! Versions whose threads have arrays in columns of shared memory, broken; what their records say of it; and how the
//! host launches them, which is as the program did.

use anyhow::Result;

use mesi_mutate::blocks::{Edit, instead};
use mesi_mutate::host_launches::Shape;
use mesi_mutate::relaunched::{Relaunched, Tried};
use mesi_mutate::version;

/// Corpus kernels with such arrays: bytes, shorts in blocks of two dimensions, doubles, floats in two dimensions,
/// counts, a stack.
pub const KERNELS: [&str; 6] = [
    "local_modes",
    "local_median",
    "local_buckets",
    "local_joint",
    "local_entropy",
    "local_stack",
];
/// Bytes that a thread of the first has.
pub const PER_THREAD: u8 = 64;
/// Words of a record before that number.
const BEFORE: usize = 7;

/// Ways to break the function that makes the launch.
pub const MUTATIONS: &[(&str, Edit)] = &[("columns-never", |l| {
    instead(l, "ret i1 true", "ret i1 false")
})];

/// Ways to break the version.
pub const CODE: &[(&str, Edit)] = &[
    ("columns-not-multiplied", |l| {
        instead(l, " = mul i32 ", " = or i32 ")
    }),
    ("columns-not-added", |l| {
        instead(l, " = add i32 ", " = or i32 ")
    }),
    ("columns-thread-of-row", |l| {
        instead(l, "sreg.tid.x", "sreg.tid.y")
    }),
    ("columns-rows-of-block", |l| {
        instead(l, "sreg.ntid.x", "sreg.ntid.y")
    }),
    ("columns-not-whole-warps", |l| instead(l, ", -32", ", -128")),
    ("columns-words-overlap", |l| {
        let row = l.contains(" = lshr i32 ").then_some(l)?;
        instead(row, ", 2", ", 3")
    }),
    ("columns-bytes-overlap", |l| {
        let rest = l.contains(" = and i32 ").then_some(l)?;
        instead(rest, ", 3", ", 1")
    }),
    ("columns-rows-lost", |l| {
        let row = l.contains("@llvm.umin.i32").then_some(l)?;
        instead(row, ", i32 1", ", i32 ")
    }),
    ("columns-filled-otherwise", |l| {
        instead(l, "store i32 0,", "store i32 1,")
    }),
    ("columns-not-filled", |l| {
        l.contains("store i32 0,").then(String::new)
    }),
];

/// Launches that are tried.
const BLOCKS: [[u32; 3]; 4] = [[1, 1, 1], [33, 1, 1], [16, 16, 1], [8, 8, 16]];
const GRIDS: [[u32; 3]; 4] = [
    [1, 1, 1],
    [100, 1, 1],
    [3, 65_535, 7],
    [2_147_483_647, 1, 1],
];

/// Launches that the function of `subject`, given as text, makes others of than the program's; and how many it makes.
pub fn wrong(subject: &Relaunched, text: &str) -> Result<(Vec<String>, usize)> {
    let values = subject.values()?;
    let shapes = BLOCKS.into_iter().flat_map(|b| GRIDS.map(|g| [b, g]));
    let launches = shapes.map(|own: Shape| Tried {
        values: values.clone(),
        own,
        wants: Some(own),
        told: (),
    });
    subject.wrong(text, launches)
}

/// The module's text whose record says that each thread has so many bytes.
pub fn with_per_thread(subject: &Relaunched, bytes: u8) -> String {
    version::with_need(&subject.staged, &subject.version, BEFORE, bytes)
}
