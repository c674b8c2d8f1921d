//! Takes back the mark that keeps loops of constant trip count rolled (`-mesi-keep-rolled`).
//!
//! The shim's loop pass sets `llvm.loop.unroll.disable` and `mesi.rolled` on a kernel's loops before
//! LLVM's full unrolling. Once our pass has read the loops, every loop must have back exactly what
//! it had: properties of the user's own (`llvm.loop.unroll.full`, a count) were never dropped, only
//! overruled, so removing the two marks restores them. A loop that carried `unroll.disable` already
//! was not marked and is not touched here.
//!
//! NB: a loop given back is unrolled by LLVM's later unroller, not by the early one; its code may
//! differ from a compile without the plug-in. That is why the knob is off unless asked for.
//!
//! The other mark here, [`KEEP_ROLLED`], is for the assembler. LLVM does not know it, so the
//! loop is unrolled as ever; at the end of the pipeline it becomes `llvm.loop.unroll.disable`, of which the
//! back end makes a pragma.

use super::ir::{Function, Module, Value};
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode};
use inkwell::llvm_sys::prelude::{LLVMMetadataRef, LLVMValueRef};
use std::ffi::CStr;

const MARK: &str = "mesi.rolled";
const DISABLE: &str = "llvm.loop.unroll.disable";
/// The mark of loops that the assembler shall leave rolled.
pub const KEEP_ROLLED: &str = "mesi.quiet";

/// Removes the marks from every loop of `kernel`; whether there were any.
pub fn release(kernel: Function) -> bool {
    let mut changed = false;
    for block in kernel.blocks() {
        let branch = block.terminator();
        let Some(node) = branch.metadata(kernel.module(), "llvm.loop") else {
            continue;
        };
        let properties = properties(node);
        if properties
            .iter()
            .any(|p| name_of(*p).as_deref() == Some(MARK))
        {
            rewrite(kernel, branch, &properties);
            changed = true;
        }
    }
    changed
}

/// The loop's properties, without the self reference that comes first.
fn properties(node: LLVMValueRef) -> Vec<LLVMValueRef> {
    // SAFETY: `node` is a loop id of a live module; the buffer has as many slots as operands.
    unsafe {
        let mut ops = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node) as usize];
        LLVMGetMDNodeOperands(node, ops.as_mut_ptr());
        ops.split_off(1.min(ops.len()))
    }
}

/// The string a property node begins with; locations and other nodes have none.
fn name_of(property: LLVMValueRef) -> Option<String> {
    // SAFETY: every handle comes from the loop id and is checked for null; `LLVMGetMDString`
    // answers null for anything but a string.
    unsafe {
        if property.is_null() || LLVMIsAMDNode(property).is_null() {
            return None;
        }
        let mut ops = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(property) as usize];
        LLVMGetMDNodeOperands(property, ops.as_mut_ptr());
        let first = ops.first().copied().filter(|p| !p.is_null())?;
        let mut size = 0u32;
        let text = LLVMGetMDString(first, &mut size);
        (!text.is_null()).then(|| super::text_from(text, size as usize))
    }
}

/// Marks the loop that `branch` closes; its other properties stay.
pub fn mark(module: Module, branch: Value, mark: &str) {
    set_properties(module, branch, &properties_of(module, branch), Some(mark));
}

/// Whether `branch` closes a loop that is marked, and that LLVM was not told to leave rolled.
pub fn is_marked(module: Module, branch: Value, mark: &str) -> bool {
    let all = properties_of(module, branch);
    let has = |name: &str| all.iter().any(|p| name_of(*p).as_deref() == Some(name));
    has(mark) && !has(DISABLE)
}

/// Takes the mark away, and tells the assembler to leave the loop rolled.
pub fn leave(module: Module, branch: Value, mark: &str) {
    let mut kept = properties_of(module, branch);
    kept.retain(|p| name_of(*p).as_deref() != Some(mark));
    set_properties(module, branch, &kept, Some(DISABLE));
}

fn properties_of(module: Module, branch: Value) -> Vec<LLVMValueRef> {
    let node = branch.metadata(module, "llvm.loop");
    node.map(properties).unwrap_or_default()
}

/// Tells the assembler to leave the loops of `kernel` rolled that are marked so; whether there were any.
pub fn hush(kernel: Function) -> bool {
    let module = kernel.module();
    let mut changed = false;
    for block in kernel.blocks() {
        let branch = block.terminator();
        if is_marked(module, branch, KEEP_ROLLED) {
            leave(module, branch, KEEP_ROLLED);
            changed = true;
        }
    }
    changed
}

/// Gives the loop a fresh id with what is left of its properties, or none if nothing is left.
fn rewrite(kernel: Function, branch: Value, properties: &[LLVMValueRef]) {
    let overruled = |p: &LLVMValueRef| matches!(name_of(*p).as_deref(), Some(MARK | DISABLE));
    let kept: Vec<_> = properties
        .iter()
        .copied()
        .filter(|p| !overruled(p))
        .collect();
    let module = kernel.module();
    if kept.is_empty() {
        return branch.drop_metadata(module, "llvm.loop");
    }
    set_properties(module, branch, &kept, None);
}

/// Gives the loop that `branch` closes a fresh id with the properties `kept`, and a new one.
fn set_properties(module: Module, branch: Value, kept: &[LLVMValueRef], new: Option<&str>) {
    let context = module.context();
    let kind: &CStr = c"llvm.loop";
    // SAFETY: handles of one live context. The temporary node stands for the id inside itself
    // until it is replaced, which also frees it; a self-referring node is distinct, as LLVM asks
    // of loop ids.
    unsafe {
        let itself = LLVMTemporaryMDNode(context, std::ptr::null_mut(), 0);
        let mut ops: Vec<LLVMMetadataRef> = vec![itself];
        ops.extend(kept.iter().map(|p| LLVMValueAsMetadata(*p)));
        ops.extend(new.map(|n| {
            let mut text = [LLVMMDStringInContext2(context, n.as_ptr().cast(), n.len())];
            LLVMMDNodeInContext2(context, text.as_mut_ptr(), text.len())
        }));
        let node = LLVMMDNodeInContext2(context, ops.as_mut_ptr(), ops.len());
        LLVMMetadataReplaceAllUsesWith(itself, node);
        let id = LLVMGetMDKindIDInContext(context, kind.as_ptr(), kind.count_bytes() as u32);
        LLVMSetMetadata(branch.raw(), id, LLVMMetadataAsValue(context, node));
    }
}
