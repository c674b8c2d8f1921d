//! Tests that only the host asks of a launch, as blocks for a gate to be made of.
//!
//! ```text
//! pays:  br (all hold), yes, original          !mesi.dispatch
//! yes:   ret                                    stands for the version
//! ```
//! Nothing leads there, and the blocks go once the gate is made: the kernel itself has no use for them.

use super::bodies::Places;
use super::{DISPATCH, Lower};
use crate::llvm::ir::{Block, Type};
use crate::plan::{Facets, Fact, Plan};

/// Blocks that nothing leads to.
pub struct Question {
    /// The one with the tests.
    pub root: Block,
    blocks: Vec<Block>,
}

impl Question {
    /// Deletes the blocks.
    pub fn forget(self) {
        self.blocks.into_iter().for_each(Block::delete);
    }
}

/// Emits the question whether a launch meets all of `tests`. `original`: the first block of the kernel as it was.
pub fn ask(f: &Facets, plan: &Plan, tests: &[Fact], original: Block) -> Option<Question> {
    if tests.is_empty() {
        return None;
    }
    let places = Places {
        buffer: Type::int(f.kernel.function.module(), 32).constant(0),
        original,
        unserved: original,
        fallback: original,
        last: original,
        kernel: original,
    };
    let mut l = Lower::new((f.kernel, f.tree, f.accesses, f.affine), plan, places);
    l.entry.delete();
    let (root, yes) = (l.new_block("mesi.pays"), l.new_block("mesi.yes"));
    l.b.at_end(root);
    l.hoist.at_end(root);
    let tests = tests.iter().map(|g| l.gate(g)).collect();
    let Some(all) = l.b.all(tests) else {
        // All of them hold for any launch.
        root.delete();
        yes.delete();
        return None;
    };
    let branch = l.b.cond_br(all, yes, original);
    branch.set_mark(l.module, DISPATCH);
    l.b.at_end(yes);
    l.b.ret_void();
    let blocks = vec![root, yes];
    Some(Question { root, blocks })
}
