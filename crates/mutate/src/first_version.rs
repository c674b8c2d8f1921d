//! A corpus kernel with the first version that the plug-in makes of it.

use anyhow::Result;
use mesi_launch::Corpus;

use crate::blocks::{Edit, staged};
use crate::version::{self, Original};

/// The kernel and its version.
pub struct FirstVersion {
    /// The kernel's launches.
    pub corpus: Corpus,
    original: Original,
    /// The module as the plug-in leaves it.
    pub staged: String,
    /// The version's name.
    pub version: String,
}

impl FirstVersion {
    /// The kernel in `ir`, which the plug-in meets.
    pub fn new(corpus: Corpus, ir: &str) -> Result<FirstVersion> {
        let staged = staged(&corpus, ir)?;
        Ok(FirstVersion {
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

    /// The module's text in which the version's record says `n` behind so many words.
    pub fn with_need(&self, words: usize, n: u8) -> String {
        version::with_need(&self.staged, &self.version, words, n)
    }

    /// Whether the version, as `text` has it, gives other bits than its kernel.
    pub fn differs(&self, text: &str) -> bool {
        self.original
            .differs(&self.corpus, &self.staged, text, &self.version)
    }
}
