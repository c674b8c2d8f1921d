//! What the host asks of a launch that it turns away (`plan::plain`), as tests for a gate to be made of.
//!
//! ```text
//! plain:  br !(all hold), longer, original          !mesi.dispatch
//! longer: ret                                        stands for the original with longer loops
//! ```
//! Nothing leads there, and the blocks go once the gate is made: the kernel itself has no use for them.

use super::bodies::Places;
use super::{DISPATCH, Lower};
use crate::llvm::ir::{Block, Type};
use crate::plan::{Facets, Plan};

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

/// Emits the question, if the plan has one. `original`: the first block of the kernel as it was.
pub fn ask(f: &Facets, plan: &Plan, original: Block) -> Option<Question> {
    if plan.plain.is_empty() {
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
    let (root, longer) = (l.new_block("mesi.plain"), l.new_block("mesi.longer"));
    l.b.at_end(root);
    l.hoist.at_end(root);
    let tests = plan.plain.iter().map(|g| l.gate(g)).collect();
    let plain = l.b.all(tests).expect("there is a test");
    let gains = l.b.xor(plain, l.b.i1().constant(1));
    let branch = l.b.cond_br(gains, longer, original);
    branch.set_mark(l.module, DISPATCH);
    l.b.at_end(longer);
    l.b.ret_void();
    let blocks = vec![root, longer];
    Some(Question { root, blocks })
}
