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
//! Sound where an iteration makes the load in any case, at an address that only the counter and what is fixed in the
//! loop decide, and where nothing that the loop writes lies in the array that is loaded: another array that is surely
//! another object. All iterations of a round run, as their number is known where the loop begins, so that no load is
//! made that the original does not make. Atomics order nothing else; but where the loop looks at what an update gave
//! back, or at volatile memory, another thread's writes might be behind that, and the array must be one that the
//! kernel writes nowhere. Barriers, fences, warp operations and calls in the loop refuse.
//!
//! That is nothing between threads: no thread waits for another one more than it did, so that kernels with barriers
//! of their own, with locks or with dynamic shared memory may have such loops, too.

use super::count::count_any;
use super::data::{NoRounds, Rest, Rounds};
use super::facets::{Facets, check_fusing, most_iterations};
use crate::access::{Access, AccessKind};
use crate::kernel::BlockId;
use crate::llvm::ir::{Op, Value, is_plain};
use crate::machine::tuning::ahead::{INSTRUCTIONS, LONGEST, WORDS};
use crate::tree::{ExitAt, LoopId, Node, NodeId, Tree};

/// How a loop runs in rounds whose loads come first.
pub fn version(f: &Facets, l: LoopId) -> Result<Rounds, NoRounds> {
    if !meets_again(f.tree, l) {
        return Err(NoRounds::Shape);
    }
    let lp = f.tree.loop_(l);
    let mine = f.accesses.list.iter();
    let mine: Vec<&Access> = mine.filter(|a| lp.blocks.contains(&a.block)).collect();
    if !mine.iter().any(|a| a.kind == AccessKind::Load) {
        return Err(NoRounds::Shape);
    }
    if !mine.iter().all(|a| is_quiet(a)) {
        return Err(NoRounds::Communicates);
    }
    check_fusing(f, l)?;
    let counter = count_any(f.kernel, f.tree, l).ok_or(NoRounds::Count)?;
    let ahead = early(f, l, &mine, counter.phi);
    if ahead.is_empty() {
        return Err(NoRounds::Waits);
    }
    let words: u32 = ahead.iter().map(|a| a.size.div_ceil(4)).sum();
    let size: usize = lp.blocks.iter().map(|b| instructions(f, *b)).sum();
    let fits = |n: &u32| *n as usize * size <= INSTRUCTIONS && n * words <= WORDS;
    let length = [LONGEST, LONGEST / 2, LONGEST / 4].into_iter().find(fits);
    let length = length.ok_or(NoRounds::Long)?;
    let trip = f.affine.any_trip(l);
    if trip
        .and_then(most_iterations)
        .is_some_and(|n| n <= i64::from(length))
    {
        return Err(NoRounds::Few);
    }
    Ok(Rounds {
        loop_: l,
        length,
        always: true,
        wide: Vec::new(),
        strides: Vec::new(),
        rest: Rest::Pieces,
        ahead: ahead.iter().map(|a| a.id).collect(),
    })
}

/// The loads of a loop that may come before all else of its round.
fn early<'a>(f: &Facets, l: LoopId, mine: &[&'a Access], counter: Value) -> Vec<&'a Access> {
    let lp = f.tree.loop_(l);
    // What tells a thread how far others are may tell it that they have written: then nobody may write there in the
    // whole kernel.
    let observes = observes(f, &lp.blocks, mine);
    let writes = f.accesses.list.iter();
    let writes = writes.filter(|a| a.kind != AccessKind::Load && a.size > 0);
    let writes = writes.filter(|a| observes || lp.blocks.contains(&a.block));
    let written: Vec<&Access> = writes.collect();
    let apart = |load: &Access| {
        let other = |w: &&Access| match (load.array, w.array) {
            (Some(a), Some(b)) => f.accesses.surely_distinct(a, b),
            _ => false,
        };
        written.iter().all(other)
    };
    let may = |a: &&&'a Access| {
        let at = a.pointer.map(|p| f.kernel.value(p));
        let made = |p| is_made_of(f, lp.header, &lp.blocks, p, counter);
        a.kind == AccessKind::Load && a.block == lp.header && at.is_some_and(made) && apart(a)
    };
    mine.iter().filter(may).copied().collect()
}

fn instructions(f: &Facets, b: BlockId) -> usize {
    let all = f.kernel.block(b).instructions();
    all.iter().filter(|i| !i.is(Op::LLVMPHI)).count()
}

/// Whether a loop is blocks and branches that meet again, tested at its end.
fn meets_again(tree: &Tree, l: LoopId) -> bool {
    fn plain(tree: &Tree, n: NodeId) -> bool {
        match tree.node(n) {
            Node::Block(_) | Node::Edge(_) => true,
            Node::Seq(all) => all.iter().all(|n| plain(tree, *n)),
            Node::If {
                then, otherwise, ..
            } => plain(tree, *then) && plain(tree, *otherwise),
            Node::Loop(_) | Node::Opaque { .. } | Node::Return(_) => false,
        }
    }
    let lp = tree.loop_(l);
    lp.exit_at == ExitAt::Latch && plain(tree, lp.body)
}

/// Whether an access orders no others: a plain load, store or update.
fn is_quiet(a: &Access) -> bool {
    let plain = [AccessKind::Load, AccessKind::Store, AccessKind::Atomic];
    plain.contains(&a.kind) && !a.is_volatile
}

/// Whether the loop may see what other threads do: what an update gave back, or what shared memory holds that is read
/// again each time.
fn observes(f: &Facets, blocks: &[BlockId], mine: &[&Access]) -> bool {
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

/// Whether an iteration makes `v` in its first block, of the counter `phi` and of what is fixed in the loop.
fn is_made_of(f: &Facets, header: BlockId, blocks: &[BlockId], v: Value, phi: Value) -> bool {
    if v == phi || !v.is_instruction() {
        return true;
    }
    let at = v.block().map(|b| f.kernel.block_id(b));
    if at.is_some_and(|b| !blocks.contains(&b)) {
        return true;
    }
    let pure = v.opcode().is_some_and(is_plain);
    let all = v.operands();
    at == Some(header)
        && pure
        && all
            .into_iter()
            .all(|o| is_made_of(f, header, blocks, o, phi))
}
