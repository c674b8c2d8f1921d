//! What holds of a candidate, read from its index.

use std::collections::BTreeSet;

use super::data::{Footprint, Prospect, Run, StagedAt, Trait};
use super::legal::Legal;
use super::shape::{Cluster, ShapeDim};
use crate::affine::Atom;
use crate::kernel::Dim;
use crate::tree::LoopId;

/// Bytes that threads read at once where they can.
const WIDEST: u32 = 16;

/// What a cluster of this `shape` is chosen by.
pub fn prospect_of(
    (index, cluster): (usize, &Cluster),
    shape: &Footprint<ShapeDim>,
    legal: &Legal,
    place: StagedAt,
) -> Prospect {
    Prospect {
        id: 0,
        array: cluster.array,
        cluster: index,
        place,
        members: cluster.accesses.clone(),
        size: shape.size,
        reuse: 0.0,
        traits: traits_of(shape, legal, place.1),
        runs: Dim::ALL.map(|d| run_of(shape, d)),
    }
}

/// What holds of it, in strips of the loop `strip`.
fn traits_of(shape: &Footprint<ShapeDim>, legal: &Legal, strip: Option<LoopId>) -> BTreeSet<Trait> {
    let is_thread = |a: Atom| matches!(a, Atom::Tid(_));
    let (inner, outer) = shape.dims.split_last().expect("a shape has a dimension");
    let names = |d: &ShapeDim, which: &dyn Fn(Atom) -> bool| d.terms.iter().any(|(a, _)| which(*a));
    let some_outer = |which: &dyn Fn(Atom) -> bool| outer.iter().any(|d| names(d, which));
    let is_x = |a: Atom| a == Atom::Tid(Dim::X);
    let coalesced = names(inner, &is_x);
    let rows = some_outer(&is_thread);
    let is_window = |d: &ShapeDim| {
        let moves = names(d, &is_thread) && names(d, &|a| matches!(a, Atom::Iter(_)));
        moves || names(d, &|a| matches!(a, Atom::Clamp(_)))
    };
    let walked = matches!(inner.terms[..], [(Atom::Iter(_), 1)])
        && inner.stride.as_constant() == Some(i64::from(shape.size));
    let backwards = |(a, m): &(Atom, i64)| matches!(a, Atom::Iter(_)) && *m < 0;
    let in_strip = |a: Atom| strip.is_some_and(|l| a == Atom::Iter(l));
    let all = [
        (Trait::OnlyStores, shape.active.is_empty()),
        (Trait::WrittenBack, !legal.write_back.is_empty()),
        (Trait::BarrierBefore, legal.barrier_before),
        (Trait::BarrierAfter, legal.barrier_after),
        (Trait::Coalesced, coalesced),
        (
            Trait::Strided,
            !coalesced && (rows || names(inner, &is_thread)),
        ),
        (Trait::Rows, rows),
        (Trait::Uncoalesced, some_outer(&is_x)),
        (Trait::Record, inner.terms.is_empty()),
        (Trait::Window, shape.dims.iter().any(is_window)),
        (
            Trait::Walked,
            walked && !outer.is_empty() && shape.size < WIDEST,
        ),
        (
            Trait::RowStrips,
            !outer.is_empty() && names(inner, &in_strip),
        ),
        (
            Trait::Backwards,
            shape.dims.iter().flat_map(|d| &d.terms).any(backwards),
        ),
    ];
    let held = all.into_iter().filter(|(_, holds)| *holds);
    let mut traits: BTreeSet<Trait> = held.map(|(t, _)| t).collect();
    let mut moving = shape.dims.iter().rev().filter(|d| !d.terms.is_empty());
    if let Some([(Atom::Tid(d), _)]) = moving.next().map(|d| &d.terms[..]) {
        traits.insert(Trait::RowOf(*d));
    }
    traits.extend(own_cell(shape, strip).map(|forwards| Trait::OwnCell { forwards }));
    traits
}

/// Whether each thread touches one cell of its own row in an iteration of the loop `strip`, and then, whether it goes
/// forwards.
fn own_cell(shape: &Footprint<ShapeDim>, strip: Option<LoopId>) -> Option<bool> {
    let [row, cell] = &shape.dims[..] else {
        return None;
    };
    let fixed = [row, cell].map(|d| d.offsets.iter().all(|o| *o == (0, 0)));
    let (rows, step) = match (&row.terms[..], &cell.terms[..]) {
        (&[(Atom::Tid(Dim::X), 1)], &[(Atom::Iter(l), m @ (1 | -1))]) => (strip == Some(l), m),
        _ => return None,
    };
    (rows && fixed == [true; 2]).then_some(step > 0)
}

/// How many replicas along `d` should own consecutive ids.
///
/// Along memory, as many as one read of 16 bytes serves: a warp's reads then follow each other, and with longer runs
/// they would lie in the same banks. Rows of a strip are padded by 16 bytes, so that rows four apart begin in different
/// banks, but not rows eight apart.
fn run_of(shape: &Footprint<ShapeDim>, d: Dim) -> Run {
    let mut most = Run::Any;
    for (g, dim) in shape.dims.iter().enumerate() {
        if !dim.terms.iter().any(|(a, _)| *a == Atom::Tid(d)) {
            continue;
        }
        let mut offsets = dim.offsets.iter();
        if dim.terms.len() > 1 || offsets.any(|o| *o != dim.offsets[0]) {
            return Run::All;
        }
        let along = g + 1 == shape.dims.len();
        let wanted = if along {
            (WIDEST / shape.size).max(1)
        } else {
            4
        };
        most = most.max(Run::Of(wanted));
    }
    most
}
