//! What a plan is made from.

use super::analyses::Analyses;
use super::candidate::Candidate;
use crate::options::Options;
use crate::plan::data::Prospect;

/// What a plan is made from.
pub struct Context<'a> {
    /// The kernel.
    pub f: &'a Analyses<'a>,
    /// What may be staged where: cluster by cluster, of each the best place first.
    pub candidates: &'a [Candidate],
    /// The options.
    pub options: &'a Options,
    /// How many more arrays may be staged.
    pub fuel: Option<u32>,
    /// Bytes of shared memory there are.
    pub budget: u32,
    /// Whether such candidates are among them of which copies may read what the kernel does not.
    pub mapped: bool,
}

impl Context<'_> {
    /// What a prospect was read from.
    pub fn candidate(&self, of: &Prospect) -> &Candidate {
        &self.candidates[of.id]
    }
}
