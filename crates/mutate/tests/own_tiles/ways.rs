//! Ways to break the versions of merged blocks that keep shared arrays and barriers of their own.

use mesi_mutate::blocks::{Edit, instead};

/// Corpus kernels whose first version is one.
pub const KERNELS: [&str; 6] = [
    "own_shared",
    "own_transpose",
    "own_dynamic_product",
    "own_column_counts",
    "own_scan",
    "own_layers",
];

/// Words of a record before the number of parts that it says.
pub const BEFORE_PARTS: usize = 5;

/// Ways to break the version.
pub const CODE: &[(&str, Edit)] = &[
    ("own-barrier-lost", |l| {
        l.contains("call void @llvm.nvvm.barrier.cta.sync")
            .then(String::new)
    }),
    ("own-parts-overlap", |l| {
        let part = l.contains("$parts").then_some(l)?;
        instead(part, ", i64 1024)", ", i64 512)")
    }),
    ("own-parts-are-one", |l| {
        let part = l.contains("$parts").then_some(l)?;
        instead(part, ", i64 1024)", ", i64 0)")
    }),
    ("own-layouts-overlap", |l| {
        let part = l.contains("$parts").then_some(l)?;
        instead(part, ", i64 12288)", ", i64 8192)")
    }),
    ("own-layout-arrays-are-one", |l| {
        let array = l.contains("$parts").then_some(l)?;
        instead(array, ", i64 4096)", ", i64 0)")
    }),
    ("own-dynamic-parts-overlap", |l| {
        let part = l.contains(" = udiv i32 ").then_some(l)?;
        part.strip_suffix(", 8").map(|part| format!("{part}, 16"))
    }),
    ("own-dynamic-part-early", |l| {
        let part = l.contains(" = and i32 ").then_some(l)?;
        instead(part, ", -16", ", -32")
    }),
    ("own-dynamic-part-of-another", |l| {
        let part = l.contains(" = mul i64 ").then_some(l)?;
        let replica = part.strip_suffix(", 3")?;
        Some(format!("{replica}, 2"))
    }),
    ("own-replica-elsewhere", |l| {
        let sum = l.contains(" = add i32 ").then(|| l.strip_suffix(", 1"))??;
        Some(format!("{sum}, 0"))
    }),
];
