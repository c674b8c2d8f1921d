//! How a copy is written for the threads of another launch: the first thing that is done to it.

use super::collapse::{self, Collapse};
use super::flat_block::{self, FlatBlock};
use super::fold::{self, Fold};
use super::grid_interchange::{self, GridInterchange};
use super::guard_elimination::{self, GuardElimination};
use super::permute::{self, Permute};
use super::spread::{self, DisjointCells, Distributed, Spread};
use super::way::Recasting;
use crate::affine::Analyzed;
use crate::kernel::{Kernel, ValueId};
use crate::plan::{self, Analyses, KernelPlan};
use crate::tree::{self, Tree};

/// How the threads of a copy's launch are told from those of the program's.
#[derive(Clone)]
pub enum Mapping {
    /// A loop's elements are threads.
    Spread(Spread),
    /// A loop is a dimension of the grid.
    Collapsed(Collapse),
    /// Flattened ids are taken apart.
    Folded(Fold),
    /// Flat blocks have rows.
    Flat(FlatBlock),
    /// The grid's axes are exchanged.
    Interchanged(GridInterchange),
    /// Axes are exchanged.
    Permuted(Permute),
    /// All of them meet guards: they are the program's own.
    Guarded(GuardElimination),
}

impl Mapping {
    /// How a kernel's ids may be written in another way.
    pub fn of_ids(f: &Analyses) -> Option<Mapping> {
        let folded = fold::find(f).map(Mapping::Folded);
        let flat = || flat_block::find(f).map(Mapping::Flat);
        let interchanged = || grid_interchange::find(f).map(Mapping::Interchanged);
        let permuted = || permute::find(f).map(Mapping::Permuted);
        let of_blocks = || flat().or_else(interchanged);
        folded.or_else(of_blocks).or_else(permuted)
    }

    /// Whether a copy with this plan may gain: one that does what the kernel does needs more than its launch. `None`:
    /// none could be made.
    pub fn may_gain_by(&self, plan: Option<&KernelPlan>) -> bool {
        match self {
            Mapping::Permuted(permute) if permute.regroups => {
                plan.is_some_and(|p| p.first.stages())
            }
            Mapping::Flat(_) | Mapping::Interchanged(_) => plan.is_some_and(|p| !p.is_idle()),
            _ => true,
        }
    }
}

/// In what ways a copy is written, and how many microseconds an iteration takes before the last of them, if it is known
/// and as long as in the user's kernel.
pub type Mapped = (Vec<Box<dyn Recasting>>, Option<f64>);

/// Writes a copy for the threads of another launch. `None`: what it rests on cannot be told.
pub fn mapped(
    kernel: &Kernel,
    collect: &dyn Fn() -> Kernel,
    mapping: Mapping,
) -> Result<Option<Mapped>, String> {
    let mut ways: Vec<Box<dyn Recasting>> = Vec::new();
    let mut us = None;
    match mapping {
        Mapping::Folded(fold) => {
            fold::emit(&fold, &collect())?;
            let permute = permute_folded(&fold, &collect())?;
            ways.push(Box::new(fold));
            if let Some((permute, of_folded)) = permute {
                us = of_folded;
                ways.push(Box::new(permute));
            }
        }
        Mapping::Collapsed(collapse) => {
            collapse::emit(&collapse, &collect())?;
            ways.push(Box::new(collapse));
        }
        Mapping::Flat(flat) => {
            flat_block::emit(&collect())?;
            ways.push(Box::new(flat));
        }
        Mapping::Interchanged(interchange) => {
            let copy = collect();
            grid_interchange::emit(interchange, &copy);
            ways.push(Box::new(interchange));
            ways.extend(permute_interchanged(&collect())?.map(|p| Box::new(p) as _));
        }
        Mapping::Permuted(permute) => {
            permute::emit(&permute, &collect())?;
            ways.push(Box::new(permute));
        }
        Mapping::Guarded(guards) => {
            guard_elimination::emit(&guards, &collect());
            ways.push(Box::new(guards));
        }
        Mapping::Spread(spread) => {
            spread::emit(&spread, &collect())?;
            let fold = fold_spread(kernel, &spread, &collect())?;
            let lengths = fold.as_ref().map_or(&[][..], |f| &f.lengths);
            let Some(disjoint) = DisjointCells::of(kernel, &spread, lengths) else {
                return Ok(None);
            };
            ways.push(Box::new(Distributed(spread, disjoint)));
            ways.extend(fold.map(|f| Box::new(f) as _));
        }
    }
    Ok(Some((ways, us)))
}

/// Permutes a folded copy whose ids lie badly; with the microseconds that an iteration took before.
fn permute_folded(fold: &Fold, copy: &Kernel) -> Result<Option<(Permute, Option<f64>)>, String> {
    let analyzed = Analyzed::of(copy, tree_of(copy)?);
    let ends = fold.ends();
    let folded = Analyses::of(copy, &analyzed);
    let Some(permute) = permute::find_folded(&folded, ends) else {
        return Ok(None);
    };
    let us = plan::us_of_iteration(&folded);
    permute::emit(&permute, copy)?;
    Ok(Some((permute, us)))
}

/// Permutes a copy whose grid was interchanged, if its ids lie badly then.
fn permute_interchanged(copy: &Kernel) -> Result<Option<Permute>, String> {
    let analyzed = Analyzed::of(copy, tree_of(copy)?);
    let Some(permute) = permute::find(&Analyses::of(copy, &analyzed)) else {
        return Ok(None);
    };
    let follows = true;
    let permute = Permute { follows, ..permute };
    permute::emit(&permute, copy)?;
    Ok(Some(permute))
}

/// Folds a spread copy whose threads' ids are flattened ones. The fold is in values of the kernel: the host works the
/// launch out from those.
fn fold_spread(kernel: &Kernel, spread: &Spread, copy: &Kernel) -> Result<Option<Fold>, String> {
    let analyzed = Analyzed::of(copy, tree_of(copy)?);
    let found = fold::find_in_order(&Analyses::of(copy, &analyzed));
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

/// The control flow of a copy.
pub fn tree_of(kernel: &Kernel) -> Result<Tree, String> {
    tree::structure(kernel).ok_or_else(|| "a recast kernel's control flow is irreducible".into())
}
