//! What of a kernel it is done to, as plain data, or why it is not. Idea and soundness: [`super`].

use super::legality::{is_consecutive, may_have_windows};
use crate::access::AccessKind;
use crate::affine::Atom;
use crate::kernel::Dim;
use crate::plan::data::Reuse;
use crate::plan::shape::ShapeDim;
use crate::plan::tile_source::TileSource;

/// Bytes read at once.
const WIDEST: u32 = 16;

/// How the reads of member `i` slide.
pub fn find(from: &TileSource, i: usize) -> Option<Reuse> {
    let (f, shape) = (from.f, &from.candidate.shape);
    let access = f.accesses.get(from.candidate.prospect.members[i]);
    let loop_ = *f.tree.enclosing_loops(f.node_of(access.id)?).first()?;
    if access.kind != AccessKind::Load
        || access.size != shape.size
        || !f.kernel.value(access.value).ty().is_element()
        || from.candidate.prospect.place.1 == Some(loop_)
        || !may_have_windows(f, loop_, from.merge)
    {
        return None;
    }
    let dims = &shape.dims;
    let moves = |d: &ShapeDim| d.terms.iter().any(|(a, _)| f.affine.follows(*a, loop_));
    let g = dims.iter().position(moves)?;
    let clamped = |(a, _): &(Atom, i64)| matches!(a, Atom::Clamp(_));
    let is_simple = dims[g].terms.contains(&(Atom::Iter(loop_), 1))
        && !dims[g + 1..].iter().any(moves)
        && !dims.iter().flat_map(|d| &d.terms).any(clamped);
    if !is_simple {
        return None;
    }
    let along = dims[g].terms.iter().find_map(|t| match t {
        (Atom::Tid(d), 1) if is_consecutive(from.merge, *d) => Some(*d),
        _ => None,
    });
    let elsewhere = |d: Dim| {
        let mut all = dims.iter().flat_map(|x| &x.terms);
        all.by_ref().filter(|(a, _)| *a == Atom::Tid(d)).count() > 1
    };
    if along.is_some_and(elsewhere) {
        return None;
    }
    let width = width_of(from, i, g, along);
    (along.is_some() || width > 1).then_some(Reuse {
        loop_,
        along,
        width,
    })
}

/// Cells that may be read at once: none but the loop and the replicas move the innermost coordinate,
/// and replica 0 begins aligned.
fn width_of(from: &TileSource, i: usize, g: usize, along: Option<Dim>) -> u32 {
    let shape = &from.candidate.shape;
    let dims = &shape.dims;
    let own = 1 + usize::from(along.is_some());
    if g + 1 != dims.len() || dims[g].terms.len() != own {
        return 1;
    }
    let low = from.candidate.extents[g].low;
    let most = (WIDEST / shape.size).max(1);
    let most = along.map_or(most, |d| most.min(from.merge.along(d)));
    let at = (dims[g].offsets[i].0 - low).unsigned_abs();
    (0..5u32)
        .map(|k| 1 << k)
        .filter(|w| most.is_multiple_of(*w) && at.is_multiple_of(u64::from(*w)))
        .max()
        .unwrap_or(1)
}
