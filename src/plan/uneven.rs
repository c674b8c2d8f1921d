//! Rows that do not begin where wide copies may: what only the host asks of launches with them.
//!
//! ```text
//! asked by the host alone: 4*s0 is a multiple of 16, or 135168 <= ntid.x*ntid.y*nctaid.x*nctaid.y + 264*trip(loop0)     two lanes of a product
//! asked by the host alone: 4*s0 is a multiple of 16                                                                     rows of one thread each
//! ```
//! Such rows are copied element by element, which costs as many instructions as the original's loads. What is left to gain is what the tile
//! is read for more than once, or that copies are under way for longer than the original's loads, and in a kernel of its own the original has as many
//! of those under way ([`crate::lower`]).
//!
//! Measured on an H200, 604 launches of eight products with sizes and blocks drawn at random; by how much the kernel is faster than the original
//! beside it, geometric mean and least:
//!
//! | two lanes | iterations 64 to 127 | 128 to 255 | 256 to 511 | more | more, above 1024 threads a multiprocessor |
//! |---|---|---|---|---|---|
//! | both arrays' rows at 16 bytes | x1.23 | x1.10, x0.97 | x1.35, x1.06 | x1.33, x0.97 | x1.79 |
//! | those along threads are not | x1.11 of 1 | x0.98, x0.76 | x1.05, x0.81 | x1.12, x0.90 | x1.48 |
//! | those along the loop are not | x1.01 of 1 | x0.92, x0.68 | x0.97, x0.75 | x1.05, x0.78 | x1.42 of 1 |
//! | neither | x0.86 of 2 | x0.87, x0.68 | x0.95, x0.79 | x1.05, x0.76 | x1.20 of 1 |
//!
//! Eight lanes gain less where neither array's rows begin there (12 launches below 128 iterations, x0.76 to x1.39, of five others x1.15 and up), but are not asked.
//!
//! `row_head`, rows elsewhere, 300 to 2,000 iterations: the kernel x0.95 to x1.14 over clang's, the original by itself x1.44 to x1.5. Where strips stretch
//! (`row_max`) the kernel is x1.6 to x1.9.

use super::beside::{FEW_LANES, MANY_THREADS, gains_alone};
use super::first::is_launch_wide;
use super::legality::Facets;
use super::repay::walked_once;
use super::{Fact, Plan, Region, Strip, Tile, gates};
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::target::Target;

/// Iterations of two lanes that make up for that, where the rows are the loop's, and where they are threads'.
const ALONG_LOOP: i64 = 512;
const ALONG_THREADS: i64 = 256;
/// Bytes of an element of which a wide copy brings four. Of longer ones it brings two (`mm_double`, two lanes, neither array's rows at 16 bytes: x1.18 of
/// three), of shorter ones narrower copies bring several (`mm_half`).
const WORD: u32 = 4;

/// What the host asks of a version's rows.
pub fn asked(f: &Facets, plan: &Plan, target: &Target) -> Vec<Fact> {
    let mut all = Vec::new();
    for region in &plan.regions {
        let Some(strip) = region.strip.filter(|s| s.depth > 1) else {
            continue;
        };
        if !is_launch_wide(f, &Poly::atom(Atom::Trip(strip.loop_))) {
            continue;
        }
        let lanes = plan.merge.lanes();
        if lanes == 1 {
            all.extend(of_threads(f, region, strip));
        }
        let product = plan.merge.along(Dim::Y) > 1 && plan.promotions.is_empty();
        if product && lanes <= FEW_LANES && gains_alone(f, strip.loop_) {
            all.extend(each(f, region, strip, target));
        }
    }
    all
}

/// The distance of the rows of a tile of words that is not a multiple of its widest piece in any case, and the bytes of that piece.
fn distance<'t>(f: &Facets, tile: &'t Tile) -> Option<(&'t Poly, i64)> {
    let widest = i64::from(*tile.widths.iter().max().filter(|_| tile.unit == WORD)?);
    let known = |p: &Poly| p.content() % widest == 0;
    let outer = tile.dims.iter().rev().skip(1).map(|d| &d.stride);
    let mut unknown = outer.filter(|p| !known(p) && is_launch_wide(f, p));
    Some((unknown.next()?, widest))
}

/// Two lanes: every array's rows at whole pieces, or enough iterations and threads.
fn each(f: &Facets, region: &Region, strip: Strip, target: &Target) -> Vec<Fact> {
    let least = MANY_THREADS * i64::from(target.sms);
    let trip = Poly::atom(Atom::Trip(strip.loop_));
    let ask = |tile: &Tile| {
        let (distance, of) = distance(f, tile)?;
        let walks = tile.dims.last()?.terms.iter();
        let iterations = match { walks }.any(|(a, _)| *a == Atom::Iter(strip.loop_)) {
            true => ALONG_LOOP,
            false => ALONG_THREADS,
        };
        let both = gates::threads(f).plus(&trip.times_constant(least / iterations));
        Some(Fact::Multiple {
            poly: distance.clone(),
            of,
            or: Some((both, least)),
        })
    };
    region.tiles.iter().filter_map(ask).collect()
}

/// Rows that threads walk, each its own: at whole pieces, where strips do not grow with the room there is.
fn of_threads(f: &Facets, region: &Region, strip: Strip) -> Option<Fact> {
    let [tile] = &region.tiles[..] else {
        return None;
    };
    walked_once(tile, strip.loop_).filter(|_| region.stretch.is_none())?;
    let (distance, of) = distance(f, tile)?;
    Some(Fact::Multiple {
        poly: distance.clone(),
        of,
        or: None,
    })
}
