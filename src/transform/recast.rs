//! Recast copies: a kernel written in another way before it is planned.
//!
//! ```text
//! spread    a loop over elements is dealt out to threads           (transform::spread)
//! fold      flattened ids are taken apart                          (transform::fold)
//! reroll    loops that were unrolled by hand are rolled up         (transform::reroll)
//! ```
//! In this order, each where it applies, on one copy. The copy is planned as any kernel is, and its versions are
//! versions of the user's kernel. A spread or folded copy is launched with other numbers than the kernel, which the
//! host works out from the program's launch. (So is a version with split reductions, `transform::split`, of which no
//! copy is planned: its warps shuffle, and nothing else can be done to it.)

use crate::affine::Analyzed;
use crate::boundary::caught;
use crate::choice::Relaunch;
use crate::kernel::{self, Kernel, ValueId};
use crate::llvm::ir::Function;
use crate::names::COPY;
use crate::plan::{Analyses, Fact, Planned};
use crate::transform::fold::{self, Fold};
use crate::transform::reroll::{self, Rerolled};
use crate::transform::spread::{self, DisjointCells, Spread};
use crate::tree::{self, Tree};

/// A copy of a kernel that is written in another way, and the plan for it.
pub struct Recast {
    /// The copy.
    pub kernel: Kernel,
    /// Its plan.
    pub planned: Planned,
    /// The ways in which it is written, each once at most, as they come one after the other.
    ways: Vec<How>,
}

/// A way in which a copy is written.
pub enum How {
    /// Its loop over elements is dealt out, and what says that they are apart ([`crate::transform::spread`]).
    Spread(Spread, DisjointCells),
    /// Its flattened ids are taken apart ([`crate::transform::fold`]).
    Folded(Fold),
    /// Loops are rolled up, which rest on that ([`crate::transform::reroll`]).
    Rerolled(Rerolled),
}

impl How {
    /// It in words, with the names that the values of `kernel` have.
    pub fn describe(&self, kernel: &Kernel) -> String {
        match self {
            How::Spread(spread, _) => spread.describe(kernel),
            How::Folded(fold) => fold.describe(kernel),
            How::Rerolled(rerolled) => rerolled.describe(),
        }
    }
}

impl Recast {
    /// How its versions are launched, where not as the kernel: as the last way has it that says so.
    pub fn relaunch(&self) -> Option<Relaunch<'_>> {
        self.ways.iter().rev().find_map(|how| match how {
            How::Spread(spread, _) => Some(Relaunch::Spread(spread)),
            How::Folded(fold) => Some(Relaunch::Fold(fold)),
            How::Rerolled(_) => None,
        })
    }

    /// What its versions rest on, which none of them can test by itself; `None`: on what cannot be told.
    pub fn facts(&self, f: &Analyses) -> Option<Vec<Fact>> {
        let all = self.ways.iter().map(|how| match how {
            How::Spread(_, disjoint) => disjoint.facts(f),
            How::Folded(_) => Some(Vec::new()),
            How::Rerolled(rerolled) => rerolled.facts(f),
        });
        let all: Option<Vec<Vec<Fact>>> = all.collect();
        all.map(|all| all.concat())
    }

    /// Whether its body is one to fall back to where a version's tests fail: whether loops are rolled up cannot be told
    /// then.
    pub fn is_fallback(&self) -> bool {
        let is_rolled_up = |how: &How| matches!(how, How::Rerolled(_));
        !self.ways.iter().any(is_rolled_up)
    }

    /// Whether it is a version as it is: nothing else is done to it, and what it rests on needs no test.
    pub fn is_version(&self) -> bool {
        let is_proven = || self.facts(&self.planned.whole(&self.kernel)) == Some(Vec::new());
        self.is_fallback() && self.planned.plan.is_idle() && is_proven()
    }

    /// In what ways it is written.
    pub fn ways(&self) -> &[How] {
        &self.ways
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
    // What privatizes deals a grid's loop out by itself, with cells for the whole of it.
    if planned.plan.first.privatized().is_none()
        && let Some(spread) = spread::find(&whole)
        && let Some(recast) = attempt(kernel, Some(spread), None, plan)?
    {
        return Ok(Some(recast));
    }
    let fold = fold::find(&whole);
    if fold.is_none() && reroll::find(kernel).is_empty() {
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
    let recast = collect();
    let lost = "a loop that was rolled up is lost";
    let rerolled = rerolled.map(|left| left.numbered(&recast).ok_or(lost));
    let rerolled = rerolled.transpose()?;
    let planned = plan(&recast, tree_of(&recast)?);
    let whole = planned.whole(&recast);
    if disjoint.as_ref().is_some_and(|d| d.facts(&whole).is_none()) {
        return Ok(None);
    }
    let spread = spread.zip(disjoint).map(|(s, d)| How::Spread(s, d));
    let ways = spread.into_iter().chain(fold.map(How::Folded));
    Ok(Some(Recast {
        ways: ways.chain(rerolled.map(How::Rerolled)).collect(),
        kernel: recast,
        planned,
    }))
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
