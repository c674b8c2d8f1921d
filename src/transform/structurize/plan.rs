//! What of a kernel it is done to, and what was done to a copy. Idea and soundness: [`super`].

use super::legality;
use crate::kernel::Kernel;
use crate::llvm::ir::Block;
use crate::machine::tuning::structurize::MOST_TARGETS;
use crate::transform::way::Recasting;
use crate::tree::Tree;

/// Whether a kernel may become one of nested ifs and loops, as far as is easily told.
pub fn may_gain(kernel: &Kernel, tree: &Tree) -> bool {
    !switches(kernel).is_empty() || legality::find(kernel, tree).is_some()
}

/// The blocks that end in a switch that becomes a chain.
pub(super) fn switches(kernel: &Kernel) -> Vec<Block> {
    let is_short = |b: &Block| b.terminator().switched().is_some() && targets(*b) <= MOST_TARGETS;
    kernel.blocks.iter().copied().filter(is_short).collect()
}

/// To how many blocks a switch leads besides the default's.
fn targets(block: Block) -> usize {
    let next = block.successors();
    let mut others: Vec<Block> = Vec::new();
    for b in &next[1..] {
        if *b != next[0] && !others.contains(b) {
            others.push(*b);
        }
    }
    others.len()
}

/// A copy whose control flow is one of nested ifs and loops.
#[derive(Clone, Copy, Debug)]
pub struct Structurized {
    pub(super) switches: usize,
    pub(super) duplicates: usize,
}

impl Recasting for Structurized {
    fn name(&self) -> &'static str {
        "Structurize"
    }

    fn word(&self) -> &'static str {
        "structurized"
    }

    fn describe(&self, _: &Kernel) -> String {
        format!(
            "its control flow is nested: {} switches are branches, {} blocks are duplicated",
            self.switches, self.duplicates
        )
    }

    fn supersedes(&self) -> bool {
        true
    }
}
