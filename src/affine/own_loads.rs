//! Loads of a kernel's own shared arrays in the iterations of a loop: which of them may read one place.
//!
//! ```text
//! for k: dx = tile[k].x - x; …          16 bytes on in each iteration: no other iteration's tile[k]
//! for j: { …; barrier; for k: …; barrier }      what is loaded in one iteration of j is not what another one loads
//! ```

use crate::access::{AccessKind, Accesses};
use crate::kernel::Kernel;
use crate::llvm::ir::{Op, Value};
use crate::tree::{Loop, LoopId, Node, Tree};

/// What is known of a loop for such loads.
pub(super) struct OwnLoads {
    /// Whether each iteration passes a barrier: LLVM loads again behind it.
    waits: bool,
    /// Whether nothing but accesses that are known as such stores in the loop.
    kept: bool,
}

/// A place in an array, iteration by iteration.
pub(super) struct OwnPlace {
    array: Value,
    /// Indices that do not change, each with the bytes that one of it makes.
    fixed: Vec<(Value, u64)>,
    /// Bytes from one iteration to the next.
    step: i64,
    /// Bytes beside those.
    offset: i64,
    /// Whether that is all.
    known: bool,
}

impl OwnLoads {
    pub(super) fn of(l: LoopId, kernel: &Kernel, tree: &Tree, accesses: &Accesses) -> OwnLoads {
        let loop_ = tree.loop_(l);
        let mut barriers = accesses
            .iter()
            .filter(|a| a.kind == AccessKind::Barrier && loop_.blocks.contains(&a.block));
        let always = |node| {
            let ancestors = tree.ancestors(node).into_iter();
            let mut within = ancestors.take_while(|n| *n != loop_.node);
            within.all(|n| matches!(tree.node(n), Node::Seq(_) | Node::Block(_)))
        };
        let waits = barriers.any(|a| tree.node_of_block[a.block.index()].is_some_and(always));
        let blocks = loop_.blocks.iter().map(|b| kernel.block(*b));
        let mut all = blocks.flat_map(|b| b.instructions());
        let is_known = |i: Value| accesses.iter().any(|a| kernel.value(a.value) == i);
        let stores = |i: &Value| {
            let atomic = matches!(i.opcode(), Some(Op::LLVMAtomicRMW | Op::LLVMAtomicCmpXchg));
            let calls = i.is(Op::LLVMCall) && !i.accesses_no_memory();
            (i.is(Op::LLVMStore) || atomic || calls) && !is_known(*i)
        };
        OwnLoads {
            waits,
            kept: !all.any(|i| stores(&i)),
        }
    }

    /// Where `load` reads, if that is an own array, as far as it is easily told.
    pub(super) fn place(&self, load: Value, kernel: &Kernel, loop_: &Loop) -> Option<OwnPlace> {
        let mut place = OwnPlace {
            array: load,
            fixed: Vec::new(),
            step: 0,
            offset: 0,
            known: true,
        };
        let module = kernel.function.module();
        let mut pointer = load.operand(0);
        loop {
            match pointer.opcode() {
                Some(Op::LLVMAddrSpaceCast) => pointer = pointer.operand(0),
                Some(Op::LLVMGetElementPtr) => {
                    match pointer.gep_constant_offset(module) {
                        Some(bytes) => place.offset += bytes,
                        None => place.add_index_of(pointer, kernel, loop_),
                    }
                    pointer = pointer.operand(0);
                }
                _ => break,
            }
        }
        place.array = pointer;
        (pointer.is_global_variable() && pointer.address_space() == 3).then_some(place)
    }

    /// Whether what is loaded from `a` in one iteration may be what is loaded from `b` in another one, or, if `same`,
    /// perhaps in the same; `None`: it is not known.
    pub(super) fn meet(&self, a: &OwnPlace, b: &OwnPlace, same: bool) -> Option<bool> {
        if self.waits && !same {
            return Some(false);
        }
        let comparable = self.kept
            && a.known
            && b.known
            && a.array == b.array
            && a.fixed == b.fixed
            && a.step == b.step;
        if !comparable || a.step == 0 {
            return None;
        }
        let distance = a.offset - b.offset;
        Some(same && distance == 0 || distance != 0 && distance % a.step == 0)
    }
}

impl OwnPlace {
    /// Adds the index of an address that has one.
    fn add_index_of(&mut self, address: Value, kernel: &Kernel, loop_: &Loop) {
        let module = kernel.function.module();
        let bytes = module.alloc_size(address.gep_source_type());
        let added = match address.operands()[..] {
            [_, index] => self.add(index, bytes, kernel, loop_),
            _ => None,
        };
        self.known &= added.is_some();
    }

    /// Adds an index of elements of `bytes` bytes. `None`: it changes in another way than from iteration to iteration.
    fn add(&mut self, index: Value, bytes: u64, kernel: &Kernel, loop_: &Loop) -> Option<()> {
        let mut index = index;
        // A number that wrapped would lie outside the array.
        while matches!(index.opcode(), Some(Op::LLVMZExt | Op::LLVMSExt)) {
            index = index.operand(0);
        }
        let here = |v: Value| {
            let block = v.block().map(|b| kernel.block_id(b));
            block.is_some_and(|b| loop_.blocks.contains(&b))
        };
        if !here(index) {
            self.fixed.push((index, bytes));
            return Some(());
        }
        if matches!(index.opcode(), Some(Op::LLVMAdd)) {
            let more = index.operand(1).const_int()?;
            self.offset += more * bytes as i64;
            return self.add(index.operand(0), bytes, kernel, loop_);
        }
        let header = kernel.block(loop_.header);
        let counts = index.is(Op::LLVMPHI) && index.block() == Some(header);
        let next = counts.then(|| index.incoming_from(kernel.block(loop_.latch)))??;
        let step = (next.is(Op::LLVMAdd) && next.operand(0) == index)
            .then(|| next.operand(1).const_int())??;
        self.step += step * bytes as i64;
        Some(())
    }
}
