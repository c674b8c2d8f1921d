//! Copies of blocks of a function, with their values.

use crate::llvm::ir::{Block, Builder, Op, Value};
use crate::map::HashMap;

/// What stands for blocks and their values in a copy of them.
pub struct Copied {
    blocks: HashMap<Block, Block>,
    values: HashMap<Value, Value>,
}

impl Copied {
    /// Copies `blocks` under a name in front of `to`, but for instructions `known`, in whose place others stand, and
    /// for `end`, a branch that is made anew. Phis have what comes from the blocks themselves alone.
    pub fn new(
        b: &Builder,
        blocks: &[Block],
        (name, to): (&str, Block),
        known: HashMap<Value, Value>,
        end: Option<Value>,
    ) -> Copied {
        let new = blocks.iter().map(|block| {
            let copy = block.function().append_block(name);
            copy.move_before(to);
            (*block, copy)
        });
        let mut copied = Copied {
            blocks: new.collect(),
            values: known,
        };
        let all = blocks.iter().flat_map(|block| block.instructions());
        let all = all.filter(|i| Some(*i) != end && !copied.values.contains_key(i));
        let all: Vec<Value> = all.collect();
        for i in &all {
            b.at_end(copied.block(i.block().expect("an instruction")));
            let copy = match i.is(Op::LLVMPHI) {
                true => b.phi(i.ty()),
                false => {
                    let copy = i.clone_instruction();
                    b.insert(copy);
                    copy
                }
            };
            copied.values.insert(*i, copy);
        }
        all.into_iter().for_each(|i| copied.connect(i));
        copied
    }

    /// Gives the copy of `i` its operands, and where it goes on.
    fn connect(&self, i: Value) {
        let copy = self.value(i);
        if i.is(Op::LLVMPHI) {
            for (v, from) in i.incoming() {
                if let Some(from) = self.blocks.get(&from) {
                    copy.add_incoming(self.value(v), *from);
                }
            }
            return;
        }
        for (k, o) in i.operands().into_iter().enumerate() {
            if let Some(v) = self.values.get(&o) {
                copy.set_operand(k as u32, *v);
            }
        }
        let block = i.block().filter(|block| i == block.terminator());
        let successors = block.map_or(Vec::new(), |block| block.successors());
        for (k, to) in (0..).zip(successors) {
            copy.set_successor(k, self.block(to));
        }
    }

    /// What stands for a block; one that was not copied for itself.
    pub fn block(&self, block: Block) -> Block {
        self.blocks.get(&block).copied().unwrap_or(block)
    }

    /// What stands for a value; one of other blocks for itself.
    pub fn value(&self, v: Value) -> Value {
        self.values.get(&v).copied().unwrap_or(v)
    }
}
