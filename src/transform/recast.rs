//! Recast copies: a kernel written in another way before it is planned.
//!
//! ```text
//! spread       a loop over elements is dealt out to threads       (transform::spread)
//! fold         flattened ids are taken apart                      (transform::fold)
//! reroll       loops that were unrolled by hand are rolled up     (transform::reroll)
//! structurize  control flow becomes nested ifs and loops          (transform::structurize)
//! ```
//! In this order, each where it applies, on one copy. The copy is planned as any kernel is, and its versions are
//! versions of the user's kernel. A spread or folded copy is launched with other numbers than the kernel, which the
//! host works out from the program's launch. (So is a version with split reductions, `transform::split`, of which no
//! copy is planned: its warps shuffle, and nothing else can be done to it.)

use super::fold::{self, Fold};
use super::reroll;
use super::spread::{self, DisjointCells, Distributed, Spread};
use super::structurize;
use super::way::Recasting;
use crate::affine::Analyzed;
use crate::boundary::caught;
use crate::choice::Relaunch;
use crate::kernel::{self, Kernel, ValueId};
use crate::llvm::ir::Function;
use crate::names::COPY;
use crate::plan::{Analyses, Fact, Planned};
use crate::remark::{Sink, Site};
use crate::tree::{self, Tree};

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
    /// How its versions are launched, where not as the kernel: the last way that has a launch knows of those before it.
    pub fn relaunch(&self) -> Option<&dyn Relaunch> {
        self.ways.iter().rev().find_map(|w| w.relaunch())
    }

    /// What its versions rest on, which none of them can test by itself; `None`: on what cannot be told.
    pub fn facts(&self, f: &Analyses) -> Option<Vec<Fact>> {
        let all: Option<Vec<Vec<Fact>>> = self.ways.iter().map(|w| w.facts(f)).collect();
        all.map(|all| all.concat())
    }

    /// Whether its body is one to fall back to where a version's tests fail.
    pub fn is_fallback(&self) -> bool {
        self.ways.iter().all(|w| w.is_fallback())
    }

    /// Whether its versions take the places of the kernel's.
    pub fn supersedes(&self) -> bool {
        !self.planned.plan.is_idle() && self.ways.iter().all(|w| w.supersedes())
    }

    /// Whether it is a version as it is: nothing else is done to it, and what it rests on needs no test.
    pub fn is_version(&self) -> bool {
        let is_proven = || self.facts(&self.planned.whole(&self.kernel)) == Some(Vec::new());
        self.is_fallback() && self.planned.plan.is_idle() && is_proven()
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

/// A copy of `kernel`, for which there is the plan `planned`, if it can be written in another way. An error is a fault
/// of ours, and leaves no copy.
pub fn make(
    kernel: &Kernel,
    planned: &Planned,
    plan: &dyn Fn(&Kernel, Tree) -> Planned,
) -> Result<Option<Recast>, String> {
    let whole = planned.whole(kernel);
    // What runs in steps deals a grid's loop out by itself, with cells for the whole of it.
    if planned.plan.first.steps().is_none()
        && let Some(spread) = spread::find(&whole)
        && let Some(recast) = attempt(kernel, Some(spread), None, plan)?
    {
        return Ok(Some(recast));
    }
    let fold = fold::find(&whole);
    let may_structurize = || structurize::may_gain(kernel, whole.tree);
    let has_others = !reroll::find(kernel).is_empty() || may_structurize();
    if fold.is_none() && !has_others {
        return Ok(None);
    }
    attempt(kernel, None, fold, plan)
}

/// The copy that is written so; `None`: what it rests on cannot be told.
fn attempt(
    kernel: &Kernel,
    spread: Option<Spread>,
    fold: Option<Fold>,
    plan: &dyn Fn(&Kernel, Tree) -> Planned,
) -> Result<Option<Recast>, String> {
    let copy = kernel
        .function
        .duplicate(&format!("{}{COPY}", kernel.name), &[]);
    match caught(|| write(kernel, copy, spread, fold, plan)) {
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
    kernel: &Kernel,
    copy: Function,
    spread: Option<Spread>,
    fold: Option<Fold>,
    plan: &dyn Fn(&Kernel, Tree) -> Planned,
) -> Result<Option<Recast>, String> {
    let collect = || kernel::collect(copy, kernel.sm, kernel.block_cap);
    let mut fold = fold;
    if let Some(fold) = &fold {
        fold::emit(fold, &collect())?;
    }
    let mut disjoint = None;
    if let Some(spread) = &spread {
        spread::emit(spread, &collect())?;
        fold = fold_spread(kernel, spread, &collect())?;
        let lengths = fold.as_ref().map_or(&[][..], |f| &f.lengths);
        disjoint = DisjointCells::of(kernel, spread, lengths);
        if disjoint.is_none() {
            return Ok(None);
        }
    }
    let unrolled = reroll::find(&collect());
    let rerolled = (!unrolled.is_empty()).then(|| reroll::emit(copy, &unrolled));
    let rerolled = rerolled.transpose()?;
    // Last: LLVM makes switches of branches.
    let structurized = structurize::emit(copy, &collect);
    let recast = collect();
    let lost = "a loop that was rolled up is lost";
    let rerolled = rerolled.map(|left| left.numbered(&recast).ok_or(lost));
    let rerolled = rerolled.transpose()?;
    let planned = plan(&recast, tree_of(&recast)?);
    let spread = spread.zip(disjoint).map(|(s, d)| Distributed(s, d));
    let mut ways: Vec<Box<dyn Recasting>> = Vec::new();
    ways.extend(spread.map(|s| Box::new(s) as _));
    ways.extend(fold.map(|f| Box::new(f) as _));
    ways.extend(rerolled.map(|r| Box::new(r) as _));
    ways.extend(structurized.map(|s| Box::new(s) as _));
    let recast = Recast {
        kernel: recast,
        planned,
        ways,
    };
    let whole = recast.planned.whole(&recast.kernel);
    let mut ways = recast.ways.iter();
    let is_made = ways.all(|w| !w.must_know_facts() || w.facts(&whole).is_some());
    Ok(is_made.then_some(recast))
}

fn tree_of(kernel: &Kernel) -> Result<Tree, String> {
    tree::structure(kernel).ok_or_else(|| "a recast kernel's control flow is irreducible".into())
}

/// Folds a spread copy whose threads' ids are flattened ones. The fold is in values of the kernel: the host works the
/// launch out from those.
fn fold_spread(kernel: &Kernel, spread: &Spread, copy: &Kernel) -> Result<Option<Fold>, String> {
    let analyzed = Analyzed::of(copy, tree_of(copy)?);
    let found = fold::find(&Analyses::of(copy, &analyzed));
    let origin = |v: ValueId| {
        let argument = copy.value(v).argument_index()?;
        kernel.known_id(kernel.function.params()[argument as usize])
    };
    let as_elements = |f: &Fold| f.of_elements(&origin, spread.run);
    let Some((found, fold)) = found.and_then(|f| Some((as_elements(&f)?, f))) else {
        return Ok(None);
    };
    fold::emit(&fold, copy)?;
    Ok(Some(found))
}
