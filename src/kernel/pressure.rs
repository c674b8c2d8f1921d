//! How many registers the values of a body need at once: an estimate by liveness.
//!
//! Conservative: address pairs that ptxas folds are counted. Not counted is what scheduling and
//! unrolling add.

use crate::llvm::ir::{Block, Kind, Op, Type, Value};
use std::collections::{HashMap, HashSet};

/// The most registers (of 32 bits) that values take at once in a body.
pub fn most_alive(blocks: &[Block]) -> u32 {
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
