//! Whether a loop may go on until another thread has written something.
//!
//! ```text
//! while (atomicExch(lock, 1)) ;                                   waits: what is polled decides
//! do { assumed = old; old = atomicCAS(p, assumed, f(assumed)); } while (old != assumed);
//!                                                                 begins anew only if another came before
//! while ((row = atomicAdd(next, 1)) < n) …                        draws numbers that grow, until they are too large
//! while (atomicSub(free, 1) < 1) atomicAdd(free, 1);              waits: what is drawn is put back
//! ```
//! Conservative: which way a branch goes need not have to do with whether the loop is left, and who else may write is
//! not asked.

use super::{assembly, callees};
use crate::llvm::ir::{Block, Function, Op, Pred, Value};
use crate::map::{HashMap, HashSet};
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

/// Blocks among which control may come round.
type Cycle = HashSet<Block>;

/// Whether a loop of `f` may go on until another thread has written something.
pub fn waits(f: Function) -> bool {
    cycles(&f.blocks()).iter().any(cycle_waits)
}

/// The cycles of the control flow among `blocks`, the outermost ones.
fn cycles(blocks: &[Block]) -> Vec<Cycle> {
    let ids: HashMap<Block, usize> = blocks.iter().enumerate().map(|(i, b)| (*b, i)).collect();
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = blocks.iter().map(|_| graph.add_node(())).collect();
    for (i, b) in blocks.iter().enumerate() {
        for s in b.successors().iter().filter_map(|s| ids.get(s)) {
            graph.add_edge(nodes[i], nodes[*s], ());
        }
    }
    let mut all = tarjan_scc(&graph);
    all.retain(|c| c.len() > 1 || graph.contains_edge(c[0], c[0]));
    let of = |c: Vec<_>| -> Cycle {
        c.into_iter()
            .map(|n: petgraph::graph::NodeIndex| blocks[n.index()])
            .collect()
    };
    all.into_iter().map(of).collect()
}

/// The cycles within `cycle`: those that are left without the blocks by which control enters it.
fn inner_cycles(cycle: &Cycle) -> Vec<Cycle> {
    let all = cycle.iter().next().map(|b| b.function().blocks());
    let outside = all.into_iter().flatten().filter(|b| !cycle.contains(b));
    let entered: Cycle = outside.flat_map(|b| b.successors()).collect();
    let rest: Vec<Block> = cycle
        .iter()
        .copied()
        .filter(|b| !entered.contains(b))
        .collect();
    cycles(&rest)
}

/// The innermost cycle within `cycle` that holds `block`.
fn innermost(cycle: &Cycle, block: Block) -> Cycle {
    let inner = inner_cycles(cycle).into_iter().find(|c| c.contains(&block));
    // Nobody enters a cycle that control never comes to.
    match inner.filter(|c| c.len() < cycle.len()) {
        Some(c) => innermost(&c, block),
        None => cycle.clone(),
    }
}

fn instructions(cycle: &Cycle) -> impl Iterator<Item = Value> {
    cycle.iter().flat_map(|b| b.instructions())
}

/// Whether a branch within a cycle hangs on what is polled there.
fn cycle_waits(cycle: &Cycle) -> bool {
    // Between fences a plain load may see what others write.
    let fenced = instructions(cycle).any(is_fence);
    let polled = instructions(cycle).filter(|i| is_polled(*i, fenced, cycle));
    decides(polled.collect(), cycle, true)
}

fn is_fence(i: Value) -> bool {
    let has_effects = i.is_inline_asm_call() && i.asm_has_side_effects();
    i.is(Op::LLVMFence) || i.callee_name().starts_with("llvm.nvvm.membar") || has_effects
}

/// Whether `i` reads what other threads may write meanwhile.
fn is_polled(i: Value, fenced: bool, cycle: &Cycle) -> bool {
    match i.opcode() {
        Some(Op::LLVMLoad) => {
            let own = i.operand(0).is(Op::LLVMAlloca);
            i.is_volatile_or_atomic() || fenced && !own
        }
        Some(Op::LLVMAtomicRMW) => !draws(i, cycle),
        Some(Op::LLVMAtomicCmpXchg) => !tries_again(i, cycle),
        Some(Op::LLVMCall | Op::LLVMInvoke) => {
            let name = i.callee_name();
            if i.is_inline_asm_call() {
                return i.asm_has_side_effects() || !assembly::is_arithmetic(&i.asm_text());
            }
            let reads = ["llvm.nvvm.atomic", "llvm.nvvm.mbarrier"];
            match callees::is_intrinsic(&name) {
                true => reads.iter().any(|r| name.starts_with(r)),
                false => !i.accesses_no_memory(),
            }
        }
        _ => false,
    }
}

/// Whether a branch of `cycle` is made of one of the values `work`, also by way of memory; `places`: also of what is
/// read at a place that they tell.
fn decides(mut work: Vec<Value>, cycle: &Cycle, places: bool) -> bool {
    let loads: Vec<Value> = instructions(cycle).filter(|i| i.is(Op::LLVMLoad)).collect();
    let read_of = |p: Value| {
        loads
            .iter()
            .copied()
            .filter(move |l| may_be_one(l.operand(0), p))
    };
    let mut seen = HashSet::default();
    while let Some(v) = work.pop() {
        if !seen.insert(v) {
            continue;
        }
        // What a call is given, or finds, may be written wherever it is given a pointer to.
        if v.is(Op::LLVMCall) || v.is(Op::LLVMInvoke) {
            let pointers = v
                .each_operand()
                .filter(|o| o.ty().is_pointer() && !o.is_function());
            work.extend(pointers.flat_map(read_of));
        }
        for u in v.users() {
            let branches = u.is(Op::LLVMBr) || u.is(Op::LLVMSwitch);
            if branches && u.block().is_some_and(|b| cycle.contains(&b)) {
                return true;
            }
            match u.opcode() {
                Some(Op::LLVMStore) if u.operand(0) == v => work.extend(read_of(u.operand(1))),
                Some(Op::LLVMStore) => {}
                // What an atomic is given it may write; what it finds is no part of that.
                Some(Op::LLVMAtomicRMW | Op::LLVMAtomicCmpXchg) if u.operand(0) != v => {
                    work.extend(read_of(u.operand(0)));
                    work.push(u);
                }
                Some(Op::LLVMLoad) if !places => {}
                _ if u.is_instruction() => work.push(u),
                _ => {}
            }
        }
    }
    false
}

/// What a pointer points into: a stack object, a global, a parameter; `None`: that is not known.
fn object(mut p: Value) -> Option<Value> {
    loop {
        match p.opcode() {
            Some(Op::LLVMGetElementPtr | Op::LLVMAddrSpaceCast | Op::LLVMBitCast) => {
                p = p.operand(0)
            }
            Some(Op::LLVMAlloca) => return Some(p),
            _ => return (p.is_argument() || p.is_global_variable()).then_some(p),
        }
    }
}

/// Whether two pointers may point into one object.
fn may_be_one(p: Value, q: Value) -> bool {
    let (Some(p), Some(q)) = (object(p), object(q)) else {
        return true;
    };
    let own = |v: Value| v.is(Op::LLVMAlloca) || v.is_restrict();
    let distinct = own(p) || own(q) || p.is_global_variable() && q.is_global_variable();
    p == q || !distinct
}

/// Whether `exchange` fails only if another thread came before, and control leaves the innermost loop where it does not
/// fail: what it expects to find is what it found before, or what lay there, and no other number.
fn tries_again(exchange: Value, cycle: &Cycle) -> bool {
    let expected = exchange.operand(1);
    let Some(block) = exchange
        .block()
        .filter(|_| is_found_there(expected, exchange))
    else {
        return false;
    };
    let inner = innermost(cycle, block);
    let found = |v: Value| v.is(Op::LLVMExtractValue) && v.operand(0) == exchange;
    // The second of what an exchange gives is a bit: whether it did.
    let succeeds = |v: Value| {
        if found(v) && v.ty().int_width() == Some(1) {
            return Some(true);
        }
        let compares = |k: u32| found(v.operand(k)) && v.operand(1 - k) == expected;
        match v.is(Op::LLVMICmp) && (0..2).any(compares) {
            true if v.predicate() == Pred::LLVMIntEQ => Some(true),
            true if v.predicate() == Pred::LLVMIntNE => Some(false),
            _ => None,
        }
    };
    let mut branches = inner.iter().map(|b| b.terminator());
    branches.any(|b| leaves(b, &inner, &succeeds))
}

/// Whether `v`, which `exchange` expects to find, is what it found before, or what lay there.
fn is_found_there(v: Value, exchange: Value) -> bool {
    let (mut seen, mut work) = (HashSet::default(), vec![v]);
    while let Some(v) = work.pop() {
        if v == exchange || v.is(Op::LLVMLoad) && v.operand(0) == exchange.operand(0) {
            return true;
        }
        let same = [
            Op::LLVMPHI,
            Op::LLVMBitCast,
            Op::LLVMFreeze,
            Op::LLVMExtractValue,
        ];
        if same.iter().any(|o| v.is(*o)) && seen.insert(v) {
            work.extend(v.operands());
        }
    }
    false
}

/// Whether `branch` leads out of `cycle` where `outcome` holds; that tells what values are then, as far as it knows.
fn leaves(branch: Value, cycle: &Cycle, outcome: &dyn Fn(Value) -> Option<bool>) -> bool {
    if !branch.is_conditional() {
        return false;
    }
    let out = |k: usize| {
        branch
            .block()
            .is_some_and(|b| !cycle.contains(&b.successors()[k]))
    };
    match becomes(branch.condition(), outcome) {
        Some(true) => out(0),
        Some(false) => out(1),
        None => false,
    }
}

/// What a bit becomes where `outcome` holds.
fn becomes(v: Value, outcome: &dyn Fn(Value) -> Option<bool>) -> Option<bool> {
    if let Some(known) = outcome(v).or_else(|| v.const_int().map(|n| n != 0)) {
        return Some(known);
    }
    let of = |k: u32| becomes(v.operand(k), outcome);
    match v.opcode()? {
        Op::LLVMFreeze => of(0),
        Op::LLVMAnd if of(0) == Some(false) || of(1) == Some(false) => Some(false),
        Op::LLVMOr if of(0) == Some(true) || of(1) == Some(true) => Some(true),
        Op::LLVMXor => Some(of(0)? != of(1)?),
        // `a && b` and `a || b`.
        Op::LLVMSelect => match of(0) {
            Some(true) => of(1),
            Some(false) => of(2),
            None => of(1).filter(|x| of(2) == Some(*x)),
        },
        _ => None,
    }
}

/// Whether `update` draws numbers from a counter, one greater (or less) than the other, and nothing in its innermost
/// loop asks more of them than whether they are not yet too great: then the loop ends by itself.
fn draws(update: Value, cycle: &Cycle) -> bool {
    let Some(block) = update.block().filter(|_| update.step().is_some()) else {
        return false;
    };
    let inner = innermost(cycle, block);
    let sign = |i: Value| i.step().map(i64::signum);
    let puts_back = |i: Value| {
        let may = |p: Value| {
            let (p, q) = (object(p), object(update.operand(0)));
            p.is_none() || q.is_none() || p == q
        };
        match i.opcode() {
            _ if i == update => false,
            Some(Op::LLVMAtomicRMW) => may(i.operand(0)) && sign(i) != sign(update),
            Some(Op::LLVMAtomicCmpXchg) => may(i.operand(0)),
            // Of what is not known to be the counter, a plain store would race.
            Some(Op::LLVMStore) => {
                object(i.operand(1)).is_some_and(|p| object(update.operand(0)) == Some(p))
            }
            Some(Op::LLVMCall | Op::LLVMInvoke) => {
                !i.accesses_no_memory()
                    && i.arguments()
                        .into_iter()
                        .any(|o| o.ty().is_pointer() && may(o))
            }
            _ => false,
        }
    };
    let grows = sign(update) == Some(1);
    !instructions(&inner).any(puts_back) && ends_by_itself(update, grows, &inner)
}

/// Whether the branches of `cycle` that a number decides which grows (or shrinks) ask whether it is too great (small),
/// and those that leave do so where it is. What loops within it ask, such as how far to go from there, is theirs,
/// unless they leave it.
fn ends_by_itself(number: Value, grows: bool, cycle: &Cycle) -> bool {
    let exits = |b: &Block| b.successors().iter().any(|s| !cycle.contains(s));
    let within: Cycle = inner_cycles(cycle).into_iter().flatten().collect();
    let own: Cycle = cycle
        .iter()
        .copied()
        .filter(|b| exits(b) || !within.contains(b))
        .collect();
    let loads: Vec<Value> = instructions(cycle).filter(|i| i.is(Op::LLVMLoad)).collect();
    let (mut numbers, mut work, mut tests) = (HashSet::default(), vec![number], Vec::new());
    while let Some(v) = work.pop() {
        if !numbers.insert(v) {
            continue;
        }
        for u in v.users() {
            match u.opcode() {
                Some(Op::LLVMStore) if u.operand(0) == v => {
                    let place = object(u.operand(1));
                    let same = |l: &&Value| place.is_some() && object(l.operand(0)) == place;
                    work.extend(loads.iter().filter(same));
                }
                Some(Op::LLVMICmp) => tests.push(u),
                _ if keeps_order(u, v) => work.push(u),
                _ if decides(vec![u], &own, false) => return false,
                _ => {}
            }
        }
    }
    // At last.
    let outcome = |v: Value| {
        let k = (0..2).find(|k| v.is(Op::LLVMICmp) && numbers.contains(&v.operand(*k)))?;
        let less = match v.predicate() {
            Pred::LLVMIntSLT | Pred::LLVMIntSLE | Pred::LLVMIntULT | Pred::LLVMIntULE => true,
            Pred::LLVMIntSGT | Pred::LLVMIntSGE | Pred::LLVMIntUGT | Pred::LLVMIntUGE => false,
            _ => return None,
        };
        Some(less == ((k == 0) != grows))
    };
    tests.into_iter().all(|t| {
        if outcome(t).is_none() {
            return !decides(vec![t], &own, false);
        }
        let mine = |b: &&Block| exits(b) && reaches(t, b.terminator());
        let mut all = own.iter().filter(mine);
        all.all(|b| leaves(b.terminator(), cycle, &outcome))
    })
}

/// Whether `u`, made of `v`, grows where that does.
fn keeps_order(u: Value, v: Value) -> bool {
    match u.opcode() {
        Some(Op::LLVMPHI | Op::LLVMZExt | Op::LLVMSExt | Op::LLVMTrunc | Op::LLVMFreeze) => true,
        Some(Op::LLVMAdd | Op::LLVMSelect) => true,
        Some(Op::LLVMSub) => u.operand(0) == v,
        Some(Op::LLVMMul | Op::LLVMShl) => {
            u.operand(0) == v && u.operand(1).const_int().is_some_and(|n| n > 0)
        }
        Some(Op::LLVMCall) => callees::is_of_warp(&u.callee_name()),
        _ => false,
    }
}

/// Whether a branch is made of `v`, as far as registers go.
fn reaches(v: Value, branch: Value) -> bool {
    let (mut seen, mut work) = (HashSet::default(), vec![v]);
    while let Some(v) = work.pop() {
        if v == branch {
            return true;
        }
        if seen.insert(v) {
            work.extend(v.users().into_iter().filter(|u| u.is_instruction()));
        }
    }
    false
}
