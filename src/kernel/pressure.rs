//! How many registers the values of a body need at once: estimates by liveness.
//!
//! [`most_alive`] counts every value. [`needed`] leaves out what the assembler does not keep when
//! registers are short, or counts it through what it is made of:
//! - what all threads share and arguments give (`n - 1`, `blockIdx.x * blockDim.x`): the constant
//!   bank and uniform registers hold it;
//! - addresses and casts: a pointer with a constant offset is an immediate of the access, and one
//!   made of an argument and an index is made where it is used, by one instruction. So the index
//!   lives on, and all pointers made of it cost what it costs;
//! - sums with a constant, comparisons, and registers of the launch: cheap to compute again.
//!
//! Not counted is what scheduling and unrolling add: loads that are issued early live longer, but
//! the assembler issues fewer of them early where registers are short. Held against ptxas in
//! `tests/pressure.rs`: its least count without spills is the second estimate and up to 15 more. It
//! suits a kernel as clang made it; a staged body keeps pitches and bounds of its own in registers
//! that look shared, so for that the first is the one that spilled nothing.

use crate::llvm::ir::{Block, Kind, Op, Type, Value};
use std::collections::{HashMap, HashSet};

/// Values looked through at most, on the way to what an address is made of.
const DEPTH: u32 = 24;

/// The most registers (of 32 bits) that values take at once in a body, all of them counted.
pub fn most_alive(blocks: &[Block]) -> u32 {
    peak(blocks, false)
}

/// The most registers that a body cannot do without.
pub fn needed(blocks: &[Block]) -> u32 {
    peak(blocks, true)
}

fn peak(blocks: &[Block], folds: bool) -> u32 {
    let mut roots = Roots {
        folds,
        ..Roots::default()
    };
    let mut entering: HashMap<Block, HashSet<Value>> = HashMap::new();
    let mut most = 0;
    loop {
        let mut changed = false;
        for b in blocks.iter().rev() {
            let (live, peak) = alive_at_start(*b, &entering, &mut roots);
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
fn alive_at_start(
    b: Block,
    entering: &HashMap<Block, HashSet<Value>>,
    roots: &mut Roots,
) -> (HashSet<Value>, u32) {
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
        for v in phis.iter().filter_map(|p| p.incoming_from(b)) {
            live.extend(roots.of(v));
        }
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
        // What is looked through is computed where it is used, and not here.
        if roots.is_folded(i) {
            continue;
        }
        for o in i.operands() {
            for r in roots.of(o) {
                if live.insert(r) {
                    now += registers(r.ty());
                }
            }
        }
        peak = peak.max(now);
    }
    (live, peak)
}

/// What must be in registers for a value to be at hand, remembered.
#[derive(Default)]
struct Roots {
    /// Whether anything is looked through at all.
    folds: bool,
    known: HashMap<Value, Vec<Value>>,
    shared: HashMap<Value, bool>,
}

impl Roots {
    /// The values that a use of `v` keeps alive.
    fn of(&mut self, v: Value) -> Vec<Value> {
        self.at(v, 0)
    }

    fn at(&mut self, v: Value, depth: u32) -> Vec<Value> {
        if !v.is_instruction() {
            return Vec::new();
        }
        if let Some(known) = self.known.get(&v) {
            return known.clone();
        }
        let found = if self.folds && self.is_shared(v, 0) {
            Vec::new()
        } else if self.is_folded(v) && depth < DEPTH {
            let mut all: Vec<Value> = Vec::new();
            for o in v.operands() {
                all.extend(self.at(o, depth + 1));
            }
            crate::order::sort(&mut all);
            all.dedup();
            // Made of several things, it is cheaper to keep than they are.
            let parts: u32 = all.iter().map(|r| registers(r.ty())).sum();
            if parts > registers(v.ty()) {
                vec![v]
            } else {
                all
            }
        } else {
            vec![v]
        };
        self.known.insert(v, found.clone());
        found
    }

    /// Whether a value is rematerialized where it is used.
    fn is_folded(&self, v: Value) -> bool {
        if !self.folds {
            return false;
        }
        let constant = |i: u32| v.operand(i).is_constant();
        match v.opcode() {
            Some(Op::LLVMGetElementPtr | Op::LLVMSExt | Op::LLVMZExt | Op::LLVMTrunc) => true,
            Some(Op::LLVMFreeze | Op::LLVMBitCast | Op::LLVMAddrSpaceCast) => true,
            Some(Op::LLVMICmp | Op::LLVMFCmp) => true,
            Some(Op::LLVMAdd | Op::LLVMOr | Op::LLVMShl | Op::LLVMMul) => {
                constant(1) && v.ty().int_width().is_some()
            }
            _ => false,
        }
    }

    /// Whether arguments, constants and block-wide registers alone make a value.
    fn is_shared(&mut self, v: Value, depth: u32) -> bool {
        if !v.is_instruction() {
            return true;
        }
        if let Some(known) = self.shared.get(&v) {
            return *known;
        }
        let shared = match v.opcode() {
            Some(Op::LLVMCall) => {
                let name = v.callee_name();
                name.starts_with("llvm.nvvm.read.ptx.sreg.") && !name.contains(".tid.")
            }
            Some(Op::LLVMLoad) => {
                let module = v.block().map(|b| b.function().module());
                let from = module.and_then(|m| v.operand(0).parameter_offset(m));
                from.is_some_and(|(root, _)| root.is_argument() && is_by_value(root))
            }
            Some(
                Op::LLVMPHI
                | Op::LLVMStore
                | Op::LLVMAtomicRMW
                | Op::LLVMAtomicCmpXchg
                | Op::LLVMAlloca
                | Op::LLVMFAdd
                | Op::LLVMFMul
                | Op::LLVMFDiv,
            ) => false,
            _ => {
                let inner = |o: Value| self.is_shared(o, depth + 1);
                depth < DEPTH && v.operands().into_iter().all(inner)
            }
        };
        self.shared.insert(v, shared);
        shared
    }
}

/// Whether a pointer argument is a struct's copy among the parameters.
fn is_by_value(argument: Value) -> bool {
    let users = argument.users();
    let function = users.iter().find_map(|u| u.block().map(Block::function));
    function
        .zip(argument.argument_index())
        .is_some_and(|(f, i)| f.param_has(i, "byval"))
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
