//! What is left as it is whatever could be gained: kernels in which one thread waits for another, and those that a
//! second body cannot be made of.
//!
//! ```text
//! while (atomicCAS(lock, 0, 1)) ;  …  atomicExch(lock, 0);
//! ```
//! Tiles bring barriers and shared memory with them, and merged blocks run one after the other. Whoever holds the lock
//! would wait at a barrier for those who wait for the lock; a grid whose blocks wait for each other, and that was sized
//! so that all fit the chip, would no longer fit. None of this can be told at run time, so such kernels are not looked
//! at at all.

use super::assembly;
use super::waits::waits;
use crate::llvm::ir::{Function, Op, Value};
use crate::map::HashSet;

/// Why a kernel is left alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rejected {
    /// It calls a function that is not known, which may do any of the rest.
    UnknownCallee,
    /// Whether a loop goes on may hang on what other threads write.
    Waits,
    /// It has barriers for a part of the block, by which its parts may stand at different ones.
    PartialBarrier,
    /// Threads may end where the control flow does not show it.
    EndsThreads,
    /// Inline assembly declares names, and so may stand in the kernel once only.
    AssemblyOnce,
    /// It writes to a parameter passed by value, of which a block's threads have a copy each, and merged replicas one
    /// together.
    ChangedParameter,
}

/// Why `kernel` is to be left alone, which comes to `functions` ([`callees::all`]); `None`: it is not.
pub fn find(kernel: Function, functions: Option<Vec<Function>>) -> Option<Rejected> {
    // First of all: of kernels that are left alone for other reasons a copy may be made, and loops in it repeated.
    let once = |i: &Value| i.is_inline_asm_call() && assembly::stands_once(&i.asm_text());
    if kernel.instructions().iter().any(once) {
        return Some(Rejected::AssemblyOnce);
    }
    let Some(functions) = functions else {
        return Some(Rejected::UnknownCallee);
    };
    if changes_parameter(kernel) {
        return Some(Rejected::ChangedParameter);
    }
    functions.into_iter().find_map(|f| {
        let instructions = f.instructions();
        let ends = |i: &Value| {
            // In the kernel itself the control flow shows it.
            let called = f != kernel && i.callee_name() == "llvm.nvvm.exit";
            called || assembly_has(*i, &["exit", "ret"])
        };
        if instructions.iter().any(ends) {
            return Some(Rejected::EndsThreads);
        }
        if instructions.iter().any(|i| is_partial_barrier(*i)) {
            return Some(Rejected::PartialBarrier);
        }
        waits(f).then_some(Rejected::Waits)
    })
}

fn assembly_has(i: Value, opcodes: &[&str]) -> bool {
    i.is_inline_asm_call() && assembly::has(&i.asm_text(), opcodes)
}

/// Whether some threads of a block may be waited for there and others not. Which barrier assembly means may be a
/// number.
fn is_partial_barrier(i: Value) -> bool {
    let name = i.callee_name();
    let counted = [".count", ".arrive"].iter().any(|k| name.contains(k));
    name.starts_with("llvm.nvvm.barrier.cta") && counted || assembly_has(i, &["bar", "barrier"])
}

/// Whether a parameter passed by value is used for anything but being read.
fn changes_parameter(f: Function) -> bool {
    let params = f.params().into_iter().enumerate();
    let by_value = params.filter(|(i, _)| f.param_has(*i as u32, "byval"));
    by_value.into_iter().any(|(_, p)| is_written(p))
}

fn is_written(pointer: Value) -> bool {
    let (mut seen, mut work) = (HashSet::default(), vec![pointer]);
    while let Some(p) = work.pop() {
        if !seen.insert(p) {
            continue;
        }
        for u in p.users() {
            match u.opcode() {
                Some(Op::LLVMLoad) => {}
                Some(
                    Op::LLVMGetElementPtr
                    | Op::LLVMAddrSpaceCast
                    | Op::LLVMBitCast
                    | Op::LLVMPHI
                    | Op::LLVMSelect,
                ) => work.push(u),
                Some(Op::LLVMCall) if only_reads(u, p) => {}
                _ => return true,
            }
        }
    }
    false
}

/// Whether a call only reads what `p` points to.
fn only_reads(call: Value, p: Value) -> bool {
    let name = call.callee_name();
    let copies = ["llvm.memcpy", "llvm.memmove"];
    let is_copy = copies.iter().any(|c| name.starts_with(c));
    let marks = ["llvm.lifetime", "llvm.assume", "llvm.prefetch"];
    let looks = |f: Function| {
        let mut handed = call.arguments().into_iter().enumerate();
        handed.all(|(i, a)| a != p || f.param_is_only_read(i as u32))
    };
    is_copy && call.operand(0) != p
        || marks.iter().any(|m| name.starts_with(m))
        || call.callee().is_some_and(looks)
}
