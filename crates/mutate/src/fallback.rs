//! Copies of a kernel that are written in another way and are the body behind their version's tests: these are made to
//! fail, so that the copy runs as it was written.

use anyhow::{Context as _, Result};
use mesi_launch::Corpus;

use crate::blocks::{Edit, staged};
use crate::version;

/// The kernel with its first version.
pub struct Fallback {
    corpus: Corpus,
    original: version::Original,
    /// The module as the plug-in leaves it.
    pub staged: String,
    /// The same with tests of the version that fail.
    pub copy: String,
    /// The version's name.
    pub version: String,
}

impl Fallback {
    /// The kernel in `ir`, which the plug-in meets.
    pub fn new(corpus: Corpus, ir: &str) -> Result<Fallback> {
        let staged = staged(&corpus, ir)?;
        let version = version::first(&staged)?;
        let mut failing = version::broken(&staged, &version, |l| {
            let (test, _) = l
                .contains("!mesi.dispatch")
                .then(|| l.split_once(", label"))??;
            let (branch, _) = test.rsplit_once(' ')?;
            Some(l.replace(test, &format!("{branch} false")))
        })?;
        Ok(Fallback {
            copy: failing.pop().context("no tests")?,
            original: version::Original::default(),
            version,
            corpus,
            staged,
        })
    }

    /// The module's texts with one line of the copy broken by `edit`. What stands behind the tests, which fail, is
    /// never run.
    pub fn broken(&self, edit: Edit) -> Vec<String> {
        let head = format!("@\"{}\"(", self.version);
        let start = self.copy.find(&head).expect("a version");
        let tests = self.copy[start..].find("!mesi.dispatch").expect("tests");
        let is_run = |t: &String| !t.starts_with(&self.copy[..start + tests]);
        let mut all = version::broken(&self.copy, &self.version, edit).expect("a version");
        all.retain(is_run);
        all
    }

    /// Whether the version, as `text` has it, gives other bits than its kernel.
    pub fn differs(&self, text: &str) -> bool {
        self.original
            .differs(&self.corpus, &self.staged, text, &self.version)
    }
}
