//! Which values may differ between the threads of a block that differ along x alone.
//!
//! ```text
//! row = blockIdx.x * blockDim.y + threadIdx.y;  mean = shared[threadIdx.y];        the same for all of them
//! i = threadIdx.x;  x = in[row * n + i];  y = __shfl_xor_sync(…, x, 1);            may differ
//! ```
//! What differs comes from `threadIdx.x`, from exchanges within a warp, and from memory at addresses that differ; it
//! goes along operands, and along control: what a branch decides that threads take in different ways, up to where its
//! ways meet again, and the phis there. (Karrenberg and Hack, *Whole-function vectorization*, CGO 2011.)
//!
//! What is loaded from one address is taken for the same: had another value been stored there in between, by one thread
//! and with no barrier, the program would have a data race. That does not hold of a thread's own memory (`alloca`), of
//! volatile loads and of atomics, which differ.

use super::cfg::Cfg;
use super::ids::{self, Register};
use super::{BlockId, Dim, Kernel, assembly, callees};
use crate::llvm::ir::{Block, Op, Value};
use crate::map::HashSet;

/// What may differ along x.
pub struct Varying {
    values: HashSet<Value>,
    /// Blocks that only some of those threads may be in.
    partial: HashSet<BlockId>,
}

impl Varying {
    /// What does in `kernel`.
    pub fn of(kernel: &Kernel, cfg: &Cfg) -> Varying {
        let mut found = Varying {
            values: HashSet::default(),
            partial: HashSet::default(),
        };
        let (mut decided, mut joins) = (HashSet::default(), HashSet::default());
        loop {
            let before = (found.values.len(), decided.len());
            for (k, block) in kernel.blocks.iter().enumerate() {
                let id = BlockId(k as u32);
                for i in block.instructions() {
                    let joins_ways = i.is(Op::LLVMPHI) && joins.contains(&id) && !is_one(i);
                    if joins_ways || found.begins(i) || found.follows(i) {
                        found.values.insert(i);
                    }
                }
                if found.parts(*block) && decided.insert(id) {
                    let meet = cfg.immediate_postdominator(id);
                    for way in &cfg.succ[k] {
                        let all = cfg.reachable(*way, meet);
                        joins.extend(all.iter().copied());
                        found.partial.extend(all);
                    }
                    joins.extend(meet);
                }
            }
            if before == (found.values.len(), decided.len()) {
                return found;
            }
        }
    }

    /// Whether a value may differ.
    pub fn value(&self, v: Value) -> bool {
        self.values.contains(&v)
    }

    /// Whether all of those threads come to a block, or none of them does.
    pub fn is_for_all(&self, b: BlockId) -> bool {
        !self.partial.contains(&b)
    }

    /// Whether a value differs whatever its operands are.
    fn begins(&self, i: Value) -> bool {
        match i.opcode() {
            Some(Op::LLVMAlloca | Op::LLVMAtomicRMW | Op::LLVMAtomicCmpXchg | Op::LLVMInvoke) => {
                true
            }
            Some(Op::LLVMLoad) => i.is_volatile_or_atomic(),
            Some(Op::LLVMCall) => match ids::register(i) {
                Some((register, d)) => register == Register::Tid && d == Dim::X,
                None => !callees::is_assumption(i) && !is_computed(i),
            },
            _ => false,
        }
    }

    /// Whether an operand does.
    fn follows(&self, i: Value) -> bool {
        match i.opcode() {
            Some(Op::LLVMPHI) => i.incoming().iter().any(|(v, _)| self.value(*v)),
            Some(Op::LLVMBr) => false,
            _ => i.operands().iter().any(|o| self.value(*o)),
        }
    }

    /// Whether threads may leave a block in different ways.
    fn parts(&self, b: Block) -> bool {
        let end = b.terminator();
        match end.is(Op::LLVMBr) {
            true => end.is_conditional() && self.value(end.condition()),
            false => end.operands().iter().any(|o| self.value(*o)),
        }
    }
}

/// Whether a phi is the same number whichever way was taken.
fn is_one(phi: Value) -> bool {
    let incoming = phi.incoming();
    let same = |x: Value, y: Value| {
        x == y || ids::register(x).is_some() && ids::register(x) == ids::register(y)
    };
    incoming.iter().all(|(v, _)| same(*v, incoming[0].0))
}

/// Whether a call computes from its operands alone.
pub fn is_computed(call: Value) -> bool {
    let name = call.callee_name();
    if call.is_inline_asm_call() {
        let text = call.asm_text();
        // Operands are written with a dollar, registers that it names itself so.
        return assembly::is_arithmetic(&text) && !text.contains('%');
    }
    let is_of_warp = callees::is_of_warp(&name) || callees::calls_for_warp(call);
    let is_of_thread = name.starts_with(ids::SPECIAL) || call.call_has("convergent");
    !is_of_warp && !is_of_thread && call.accesses_no_memory()
}
