//! Which loops were unrolled by hand.

use super::body::Loop;
use super::compare::{
    MOST, Sides, Unrolled, before_widening, distance, goes_to_the_limit, is_signed, is_widened,
    leaves_room, less_room, same, to_first,
};
use super::expression::{Id, Nodes, Values};
use crate::access;
use crate::affine::swapped;
use crate::kernel::{Kernel, ids};
use crate::llvm::ir::{Block, Op, Pred, Value};

/// The loops of `kernel` that were unrolled by hand.
pub fn find(kernel: &Kernel) -> Vec<Unrolled> {
    // Without the first loop blocks around it become one.
    let is_rejected = kernel.rejected.is_some()
        || kernel.function.value().is_mergeable()
        || access::crosses_blocks(kernel);
    if is_rejected {
        return Vec::new();
    }
    let loops = Loop::all(kernel);
    let found = loops.iter().filter_map(|l| unrolled(kernel, l, &loops));
    found.collect()
}

fn unrolled(kernel: &Kernel, first: &Loop, loops: &[Loop]) -> Option<Unrolled> {
    // Behind it come the rest's phis, perhaps after a block that only leads there.
    let exit = first.exit()?;
    let (last, rest) = match exit.successors()[..] {
        [next] if preds(kernel, exit) == [first.latch] => (exit, next),
        _ => (first.latch, exit),
    };
    let [guard] = preds(kernel, rest)
        .into_iter()
        .filter(|p| *p != last)
        .collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let second = rolled(kernel, rest, loops)?;
    let joined = Joined {
        first,
        second,
        rest,
        guard,
        last,
    };
    let leads = guard.terminator().is_conditional() && guard.successors().contains(&rest);
    let enters = preds(kernel, first.header)
        .into_iter()
        .filter(|p| *p != first.latch);
    let enters = enters.collect::<Vec<_>>();
    // From the guard, or from a block that only leads from there.
    let [enter] = enters[..] else { return None };
    let from_guard =
        enter == guard || preds(kernel, enter) == [guard] && enter.successors() == [first.header];
    let drops_nothing = enter == guard
        || enter
            .instructions()
            .into_iter()
            .all(|i| i == enter.terminator() || is_dropped(i));
    let is_movable = drops_nothing
        && first.is_closed(rest)
        && first.products_are_used_once()
        && second.products_are_used_once();
    if !leads || !from_guard || !is_movable || !exits_are_empty(exit, rest) {
        return None;
    }
    let (count, limit) = joined.limits()?;
    // Where their indices are not the same numbers as the machine has them, they may be where they are exact.
    let exact = match joined.is_same(count, false) {
        Some(()) => false,
        None => joined.is_same(count, true).map(|()| true)?,
    };
    joined.keeps_the_rest()?;
    Some(Unrolled {
        exact,
        guard,
        rest,
        rolled: second.blocks(),
        times: count.times as u32,
        limit,
    })
}

fn is_zero(v: Value) -> bool {
    v.const_int() == Some(0)
}

/// Whether nothing is lost if an instruction does not run.
fn is_dropped(i: Value) -> bool {
    ids::is_speculatable(i) || i.is(Op::LLVMLoad) && !i.is_volatile_or_atomic()
}

/// Whether a block on the way to `rest`, if it is another one, only computes what goes there.
fn exits_are_empty(exit: Block, rest: Block) -> bool {
    let goes_on = |i: Value| {
        let users = i.users();
        i == exit.terminator()
            || users
                .iter()
                .all(|u| u.block() == Some(exit) || u.is(Op::LLVMPHI) && u.block() == Some(rest))
    };
    exit == rest
        || exit.instructions().into_iter().all(|i| {
            goes_on(i) && (i == exit.terminator() || i.is(Op::LLVMPHI) || ids::is_speculatable(i))
        })
}

/// The loop that the rest's guard leads to.
fn rolled<'a>(kernel: &Kernel, rest: Block, loops: &'a [Loop]) -> Option<&'a Loop> {
    let at = |b: Block| loops.iter().find(|l| l.header == b);
    let next = rest.successors();
    next.into_iter().find_map(|b| match at(b) {
        Some(l) => Some(l),
        None => {
            let leads = preds(kernel, b) == [rest];
            let [only] = b.successors()[..] else {
                return None;
            };
            leads.then(|| at(only))?
        }
    })
}

/// The blocks that go to `b`.
fn preds(kernel: &Kernel, b: Block) -> Vec<Block> {
    let all = kernel.blocks.iter().copied();
    all.filter(|p| p.successors().contains(&b)).collect()
}

/// What counts the first loop's iterations.
#[derive(Clone, Copy)]
struct Count {
    counter: Value,
    /// How many of the second loop's one is.
    times: i64,
}

/// The two loops, and the block between them.
struct Joined<'a> {
    first: &'a Loop,
    second: &'a Loop,
    rest: Block,
    /// Goes to `rest` past the first loop.
    guard: Block,
    /// Goes there behind it.
    last: Block,
}

impl Joined<'_> {
    /// The rest's phi, and the first loop's, that hold the same state as a phi of the block between them.
    fn pair(&self, between: Value) -> Option<(Value, Value)> {
        let of_second = self
            .second
            .phis
            .iter()
            .find(|p| self.second.ends(**p).is_some_and(|e| e.0 == between))?;
        let start = between.incoming_from(self.guard)?;
        let end = self.behind(between.incoming_from(self.last)?);
        let of_first = self.first.phis.iter().find(|p| {
            let Some((begin, next)) = self.first.ends(**p) else {
                return false;
            };
            let is_end =
                next == before_widening(end) || next == end || self.is_count(end, **p, begin);
            is_end && (same(begin, start) || is_zero(begin) && is_zero(start))
        })?;
        Some((*of_first, *of_second))
    }

    /// What a value of the block behind the first loop is.
    fn behind(&self, v: Value) -> Value {
        let only =
            v.is(Op::LLVMPHI) && v.block() == Some(self.last) && self.last != self.first.latch;
        if !only {
            return v;
        }
        match v.incoming()[..] {
            [(of, _)] => of,
            _ => v,
        }
    }

    /// Whether `end` is where a counter from 0 by a power of two ends: the limit without what is left over.
    fn is_count(&self, end: Value, phi: Value, begin: Value) -> bool {
        let Some(step) = self.first.step(phi).or_else(|| self.step_by_next(phi)) else {
            return false;
        };
        let bits = end.ty().int_width().unwrap_or(64).min(64);
        let most = (1_i64 << (bits - 1)).wrapping_sub(1);
        if !end.is_instruction() {
            return false;
        }
        let mask = |c: i64| c == -step || c & most == -step & most;
        let is_power = u64::try_from(step).is_ok_and(u64::is_power_of_two);
        let Some(limit) = self.compared() else {
            return false;
        };
        begin.const_int() == Some(0)
            && is_power
            && end.is(Op::LLVMAnd)
            && same(end.operand(0), limit)
            && end.operand(1).const_int().is_some_and(mask)
    }

    /// The step of a counter whose next value is another counter's present one.
    fn step_by_next(&self, phi: Value) -> Option<i64> {
        let (begin, next) = self.first.ends(phi)?;
        let ahead = self.first.phis.iter().find(|p| **p == next)?;
        let (first, step) = (self.first.ends(*ahead)?.0, self.first.step(*ahead)?);
        (distance(begin, first)? == step).then_some(step)
    }

    /// The number that decides whether the first loop goes on, and how it is compared with what.
    fn compares(&self) -> Option<(Value, Value, Pred)> {
        let condition = self.first.latch.terminator().condition();
        let sides = Sides::of(condition)?;
        let is_within = |v: Value| v.block().is_some_and(|b| self.first.has(b));
        let Sides(number, limit, p) = if is_within(sides.1) {
            sides.swapped()
        } else {
            sides
        };
        Some((before_widening(number), limit, p))
    }

    /// What the first loop's end compares with.
    fn compared(&self) -> Option<Value> {
        Some(less_room(self.compares()?.1).0)
    }

    /// How many iterations of the second one of the first is, and the limit of both, where the first runs only while as
    /// many of the second would.
    fn limits(&self) -> Option<(Count, Value)> {
        let limit = self.compared()?;
        let phis = self.rest.phis();
        let pairs = phis.into_iter().filter_map(|p| self.pair(p));
        let (counter, rolled) = pairs.into_iter().find(|(a, b)| {
            let step = self.first.step(*a).or_else(|| self.step_by_next(*a));
            step.is_some() && self.second.step(*b) == Some(1)
        })?;
        let times = self
            .first
            .step(counter)
            .or_else(|| self.step_by_next(counter))?;
        let (begin, next) = self.first.ends(counter)?;
        let ends = (2..=MOST).contains(&times)
            && self.goes_on_below(next, times, limit)?
            && self.begins_below(begin, times, limit)?
            && self.second_ends_at(rolled, limit)?;
        ends.then_some((Count { counter, times }, limit))
    }

    /// Whether the first loop goes on only if its next number leaves room for all its iterations.
    fn goes_on_below(&self, next: Value, times: i64, limit: Value) -> Option<bool> {
        let branch = self.first.latch.terminator();
        let on = to_first(branch) == self.first.header;
        let (number, with, p) = self.compares()?;
        let (with, less) = less_room(with);
        let room = distance(next, number)? + less;
        Some(same(with, limit) && leaves_room(p, on, room, times))
    }

    /// Whether the first loop is entered only if its first number does.
    fn begins_below(&self, begin: Value, times: i64, limit: Value) -> Option<bool> {
        let branch = self.guard.terminator();
        let enters = to_first(branch) != self.rest;
        let Sides(a, b, p) = Sides::of(branch.condition())?;
        // `limit < times` where it begins at a constant.
        if (same(a, limit) || is_widened(limit, a, p))
            && let (Some(first), Some(c)) = (begin.const_int(), b.const_int())
        {
            return Some(first >= 0 && leaves_room(swapped(p), enters, c - first, times));
        }
        let (b, less) = less_room(b);
        let room = distance(begin, a)? + less;
        let sure =
            begin.const_int().is_some_and(|c| c >= 0) || a.has_nsw() && is_signed(p) || a.has_nuw();
        Some(same(b, limit) && sure && leaves_room(p, enters, room, times))
    }

    /// Whether the second loop ends where its number comes to the limit, and not before.
    fn second_ends_at(&self, phi: Value, limit: Value) -> Option<bool> {
        let (_, next) = self.second.ends(phi)?;
        let branch = self.second.latch.terminator();
        let on = to_first(branch) == self.second.header;
        let Sides(number, with, p) = Sides::of(branch.condition())?.with_first(next);
        let compares = number == next && same(with, limit);
        let ends = goes_to_the_limit(p, on);
        Some(compares && ends && self.is_entered_below(phi, limit)?)
    }

    /// Whether the second loop is entered wherever its number is below the limit.
    fn is_entered_below(&self, phi: Value, limit: Value) -> Option<bool> {
        let branch = self.rest.terminator();
        let begin = self.second.ends(phi)?.0;
        // Where it is always entered it ran at least once for the original, too: then nothing is known of a number that
        // is the limit.
        if !branch.is_conditional() {
            return Some(false);
        }
        let Sides(number, with, p) = Sides::of(branch.condition())?.with_first(begin);
        let to = to_first(branch);
        let enters = to == self.second.header || to.successors() == [self.second.header];
        let compares = number == begin && same(with, limit);
        let is = goes_to_the_limit(p, enters);
        Some(compares && is)
    }

    /// Whether what the rest's phis hold is used by the second loop, to enter it, and behind it only where that has
    /// what it became there.
    fn keeps_the_rest(&self) -> Option<()> {
        let exit = self.second.exit()?;
        let enters = self.rest.terminator().condition();
        if !self.rest.successors().contains(&exit) {
            return None;
        }
        for between in self.rest.phis() {
            let (_, of_second) = self.pair(between)?;
            let next = self.second.ends(of_second)?.1;
            let is_kept = |u: Value| {
                u == enters
                    || self.second.phis.contains(&u)
                    || u.block() == Some(exit)
                        && u.is(Op::LLVMPHI)
                        && u.incoming_from(self.rest) == Some(between)
                        && u.incoming_from(self.second.latch) == Some(next)
            };
            if !between.users().into_iter().all(is_kept) {
                return None;
            }
        }
        let of_rest = self.rest.phis();
        let is_known = |phi: Value| {
            let (a, b) = (
                phi.incoming_from(self.rest),
                phi.incoming_from(self.second.latch),
            );
            a == b || a.is_some_and(|a| of_rest.contains(&a))
        };
        exit.phis().into_iter().all(is_known).then_some(())
    }

    /// Whether one iteration of the first loop gives what several of the second give; `exact`: where all indices are
    /// exact.
    fn is_same(&self, count: Count, exact: bool) -> Option<()> {
        let pairs: Option<Vec<(Value, Value)>> =
            self.rest.phis().into_iter().map(|p| self.pair(p)).collect();
        let pairs = pairs?;
        if pairs.is_empty() || pairs.len() != self.second.phis.len() {
            return None;
        }
        let mut nodes = Nodes::new(exact);
        let starts: Vec<Id> = (0..pairs.len()).map(|n| nodes.state(n)).collect();
        let mut values: Values = pairs
            .iter()
            .zip(&starts)
            .map(|(p, id)| (p.0, *id))
            .collect();
        // The limit leaves room for what it counts, so that it is exact where it is widened.
        nodes.counted = values.get(&count.counter).map(|id| (*id, count.times));
        self.add_ahead(&mut nodes, &mut values)?;
        if self.first.phis.iter().any(|p| !values.contains_key(p)) {
            return None;
        }
        let mut after = nodes.body(self.first, values)?;
        let next = |(a, _): &(Value, Value)| Some(self.first.ends(*a)?.1);
        let once: Vec<Value> = pairs.iter().map(next).collect::<Option<_>>()?;
        let once = once.iter().map(|v| nodes.value(*v, &mut after, 0));
        let once: Vec<Id> = once.collect();
        let (once, mut states) = (
            as_second(&pairs, &once, &mut nodes)?,
            as_second(&pairs, &starts, &mut nodes)?,
        );
        let widened = std::mem::take(&mut nodes.widened);
        let loads = std::mem::take(&mut nodes.loads);
        for _ in 0..count.times {
            let values = pairs.iter().zip(&states).map(|(p, id)| (p.1, *id));
            let mut after = nodes.body(self.second, values.collect())?;
            let next = |(_, b): &(Value, Value)| Some(self.second.ends(*b)?.1);
            let next: Vec<Value> = pairs.iter().map(next).collect::<Option<_>>()?;
            let next = next.iter().map(|v| nodes.value(*v, &mut after, 0));
            states = next.collect();
        }
        // Those of the second are exact by the facts of its addresses, so those of the first are.
        let all_exact =
            !exact || widened.is_subset(&nodes.widened) && self.second.widens_indices_only();
        let loads_no_more = nodes.loads.iter().all(|l| nodes.is_among(*l, &loads));
        (once == states && all_exact && loads_no_more).then_some(())
    }

    /// Phis of the first loop that are a constant ahead of others.
    fn add_ahead(&self, nodes: &mut Nodes, values: &mut Values) -> Option<()> {
        for p in &self.first.phis {
            if values.contains_key(p) {
                continue;
            }
            let (begin, step) = (self.first.ends(*p)?.0, self.first.step(*p)?);
            let width = p.ty().int_width()?;
            let of = self.first.phis.iter().find_map(|q| {
                let id = *values.get(q)?;
                let by = distance(self.first.ends(*q)?.0, begin)?;
                let steps = self.first.step(*q).or_else(|| self.step_by_next(*q))?;
                (steps == step && q.ty() == p.ty()).then_some((id, by))
            });
            let (id, by) = of?;
            let ahead = nodes.plus(id, by, width);
            values.insert(*p, ahead);
        }
        Some(())
    }
}

/// The first loop's states as the second has them: a number may be wider there.
fn as_second(pairs: &[(Value, Value)], states: &[Id], nodes: &mut Nodes) -> Option<Vec<Id>> {
    let all = pairs.iter().zip(states).map(|((a, b), id)| {
        let widths = (a.ty().int_width(), b.ty().int_width());
        match (a.ty() == b.ty(), widths) {
            (true, _) => Some(*id),
            (_, (Some(from), Some(to))) if from < to => Some(nodes.count_as(*id, from, to)),
            _ => None,
        }
    });
    all.collect()
}
