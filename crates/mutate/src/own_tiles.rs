//! Ways to break the versions of merged blocks that keep shared arrays and barriers of their own.

use anyhow::{Context as _, Result};
use mesi_launch::{Corpus, VERSION};

use crate::blocks::{Edit, instead, staged};
use crate::version;

/// Corpus kernels whose first version is one.
pub const KERNELS: [&str; 3] = ["own_shared", "own_transpose", "own_scan"];

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
    ("own-replica-elsewhere", |l| {
        let sum = l.contains(" = add i32 ").then(|| l.strip_suffix(", 1"))??;
        Some(format!("{sum}, 0"))
    }),
];

/// A corpus kernel with its first version.
pub struct Merged {
    corpus: Corpus,
    /// The module as the plug-in leaves it.
    pub staged: String,
    /// The version's name.
    pub version: String,
}

impl Merged {
    /// The kernel in `ir`, which the plug-in meets.
    pub fn new(corpus: Corpus, ir: &str) -> Result<Merged> {
        let staged = staged(&corpus, ir)?;
        let first = format!("{VERSION}0\"(");
        let mut heads = staged.lines().filter(|l| l.starts_with("define"));
        let head = heads.find(|l| l.contains(&first)).context("no version")?;
        let name = head.split('"').nth(1).context("a name in quotes")?;
        Ok(Merged {
            version: name.to_string(),
            corpus,
            staged,
        })
    }

    /// The module's texts with one line of the version broken by `edit`.
    pub fn broken(&self, edit: Edit) -> Vec<String> {
        version::broken(&self.staged, &self.version, edit).expect("a version")
    }

    /// Whether the version, as `text` has it, gives other bits than its kernel.
    pub fn differs(&self, text: &str) -> bool {
        version::differs(&self.corpus, &self.staged, text, &self.version)
    }
}
