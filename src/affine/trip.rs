//! How often each loop runs, from its exit comparison.
//!
//! With `x` the compared value at iteration k, `x = r + c·k`, and bound `b`: the loop goes on
//! while `x < b` (or the like). Tested at the latch, it runs `ceil((b - r + c) / c)` times and at
//! least once; tested at the header, `ceil((b - r) / c)` times. `x != b` counts exactly if `c` is
//! 1 or -1 and the distance is not negative, nor wider than the variable, which becomes a fact: otherwise
//! the induction variable would wrap around first.
//!
//! Tested at the header, `x` is also looked at once more than there are iterations, and what it is then must be in
//! range as well ([`last_test`]).

use super::value::{Exact, Reading, Values};
use super::{Atom, DivergentTrip, NoTrip, Poly, Range, Trip};
use crate::llvm::ir::{Op, Pred, Value};
use crate::tree::{ExitAt, LoopId};

/// Steps of which 2^63 takes longer than anybody waits.
const SMALL_STEP: i64 = 1 << 16;

/// Trip counts of all loops, in tree order: what all threads share, and what they do not.
pub fn compute_trips(v: &mut Values) -> (Vec<Result<Trip, NoTrip>>, Vec<Option<DivergentTrip>>) {
    let (mut trips, mut divergent_trips) = (Vec::new(), Vec::new());
    for i in 0..v.tree.loops.len() {
        let (t, u) = match compute_trip(v, LoopId(i as u32)) {
            None => (Err(NoTrip::Unknown), None),
            Some(u) if is_divergent(&u.trip) => (Err(NoTrip::Divergent), Some(u)),
            Some(u) => (Ok(u.trip), None),
        };
        trips.push(t);
        divergent_trips.push(u);
        v.set_trips(&trips);
    }
    (trips, divergent_trips)
}

fn is_divergent(t: &Trip) -> bool {
    let divergent = |a: Atom| matches!(a, Atom::Tid(_) | Atom::Clamp(_));
    t.span.any(divergent) || t.step.any(divergent)
}

/// A comparison brought to the form "goes on while `x` relation `b`".
struct Exit {
    x: Value,
    b: Value,
    relation: Pred,
}

fn compute_trip(v: &mut Values, id: LoopId) -> Option<DivergentTrip> {
    let exit = exit_comparison(v, id)?;
    from_comparison(v, id, &exit)
}

fn exit_comparison(v: &mut Values, id: LoopId) -> Option<Exit> {
    let l = v.tree.loop_(id);
    let term = v.kernel.block(l.exit.from).terminator();
    if !term.is_conditional() {
        return None;
    }
    let cond = term.condition();
    if !cond.is(Op::LLVMICmp) || !cond.is_instruction() || !cond.operand(0).ty().int_width()?.ge(&2)
    {
        return None;
    }
    let exits_when_true = v.kernel.block_id(term.block()?.successors()[0]) == l.exit.to;
    let mut relation = cond.predicate();
    if exits_when_true {
        relation = negated(relation);
    }
    let (mut x, mut b) = (cond.operand(0), cond.operand(1));
    let mentions =
        |v: &mut Values, y: Value| v.poly(y).is_ok_and(|e| e.poly.mentions(Atom::Iter(id)));
    if !mentions(v, x) && mentions(v, b) {
        (x, b) = (b, x);
        relation = swapped(relation);
    }
    Some(Exit { x, b, relation })
}

/// `None`: no count can be given.
fn from_comparison(v: &mut Values, id: LoopId, exit: &Exit) -> Option<DivergentTrip> {
    use Pred::*;
    let reading = match exit.relation {
        LLVMIntULT | LLVMIntULE | LLVMIntUGT | LLVMIntUGE => Reading::Unsigned,
        _ => Reading::Signed,
    };
    let equality = exit.relation == LLVMIntNE;
    let width = exit.x.ty().int_width()?;
    // For equality only the values modulo 2^w matter; the distance is made exact below.
    let mut read = |y: Value, modulo: bool| match modulo {
        true => v.poly(y).ok(),
        false => v.exact(y, reading).ok(),
    };
    let x = read(exit.x, equality)?;
    let (coefficients, start) = x.poly.split(|a| a == Atom::Iter(id))?;
    let step = coefficients.get(&Atom::Iter(id))?.clone();
    // Nobody sees a loop end that goes up to a limit beyond 2^63 in small steps, however often it is said to run.
    let counts_up = matches!(exit.relation, LLVMIntULT | LLVMIntULE);
    let small = step.as_constant().is_some_and(|c| c <= SMALL_STEP);
    let b = read(exit.b, equality || (width == 64 && counts_up && small))?;
    let is_known = |p: &Poly| v.is_known_before(p, id);
    if !is_known(&start) || !is_known(&b.poly) || step.any(Atom::varies) {
        return None;
    }
    let facts = &x.facts | &b.facts;
    let up = goes_up(exit.relation, &step)?;
    let step = if up { step } else { step.times_constant(-1) };
    let mut e = Exact {
        poly: distance(exit.relation, up, &start, &b.poly),
        facts,
    };
    if equality {
        e = v.require(e, width.min(31), Reading::Unsigned);
    }
    e = positive_step(v, e, &step)?;
    let at_latch = v.tree.loop_(id).exit_at == ExitAt::Latch;
    if !at_latch {
        let beyond = step.minus(&Poly::constant(1));
        let last = if up {
            b.poly.plus(&beyond)
        } else {
            b.poly.minus(&beyond)
        };
        // In range already, where it is the limit.
        let whole = (!equality && beyond.is_zero()).then(|| reading.limits(width));
        let kept = last_test(v, id, &x, (last, whole))?;
        e = kept
            .into_iter()
            .fold(e, |e, range| v.require_range(e, range));
    }
    let span = if at_latch { e.poly.plus(&step) } else { e.poly };
    let trip = Trip {
        span,
        step,
        least: u32::from(at_latch),
        facts: e.facts.into_iter().collect(),
    };
    let start = if up { start } else { start.times_constant(-1) };
    Some(DivergentTrip { trip, start })
}

/// Whether a loop with this exit counts up; `None`: it may step over its limit.
fn goes_up(relation: Pred, step: &Poly) -> Option<bool> {
    use Pred::*;
    match relation {
        LLVMIntSLT | LLVMIntULT | LLVMIntSLE | LLVMIntULE => Some(true),
        LLVMIntSGT | LLVMIntUGT | LLVMIntSGE | LLVMIntUGE => Some(false),
        LLVMIntNE => match step.as_constant()? {
            1 => Some(true),
            -1 => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// How far it is from a loop's start to its limit, and one more where the limit is taken.
fn distance(relation: Pred, up: bool, start: &Poly, limit: &Poly) -> Poly {
    use Pred::*;
    let between = if up {
        limit.minus(start)
    } else {
        start.minus(limit)
    };
    let inclusive = matches!(relation, LLVMIntSLE | LLVMIntULE | LLVMIntSGE | LLVMIntUGE);
    between.plus(&Poly::constant(i64::from(inclusive)))
}

/// What must hold so that `x` keeps to what is said of it when it is compared for the last time, behind all
/// iterations: facts about iterations do not see that. It is then what it begins as, or between the limit and `last`,
/// one step less one beyond that. The limit was made exact for the `whole` range of the comparison, where steps are 1.
///
/// `None`: a fact is not about `x` but for a constant.
fn last_test(
    v: &Values,
    id: LoopId,
    x: &Exact,
    (last, whole): (Poly, Option<(i64, i64)>),
) -> Option<Vec<Range>> {
    let mut kept = Vec::new();
    for fact in &x.facts {
        let Range { poly, lo, hi } = v.facts[fact.index()].clone();
        if !v.follows(&poly, id) {
            continue;
        }
        let more = Poly::constant(poly.minus_if_constant(&x.poly)?);
        let first = poly.substitute(Atom::Iter(id), &Poly::default());
        let mut keep = |poly| kept.push(Range { poly, lo, hi });
        keep(first);
        if !more.is_zero() || whole != Some((lo, hi)) {
            keep(last.plus(&more));
        }
    }
    Some(kept)
}

/// `e` with the fact that `step` is at least 1, unless that is clear.
fn positive_step(v: &mut Values, mut e: Exact, step: &Poly) -> Option<Exact> {
    let is_positive = match step.as_constant() {
        Some(c) if c < 1 => return None,
        Some(_) => true,
        // Products of launch dimensions, which are never 0.
        None => step.terms().all(|(m, c)| {
            c > 0
                && m.iter()
                    .all(|a| matches!(a, Atom::Ntid(_) | Atom::Nctaid(_)))
        }),
    };
    if !is_positive {
        let less_one = Exact {
            poly: step.minus(&Poly::constant(1)),
            facts: e.facts.clone(),
        };
        e.facts = v.require(less_one, 31, Reading::Unsigned).facts;
    }
    Some(e)
}

/// The predicate that holds when `p` does not.
pub(crate) fn negated(p: Pred) -> Pred {
    use Pred::*;
    match p {
        LLVMIntEQ => LLVMIntNE,
        LLVMIntNE => LLVMIntEQ,
        LLVMIntUGT => LLVMIntULE,
        LLVMIntUGE => LLVMIntULT,
        LLVMIntULT => LLVMIntUGE,
        LLVMIntULE => LLVMIntUGT,
        LLVMIntSGT => LLVMIntSLE,
        LLVMIntSGE => LLVMIntSLT,
        LLVMIntSLT => LLVMIntSGE,
        LLVMIntSLE => LLVMIntSGT,
    }
}

/// The predicate for exchanged operands.
pub(crate) fn swapped(p: Pred) -> Pred {
    use Pred::*;
    match p {
        LLVMIntUGT => LLVMIntULT,
        LLVMIntUGE => LLVMIntULE,
        LLVMIntULT => LLVMIntUGT,
        LLVMIntULE => LLVMIntUGE,
        LLVMIntSGT => LLVMIntSLT,
        LLVMIntSGE => LLVMIntSLE,
        LLVMIntSLT => LLVMIntSGT,
        LLVMIntSLE => LLVMIntSGE,
        LLVMIntEQ | LLVMIntNE => p,
    }
}
