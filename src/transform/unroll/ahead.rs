//! Loads of several iterations that come before all else that these do, in kernels that are measured.
//!
//! ```text
//! for (i = id; i < n; i += threads)          rounds of 8:  v0 = a[i];  v1 = a[i + threads];  …  v7
//!   atomicAdd(&bins[a[i]], 1);                             atomicAdd(&bins[v0], 1);  …  atomicAdd(&bins[v7], 1)
//! ```
//! A loop that updates or stores what it read has one iteration's loads under way: neither LLVM nor ptxas moves a
//! load before a store, unless both know that the two lie apart, and before an atomic never. Here a round's loads
//! come first, and all else in its order. So do the loads of long iterations, of iterations with branches, and of
//! loops whose counter moves on by a number that only the run tells, as `blockDim.x`, which LLVM does not unroll.
//!
//! Sound where only the counter, what is fixed in the loop and other such loads decide whether an iteration makes the
//! load, and at what address, and where nothing that the loop writes before is what is loaded. Either it writes other
//! arrays: surely other objects, or such as the launch is asked about (what a block touches of both lies apart). Or
//! each iteration has a cell of its own, which it loads in any case before it writes there: the same index, exact,
//! which moves on by a cell at least. All iterations of a round run, as their number is known where the loop begins, so
//! that no load is made that the original does not make. Atomics order nothing else; but where the loop looks at what
//! an update gave back, or at volatile memory, another thread's writes might be behind that, and the array must be one
//! that the kernel writes nowhere. Barriers, fences, warp operations and calls in the loop refuse.
//!
//! That is nothing between threads: no thread waits for another one more than it did, so that kernels with barriers
//! of their own, with locks or with dynamic shared memory may have such loops, too.

use crate::map::HashSet;

use crate::access::{Access, AccessKind};
use crate::affine::Atom;
use crate::kernel::{BlockId, Kernel, ids};
use crate::llvm::ir::{Op, Value};
use crate::machine::tuning::ahead::{INSTRUCTIONS, LONGEST, WORDS};
use crate::plan::analyses::{Analyses, check_fusing, most_iterations};
use crate::plan::count::count_any;
use crate::plan::data::{NoUnroll, Remainder, Unroll};
use crate::plan::facts::Facts;
use crate::plan::hull;
use crate::tree::{ExitAt, LoopId, Node, NodeId, Tree};

/// How a loop is unrolled whose loads come first.
pub fn version(f: &Analyses, l: LoopId) -> Result<(Unroll, Facts), NoUnroll> {
    if !meets_again(f.tree, l) {
        return Err(NoUnroll::Shape);
    }
    let lp = f.tree.loop_(l);
    let mine = f.accesses.list.iter();
    let mine: Vec<&Access> = mine.filter(|a| lp.blocks.contains(&a.block)).collect();
    if !mine.iter().any(|a| a.kind == AccessKind::Load) {
        return Err(NoUnroll::Shape);
    }
    if !mine.iter().all(|a| is_unordered(a)) {
        return Err(NoUnroll::Communicates);
    }
    check_fusing(f, l)?;
    let counter = count_any(f.kernel, f.tree, l).ok_or(NoUnroll::Count)?;
    let (ahead, facts) = early(f, l, &mine, counter.phi);
    if ahead.is_empty() {
        return Err(NoUnroll::Waits);
    }
    let words: u32 = ahead.iter().map(|a| a.size.div_ceil(4)).sum();
    let size: usize = lp.blocks.iter().map(|b| instructions(f, *b)).sum();
    let qualifies = |n: &u32| *n as usize * size <= INSTRUCTIONS && n * words <= WORDS;
    let mut lengths = [LONGEST, LONGEST / 2, LONGEST / 4].into_iter();
    let length = lengths.find(qualifies);
    let length = length.ok_or(NoUnroll::Long)?;
    let trip = f.affine.any_trip(l);
    if trip
        .and_then(most_iterations)
        .is_some_and(|n| n <= i64::from(length))
    {
        return Err(NoUnroll::Few);
    }
    let unroll = Unroll {
        loop_: l,
        length,
        always: true,
        wide: Vec::new(),
        strides: Vec::new(),
        rest: Remainder::PowersOfTwo,
        ahead: ahead.iter().map(|a| a.id).collect(),
    };
    Ok((unroll, facts))
}

/// The loads of a loop that may come before all else of its round, and the facts that this rests on.
fn early<'a>(
    f: &Analyses,
    l: LoopId,
    mine: &[&'a Access],
    counter: Value,
) -> (Vec<&'a Access>, Facts) {
    let lp = f.tree.loop_(l);
    // What tells a thread how far others are may tell it that they have written: then nobody may write there in the
    // whole kernel.
    let observes = observes(f, &lp.blocks, mine);
    let writes = f.accesses.list.iter();
    let writes = writes.filter(|a| a.kind != AccessKind::Load && a.size > 0);
    let writes = writes.filter(|a| observes || lp.blocks.contains(&a.block));
    let written: Vec<&Access> = writes.collect();
    // Of a kernel that meets others at barriers, or that sees what they do, the launch is asked nothing.
    let asks = !observes && f.kernel.rejected.is_none();
    let (mut ahead, mut facts) = (Vec::<&Access>::new(), Facts::default());
    // What is there before all else of the iteration: its counter, and what was loaded so.
    let mut there = vec![counter];
    for a in mine {
        let at = a.pointer.map(|p| f.kernel.value(p));
        let made = |p| is_made_of(f, &lp.blocks, p, &there);
        if a.kind != AccessKind::Load || !at.is_some_and(made) {
            continue;
        }
        // Where branches lead to it, what they ask is known before, too.
        let branches = guards(f.tree, l, a.block);
        let mut branches = branches.iter().map(|(at, _)| condition(f.kernel, *at));
        if !branches.all(made) {
            continue;
        }
        let mut wanted = facts.clone();
        let mut others = written.iter();
        if others.all(|w| may_pass(f, l, a, w, asks.then_some(&mut wanted))) {
            facts = wanted;
            ahead.push(*a);
            there.push(f.kernel.value(a.value));
        }
    }
    (ahead, facts)
}

/// Whether a load may come before what earlier iterations of its thread write. That they are of other memory is
/// proven, or a fact of the launch where `facts` are given; or each iteration has a cell of its own, which it loads
/// before it writes there.
fn may_pass(
    f: &Analyses,
    l: LoopId,
    load: &Access,
    write: &Access,
    facts: Option<&mut Facts>,
) -> bool {
    let (Some(a), Some(b)) = (load.array, write.array) else {
        return false;
    };
    if f.accesses.surely_distinct(a, b) {
        return true;
    }
    let Some(facts) = facts else {
        return false;
    };
    match a == b {
        true => load.block == f.tree.loop_(l).header && has_own_cell(f, l, load, write, facts),
        false => hull::add_hulls(f, facts, &[load.id], &[write.id]).is_some(),
    }
}

/// Whether both are of one cell in an iteration of `l`, of another one in each, and the load comes first. Only a loop
/// around them moves the cell otherwise, and that is done with an iteration before it begins the next. Negative steps
/// that the launch decides are left out.
fn has_own_cell(f: &Analyses, l: LoopId, load: &Access, write: &Access, facts: &mut Facts) -> bool {
    let all = f.kernel.block(load.block).instructions();
    let place = |a: &Access| all.iter().position(|i| *i == f.kernel.value(a.value));
    let first = write.block != load.block || place(load) < place(write);
    first && moves_on(f, l, load, write, facts).is_some()
}

/// Adds what it rests on that both are of one cell, which is another one in each iteration of `l`.
fn moves_on(f: &Analyses, l: LoopId, a: &Access, b: &Access, facts: &mut Facts) -> Option<()> {
    let (x, y) = (f.affine.address(a.id)?, f.affine.address(b.id)?);
    let moves = |a| a != Atom::Iter(l) && f.affine.follows(a, l);
    if x.index != y.index || x.index.any(moves) {
        return None;
    }
    let (mut each, _) = x.index.split(|a| a == Atom::Iter(l))?;
    let step = each.remove(&Atom::Iter(l))?;
    let size = i64::from(a.size.max(b.size));
    match step.as_constant() {
        Some(c) => (c.unsigned_abs() >= size.unsigned_abs()).then_some(())?,
        // An index with a product of two numbers that vary is none that is known.
        None => {
            debug_assert!(!step.any(Atom::varies));
            facts.add_poly(f.affine, &step).ok()?;
            facts.add_range(&step, size, i64::MAX);
        }
    }
    for address in [x, y] {
        hull::add_ids(f.affine, facts, &address.facts)?;
    }
    Some(())
}

fn instructions(f: &Analyses, b: BlockId) -> usize {
    let all = f.kernel.block(b).instructions();
    all.iter().filter(|i| !i.is(Op::LLVMPHI)).count()
}

/// Whether a loop is blocks and branches that meet again, tested at its end.
fn meets_again(tree: &Tree, l: LoopId) -> bool {
    fn is_structured(tree: &Tree, n: NodeId) -> bool {
        match tree.node(n) {
            Node::Block(_) | Node::Edge(_) => true,
            Node::Seq(all) => all.iter().all(|n| is_structured(tree, *n)),
            Node::If {
                then, otherwise, ..
            } => is_structured(tree, *then) && is_structured(tree, *otherwise),
            Node::Loop(_) | Node::Opaque { .. } | Node::Return(_) => false,
        }
    }
    let lp = tree.loop_(l);
    lp.exit_at == ExitAt::Latch && is_structured(tree, lp.body)
}

/// Whether an access orders no others: a plain load, store or update.
fn is_unordered(a: &Access) -> bool {
    let kinds = [AccessKind::Load, AccessKind::Store, AccessKind::Atomic];
    kinds.contains(&a.kind) && !a.is_volatile
}

/// Whether the loop may see what other threads do: what an update gave back, or what shared memory holds that is read
/// again each time.
fn observes(f: &Analyses, blocks: &[BlockId], mine: &[&Access]) -> bool {
    let looked_at = |a: &&Access| {
        let update = f.kernel.value(a.value);
        a.kind == AccessKind::Atomic && !update.users().is_empty()
    };
    let again = |i: Value| {
        let memory = i.is(Op::LLVMLoad) || i.is(Op::LLVMStore);
        let update = i.is(Op::LLVMAtomicRMW) || i.is(Op::LLVMAtomicCmpXchg);
        memory && i.is_volatile_or_atomic() || update && !i.users().is_empty()
    };
    let all = blocks.iter().map(|b| f.kernel.block(*b).instructions());
    mine.iter().any(looked_at) || all.flatten().any(again)
}

/// Whether an iteration can make `v` first of all: of what is `there` and of what is fixed in the loop, by what is done
/// in any case or may be.
fn is_made_of(f: &Analyses, blocks: &[BlockId], v: Value, there: &[Value]) -> bool {
    // Each value once: sums of sums are shared, and a walk of all ways to them would not end.
    let (mut open, mut seen) = (vec![v], HashSet::from_iter([v]));
    while let Some(v) = open.pop() {
        let at = v.block().map(|b| f.kernel.block_id(b));
        if there.contains(&v) || !v.is_instruction() || at.is_some_and(|b| !blocks.contains(&b)) {
            continue;
        }
        if v.is(Op::LLVMPHI) || !ids::is_speculatable(v) {
            return false;
        }
        open.extend(v.operands().into_iter().filter(|o| seen.insert(*o)));
    }
    true
}

/// The branches that lead to a block from where an iteration of `l` begins, the outermost first: the block that
/// branches, and which way.
pub fn guards(tree: &Tree, l: LoopId, block: BlockId) -> Vec<(BlockId, bool)> {
    fn leads(tree: &Tree, n: NodeId, block: BlockId, taken: &mut Vec<(BlockId, bool)>) -> bool {
        match tree.node(n) {
            Node::Block(b) => *b == block,
            Node::Seq(all) => all.iter().any(|n| leads(tree, *n, block, taken)),
            Node::If {
                at,
                then,
                otherwise,
            } => [(*then, true), (*otherwise, false)]
                .into_iter()
                .any(|(side, way)| {
                    taken.push((*at, way));
                    let is_there = leads(tree, side, block, taken);
                    if !is_there {
                        taken.pop();
                    }
                    is_there
                }),
            _ => false,
        }
    }
    let mut taken = Vec::new();
    leads(tree, tree.loop_(l).body, block, &mut taken);
    taken
}

/// What a block's branch asks.
pub fn condition(kernel: &Kernel, at: BlockId) -> Value {
    kernel.block(at).terminator().condition()
}
