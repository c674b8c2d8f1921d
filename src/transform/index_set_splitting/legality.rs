//! Which loops may be cut. Idea and soundness: [`super`].

use super::plan::{Holds, Split, Start, differs, sign, varies};
use crate::access::AccessKind;
use crate::affine::{Affine, Atom, DivergentTrip, FactId, Guard, Poly, Range};
use crate::kernel::{BlockId, Kernel, callees, ids};
use crate::llvm::ir::{Block, Op, Value};
use crate::machine::tuning::index_set_splitting::MOST_INSTRUCTIONS;
use crate::plan::Analyses;
use crate::tree::{ExitAt, Loop, LoopId, Node};
use std::fmt;

/// Why a loop is not cut that threads run a different number of times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoSplit {
    /// Iterations that were begun would be begun again.
    TestedBefore,
    /// It has no block in front of it alone.
    Entries,
    /// Threads would run it in other company.
    Meets,
    /// Both parts would be unrolled in another way than the whole.
    Fuses,
    /// Three of it would be too much code.
    Long,
    /// Nothing tells the greatest and the least of a group's threads.
    Extremes,
    /// Where a thread starts decides which numbers it comes to.
    Steps,
    /// What its count rests on says more of each iteration than of its first and last.
    Wraps,
}

impl fmt::Display for NoSplit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoSplit::TestedBefore => "it tests whether it goes on before its body",
            NoSplit::Entries => "it is entered from several places",
            NoSplit::Meets => "threads may wait for each other in it",
            NoSplit::Fuses => "how it is unrolled decides what is fused",
            NoSplit::Long => "it is long",
            NoSplit::Extremes => "the extremes of its count are not known",
            NoSplit::Steps => "threads start it at different places, and it does not move by one",
            NoSplit::Wraps => "its numbers may wrap",
        })
    }
}

/// The loops of a kernel that threads run a different number of times.
#[derive(Default)]
pub struct Divergent {
    /// Those that are cut.
    pub splits: Vec<Split>,
    /// Those that are not, and why.
    pub refused: Vec<(LoopId, NoSplit)>,
}

/// Looks at all loops. An outer one comes first, and those within it are left alone.
pub fn find(f: &Analyses) -> Divergent {
    let mut found = Divergent::default();
    for l in f.tree.loop_ids() {
        let node = f.tree.loop_(l).node;
        let is_within = |s: &Split| f.tree.contains(f.tree.loop_(s.loop_).node, node);
        if found.splits.iter().any(is_within) {
            continue;
        }
        match check(f, l) {
            Some(Ok(split)) => found.splits.push(split),
            Some(Err(why)) => found.refused.push((l, why)),
            None => {}
        }
    }
    found
}

/// How a loop is cut, or why it is not; `None`: all threads run it equally often, or nobody knows how often.
fn check(f: &Analyses, l: LoopId) -> Option<Result<Split, NoSplit>> {
    let trip = f.affine.divergent_trips[l.index()].as_ref()?;
    Some(check_code(f, l).and_then(|()| split(f, l, trip)))
}

/// What forbids that there are several of a loop.
fn check_code(f: &Analyses, l: LoopId) -> Result<(), NoSplit> {
    let lp = f.tree.loop_(l);
    if lp.exit_at != ExitAt::Latch {
        return Err(NoSplit::TestedBefore);
    }
    if entry(f.kernel, lp.header, &lp.blocks).is_none() {
        return Err(NoSplit::Entries);
    }
    let meets = |k: AccessKind| {
        use AccessKind::{Barrier, Unknown, WarpOperation};
        matches!(k, Barrier | WarpOperation | Unknown)
    };
    let blocks = lp.blocks.iter().map(|b| f.kernel.block(*b));
    let all: Vec<Value> = blocks.flat_map(|b| b.instructions()).collect();
    let may_meet = |i: &Value| {
        let of_warp = || callees::is_of_warp(&i.callee_name()) || callees::calls_for_warp(*i);
        i.is(Op::LLVMCall) && (!i.accesses_no_memory() || of_warp())
    };
    if f.accesses_in(l).any(|a| meets(a.kind)) || all.iter().any(may_meet) {
        return Err(NoSplit::Meets);
    }
    let is_in = |x: LoopId| f.tree.contains(lp.node, f.tree.loop_(x).node);
    if f.fusing_loops().any(is_in) {
        return Err(NoSplit::Fuses);
    }
    match all.len() <= MOST_INSTRUCTIONS {
        true => Ok(()),
        false => Err(NoSplit::Long),
    }
}

/// The only block from which a loop is entered.
pub(super) fn entry(kernel: &Kernel, header: BlockId, blocks: &[BlockId]) -> Option<Block> {
    let to = kernel.block(header);
    let outside = |b: &&Block| !blocks.contains(&kernel.block_id(**b));
    let mut all = kernel.blocks.iter().filter(outside);
    let mut from = all.by_ref().filter(|b| b.successors().contains(&to));
    let only = *from.next()?;
    let once = only.successors().iter().filter(|s| **s == to).count() == 1;
    (from.next().is_none() && once).then_some(only)
}

fn split(f: &Analyses, l: LoopId, found: &DivergentTrip) -> Result<Split, NoSplit> {
    let trip = &found.trip;
    let step = trip.step.as_constant().ok_or(NoSplit::Steps)?;
    let starts = found.start.any(differs);
    let start = match starts {
        true => Some(start(f, l, found).ok_or(NoSplit::Steps)?),
        false => None,
    };
    let holds = |id: &FactId| holds(&f.affine.facts[id.index()], l, starts);
    let mut facts = trip
        .facts
        .iter()
        .map(holds)
        .collect::<Result<Vec<_>, _>>()?;
    let guard = guard(f, l, &mut facts);
    let span = match starts {
        true => trip.span.plus(&found.start),
        false => trip.span.clone(),
    };
    let split = Split {
        loop_: l,
        span,
        step,
        start,
        facts,
        guard,
    };
    let known = split.polys().all(|p| has_extremes(f.affine, p));
    known.then_some(split).ok_or(NoSplit::Extremes)
}

/// What must hold of a loop's iterations.
fn holds(fact: &Range, l: LoopId, starts: bool) -> Result<Holds, NoSplit> {
    let split = fact.poly.split(|a| a == Atom::Iter(l));
    let (each, poly) = split.ok_or(NoSplit::Wraps)?;
    let each = each.get(&Atom::Iter(l)).map_or(Some(0), Poly::as_constant);
    // Where starts differ the middle begins with another iteration of each thread.
    let each = each.filter(|c| *c == 0 || !starts && i32::try_from(*c).is_ok());
    Ok(Holds {
        range: Range { poly, ..*fact },
        each: each.ok_or(NoSplit::Wraps)?,
    })
}

/// The block that leads to a loop or to what follows it, where that compares numbers that differ between threads with
/// one another: which threads are there is nothing that a copy to shared memory can follow. What it tests is added to
/// the facts.
fn guard(f: &Analyses, l: LoopId, facts: &mut Vec<Holds>) -> Option<BlockId> {
    let lp = f.tree.loop_(l);
    let parent = f.tree.parents[lp.node.index()]?;
    let node = f.tree.parents[parent.index()]?;
    let Node::If { at, .. } = *f.tree.node(node) else {
        return None;
    };
    leads(f.kernel, at, lp)?;
    let access = f.accesses_in(l).next()?;
    let guards = f.affine.guards[access.id.index()].iter();
    let own: Vec<&Guard> = guards.filter(|g| g.0 == node).map(|g| &g.1).collect();
    let compares = |g: &&&Guard| matches!(g, Guard::Linear { terms, .. } if terms.len() > 1);
    own.iter().find(compares)?;
    let mut more = Vec::new();
    for g in own {
        let (poly, ids) = g.not_negative()?;
        let ids = ids.iter().map(|id| f.affine.facts[id.index()].clone());
        let least = Range {
            poly,
            lo: 0,
            hi: i64::MAX,
        };
        for range in ids.chain([least]) {
            (!range.poly.any(|a| matches!(a, Atom::Iter(_)))).then_some(())?;
            more.push(Holds { range, each: 0 });
        }
    }
    facts.extend(more);
    Some(at)
}

/// The block between a branch that leads to a loop or to its exit, and the loop, if there is one, of instructions that
/// may run for any thread; `None`: it leads elsewhere.
pub(super) fn leads(kernel: &Kernel, at: BlockId, lp: &Loop) -> Option<Option<Block>> {
    let (at, exit) = (kernel.block(at), kernel.block(lp.exit.to));
    let before = entry(kernel, lp.header, &lp.blocks)?;
    at.successors().contains(&exit).then_some(())?;
    if before == at {
        return Some(None);
    }
    let end = before.terminator();
    let mut all = before.instructions().into_iter();
    let is_only = || {
        kernel
            .blocks
            .iter()
            .filter(|b| b.successors().contains(&before))
            .count()
            == 1
    };
    let is_harmless = all.all(|i| i == end || !i.is(Op::LLVMPHI) && ids::is_speculatable(i));
    let leads = at.successors().contains(&before) && !end.is_conditional();
    (leads && is_harmless && is_only()).then_some(Some(before))
}

/// The phi that a loop counts by, which moves by one and is compared with the limit before or behind its step.
fn start(f: &Analyses, l: LoopId, found: &DivergentTrip) -> Option<Start> {
    (found.trip.step.as_constant() == Some(1)).then_some(())?;
    let lp = f.tree.loop_(l);
    let latch = f.kernel.block(lp.latch);
    let condition = latch.terminator().condition();
    let sides = condition.operands().into_iter().map(ids::unextended);
    let sides: Vec<Value> = sides.collect();
    f.kernel
        .block(lp.header)
        .phis()
        .into_iter()
        .find_map(|phi| {
            let next = phi.incoming_from(latch)?;
            let is_sum = next.is(Op::LLVMAdd) && next.operand(0) == phi;
            let step = is_sum.then(|| next.operand(1).const_int())??;
            let is_known = phi.ty().int_width().is_some_and(|w| matches!(w, 32 | 64));
            let ahead = match (sides.contains(&phi), sides.contains(&next)) {
                (true, _) => 0,
                (_, true) => -step,
                _ => return None,
            };
            (is_known && step.abs() == 1).then(|| Start {
                from: found.start.clone(),
                phi: f.kernel.value_id(phi),
                up: step > 0,
                ahead,
            })
        })
}

/// Whether the least and the greatest of a group's threads are known, in 64 bits.
fn has_extremes(affine: &Affine, p: &Poly) -> bool {
    let Some((coefficients, rest)) = p.split(varies) else {
        return false;
    };
    let is_extreme = |a: &Atom| match a {
        Atom::Clamp(c) => {
            let c = &affine.clamps[c.index()];
            has_extremes(affine, &c.varying) && has_extremes(affine, &c.limit)
        }
        _ => true,
    };
    let is_there = |a: Atom| matches!(a, Atom::Ntid(_) | Atom::Nctaid(_) | Atom::Symbol(_));
    let bits = |(m, c): (&Vec<Atom>, i64)| {
        let magnitude = 64 - c.unsigned_abs().leading_zeros();
        let all = m.iter().fold(magnitude, |b, a| b + a.bits());
        1_u64.checked_shl(all).map_or(u128::MAX >> 64, u128::from)
    };
    coefficients.keys().all(is_extreme)
        && coefficients.values().all(|c| sign(c).is_some())
        && !rest.any(|a| !is_there(a))
        && i64::try_from(p.terms().map(bits).sum::<u128>()).is_ok()
}
