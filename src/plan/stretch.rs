//! Strips that are longer, and more of them in flight, the smaller a block is: one body for all.
//!
//! ```text
//! rows of A, 48 KiB:   blocks up to 32    strips of 64, depth 4, if rows lie aligned for 16-byte copies
//!                                   64              32, depth 4
//!                                  128              16, depth 4
//!                                  256               8, depth 3
//! ```
//! A grid that walks rows has few threads, so what holds it back is latency: it is as fast as the
//! bytes that it keeps under way (Little's law). A block's share of shared memory is fixed; its rows
//! are not, so fewer rows leave room for longer strips. The entry takes the first way that fits. The
//! loop's code is that of the shortest strips, run several times a strip, and rows lie a run-time
//! pitch apart.
//!
//! Only rows grow: where threads lie along the fastest dimension, a strip takes the same bytes for
//! every block that the pitch serves.

use super::data::{Stretch, Way};
use super::extent::{self, MaxBlock};
use crate::affine::Poly;
use crate::machine::target::WARP;
use crate::machine::tuning::stretch::{BLOCKS, LEAST, LEAST_WRITTEN, LENGTHS};

/// Bytes of a transaction, the widest copy.
const WIDEST: u32 = 16;

/// Cells of a transaction.
pub fn transaction_cells(unit: u32) -> i64 {
    i64::from((WIDEST / unit).max(1))
}

/// Most strips in flight.
const DEEPEST: u32 = 4;

/// The ways of a region, best first for the smallest block; `None` if none has two slots within
/// `budget` bytes. `bytes(length)` is what a slot takes, and what store tiles take, which have one slot,
/// as functions of the launch; `written`: whether strips are written back.
pub fn stretch(
    budget: u32,
    threads: u32,
    written: bool,
    bytes: impl Fn(u32) -> Option<(Poly, Poly)>,
) -> Option<Stretch> {
    let (mut ways, mut area): (Vec<Way>, i64) = (Vec::new(), 0);
    // Rows that are written back must be as long as the longest strip, so that no two of them share a cell: shorter
    // strips serve more launches.
    let least_block = if written { 2 * WARP } else { 0 };
    let blocks = BLOCKS.into_iter();
    for block in blocks.filter(|b| (least_block..=threads).contains(b)) {
        let at = |length: u32, depth: u32| {
            let (slot, stores) = bytes(length)?;
            let way = Way {
                length,
                depth,
                slot,
                stores,
            };
            let need = extent::at_cap(&way.bytes(), MaxBlock([block, 1, 1]))?;
            let flying = (depth - 1) * length;
            (need <= i64::from(budget)).then_some((flying, depth, need, way))
        };
        let all = LENGTHS
            .iter()
            .flat_map(|l| (2..=DEEPEST).map(move |d| (*l, d)));
        // What is under way counts; where that is equal, more and shorter strips even out waits. But
        // each strip has its price, most of all where it is written back: shorter ones are a makeshift.
        let least = if written { LEAST_WRITTEN } else { LEAST };
        let best = all
            .filter_map(|(l, d)| at(l, d))
            .max_by_key(|(flying, depth, _, way)| {
                let tie = if written { way.length } else { *depth };
                (way.length >= least, *flying, tie)
            });
        if let Some((.., need, way)) = best
            && ways.first() != Some(&way)
        {
            ways.insert(0, way);
            area = area.max(need);
        }
    }
    let area = area as u32;
    (!ways.is_empty()).then_some(Stretch { ways, area })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::affine::Atom;
    use crate::kernel::Dim;

    /// Rows of floats, padded, and what all rows share.
    fn rows(length: u32) -> Option<(Poly, Poly)> {
        let row = i64::from(length + 4) * 4;
        let all = Poly::atom(Atom::Ntid(Dim::X)).times_constant(row);
        let all = all.plus(&Poly::constant(i64::from(length) * 4));
        Some((all, Poly::default()))
    }

    fn cuts(budget: u32) -> Vec<(u32, u32)> {
        let s = stretch(budget, 1024, false, rows);
        s.map_or(Vec::new(), |s| {
            s.ways.iter().map(|w| (w.length, w.depth)).collect()
        })
    }

    #[test]
    fn smaller_blocks_get_longer_strips() {
        assert_eq!(cuts(48 << 10), [(64, 4), (32, 4), (16, 4), (8, 3)]);
        // Two strips of 8 do not fit for 256 threads.
        assert_eq!(cuts(20 << 10), [(32, 4), (16, 3), (8, 3), (4, 2)]);
        assert_eq!(cuts(1 << 10), []);
    }

    #[test]
    fn store_tiles_have_one_slot() {
        let both = |length: u32| rows(length).map(|(r, _)| (r.clone(), r));
        let s = stretch(48 << 10, 1024, true, both).expect("there are ways");
        let ways: Vec<(u32, u32)> = s.ways.iter().map(|w| (w.length, w.depth)).collect();
        // Two of 16 do not fit for 256 threads: the most that is under way, 12 iterations.
        assert_eq!(ways, [(32, 4), (16, 3), (4, 4)]);
    }

    #[test]
    fn the_area_holds_the_largest() {
        let s = stretch(48 << 10, 1024, false, rows).expect("there are ways");
        assert_eq!(s.area, 4 * (128 * 80 + 64));
    }
}
