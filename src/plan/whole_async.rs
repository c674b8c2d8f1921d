//! Which tiles, filled whole, are copied by asynchronous transactions (`lower/whole_async.rs`).

use super::analyses::Analyses;
use super::data::{Member, Pitch, Region, Tile, TileDim};
use super::overlap::ASYNC_SM;

/// Bytes of a transaction.
const WIDEST: u32 = 16;

/// Whether the tiles of a region whose reads loops share, or along whose rows threads walk, are copied by
/// asynchronous transactions: whole, only read, elements and rows aligned for it.
pub fn is_for(f: &Analyses, r: &Region) -> bool {
    let reused = r.tiles.iter().any(Tile::is_reused);
    let odd = |d: &TileDim| matches!(d.pitch, Pitch::Runtime { odd: true, .. });
    let rows = r.tiles.iter().flat_map(|t| &t.footprint.dims).any(odd);
    let whole = |t: &Tile| {
        let cells = WIDEST / t.footprint.size;
        let aligned = |p: &Pitch| match p {
            Pitch::Const(c) => c.is_multiple_of(cells),
            Pitch::Runtime { align, .. } => align.is_multiple_of(cells),
        };
        let own = |m: &Member| f.accesses.get(m.access).align >= t.footprint.size && m.byte == 0;
        let contiguous = |d: &TileDim| d.stride.as_constant() == Some(i64::from(t.footprint.size));
        let (inner, outer) = t
            .footprint
            .dims
            .split_last()
            .expect("a tile has a dimension");
        t.footprint.size >= 4
            && (t.zero_fill || rows)
            && !t.clip_linear
            && t.write_back.is_empty()
            && contiguous(inner)
            && outer.iter().all(|d| aligned(&d.pitch))
            && t.members.iter().all(own)
    };
    f.kernel.sm >= ASYNC_SM && r.strip.is_none() && (reused || rows) && r.tiles.iter().all(whole)
}
