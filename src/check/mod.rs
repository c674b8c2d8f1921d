//! Looks at emitted code again, by other means than `lower`'s own.
//!
//! Right after lowering: LLVM's verifier, every barrier where all threads of the block come together, and no access
//! left to an array whose accesses were all to move. At the end of LLVM's pipeline, which has had the chance to copy or
//! move barriers: none is there twice, and all are still where threads are together; and no product was torn from its
//! sum. If not, the staged body is cut off and the original runs.
//!
//! NB: what this does not see is wrong addresses; the oracle compares bits.

mod torn;
mod uniform;

use crate::access::{AccessId, AccessKind, Accesses};
use crate::kernel::Kernel;
use crate::llvm::ir::{Block, Function, Module, Op, Type, Value};
use crate::lower::{BARRIER, DISPATCH, Lowered, STAGED};
use crate::machine::target::{FLOATS_IN_PAIRS, Target};
use crate::map::HashSet;
use crate::plan::Plan;
use uniform::Divergence;

/// Checks what was emitted for one kernel. The message says what does not hold.
pub fn after_lowering(
    kernel: &Kernel,
    accesses: &Accesses,
    plan: &Plan,
    lowered: &Lowered,
) -> Result<(), String> {
    let function = kernel.function;
    function.verify()?;
    let barriers = marked_barriers(function);
    if barriers.len() as u32 != lowered.barriers {
        return Err(format!(
            "{} barriers of {} are there",
            barriers.len(),
            lowered.barriers
        ));
    }
    check_convergent(function, &barriers)?;
    check_moved(kernel, accesses, plan, lowered)?;
    Ok(())
}

/// Looks at every staged kernel of `module` again. A kernel that fails keeps its original body
/// only; returned with the reason.
pub fn after_pipeline(module: Module) -> Vec<(Function, String)> {
    let mut dropped = Vec::new();
    for f in module.functions().into_iter().filter(|f| f.is_kernel()) {
        if f.string_attribute(STAGED).is_none() {
            continue;
        }
        if let Err(why) = still_holds(f) {
            cut_off(f);
            dropped.push((f, why));
        }
    }
    dropped
}

/// Cuts off the staged bodies of kernels in which LLVM tore a product from its sum; returns those kernels.
pub fn cut_off_torn(module: Module) -> Vec<Function> {
    let staged = |f: &Function| f.is_kernel() && f.string_attribute(STAGED).is_some();
    let pairs = |f: &Function| Target::of(*f).is_ok_and(|t| t.sm >= FLOATS_IN_PAIRS);
    let mut found = module.functions();
    found.retain(|f| staged(f) && pairs(f) && torn::is_torn(*f));
    found.iter().for_each(|f| cut_off(*f));
    found
}

/// Barriers may be gone, with code that LLVM found unreachable, but none may be there twice.
fn still_holds(f: Function) -> Result<(), String> {
    let barriers = marked_barriers(f);
    let mut seen = HashSet::default();
    for b in &barriers {
        if !seen.insert(b.number(f.module(), BARRIER)) {
            return Err(format!("a barrier was copied: {}", b.print()));
        }
    }
    check_convergent(f, &barriers)
}

/// The barriers that `lower` emitted; the kernel's own are not marked.
fn marked_barriers(f: Function) -> Vec<Value> {
    let m = f.module();
    let all = f.blocks().into_iter().flat_map(|b| b.instructions());
    all.filter(|i| i.is(Op::LLVMCall) && i.metadata(m, BARRIER).is_some())
        .collect()
}

fn check_convergent(f: Function, barriers: &[Value]) -> Result<(), String> {
    let d = Divergence::of(f);
    match barriers
        .iter()
        .find(|b| b.block().is_some_and(|at| !d.is_convergent(at)))
    {
        Some(b) => Err(format!(
            "a barrier stands where threads may diverge: {}",
            b.print()
        )),
        None => Ok(()),
    }
}

/// Makes the branch between the bodies always take the original. If LLVM folded the branch, its
/// facts were found to hold, and there is no other body to fall back to.
///
/// LLVM may have swapped the sides: the staged one is the one that leads to barriers of ours, other
/// than those of versions behind another such branch.
pub fn cut_off(f: Function) {
    let m = f.module();
    for b in f.blocks() {
        let t = b.terminator();
        if t.is_conditional() && t.metadata(m, DISPATCH).is_some() {
            let sides = b.successors();
            let swapped = !leads_to_barrier(m, sides[0]) && leads_to_barrier(m, sides[1]);
            t.set_condition(Type::int(m, 1).constant(swapped.into()));
        }
    }
}

/// Whether a barrier that `lower` emitted can be reached from `block`, not by way of another branch
/// between bodies.
fn leads_to_barrier(m: Module, block: Block) -> bool {
    let (mut seen, mut work) = (HashSet::default(), vec![block]);
    while let Some(b) = work.pop() {
        if seen.insert(b) {
            let ours = |i: &Value| i.is(Op::LLVMCall) && i.metadata(m, BARRIER).is_some();
            if b.instructions().iter().any(ours) {
                return true;
            }
            if b.terminator().metadata(m, DISPATCH).is_none() {
                work.extend(b.successors());
            }
        }
    }
    false
}

/// No access outside copies may lead to an array all of whose accesses the plan moves.
fn check_moved(
    kernel: &Kernel,
    accesses: &Accesses,
    plan: &Plan,
    lowered: &Lowered,
) -> Result<(), String> {
    let tiles = || plan.tiles();
    let served: HashSet<AccessId> = tiles().flat_map(|t| &t.members).map(|m| m.access).collect();
    let copies: HashSet<Block> = lowered.copies.iter().copied().collect();
    for tile in tiles() {
        let of_array = |a: &&crate::access::Access| a.array == Some(tile.footprint.array);
        let moved = accesses.list.iter().filter(of_array).all(|a| {
            served.contains(&a.id) || !matches!(a.kind, AccessKind::Load | AccessKind::Store)
        });
        let base = kernel.value(tile.footprint.base);
        if !moved || !(base.is_argument() || base.is_global_variable()) {
            continue;
        }
        for b in lowered.blocks.iter().filter(|b| !copies.contains(b)) {
            for i in b.instructions() {
                if address_of(i).is_some_and(|p| is_made_from(p, base)) {
                    return Err(format!(
                        "an access to a staged array was left: {}",
                        i.print()
                    ));
                }
            }
        }
    }
    Ok(())
}

/// The address a load or store uses.
fn address_of(i: Value) -> Option<Value> {
    match i.opcode() {
        Some(Op::LLVMLoad) => Some(i.operand(0)),
        Some(Op::LLVMStore) => Some(i.operand(1)),
        _ => None,
    }
}

/// Whether a pointer is made from `base`, whichever way control goes. One that may also be made from something else
/// is of no array: its access was not to move.
fn is_made_from(pointer: Value, base: Value) -> bool {
    let (mut seen, mut work) = (HashSet::default(), vec![pointer]);
    let mut found = false;
    while let Some(p) = work.pop() {
        if p.is_undef() || !seen.insert(p) {
            continue;
        }
        match p.opcode() {
            Some(
                Op::LLVMGetElementPtr | Op::LLVMAddrSpaceCast | Op::LLVMBitCast | Op::LLVMFreeze,
            ) => work.push(p.operand(0)),
            Some(Op::LLVMSelect) => work.extend([p.operand(1), p.operand(2)]),
            Some(Op::LLVMPHI) => work.extend(p.incoming().into_iter().map(|(v, _)| v)),
            _ if p == base => found = true,
            _ => return false,
        }
    }
    found
}
