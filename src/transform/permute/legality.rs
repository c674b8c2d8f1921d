//! Which kernels' ids lie badly, and may lie otherwise. Idea and soundness: [`super`].

use super::plan::{Permute, Spare};
use crate::access::AccessKind;
use crate::affine::Atom;
use crate::kernel::ids;
use crate::kernel::{Dim, Kernel};
use crate::machine::tuning::fold::THREADS;
use crate::machine::tuning::permute::FEWER;
use crate::plan::global_ids::is_free_of;
use crate::plan::model::Neighbours;
use crate::plan::{self, Analyses};
use std::cmp::Ordering;

/// How the axes of the kernel's launch are exchanged, or rows of one block each become one's; `None`: its ids lie well,
/// or may not lie otherwise.
pub fn find(f: &Analyses) -> Option<Permute> {
    // Layers may be taken apart as long as they stay layers.
    let by_block =
        Dim::ALL.map(|d| ids::uses_block_id_only(f.kernel, d) && (d == Dim::Z || !has_parts(f, d)));
    if !may_move(f, by_block) {
        return None;
    }
    let keeps_layers = |order: &[Dim; 3]| order[2] == Dim::Z || !has_parts(f, Dim::Z);
    let exchanged = order(f, by_block).filter(keeps_layers);
    let several_rows = || several_rows(f, by_block).filter(keeps_layers);
    let spare = Dim::ALL.map(|d| {
        let is_id = |v| match by_block[d.index()] {
            true => ids::is_widened_block_id(v, d),
            false => ids::is_widened_global_id(v, d),
        };
        let bound = plan::active_bound_of(f, &is_id, &|_| false);
        bound.map_or(Spare::None, Spare::From)
    });
    Some(Permute {
        order: exchanged.or_else(several_rows)?,
        spare,
        by_block,
        of_folded: false,
        follows: false,
        regroups: exchanged.is_none(),
    })
}

/// The same of a folded copy. `ends`: along which dimensions all threads beyond its launch end at once.
pub fn find_folded(f: &Analyses, ends: [bool; 3]) -> Option<Permute> {
    let by_block = Dim::ALL.map(|d| is_by_block(f, d));
    let order = may_move(f, by_block).then(|| order(f, by_block))?;
    Some(Permute {
        order: order?,
        spare: ends.map(|all| if all { Spare::All } else { Spare::None }),
        by_block,
        of_folded: true,
        follows: true,
        regroups: false,
    })
}

/// Whether threads may lie anywhere.
fn may_move(f: &Analyses, by_block: [bool; 3]) -> bool {
    let is_free = |d| is_free(f.kernel, by_block, d);
    plan::may_be_redistributed(f)
        && f.kernel.max_threads >= THREADS
        && [Dim::Y, Dim::Z].into_iter().any(is_free)
        && Dim::ALL
            .into_iter()
            .all(|d| is_free(d) || !reads(f.kernel, d))
}

/// Whether a thread's place along a dimension is its id alone.
fn is_free(kernel: &Kernel, by_block: [bool; 3], d: Dim) -> bool {
    by_block[d.index()] || ids::uses_global_id_only(kernel, d)
}

/// The dimensions by their priority; `None`: x has the highest already.
fn order(f: &Analyses, by_block: [bool; 3]) -> Option<[Dim; 3]> {
    let is_free = Dim::ALL.map(|d| is_free(f.kernel, by_block, d));
    let along = plan::model::neighbours(f, by_block);
    let moves = || Dim::ALL.into_iter().filter(|d| is_free[d.index()]);
    let best = moves().reduce(|a, b| {
        let fewer = along[b.index()].sectors < along[a.index()].sectors;
        if fewer { b } else { a }
    })?;
    let [x, nearest] = [Dim::X, best].map(|d| along[d.index()].sectors);
    if best == Dim::X || x < FEWER * nearest {
        return None;
    }
    let mut order = Dim::ALL;
    // The others as near as can be; what the kernel does not ask for comes last.
    let key = |d: Dim| {
        let Neighbours { sectors, distance } = along[d.index()];
        [f64::from(u8::from(!is_free[d.index()])), sectors, distance]
    };
    crate::order::sort_by(&mut order, |a, b| {
        let by_key = || key(*a).partial_cmp(&key(*b)).unwrap_or(Ordering::Equal);
        (*a != best).cmp(&(*b != best)).then_with(by_key)
    });
    Some(order)
}

/// The axes where each block has a row of its own, and threads of other rows load in a loop what this one's do: blocks
/// of several rows load it once.
fn several_rows(f: &Analyses, by_block: [bool; 3]) -> Option<[Dim; 3]> {
    let is_along = |d: &Dim| !by_block[d.index()] && reads(f.kernel, *d);
    let mut along = Dim::ALL.into_iter().filter(is_along);
    let (Some(row), None) = (along.next(), along.next()) else {
        return None;
    };
    let gains = |d: &Dim| by_block[d.index()] && loads_alike(f, row, *d);
    let rows = Dim::ALL.into_iter().find(gains)?;
    let layers = Dim::ALL.into_iter().find(|d| *d != row && *d != rows)?;
    Some([row, rows, layers])
}

/// Whether a load in a loop is of an element for each thread along `row`, the same for all along `d`.
fn loads_alike(f: &Analyses, row: Dim, d: Dim) -> bool {
    let mut loads = f.accesses.iter().filter(|a| a.kind == AccessKind::Load);
    loads.any(|a| {
        f.affine.address(a.id).is_some_and(|at| {
            at.index.mentions(Atom::Tid(row))
                && at.index.any(|a| matches!(a, Atom::Iter(_)))
                && is_free_of(f, &at.index, d)
        })
    })
}

/// Whether the kernel asks along a dimension for its block's number, and for nothing else, of which it makes ids alone:
/// it is not taken apart further.
fn is_by_block(f: &Analyses, d: Dim) -> bool {
    ids::uses_block_id_only(f.kernel, d) && !has_parts(f, d)
}

/// Whether more is made of a block's number than ids.
fn has_parts(f: &Analyses, d: Dim) -> bool {
    let mut symbols = f.affine.symbols.iter();
    let dims = Dim::ALL.map(|x| x == d);
    symbols.any(|s| ids::reads_block_id(f.kernel.value(s.value), dims))
}

/// Whether the kernel asks for anything along a dimension.
fn reads(kernel: &Kernel, d: Dim) -> bool {
    let mut all = kernel.blocks.iter().flat_map(|b| b.instructions());
    all.any(|i| matches!(ids::register(i), Some((_, along)) if along == d))
}
