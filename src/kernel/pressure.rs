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
use crate::map::HashMap;

/// Values looked through at most, on the way to what an address is made of.
const DEPTH: u32 = 24;

/// The most registers (of 32 bits) that values take at once in a body, all of them counted.
pub fn most_alive(blocks: &[Block]) -> u32 {
    peak(&Body::of(blocks, false, &|_| true))
}

/// The most registers that a body cannot do without.
pub fn needed(blocks: &[Block]) -> u32 {
    peak(&Body::of(blocks, true, &|_| true))
}

/// The most registers that a body cannot do without where it comes to one of some instructions, for values of a kind.
pub fn needed_at(
    blocks: &[Block],
    is_one: &dyn Fn(Value) -> bool,
    is_of_kind: impl Fn(Value) -> bool,
) -> u32 {
    let mut body = Body::of(blocks, true, is_one);
    for (v, n) in &body.numbers {
        if !is_of_kind(*v) {
            body.widths[*n] = 0;
        }
    }
    peak(&body)
}

/// The most registers of values alive where the body's marked instructions begin.
fn peak(body: &Body) -> u32 {
    let count = body.flows.len();
    let mut entering = vec![Alive::none(body.widths.len()); count];
    let before = body.before();
    // Blocks behind which more is alive than when they were walked: at first all.
    let mut stale = vec![true; count];
    let mut most = 0;
    while stale.contains(&true) {
        for (b, flow) in body.flows.iter().enumerate().rev() {
            if !std::mem::take(&mut stale[b]) {
                continue;
            }
            let (live, peak) = body.alive_at_start(flow, &entering);
            most = most.max(peak);
            if live != entering[b] {
                before[b].iter().for_each(|p| stale[*p] = true);
                entering[b] = live;
            }
        }
    }
    most
}

/// Some of a body's values, by number.
#[derive(Clone, PartialEq)]
struct Alive(Vec<u64>);

impl Alive {
    fn none(values: usize) -> Alive {
        Alive(vec![0; values.div_ceil(64)])
    }

    /// Whether it was not there.
    fn insert(&mut self, v: usize) -> bool {
        let new = !self.contains(v);
        self.0[v / 64] |= 1 << (v % 64);
        new
    }

    /// Whether it was there.
    fn remove(&mut self, v: usize) -> bool {
        let old = self.contains(v);
        self.0[v / 64] &= !(1 << (v % 64));
        old
    }

    fn contains(&self, v: usize) -> bool {
        self.0[v / 64] >> (v % 64) & 1 != 0
    }

    /// Registers of all of them, of these widths.
    fn width(&self, widths: &[u32]) -> u32 {
        let mut sum = 0;
        for (n, word) in self.0.iter().enumerate() {
            let mut left = *word;
            while left != 0 {
                sum += widths[64 * n + left.trailing_zeros() as usize];
                left &= left - 1;
            }
        }
        sum
    }
}

/// A block's way to another one, by numbers of values.
struct Edge {
    /// Its place in the body, if it is of the body.
    to: Option<usize>,
    phis: Vec<usize>,
    /// What its phis keep alive at the end of this block.
    incoming: Vec<usize>,
}

/// What a block does to the values alive, from its end to its beginning.
struct Flow {
    edges: Vec<Edge>,
    /// Each instruction's own number, those that it keeps alive, and whether it is looked at.
    steps: Vec<(usize, Vec<usize>, bool)>,
}

/// A body with its values by number, found once for all rounds.
struct Body {
    /// Registers of each value.
    widths: Vec<u32>,
    flows: Vec<Flow>,
    numbers: HashMap<Value, usize>,
}

impl Body {
    fn of(blocks: &[Block], folds: bool, is_marked: &dyn Fn(Value) -> bool) -> Body {
        let mut roots = Roots {
            folds,
            ..Roots::default()
        };
        let places = blocks.iter().enumerate().map(|(n, b)| (*b, n));
        let places: HashMap<Block, usize> = places.collect();
        let mut numbers = Numbers::default();
        // Backwards, as they are walked.
        let flows = blocks.iter().rev().map(|b| {
            let edge = |s: Block| {
                let phis = s.phis();
                let incoming = phis.iter().filter_map(|p| p.incoming_from(*b));
                let incoming = incoming.flat_map(|v| roots.of(v)).collect();
                Edge {
                    to: places.get(&s).copied(),
                    incoming: numbers.all(incoming),
                    phis: numbers.all(phis),
                }
            };
            let edges = b.successors().into_iter().map(edge).collect();
            let own = b.instructions().into_iter().rev();
            let step = |i: Value| {
                // What is looked through is computed where it is used, and not here.
                let uses = match roots.is_folded(i) {
                    true => Vec::new(),
                    false => i.operands().into_iter().flat_map(|o| roots.of(o)).collect(),
                };
                (numbers.of(i), numbers.all(uses), is_marked(i))
            };
            let steps = own.filter(|i| !i.is(Op::LLVMPHI)).map(step).collect();
            Flow { edges, steps }
        });
        let mut flows: Vec<Flow> = flows.collect();
        flows.reverse();
        Body {
            widths: numbers.widths,
            flows,
            numbers: numbers.known,
        }
    }

    /// The blocks that go on to each block.
    fn before(&self) -> Vec<Vec<usize>> {
        let mut all = vec![Vec::new(); self.flows.len()];
        for (b, flow) in self.flows.iter().enumerate() {
            let next = flow.edges.iter().filter_map(|e| e.to);
            next.for_each(|to| all[to].push(b));
        }
        all
    }

    /// Values alive where a block begins, and the most registers alive where its marked instructions begin.
    fn alive_at_start(&self, flow: &Flow, entering: &[Alive]) -> (Alive, u32) {
        let mut live = Alive::none(self.widths.len());
        for edge in &flow.edges {
            if let Some(to) = edge.to {
                let mut through = entering[to].clone();
                for p in &edge.phis {
                    through.remove(*p);
                }
                let words = live.0.iter_mut().zip(through.0);
                words.for_each(|(mine, more)| *mine |= more);
            }
            for v in &edge.incoming {
                live.insert(*v);
            }
        }
        let mut now = live.width(&self.widths);
        let mut peak = 0;
        for (own, uses, marked) in &flow.steps {
            if live.remove(*own) {
                now -= self.widths[*own];
            }
            for r in uses {
                if live.insert(*r) {
                    now += self.widths[*r];
                }
            }
            peak = peak.max(if *marked { now } else { 0 });
        }
        (live, peak)
    }
}

/// Numbers of values, in the order in which they are met.
#[derive(Default)]
struct Numbers {
    known: HashMap<Value, usize>,
    widths: Vec<u32>,
}

impl Numbers {
    fn of(&mut self, v: Value) -> usize {
        *self.known.entry(v).or_insert_with(|| {
            self.widths.push(registers(v.ty()));
            self.widths.len() - 1
        })
    }

    fn all(&mut self, values: Vec<Value>) -> Vec<usize> {
        values.into_iter().map(|v| self.of(v)).collect()
    }
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
pub fn registers(ty: Type) -> u32 {
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
