//! Which loops can become a dimension of the grid.

use super::cells;
use super::plan::{Bound, Collapse, Refused};
use super::reach::{ID, Length, Reach, in_ids};
use crate::access::{self, Access, AccessKind};
use crate::affine::{Affine, Atom, Poly, Range};
use crate::choice;
use crate::kernel::cfg::Cfg;
use crate::kernel::ids;
use crate::kernel::{Dim, Kernel, ValueId};
use crate::llvm::ir::{Block, Op, Value};
use crate::machine::target::SECTOR;
use crate::machine::tuning::fold::THREADS;
use crate::plan::{self, Analyses};
use crate::tree::{ExitAt, Loop, LoopId, Node, OpaqueReason};

/// How the kernel's loop that stores becomes a dimension of the grid, or why it does not; `None`: it has none, or its
/// threads cannot be others.
pub fn find(f: &Analyses) -> Option<Result<Collapse, Refused>> {
    let kernel = f.kernel;
    let allowed = plan::may_be_redistributed(f)
        // Where the loop's blocks become the kernel's, the back end might fuse what it leaves apart.
        && !access::crosses_blocks(kernel)
        && kernel.max_threads >= THREADS
        && is_line(kernel);
    let stores = |l: &LoopId| f.accesses_in(*l).any(Access::writes);
    let mut outermost = f.tree.loop_ids();
    let l = outermost
        .find(|l| allowed && f.tree.loop_(*l).parent.is_none() && stores(l))
        .filter(|l| ends(f, f.tree.loop_(*l)))?;
    Some(collapse(f, l))
}

/// Whether threads ask along x alone where they are, for their id and nothing else.
fn is_line(kernel: &Kernel) -> bool {
    let mut all = kernel.blocks.iter().flat_map(|b| b.instructions());
    let of_x = |i: Value| ids::register(i).is_none_or(|(_, d)| d == Dim::X);
    ids::uses_global_id_only(kernel, Dim::X) && all.all(of_x)
}

/// Whether a loop is left at its end alone, and nothing is done behind it.
fn ends(f: &Analyses, l: &Loop) -> bool {
    let in_loop = |b: &Block| l.blocks.iter().any(|x| f.kernel.block(*x) == *b);
    let latch = f.kernel.block(l.latch);
    let stays = |b: &Block| *b == latch || b.successors().iter().all(in_loop);
    l.exit_at == ExitAt::Latch
        && l.blocks.iter().all(|b| stays(&f.kernel.block(*b)))
        && only_ends(f.kernel.block(l.exit.to))
}

/// Whether nothing is done from there on.
fn only_ends(b: Block) -> bool {
    match b.instructions()[..] {
        [i] if i.is(Op::LLVMRet) => true,
        [i] if !i.is_conditional() => b.successors().into_iter().all(|s| s != b && only_ends(s)),
        _ => false,
    }
}

fn collapse(f: &Analyses, id: LoopId) -> Result<Collapse, Refused> {
    let (kernel, l) = (f.kernel, f.tree.loop_(id));
    is_all_within(f, id)?;
    let entering = entering(kernel, l).ok_or(Refused::Carries)?;
    let [header, latch] = [l.header, l.latch].map(|b| kernel.block(b));
    let in_loop = |v: Value| {
        v.block()
            .is_some_and(|b| l.blocks.contains(&kernel.block_id(b)))
    };
    let counts = |phi: Value| Counter::of(phi, latch).is_some_and(|c| !in_loop(c.step));
    if !header.phis().into_iter().all(counts) {
        return Err(Refused::Carries);
    }
    let accesses = f.accesses_in(id).map(|a| Some((a, Reach::of(f, a, id)?)));
    let accesses: Option<Vec<_>> = accesses.collect();
    let accesses = accesses.ok_or(Refused::Trip)?;
    let (_, (_, length)) = accesses.first().ok_or(Refused::Trip)?;
    let length = length.clone();
    let (most, mut symbols) = bound(f, l, &length).ok_or(Refused::Trip)?;
    if !is_better(f, id) {
        return Err(Refused::Neighbours);
    }
    let accesses: Vec<(&Access, Reach)> = accesses.into_iter().map(|(a, (r, _))| (a, r)).collect();
    let known = |v: &ValueId| choice::host_knows(kernel.function, kernel.value(*v));
    let pitches = cells::pitches(f, id, &accesses)?;
    let value = |a: &Atom| number(f.affine, *a).map(|(v, _)| v);
    let pairs = pitches.iter().map(|(p, n)| value(p).zip(value(n)));
    let pitches: Vec<_> = pairs.flatten().collect();
    let of_32_bits = of_32_bits(f, &accesses, &length);
    let is_exact = |(a, r): &(&Access, Reach)| {
        let address = f.affine.address(a.id);
        address.is_none_or(|address| address.facts.iter().all(|x| r.follows(f, *x)))
    };
    let mut tested: Vec<Range> = accesses
        .iter()
        .flat_map(|(_, r)| r.tested.clone())
        .collect();
    tested.dedup();
    for a in tested.iter().flat_map(|r| r.poly.atoms()) {
        let known = number(f.affine, a).filter(|(v, _)| known(v));
        symbols.push((a, known.ok_or(Refused::Trip)?.0));
    }
    let numbers = pitches.iter().flat_map(|(p, n)| [p, n]);
    if !numbers.chain(&of_32_bits).all(known) {
        return Err(Refused::Trip);
    }
    Ok(Collapse {
        blocks: [kernel.block_id(entering), l.header, l.latch, l.exit.to],
        step: length.step,
        span: length.span,
        symbols,
        most,
        of_32_bits,
        pitches,
        tested,
        may_wrap: !accesses.iter().all(is_exact),
    })
}

/// Whether all loops are in the loop, all that is stored is stored there, and what is loaded elsewhere is not of that.
fn is_all_within(f: &Analyses, l: LoopId) -> Result<(), Refused> {
    let blocks = &f.tree.loop_(l).blocks;
    // All iterations would run other loops again.
    let is_within = |x: &Loop| blocks.contains(&x.header);
    let is_loop = |n: &Node| match n {
        Node::Opaque { why, entry, .. } => {
            matches!(why, OpaqueReason::SeveralExits | OpaqueReason::LoopShape)
                && !blocks.contains(entry)
        }
        _ => false,
    };
    if !f.tree.loops.iter().all(is_within) || f.tree.nodes.iter().any(is_loop) {
        return Err(Refused::Loops);
    }
    let stores = || f.accesses_in(l).filter(|a| a.writes());
    for a in f.accesses.iter() {
        let is_within = blocks.contains(&a.block);
        if is_within && a.kind == AccessKind::Atomic {
            return Err(Refused::Updates);
        }
        // Arrays that differ are facts.
        let is_stored = |s: &Access| s.array == a.array || s.array.is_none() || a.array.is_none();
        if !is_within && (a.writes() || stores().any(is_stored)) {
            return Err(Refused::Outside);
        }
    }
    Ok(())
}

/// The block that enters a loop, if one does.
fn entering(kernel: &Kernel, l: &Loop) -> Option<Block> {
    let [header, latch] = [l.header, l.latch].map(|b| kernel.block(b));
    let enters = |b: &&Block| **b != latch && b.successors().contains(&header);
    let all: Vec<&Block> = kernel.blocks.iter().filter(enters).collect();
    match all[..] {
        [b] => Some(*b),
        _ => None,
    }
}

/// A value that grows by the same in each iteration.
pub(super) struct Counter {
    pub(super) first: Value,
    pub(super) next: Value,
    pub(super) step: Value,
}

impl Counter {
    pub(super) fn of(phi: Value, latch: Block) -> Option<Counter> {
        let incoming = phi.incoming();
        let next = phi.incoming_from(latch).filter(|_| incoming.len() == 2)?;
        let (first, _) = incoming.into_iter().find(|(_, from)| *from != latch)?;
        let width = phi.ty().int_width()?;
        if !next.is(Op::LLVMAdd) || !matches!(width, 32 | 64) {
            return None;
        }
        let step = match (next.operand(0) == phi, next.operand(1) == phi) {
            (true, false) => next.operand(1),
            (false, true) => next.operand(0),
            _ => return None,
        };
        Some(Counter { first, next, step })
    }
}

/// The value of a symbol, and its bits.
fn number(affine: &Affine, a: Atom) -> Option<(ValueId, u32)> {
    let Atom::Symbol(s) = a else {
        return None;
    };
    let symbol = affine.symbols[s.index()];
    Some((symbol.value, symbol.bits))
}

/// How many iterations a thread has at most, and the symbols of how many it has: linear, of what the host knows and
/// what is there when the loop begins.
fn bound(f: &Analyses, l: &Loop, length: &Length) -> Option<(Bound, Vec<(Atom, ValueId)>)> {
    let cfg = Cfg::new(f.kernel);
    let (mut bound, mut symbols) = (Bound::default(), Vec::new());
    for (m, c) in length.span.terms() {
        if c.checked_abs()? > i64::from(i32::MAX) {
            return None;
        }
        match m[..] {
            [] => bound.constant = c,
            [ID] => bound.threads = c.max(0),
            [a @ Atom::Symbol(_)] => {
                let (v, _) = number(f.affine, a)?;
                let value = f.kernel.value(v);
                let is_there = value.block().is_none_or(|b| {
                    let b = f.kernel.block_id(b);
                    !l.blocks.contains(&b) && cfg.dominates(b, l.header)
                });
                let known = choice::host_knows(f.kernel.function, value);
                (is_there && known).then(|| bound.numbers.push((v, c)))?;
                symbols.push((a, v));
            }
            _ => return None,
        }
    }
    Some((bound, symbols))
}

/// Whether more accesses have an iteration's neighbour beside them than a thread's.
fn is_better(f: &Analyses, l: LoopId) -> bool {
    let near = |a: &Access, x: Atom| {
        let index = f.affine.address(a.id).and_then(|a| in_ids(f, &a.index));
        let step = index.and_then(|p| Some(p.split(|y| y == x)?.0.remove(&x).unwrap_or_default()));
        let step = step.and_then(|p| p.as_constant());
        step.is_some_and(|c| (-SECTOR..=SECTOR).contains(&c))
    };
    let count = |x: Atom| f.accesses_in(l).filter(|a| near(a, x)).count();
    count(Atom::Iter(l)) > count(ID)
}

/// Symbols of 64 bits that something rests on.
fn of_32_bits(f: &Analyses, accesses: &[(&Access, Reach)], length: &Length) -> Vec<ValueId> {
    let addresses = accesses
        .iter()
        .filter_map(|(a, _)| Some(&f.affine.address(a.id)?.index));
    let limits = accesses.iter().flat_map(|(_, r)| &r.limits);
    let all = addresses.chain(limits).chain([&length.span]);
    let atoms = all.flat_map(Poly::atoms);
    let wide = atoms.filter_map(|a| number(f.affine, a).filter(|(_, bits)| *bits > 32));
    let mut wide: Vec<ValueId> = wide.map(|(v, _)| v).collect();
    crate::order::sort(&mut wide);
    wide.dedup();
    wide
}
