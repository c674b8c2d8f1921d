//! Ways to break a copy whose control flow was made of nested ifs and loops. The copy is the body behind its version's
//! tests: these are made to fail, so that it runs as it was written.

use anyhow::{Context as _, Result};
use mesi_launch::Corpus;

use mesi_mutate::blocks::{Edit, instead, staged};
use mesi_mutate::version;

/// A kernel with two switches, and a block that both sides of the second share.
pub const KERNEL: &str = "sides";

/// Ways to break the copy.
pub const CODE: &[(&str, Edit)] = &[
    ("structurize-case-of-another", |l| {
        instead(l, ", 63", ", 62")
    }),
    ("structurize-case-lost", |l| {
        instead(l, " = or i1 ", " = and i1 ")
    }),
    ("structurize-sides-swapped", |l| {
        let (_, sides) = l.split_once(", label %")?;
        let (side, case) = sides.split_once(", label %mesi.case")?;
        instead(l, sides, &format!("mesi.case{case}, label %{side}"))
    }),
    ("structurize-case-number", |l| other_number(l, "%mesi.case")),
    ("structurize-duplicate-number", |l| {
        other_number(l, "%mesi.duplicate")
    }),
    ("structurize-duplicate-for-another", |l| {
        instead(l, ", i64 -4", ", i64 4")
    }),
];

/// A phi that takes another number from `block`.
fn other_number(line: &str, block: &str) -> Option<String> {
    let is_phi = line.contains(" = phi float ");
    let at = line.find(block).filter(|_| is_phi)?;
    let (before, from) = line.split_at(at);
    let (before, _) = before.rsplit_once("[ ")?;
    Some(format!("{before}[ 5.000000e-01, {from}"))
}

/// The kernel with its first version.
pub struct Nested {
    corpus: Corpus,
    original: version::Original,
    /// The module as the plug-in leaves it.
    pub staged: String,
    /// The same with tests of the version that fail.
    pub copy: String,
    /// The version's name.
    pub version: String,
}

impl Nested {
    /// The kernel in `ir`, which the plug-in meets.
    pub fn new(corpus: Corpus, ir: &str) -> Result<Nested> {
        let staged = staged(&corpus, ir)?;
        let version = version::first(&staged)?;
        let mut failing = version::broken(&staged, &version, |l| {
            let (test, _) = l
                .contains("!mesi.dispatch")
                .then(|| l.split_once(", label"))??;
            let (branch, _) = test.rsplit_once(' ')?;
            Some(l.replace(test, &format!("{branch} false")))
        })?;
        Ok(Nested {
            copy: failing.pop().context("no tests")?,
            original: version::Original::default(),
            version,
            corpus,
            staged,
        })
    }

    /// The module's texts with one line of the copy broken by `edit`.
    pub fn broken(&self, edit: Edit) -> Vec<String> {
        version::broken(&self.copy, &self.version, edit).expect("a version")
    }

    /// Whether the version, as `text` has it, gives other bits than its kernel.
    pub fn differs(&self, text: &str) -> bool {
        self.original
            .differs(&self.corpus, &self.staged, text, &self.version)
    }
}
