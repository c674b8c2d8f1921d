//! The functions that a kernel calls, and those they call.

use crate::llvm::ir::{Function, Op, Value};
use crate::machine::target::DYNAMIC_ALIGNMENT;
use crate::map::{HashMap, HashSet};

/// Functions of the device's runtime that neither wait nor end a thread, nor have shared memory.
const RUNTIME: [&str; 5] = ["vprintf", "malloc", "free", "__assertfail", "__assert_fail"];

/// All that `function` may come to, itself first; `None`: some of that is not known, being called by pointer or in
/// another file.
pub fn all(function: Function) -> Option<Vec<Function>> {
    let (mut seen, mut all) = (HashSet::from_iter([function]), vec![function]);
    let mut at = 0;
    while let Some(f) = all.get(at) {
        at += 1;
        let instructions = f.blocks().into_iter().flat_map(|b| b.instructions());
        for call in instructions.collect::<Vec<_>>() {
            match call.opcode() {
                Some(Op::LLVMCall | Op::LLVMInvoke) => {}
                // Assembly that jumps.
                Some(Op::LLVMCallBr) => return None,
                _ => continue,
            }
            let Some(callee) = call.callee() else {
                match call.is_inline_asm_call() {
                    true => continue,
                    false => return None,
                }
            };
            if is_intrinsic(&callee.name()) || !seen.insert(callee) {
                continue;
            }
            if callee.blocks().is_empty() {
                return None;
            }
            all.push(callee);
        }
    }
    Some(all)
}

/// Whether a function of this name is LLVM's or the runtime's, and known.
pub fn is_intrinsic(name: &str) -> bool {
    name.starts_with("llvm.") || name == "__nvvm_reflect" || RUNTIME.contains(&name)
}

/// Intrinsics that do for a warp's threads together what no thread does by itself. LLVM calls some of them, such as
/// products of matrices that a warp holds, arithmetic without effects, and does not call them convergent.
const OF_WARPS: [&str; 11] = [
    "bar.warp",
    "shfl",
    "vote",
    "match",
    "redux",
    "activemask",
    "elect",
    "mma",
    "wmma",
    "wgmma",
    "movmatrix",
];

/// Whether an intrinsic of this name does what threads of a warp do together.
pub fn is_of_warp(name: &str) -> bool {
    let nvvm = name.strip_prefix("llvm.nvvm.");
    nvvm.is_some_and(|n| OF_WARPS.iter().any(|w| n.starts_with(w)))
}

/// Whether a call's function, or one that it calls, holds such an intrinsic; where they are not known, as clang says of
/// them.
pub fn calls_for_warp(call: Value) -> bool {
    let functions = call.callee().and_then(all).unwrap_or_default();
    let mut all = functions
        .iter()
        .flat_map(|f| f.blocks())
        .flat_map(|b| b.instructions());
    all.any(|i| is_of_warp(&i.callee_name()))
}

/// The functions with a body that `function` calls by name, each once.
pub fn direct(function: Function) -> Vec<Function> {
    let instructions = function.blocks().into_iter().flat_map(|b| b.instructions());
    let mut seen = HashSet::default();
    let callees = instructions.filter_map(|i| match i.opcode() {
        Some(Op::LLVMCall | Op::LLVMInvoke) => i.callee(),
        _ => None,
    });
    callees
        .filter(|c| !is_intrinsic(&c.name()) && !c.blocks().is_empty() && seen.insert(*c))
        .collect()
}

/// Every global in shared memory that the code of `functions` names, in the module's order, in which ptxas lays out
/// those of a kernel: an index that leaves an array finds what stands behind it in a copy, too.
pub fn shared_globals(functions: &[Function]) -> Vec<Value> {
    let mut found = globals(functions);
    found.retain(|g| g.address_space() == 3);
    if found.len() > 1 {
        let all = functions[0].module().globals().into_iter();
        let places: HashMap<Value, usize> = all.zip(0..).collect();
        found.sort_by_key(|g| places[g]);
    }
    found
}

/// Those of `function` that have a size of their own.
pub fn static_arrays(function: Function) -> Vec<Value> {
    let mut found = shared_globals(&[function]);
    found.retain(|g| !is_dynamic(function, *g));
    found
}

/// Whether an array in shared memory has the size that the launch says.
pub fn is_dynamic(user: Function, array: Value) -> bool {
    user.module().alloc_size(array.global_value_type()) == 0
}

/// The global in shared memory that a constant names.
pub fn shared_global(constant: Value) -> Option<Value> {
    if constant.is_global_variable() {
        return (constant.address_space() == 3).then_some(constant);
    }
    if constant.is_instruction() || constant.opcode().is_none() {
        return None;
    }
    constant.operands().into_iter().find_map(shared_global)
}

/// Whether a function has dynamic shared memory that is aligned to more than parts of it would be.
pub fn aligns_dynamic(function: Function) -> bool {
    let mut arrays = shared_globals(&[function]).into_iter();
    arrays.any(|a| a.alignment() > DYNAMIC_ALIGNMENT && is_dynamic(function, a))
}

/// Whether a constant in the code of `function` is a number that is made of a shared array's address: another block's
/// array, at another address, would have another one.
pub fn counts_addresses(function: Function) -> bool {
    let blocks = function.blocks().into_iter();
    let mut all = blocks.flat_map(|b| b.instructions());
    let is_number = |o: Value| !o.ty().is_pointer() && shared_global(o).is_some();
    all.any(|i| i.operands().into_iter().any(is_number))
}

/// Every global variable that the code of `functions` names.
pub fn globals(functions: &[Function]) -> Vec<Value> {
    let blocks = functions.iter().flat_map(|f| f.blocks());
    let mut work: Vec<Value> = blocks.flat_map(|b| b.instructions()).collect();
    let (mut seen, mut found) = (HashSet::default(), Vec::new());
    while let Some(v) = work.pop() {
        for o in v.each_operand().filter(|o| o.is_constant()) {
            if !seen.insert(o) {
                continue;
            }
            if o.is_global_variable() {
                found.push(o);
            } else if o.opcode().is_some() {
                work.push(o);
            }
        }
    }
    found
}

/// Whether a call says what the optimizer may assume, and does nothing.
pub fn is_assumption(call: Value) -> bool {
    let names = ["llvm.assume", "llvm.experimental.noalias.scope.decl"];
    names.contains(&&*call.callee_name())
}
