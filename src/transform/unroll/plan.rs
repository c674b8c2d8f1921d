//! What of a kernel it is done to, as plain data, or why it is not. Idea and soundness: [`super`].

use super::ahead;
use super::legality::{check_order, loads_in_a_row};
use crate::access::{Access, AccessId, AccessKind};
use crate::affine::{Atom, Poly};
use crate::machine::tuning::unroll::{
    COARSE, LENGTHS, MOST_INSTRUCTIONS, MOST_PRESSURE, SHORT, WIDE,
};
use crate::options::Options;
use crate::plan::analyses::{Analyses, most_iterations};
use crate::plan::count::count;
use crate::plan::data::{
    KernelPlan, LoopPlan, NoUnroll, Plan, Proposal, Refusal, Remainder, Test, Unroll,
};
use crate::plan::facts::Facts;
use crate::tree::LoopId;

/// The plan that unrolls loops.
pub fn choose(f: &Analyses, options: &Options) -> Proposal {
    if options.unroll == Some(1) {
        return Err(None);
    }
    let (mut unrolled, mut why, mut facts) = (Vec::new(), None, Facts::default());
    for l in f.tree.loop_ids() {
        match in_any_way(f, l, options) {
            Ok((r, rests_on)) => {
                unrolled.push(r);
                facts.extend(&rests_on);
            }
            Err(other) => why = why.max(Some(other)),
        }
    }
    if unrolled.is_empty() {
        let why = why.filter(|w| *w != NoUnroll::Shape);
        return Err(why.map(Refusal::Unroll));
    }
    Ok(KernelPlan::from(Plan {
        loops: unrolled.into_iter().map(LoopPlan::Unrolled).collect(),
        tests: Test::all_sound(facts.list),
        ..Plan::default()
    }))
}

/// The plan that unrolls those of some loops that can be unrolled in all launches; `None`: none can.
pub fn unconditional(f: &Analyses, options: &Options, of: impl Fn(LoopId) -> bool) -> Option<Plan> {
    if options.unroll == Some(1) {
        return None;
    }
    let all = f.tree.loop_ids().filter(|l| of(*l));
    let made = all.filter_map(|l| in_any_way(f, l, options).ok());
    let unrolled = made.filter(|(_, rests_on)| rests_on.list.is_empty());
    let loops: Vec<LoopPlan> = unrolled.map(|(r, _)| LoopPlan::Unrolled(r)).collect();
    (!loops.is_empty()).then(|| Plan {
        loops,
        ..Plan::default()
    })
}

/// How a loop is unrolled, with its loads first if that is the only way, and the facts that this rests on.
fn in_any_way(f: &Analyses, l: LoopId, options: &Options) -> Result<(Unroll, Facts), NoUnroll> {
    // Whether it gains is measured.
    let measured = options.host == Some(true) && options.unroll.is_none();
    match version(f, l, options) {
        Err(_) if measured => ahead::version(f, l),
        made => made.map(|r| (r, Facts::default())),
    }
}

/// How a loop is unrolled.
fn version(f: &Analyses, l: LoopId, options: &Options) -> Result<Unroll, NoUnroll> {
    let (mine, size) = loads_in_a_row(f, l)?;
    let differs = |a: Atom| matches!(a, Atom::Tid(_) | Atom::Iter(_));
    let trip = f.affine.any_trip(l).ok_or(NoUnroll::Count)?;
    count(f.kernel, f.tree, l).ok_or(NoUnroll::Count)?;
    let coarse = size > COARSE;
    let always = trip.span.any(differs) || coarse || options.unroll.is_some();
    let (wide, strides) = wide_loads(f, l, &mine).unwrap_or_default();
    // Whether a kernel of its own gains is measured.
    let always = always || wide.is_empty() && options.host == Some(true);
    if !always && wide.is_empty() {
        return Err(NoUnroll::Even);
    }
    check_order(f, &mine)?;
    if is_long(f, l) && !options.force {
        return Err(NoUnroll::Long);
    }
    let usual = LENGTHS[usize::from(size > SHORT) + usize::from(coarse)];
    // One round at most: nothing repeats. Loops that fill a tile of the kernel's own, 8 times a thread, all at once
    // x1.05 and x0.96, by rounds of 8 x1.04 and x0.86 (two kernels that differ by the tile's pitch).
    let once = most_iterations(trip).is_some_and(|n| n <= i64::from(usual));
    if once && options.unroll.is_none() {
        return Err(NoUnroll::Few);
    }
    Ok(Unroll {
        loop_: l,
        length: options.unroll.unwrap_or(usual),
        always,
        wide,
        strides,
        rest: Remainder::PowersOfTwo,
        ahead: Vec::new(),
    })
}

/// How a loop runs where it is short: by as many iterations as LLVM unrolls it by, and what is left over one by one.
/// LLVM leaves a loop of that, in which each iteration waits for its loads. On an H200, by taps of a convolution in
/// rows: 3 x1.03, 5 x0.99, 7 x1.06, 9 x1.00, 15 x1.07 with the first test, before it x0.98 each; moving average, 7
/// x1.20; windows in 16x16 blocks, 512² to 4096², 2x2 x0.98 to x1.02, 3x3 x1.14 to x1.20.
pub(crate) fn short(f: &Analyses, l: LoopId) -> Option<Unroll> {
    let (mine, size) = loads_in_a_row(f, l).ok()?;
    let counts = count(f.kernel, f.tree, l).is_some() && f.affine.any_trip(l).is_some();
    let qualifies = counts && size <= COARSE && check_order(f, &mine).is_ok() && !is_long(f, l);
    qualifies.then(|| Unroll {
        loop_: l,
        length: LENGTHS[2],
        always: true,
        wide: Vec::new(),
        strides: Vec::new(),
        rest: match f.tree.enclosing_loops(f.tree.loop_(l).node).len() {
            0 | 1 => Remainder::OneByOne,
            _ => Remainder::FirstOneByOne,
        },
        ahead: Vec::new(),
    })
}

/// The same for a loop that runs without its clamps, and short or long: by twice as many.
pub(crate) fn unclamped(short: &Unroll) -> Unroll {
    Unroll {
        length: LENGTHS[1],
        rest: Remainder::HalfOneByOne,
        ..short.clone()
    }
}

/// Whether an iteration is long, or its values many.
fn is_long(f: &Analyses, l: LoopId) -> bool {
    let all = f.kernel.block(f.tree.loop_(l).header).instructions();
    all.len() > MOST_INSTRUCTIONS || f.kernel.pressure() > MOST_PRESSURE
}

/// The loads of a loop, if each iteration's lie right behind those of the one before, and a thread's
/// first may be aligned to 16 bytes whichever thread it is; and how far apart threads read.
fn wide_loads(f: &Analyses, l: LoopId, mine: &[&Access]) -> Option<(Vec<AccessId>, Vec<Poly>)> {
    let (mut loads, mut strides) = (Vec::new(), Vec::new());
    for a in mine {
        if a.kind != AccessKind::Load {
            return None;
        }
        for s in thread_strides(f, l, a)? {
            if s.as_constant().is_none() && !strides.contains(&s) {
                strides.push(s);
            }
        }
        loads.push(a.id);
    }
    Some((loads, strides))
}

/// How far apart threads next to each other read, along each dimension, if a load walks along memory and
/// nothing says that some threads' are unaligned.
fn thread_strides(f: &Analyses, l: LoopId, a: &Access) -> Option<Vec<Poly>> {
    let index = &f.affine.address(a.id)?.index;
    let (each, first) = index.split(|x| x == Atom::Iter(l))?;
    let step = each.get(&Atom::Iter(l))?.as_constant()?;
    let size = i64::from(a.size);
    let fixed = !first.any(|x| f.affine.follows(x, l));
    if step != size || WIDE % size != 0 || !fixed {
        return None;
    }
    // A number of threads, of iterations or of bytes: it is there for some and not for others.
    let odd =
        |m: &[Atom], c: i64| matches!(m, [] | [Atom::Tid(_) | Atom::Iter(_)]) && c % WIDE != 0;
    if first.terms().any(|(m, c)| odd(m, c)) {
        return None;
    }
    let (threads, _) = first.split(|x| matches!(x, Atom::Tid(_)))?;
    let known = |x: Atom| matches!(x, Atom::Symbol(_) | Atom::Ntid(_) | Atom::Nctaid(_));
    let known = |p: &Poly| !p.any(|x| !known(x));
    let strides: Vec<Poly> = threads.into_values().collect();
    strides.iter().all(known).then_some(strides)
}
