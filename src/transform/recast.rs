//! Recast copies: a kernel written in another way before it is planned.
//!
//! ```text
//! spread       a loop over elements is dealt out to threads       (transform::spread)
//! collapse     a loop becomes a dimension of the grid             (transform::collapse)
//! fold         flattened ids are taken apart                      (transform::fold)
//! flat_block   flat blocks become blocks of rows               (transform::flat_block)
//! grid_interchange  rows and columns of blocks are exchanged      (transform::grid_interchange)
//! permute      axes are exchanged                                 (transform::permute)
//! reroll       loops that were unrolled by hand are rolled up     (transform::reroll)
//! index sets   iterations that all threads run are a loop         (transform::index_set_splitting)
//! structurize  control flow becomes nested ifs and loops          (transform::structurize)
//! swizzle      words of shared arrays are permuted                (transform::swizzle)
//! guards       those in front of barriers are met by all threads  (transform::guard_elimination)
//! ```
//! In this order, each where it applies, on one copy. The copy is planned as any kernel is, and its versions are
//! versions of the user's kernel. A copy by one of the first six is launched with other numbers than the
//! kernel, which the host works out from the program's launch. (So is a version with split reductions,
//! `transform::split`, of which no copy is planned: its warps shuffle, and nothing else can be done to it.) What the
//! kernel cannot be written as without a plan, its copy may be, too (`transform::rewrite`).

use super::collapse;
use super::guard_elimination;
use super::index_set_splitting;
use super::mapping::{Mapping, mapped, tree_of};
use super::reroll;
use super::spread;
use super::structurize;
use super::swizzle::{self, Swizzle};
use super::way::Recasting;
use crate::access;
use crate::affine::Analyzed;
use crate::boundary::caught;
use crate::choice::{Host, Leaders, Relaunch};
use crate::kernel::{self, Kernel};
use crate::llvm::ir::{Function, Value};
use crate::map::HashSet;
use crate::names::COPY;
use crate::plan::{self, Analyses, Fact, Plan, Planned};
use crate::remark::{Sink, Site};
use crate::tree::Tree;

/// A copy of a kernel that is written in another way, and the plan for it.
pub struct Recast {
    /// The copy.
    pub kernel: Kernel,
    /// Its plan.
    pub planned: Planned,
    /// In what ways it is written, in order: one at least.
    ways: Vec<Box<dyn Recasting>>,
}

impl Recast {
    /// How its versions are launched, where not as the kernel.
    pub fn relaunch(&self) -> Option<&dyn Relaunch> {
        let mut all = self.ways.iter();
        all.any(|w| w.relaunch().is_some()).then_some(self)
    }

    /// How a version of merged blocks is launched without those that have nothing to do; `None`: only with them.
    pub fn leaders(&self, plan: &Plan) -> Option<Leaders<'_>> {
        let (merge, may_round_up) = (plan.merge, launching(&self.ways)?.may_round_up());
        let mut along = merge.factor.iter().zip(may_round_up);
        let may = along.all(|(n, may)| *n == 1 || may);
        let groups = merge.replicas() > 1 && !merge.compacted && plan.steps().is_none();
        (may && groups).then_some(Leaders {
            how: self,
            blocks: merge.factor,
        })
    }

    /// What its versions rest on, which none of them can test by itself; `None`: on what cannot be told.
    pub fn facts(&self, f: &Analyses) -> Option<Vec<Fact>> {
        let all: Option<Vec<Vec<Fact>>> = self.ways.iter().map(|w| w.facts(f)).collect();
        all.map(|all| all.concat())
    }

    /// What holds for all threads of the launches that its versions are for; `None`: that cannot be told.
    pub fn facts_of_launch(&self, f: &Analyses) -> Option<Vec<Fact>> {
        let all: Option<Vec<Vec<Fact>>> = self.ways.iter().map(|w| w.facts_of_launch(f)).collect();
        all.map(|all| all.concat())
    }

    /// Whether what no plan writes out, and what keeps its phis, may have other products fused than the kernel.
    pub fn may_fuse_others(&self, kernel: &Kernel) -> bool {
        self.ways.iter().any(|w| w.joins_fewer_ways()) && access::scales_join(kernel)
    }

    /// Whether its body is one to fall back to where a version's tests fail.
    pub fn is_fallback(&self) -> bool {
        self.ways.iter().all(|w| w.is_fallback())
    }

    /// Whether what the kernel cannot be written as, without a plan, it may be.
    pub fn may_be_rewritten(&self) -> bool {
        self.ways.iter().all(|w| w.may_be_rewritten())
    }

    /// Whether versions without tiles of the kernel have the places that its own leave.
    pub fn leaves_places(&self) -> bool {
        self.ways.iter().any(|w| w.leaves_places())
    }

    /// Whether its versions take the places of the kernel's.
    pub fn supersedes(&self) -> bool {
        !self.planned.plan.is_idle() && self.ways.iter().all(|w| w.supersedes())
    }

    /// Whether the model knows by the copy all that the kernel's launches do: what was unrolled by hand has a rest.
    pub fn is_timed(&self) -> bool {
        self.relaunch().is_none() && plan::is_timed(&self.planned.whole(&self.kernel))
    }

    /// Whether it is a version as it is: nothing is staged in it, so what else is done may gain less than where its
    /// threads lie, and what it rests on needs no test, or gains so much that it is worth one.
    pub fn is_version(&self) -> bool {
        let is_proven = || self.facts(&self.planned.whole(&self.kernel)) == Some(Vec::new());
        let may_ask = || self.ways.iter().all(|w| w.may_ask());
        self.is_fallback() && !self.planned.plan.first.stages() && (may_ask() || is_proven())
    }

    /// Says in what ways it is written, with the names that the values of `kernel` have.
    pub fn report(&self, kernel: &Kernel, sink: &mut Sink) {
        for w in &self.ways {
            let text = w.describe(kernel);
            let text = w.title().map_or(text.clone(), |t| format!("{t}: {text}"));
            sink.analysis(Site::kernel(kernel.function), w.name(), text);
        }
    }

    /// The same as lines of a dump.
    pub fn dump(&self, kernel: &Kernel) -> String {
        let ways = self.ways.iter();
        ways.map(|w| format!("  {}: {}\n", w.word(), w.describe(kernel)))
            .collect()
    }
}

impl Relaunch for Recast {
    /// By the last way whose launch is made of the program's, which knows of those before it; then by those that go on
    /// from there.
    fn write(&self, host: &mut Host, tests: &[Value]) -> Option<Value> {
        let ways = self.ways.iter().filter(|w| w.relaunch().is_some());
        let ways: Vec<_> = ways.collect();
        let first = ways.iter().rposition(|w| !w.follows()).unwrap_or(0);
        let mut answer = None;
        for way in &ways[first..] {
            answer = Some(way.relaunch()?.write(host, tests)?);
        }
        answer
    }
}

/// The way that alone says how a copy is launched.
fn launching(ways: &[Box<dyn Recasting>]) -> Option<&dyn Recasting> {
    let mut all = ways.iter().filter(|w| w.relaunch().is_some());
    let first = all.next()?;
    all.next().is_none().then_some(&**first)
}

/// A copy of `kernel`, for which there is the plan `planned`, if it can be written in another way. An error is a fault
/// of ours, and leaves no copy.
pub fn make(
    kernel: &Kernel,
    planned: &Planned,
    make_plan: &dyn Fn(&Kernel, Tree) -> Planned,
) -> Result<Option<Recast>, String> {
    let whole = planned.whole(kernel);
    // What runs in steps deals a grid's loop out by itself, with cells for the whole of it.
    if planned.plan.first.steps().is_none()
        && let Some(spread) = spread::find(&whole)
        && let Some(recast) = attempt(&whole, (Some(Mapping::Spread(spread)), false), make_plan)?
    {
        return Ok(Some(recast));
    }
    if planned.plan.first.steps().is_none()
        && let Some(Ok(collapse)) = collapse::find(&whole)
        && let Some(recast) = attempt(
            &whole,
            (Some(Mapping::Collapsed(collapse)), false),
            make_plan,
        )?
    {
        return Ok(Some(recast));
    }
    let mut mapping = Mapping::of_ids(&whole);
    let may_structurize = || structurize::may_gain(kernel, whole.tree);
    let may_swizzle = || swizzle::find(&whole).is_some();
    let has_others = !reroll::find(kernel).is_empty() || may_structurize() || may_swizzle();
    let mut recast = match mapping.is_some() || has_others {
        true => attempt(&whole, (mapping.clone(), false), make_plan)?,
        false => without_guards(&whole, make_plan)?,
    };
    let plan = recast.as_ref().map(|r| &r.planned.plan);
    if mapping.as_ref().is_some_and(|m| !m.may_gain_by(plan)) {
        recast.inspect(|r| r.kernel.function.delete());
        mapping = None;
        recast = match has_others {
            true => attempt(&whole, (None, false), make_plan)?,
            false => None,
        };
    }
    let (of, so_far) = match &recast {
        Some(r) => (&r.kernel, &r.planned),
        None => (kernel, planned),
    };
    let divergent = index_set_splitting::find(&so_far.whole(of));
    if divergent.splits.is_empty() {
        return Ok(recast);
    }
    let least = tiles(so_far);
    instead(kernel, recast, || {
        let cut = attempt(&whole, (mapping, true), make_plan)?;
        let gains = |cut: &Recast| tiles(&cut.planned) > least;
        if let Some(cut) = cut.as_ref().filter(|cut| !gains(cut)) {
            cut.kernel.function.delete();
        }
        Ok(cut.filter(gains))
    })
}

/// The copy for launches whose threads meet the guards in front of barriers, if something can be done to it.
fn without_guards(
    of: &Analyses,
    make_plan: &dyn Fn(&Kernel, Tree) -> Planned,
) -> Result<Option<Recast>, String> {
    let Some(Ok(found)) = guard_elimination::find(of) else {
        return Ok(None);
    };
    let copy = attempt(of, (Some(Mapping::Guarded(found)), false), make_plan)?;
    let is_idle = |r: &Recast| r.planned.plan.is_idle();
    if let Some(idle) = copy.as_ref().filter(|r| is_idle(r)) {
        idle.kernel.function.delete();
    }
    Ok(copy.filter(|r| !is_idle(r)))
}

/// Another copy in place of `recast`, if one is made. If not, the module is as it was: intrinsics that only the other
/// one called are gone, too. An error leaves neither.
fn instead(
    kernel: &Kernel,
    recast: Option<Recast>,
    make: impl FnOnce() -> Result<Option<Recast>, String>,
) -> Result<Option<Recast>, String> {
    let function = recast.as_ref().map(|r| r.kernel.function);
    let functions = || {
        let all = kernel.function.module().functions().into_iter();
        all.map(Function::value)
    };
    let before: HashSet<Value> = functions().collect();
    // A copy's name is its own.
    function.inspect(|f| f.value().set_name(""));
    let made = make();
    if !matches!(made, Ok(None)) {
        function.inspect(|f| f.delete());
        return made;
    }
    functions()
        .filter(|f| !before.contains(f) && f.users().is_empty())
        .for_each(Value::delete_global);
    recast
        .as_ref()
        .inspect(|r| r.kernel.function.value().set_name(&r.kernel.name));
    Ok(recast)
}

/// What is not done to a kernel that is planned, as lines of a dump.
pub fn refusals(f: &Analyses) -> Vec<String> {
    let refused = index_set_splitting::find(f).refused.into_iter();
    let line = |(l, why)| format!("  no index sets cut: {l}, {why}\n");
    let collapse = collapse::find(f).and_then(Result::err);
    let collapse = collapse.map(|why| format!("  not collapsed: {why}\n"));
    let guards = guard_elimination::find(f).and_then(Result::err);
    let guards = guards.map(|why| format!("  guards stay in front of barriers: {why}\n"));
    let refused = refused.map(line).chain(guards);
    collapse.into_iter().chain(refused).collect()
}

/// How many tiles the best version of a plan has.
fn tiles(planned: &Planned) -> usize {
    planned.plan.first.tiles().count()
}

/// The copy that is written so, with loops cut if it `cuts`; `None`: what it rests on cannot be told.
fn attempt(
    of: &Analyses,
    (mapping, cuts): (Option<Mapping>, bool),
    make_plan: &dyn Fn(&Kernel, Tree) -> Planned,
) -> Result<Option<Recast>, String> {
    let kernel = of.kernel;
    let copy = kernel
        .function
        .duplicate(&format!("{}{COPY}", kernel.name), &[]);
    match caught(|| write(of, copy, (mapping, cuts), make_plan)) {
        Ok(Ok(Some(recast))) => Ok(Some(recast)),
        Ok(Ok(None)) => {
            copy.delete();
            Ok(None)
        }
        Ok(Err(why)) | Err(why) => {
            copy.delete();
            Err(why)
        }
    }
}

fn write(
    of: &Analyses,
    copy: Function,
    (mapping, cuts): (Option<Mapping>, bool),
    make_plan: &dyn Fn(&Kernel, Tree) -> Planned,
) -> Result<Option<Recast>, String> {
    let kernel = of.kernel;
    let collect = || kernel::collect(copy, kernel.sm, kernel.block_cap);
    let mut ways: Vec<Box<dyn Recasting>> = Vec::new();
    let mut us = plan::us_of_iteration(of);
    let is_spread = matches!(mapping, Some(Mapping::Spread(_)));
    if let Some(mapping) = mapping {
        let Some((mapped, us_before)) = mapped(kernel, &collect, mapping)? else {
            return Ok(None);
        };
        ways.extend(mapped);
        us = us.or(us_before);
    }
    let unrolled = reroll::find(&collect());
    let rerolled = (!unrolled.is_empty()).then(|| reroll::emit(copy, &unrolled));
    let rerolled = rerolled.transpose()?;
    let index_sets = cuts.then(|| index_set_splitting::emit(&collect)).flatten();
    // Behind those: LLVM makes switches of branches.
    let structurized = structurize::emit(copy, &collect);
    let swizzled = swizzled(&collect())?;
    let mut recast = collect();
    if let Some(way) = launching(&ways) {
        recast.threads = way.block();
    }
    recast.is_spread = is_spread;
    recast.is_cut = index_sets.is_some();
    recast.user_us = us.filter(|_| ways.iter().any(|w| w.relaunch().is_some()));
    let lost = "a loop that was rolled up is lost";
    let rerolled = rerolled.map(|left| left.numbered(&recast).ok_or(lost));
    let rerolled = rerolled.transpose()?;
    let planned = make_plan(&recast, tree_of(&recast)?);
    ways.extend(rerolled.map(|r| Box::new(r) as _));
    ways.extend(index_sets.map(|s| Box::new(s) as _));
    ways.extend(structurized.map(|s| Box::new(s) as _));
    ways.extend(swizzled.map(|s| Box::new(s) as _));
    let recast = Recast {
        kernel: recast,
        planned,
        ways,
    };
    let whole = recast.planned.whole(&recast.kernel);
    let mut ways = recast.ways.iter();
    let is_known =
        |w: &dyn Recasting| w.facts(&whole).is_some() && w.facts_of_launch(&whole).is_some();
    let is_made = ways.all(|w| !w.must_know_facts() || is_known(&**w));
    Ok(is_made.then_some(recast))
}

/// Permutes the words of a copy's shared arrays, where threads meet in their banks.
fn swizzled(copy: &Kernel) -> Result<Option<Swizzle>, String> {
    if copy.own_shared == 0 {
        return Ok(None);
    }
    let analyzed = Analyzed::of(copy, tree_of(copy)?);
    let found = swizzle::find(&Analyses::of(copy, &analyzed));
    found
        .map(|s| swizzle::emit(&s, copy).map(|()| s))
        .transpose()
}
