//! Which kernels' ids lie badly, and may lie otherwise. Idea and soundness: [`super`].

use super::plan::{Permute, Spare};
use crate::kernel::ids::{self, Register};
use crate::kernel::{Dim, Kernel};
use crate::machine::tuning::fold::THREADS;
use crate::machine::tuning::permute::FEWER;
use crate::plan::model::Neighbours;
use crate::plan::{self, Analyses};
use std::cmp::Ordering;

/// How the axes of the kernel's launch are exchanged; `None`: its ids lie well, or may not lie otherwise.
pub fn find(f: &Analyses) -> Option<Permute> {
    let by_block = [false; 3];
    let order = order(f, by_block)?;
    let spare = Dim::ALL.map(|d| {
        let is_id = |v| ids::is_widened_global_id(v, d);
        let bound = plan::active_bound_of(f, &is_id, &|_| false);
        bound.map_or(Spare::None, Spare::From)
    });
    Some(Permute {
        order,
        spare,
        by_block,
        of_folded: false,
    })
}

/// The same of a folded copy. `ends`: along which dimensions all threads beyond its launch end at once.
pub fn find_folded(f: &Analyses, ends: [bool; 3]) -> Option<Permute> {
    let by_block = Dim::ALL.map(|d| is_by_block(f, d));
    Some(Permute {
        order: order(f, by_block)?,
        spare: ends.map(|all| if all { Spare::All } else { Spare::None }),
        by_block,
        of_folded: true,
    })
}

/// The dimensions by their priority; `None`: x has the highest already, or they may not be exchanged.
fn order(f: &Analyses, by_block: [bool; 3]) -> Option<[Dim; 3]> {
    let kernel = f.kernel;
    if !plan::may_be_redistributed(f) || kernel.max_threads < THREADS {
        return None;
    }
    let is_free = Dim::ALL.map(|d| by_block[d.index()] || ids::uses_global_id_only(kernel, d));
    let may_move = |d: Dim| is_free[d.index()] || !reads(kernel, d);
    let has_others = is_free[1] || is_free[2];
    if !has_others || !Dim::ALL.into_iter().all(may_move) {
        return None;
    }
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

/// Whether the kernel asks along a dimension for its block's number, and for nothing else, of which it makes ids alone:
/// it is not taken apart further.
fn is_by_block(f: &Analyses, d: Dim) -> bool {
    let all = f.kernel.blocks.iter().flat_map(|b| b.instructions());
    let along = all.filter_map(ids::register).filter(|(_, axis)| *axis == d);
    let mut registers = along.map(|(register, _)| register).peekable();
    let mut symbols = f.affine.symbols.iter();
    let dims = Dim::ALL.map(|x| x == d);
    registers.peek().is_some()
        && registers.all(|r| r == Register::Ctaid)
        && !symbols.any(|s| ids::reads_block_id(f.kernel.value(s.value), dims))
}

/// Whether the kernel asks for anything along a dimension.
fn reads(kernel: &Kernel, d: Dim) -> bool {
    let mut all = kernel.blocks.iter().flat_map(|b| b.instructions());
    all.any(|i| matches!(ids::register(i), Some((_, along)) if along == d))
}
