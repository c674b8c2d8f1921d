//! Keeps a kernel launchable with as many threads as before: both bodies share one register count,
//! and without launch bounds a launch may ask for 1024 threads, which leaves each 64 registers.
//!
//! The limit is the function attribute `"nvvm.maxnreg"`. It has a price: ptxas, which by itself
//! stays near 32 to 56 registers on our corpus, then schedules for the whole 64, and fewer blocks
//! fit an SM. So it is set only where the staged body has so many values alive at once that ptxas
//! might pass 64, and only if the original body surely fits in 64 itself.
//!
//! NB: values alive are an estimate (they count address pairs that ptxas folds, and not what its
//! scheduling adds). A kernel that needs more than 64 by itself is not limited.

use crate::kernel::Kernel;
use crate::llvm::ir::{Block, Kind, Op, Type, Value};
use std::collections::{HashMap, HashSet};

/// Registers per thread of a block of 1024.
const LIMIT: u32 = 64;
/// Registers of values alive at once up to which the original surely stays below [`LIMIT`]:
/// addresses and what unrolling adds take the rest.
const SURE: u32 = 40;
/// The same for staged bodies: below it, ptxas stayed below 64 on every kernel of the corpus.
const RISKY: u32 = 76;

/// Limits the registers of `kernel`, whose staged body is `staged`, if nothing else does.
pub(super) fn limit(kernel: &Kernel, staged: &[Block]) {
    let f = kernel.function;
    let bounded = ["nvvm.maxntid", "nvvm.maxnreg", "nvvm.reqntid"];
    if bounded.iter().any(|k| f.string_attribute(k).is_some()) {
        return;
    }
    if most_alive(staged) > RISKY && most_alive(&kernel.blocks) <= SURE {
        f.add_string_attribute("nvvm.maxnreg", &LIMIT.to_string());
    }
}

/// The most registers that values take at once in a body.
fn most_alive(blocks: &[Block]) -> u32 {
    let mut entering: HashMap<Block, HashSet<Value>> = HashMap::new();
    let mut most = 0;
    loop {
        let mut changed = false;
        for b in blocks.iter().rev() {
            let (live, peak) = alive_at_start(*b, &entering);
            most = most.max(peak);
            let known = entering.entry(*b).or_default();
            changed |= live.len() != known.len();
            *known = live;
        }
        if !changed {
            return most;
        }
    }
}

/// Values alive where `b` begins, and the most registers alive inside it.
fn alive_at_start(b: Block, entering: &HashMap<Block, HashSet<Value>>) -> (HashSet<Value>, u32) {
    let mut live = HashSet::new();
    for s in b.successors() {
        let phis = s.phis();
        live.extend(
            entering
                .get(&s)
                .into_iter()
                .flatten()
                .filter(|v| !phis.contains(v)),
        );
        live.extend(
            phis.iter()
                .filter_map(|p| p.incoming_from(b))
                .filter(|v| v.is_instruction()),
        );
    }
    let mut now: u32 = live.iter().map(|v| registers(v.ty())).sum();
    let mut peak = now;
    for i in b
        .instructions()
        .into_iter()
        .rev()
        .filter(|i| !i.is(Op::LLVMPHI))
    {
        if live.remove(&i) {
            now -= registers(i.ty());
        }
        for o in i.operands().into_iter().filter(|o| o.is_instruction()) {
            if live.insert(o) {
                now += registers(o.ty());
            }
        }
        peak = peak.max(now);
    }
    (live, peak)
}

/// 32-bit registers of a value; predicates have registers of their own.
fn registers(ty: Type) -> u32 {
    match ty.kind() {
        Kind::LLVMIntegerTypeKind => match ty.int_width() {
            Some(1) => 0,
            Some(w) => w.div_ceil(32),
            None => 1,
        },
        Kind::LLVMDoubleTypeKind | Kind::LLVMPointerTypeKind => 2,
        Kind::LLVMVectorTypeKind => 4,
        _ => 1,
    }
}
