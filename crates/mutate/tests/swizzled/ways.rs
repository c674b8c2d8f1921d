//! Ways to break copies whose shared arrays are permuted.

use anyhow::Result;
use mesi_launch::Corpus;

use mesi_mutate::blocks::{Edit, instead, staged};
use mesi_mutate::version::{self, Original};

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

/// A corpus kernel with its first version.
pub struct Swizzled {
    corpus: Corpus,
    original: Original,
    /// The module as the plug-in leaves it.
    pub staged: String,
    /// The version's name.
    pub version: String,
}

impl Swizzled {
    /// The kernel in `ir`, which the plug-in meets.
    pub fn new(corpus: Corpus, ir: &str) -> Result<Swizzled> {
        let staged = staged(&corpus, ir)?;
        Ok(Swizzled {
            version: version::first(&staged)?,
            corpus,
            original: Original::default(),
            staged,
        })
    }

    /// The module's texts with one line of the version broken by `edit`.
    pub fn broken(&self, edit: Edit) -> Vec<String> {
        version::broken(&self.staged, &self.version, edit).expect("a version")
    }

    /// Whether the version, as `text` has it, gives other bits than its kernel.
    pub fn differs(&self, text: &str) -> bool {
        self.original
            .differs(&self.corpus, &self.staged, text, &self.version)
    }
}
