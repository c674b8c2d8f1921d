//! What holds of a candidate, read from its index.

use std::collections::BTreeSet;

use super::data::{Fact, Footprint, Prospect, Run, StagedAt, Trait};
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
    let is_cell = inner.stride.as_constant() == Some(i64::from(shape.size));
    let walked = matches!(inner.terms[..], [(Atom::Iter(_), 1)]) && is_cell;
    let several = !outer.is_empty();
    let in_strip = |a: Atom| strip.is_some_and(|l| a == Atom::Iter(l));
    let strided = !coalesced && (rows || names(inner, &is_thread));
    let backwards = |(a, m): &(Atom, i64)| matches!(a, Atom::Iter(_)) && *m < 0;
    let mut terms = shape.dims.iter().flat_map(|d| &d.terms);
    let all = [
        (Trait::OnlyStores, shape.active.is_empty()),
        (Trait::WrittenBack, !legal.write_back.is_empty()),
        (Trait::BarrierBefore, legal.barrier_before),
        (Trait::BarrierAfter, legal.barrier_after),
        (Trait::Coalesced, coalesced),
        (Trait::Strided, strided),
        (Trait::Rows, rows),
        (Trait::Uncoalesced, some_outer(&is_x)),
        (Trait::Record, inner.terms.is_empty()),
        (Trait::Window, shape.dims.iter().any(is_window)),
        (Trait::Walked, walked && several && shape.size < WIDEST),
        (Trait::RowStrips, several && names(inner, &in_strip)),
        (Trait::Backwards, terms.any(backwards)),
        (Trait::Mapped, legal.facts.list.iter().any(Fact::is_of_host)),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::ArrayId;
    use crate::affine::Poly;
    use crate::kernel::ValueId;
    use crate::plan::data::ActiveSet;

    const LOOP: LoopId = LoopId(0);

    fn dim(stride: i64, terms: &[(Atom, i64)], offsets: &[i64]) -> ShapeDim {
        ShapeDim {
            stride: Poly::constant(stride),
            terms: terms.to_vec(),
            offsets: offsets.iter().map(|o| (*o, *o)).collect(),
            extent: None,
        }
    }

    /// Floats that are read.
    fn shape(dims: Vec<ShapeDim>) -> Footprint<ShapeDim> {
        Footprint {
            array: ArrayId(0),
            base: ValueId(0),
            rest: Poly::default(),
            dims,
            active: vec![ActiveSet::always(Vec::new())],
            size: 4,
        }
    }

    fn traits(dims: Vec<ShapeDim>, strip: Option<LoopId>) -> Vec<Trait> {
        Vec::from_iter(traits_of(&shape(dims), &Legal::default(), strip))
    }

    #[test]
    fn rows_of_threads_are_walked_in_strips() {
        use Trait::*;
        let rows = |step| {
            let cells = dim(4, &[(Atom::Iter(LOOP), step)], &[0]);
            let row = dim(4096, &[(Atom::Tid(Dim::X), 1)], &[0]);
            traits(vec![row, cells], Some(LOOP))
        };
        let own = |forwards| OwnCell { forwards };
        let there = [Strided, Rows, Uncoalesced, Walked, RowStrips, own(true)];
        assert_eq!(rows(1), there);
        let back = [Strided, Rows, Uncoalesced, RowStrips, Backwards, own(false)];
        assert_eq!(rows(-1), back);
    }

    #[test]
    fn what_lies_along_threads_is_coalesced() {
        let x = (Atom::Tid(Dim::X), 1);
        let found = traits(
            vec![
                dim(4096, &[(Atom::Iter(LOOP), 1)], &[0]),
                dim(4, &[x], &[0]),
            ],
            None,
        );
        assert_eq!(found, [Trait::Coalesced, Trait::RowOf(Dim::X)]);
        let found = traits(vec![dim(4, &[x, (Atom::Iter(LOOP), 1)], &[0])], None);
        assert_eq!(found, [Trait::Coalesced, Trait::Window]);
    }

    #[test]
    fn replicas_own_as_many_ids_as_a_read_serves() {
        let [x, y] = [Dim::X, Dim::Y].map(|d| (Atom::Tid(d), 1));
        let product = shape(vec![dim(4096, &[y], &[0]), dim(8, &[x], &[0])]);
        assert_eq!(run_of(&product, Dim::X), Run::Of(4));
        assert_eq!(run_of(&product, Dim::Y), Run::Of(4));
        assert_eq!(run_of(&product, Dim::Z), Run::Any);
        let halo = shape(vec![dim(4, &[x], &[-1, 1])]);
        assert_eq!(run_of(&halo, Dim::X), Run::All);
    }
}
