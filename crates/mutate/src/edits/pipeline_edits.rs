//! Ways to break strips in flight: waits, groups, slots, and what is copied how.

use mesi::llvm::ir::{Op, Pred, Value};

use crate::edits::code_edits::{Guarded, at, branches_to, calls, force, instructions};
use crate::mutation::Mutation;
use crate::stage::Emitted;

/// Waits for copies, one a strip for each depth there is.
fn waits(e: &Emitted) -> impl Iterator<Item = Value> {
    calls(e, "cp.async.wait")
}

/// The barrier behind a wait: the next call, or the one where the waits of several depths meet.
fn barrier_after(wait: Value) -> Option<Value> {
    let is_barrier = |i: &Value| i.is(Op::LLVMCall) && i.callee_name().contains("barrier.cta.sync");
    let mut block = wait.block()?;
    let here = block.instructions();
    let after = here.iter().position(|i| *i == wait)? + 1;
    let mut rest = here[after..].to_vec();
    loop {
        if let Some(b) = rest.iter().find(|i| is_barrier(i)) {
            return Some(*b);
        }
        let [next] = block.successors()[..] else {
            return None;
        };
        block = next;
        rest = block.instructions();
    }
}

/// The tests of addresses and strides against a piece's width.
fn alignment_tests(e: &Emitted) -> impl Iterator<Item = Value> {
    let masks = [3, 7, 15];
    // Of addresses and strides together: rows' lengths are tested by the same masks.
    let joined = |v: Value| v.is(Op::LLVMAnd) && v.operand(0).is(Op::LLVMOr);
    instructions(e).filter(move |i| {
        i.is(Op::LLVMICmp)
            && i.predicate() == Pred::LLVMIntEQ
            && joined(i.operand(0))
            && i.operand(0)
                .operand(1)
                .const_int()
                .is_some_and(|m| masks.contains(&m))
    })
}

/// The slot of the strip to be used, and that of the strip before, computed from.
fn next_slots(e: &Emitted) -> impl Iterator<Item = (Value, Value)> {
    let found = instructions(e)
        .filter(|i| i.is(Op::LLVMAnd) && i.operand(1).const_int() == Some(-16) && is_aligning(*i));
    found.filter_map(|i| {
        let next = i.operand(0);
        let before = match next.opcode()? {
            Op::LLVMSub => next.operand(1),
            Op::LLVMSelect => next.operand(1).operand(0),
            _ => return None,
        };
        Some((i, before))
    })
}

fn is_aligning(i: Value) -> bool {
    i.ty().int_width() == Some(32)
}

/// The iterations that a short strip lacks.
fn missing(e: &Emitted) -> impl Iterator<Item = Value> {
    calls(e, "llvm.smax.i32").filter(|i| i.operand(1).const_int() == Some(0))
}

/// The branches to where a short strip goes the quick way.
fn short_ways(e: &Emitted) -> impl Iterator<Item = Value> {
    branches_to(e, 0, "mesi.short")
}

/// Addresses in global memory that a short strip on the quick way begins at, walked backwards.
fn short_origins(e: &Emitted) -> impl Iterator<Item = Value> {
    instructions(e).filter(|i| {
        i.is(Op::LLVMGetElementPtr)
            && i.block()
                .is_some_and(|b| b.name().starts_with("mesi.short"))
    })
}

/// The list.
pub fn all() -> Vec<Mutation> {
    vec![
        Mutation::code(
            "flight-wait-dropped",
            "a strip's copies are not waited for",
            |e, n| at(waits(e), n, |w| w.erase()),
        ),
        Mutation::code(
            "flight-wait-early",
            "a wait leaves one group too many under way",
            |e, n| {
                at(waits(e), n, |w| {
                    let groups = w.operand(0);
                    let more = groups.const_int().unwrap_or(0) + 1;
                    w.set_operand(0, groups.ty().constant(more));
                })
            },
        ),
        Mutation::code(
            "flight-commit-dropped",
            "a strip's copies are no group of their own",
            |e, n| at(calls(e, "cp.async.commit"), n, |c| c.erase()),
        ),
        Mutation::code(
            "flight-barrier-dropped",
            "a strip's only barrier is missing",
            |e, n| at(waits(e).filter_map(barrier_after), n, |b| b.erase()),
        ),
        Mutation::code(
            "flight-unbounded",
            "strips are fetched as if there were always a full one",
            |e, n| force(e, Guarded::Usual, n, true),
        ),
        Mutation::code("flight-stopped", "the last strip is not fetched", |e, n| {
            force(e, Guarded::Fetch, n, false)
        }),
        Mutation::code(
            "flight-short-strip-full",
            "the short strip is fetched in full",
            |e, n| at(missing(e), n, |m| m.replace_uses(m.operand(1))),
        ),
        Mutation::code(
            "short-strip-cut-pieces",
            "a short strip that ends within a piece goes the quick way",
            |e, n| {
                at(short_ways(e), n, |b| {
                    let both = b.condition();
                    both.replace_uses(both.operand(1));
                })
            },
        ),
        Mutation::code(
            "short-strip-odd",
            "a short strip goes the quick way where full ones may not",
            |e, n| {
                at(short_ways(e), n, |b| {
                    let both = b.condition();
                    both.replace_uses(both.operand(0));
                })
            },
        ),
        Mutation::code(
            "short-strip-elsewhere",
            "a short strip walked backwards is fetched from where a full one would begin",
            |e, n| at(short_origins(e), n, |i| i.replace_uses(i.operand(0))),
        ),
        Mutation::code(
            "slot-stuck",
            "a strip uses the slot being filled",
            |e, n| at(next_slots(e), n, |(next, before)| next.replace_uses(before)),
        ),
        Mutation::code(
            "wide-unaligned",
            "16 bytes are copied wherever rows begin",
            |e, n| {
                at(alignment_tests(e), n, |t| {
                    t.replace_uses(t.ty().constant(1));
                })
            },
        ),
        Mutation::code(
            "fill-too-long",
            "the last piece of a row is copied in full",
            |e, n| force(e, Guarded::Whole, n, true),
        ),
        Mutation::plan(
            "slots-overlap",
            "slots are closer than tiles are long",
            |p, n| {
                let strips = p.plan.regions.iter_mut().filter_map(|r| r.strip.as_mut());
                crate::edits::plan_edits::at(strips.filter(|s| s.slot > 0), n, |s| s.slot -= 16)
            },
        ),
        Mutation::plan(
            "stretch-too-long",
            "strips are longer than the block leaves room for",
            |p, n| {
                let regions = p.plan.regions.iter_mut();
                crate::edits::plan_edits::at(regions.filter_map(|r| r.stretch.as_mut()), n, |s| {
                    s.area *= 4;
                })
            },
        ),
        Mutation::plan(
            "stretch-slots-overlap",
            "slots of longer strips are closer than they are long",
            |p, n| {
                let stretched = p.plan.regions.iter_mut().filter_map(|r| r.stretch.as_mut());
                let ways = stretched.flat_map(|s| &mut s.ways);
                crate::edits::plan_edits::at(ways, n, |w| {
                    w.slot = w.slot.minus(&mesi::affine::Poly::constant(16));
                })
            },
        ),
        Mutation::plan(
            "depth-deeper",
            "more strips are fetched than slots are there",
            |p, n| {
                let strips = p.plan.regions.iter_mut().filter_map(|r| r.strip.as_mut());
                crate::edits::plan_edits::at(strips.filter(|s| s.depth > 1), n, |s| s.depth += 1)
            },
        ),
    ]
}
