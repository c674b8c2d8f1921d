//! Ways to break copies whose shared arrays are permuted.

use mesi_mutate::blocks::{Edit, instead};

/// Corpus kernels whose first version is merged blocks of one, and one with updates and doubles.
pub const KERNELS: [&str; 2] = ["own_transpose_32", "own_column_counts"];

/// Ways to break the version: one access then takes another place than the others.
pub const CODE: &[(&str, Edit)] = &[
    ("swizzle-not-permuted", |l| instead(l, ", 124", ", 0")),
    ("swizzle-no-permutation", |l| {
        instead(l, " = xor i32 ", " = or i32 ")
    }),
    ("swizzle-by-half-a-row", |l| {
        let row = l.contains(" = lshr ").then_some(l)?;
        Some(format!("{}, 4", row.strip_suffix(", 5")?))
    }),
    ("swizzle-of-doubles-as-words", |l| {
        instead(l, ", 248", ", 124")
    }),
];
