//! Which launches repay the copies of versions whose blocks are not merged: gates.
//!
//! ```text
//! gate: 4*s0 is a multiple of 16, or 256 <= trip(loop0)         rows of 65 floats, summed once: the original
//! gate: 4*s0 is a multiple of 32, or 256 <= ntid.x              the same from the last element to the first
//! gate: 40 <= trip(loop0)*trip(loop1)                           points of 3 coordinates, 5 centres: the original
//! ```
//! A row whose elements are all there is to read, each of them once, gains by the order in which it is read alone. Where rows begin at 16
//! bytes a copy brings four elements. Elsewhere it brings one, as a load of the original does, and the original finds the others of
//! a sector in L1 as long as few threads walk. Rows walked downwards are always copied one by one; they gain where a strip's
//! elements are whole sectors, and else where blocks are large and several. Kernels with more to read in an
//! iteration, or to store, wait longer in the original, and gain with any row.
//!
//! Measured on an H200, launches with sizes and blocks drawn at random, in parentheses the geometric mean:
//!
//! | | served |
//! |---|---|
//! | one array, rows at 16 bytes (`row_max`, `row_head`, `softmax_rows`) | 68, x1.17 to x3.7 (x1.9) |
//! | elsewhere, 256 iterations or more | 10, x0.98 to x1.7 (x1.21) |
//! | elsewhere, fewer: turned away | 24, 15 below x0.97, 5 above x1.03 (x0.95) |
//! | walked downwards (`row_backward`), whole sectors | 20, x1.0 to x2.9 but for two of a warp (x1.4) |
//! | elsewhere, several blocks of 256 | 3, x1.33 to x1.44 |
//! | elsewhere: turned away | 21, 14 below x0.97, 4 above x1.03 (x0.91) |
//! | two arrays, or rows at 16 bytes anyway (`mv_row`, `papers_bc`, `wrapped_rows`), any length | 113, x1.08 to x5.4 (x2.1) |
//! | `kmeans`, 40 iterations a thread or more | 13, x0.98 to x2.3 (x1.31) |
//! | fewer: turned away | 8, x0.64 to x1.1 (x0.91) |
//!
//! What is turned away runs faster in a kernel of its own (x1.0), where the host may choose.

use super::first::is_launch_wide;
use super::legality::Facets;
use super::{Fact, Plan, Region, Tile};
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::target::SECTOR;
use crate::tree::{LoopId, Node};

/// Iterations from which rows gain although their elements are copied one by one.
const LONG: i64 = 256;
/// Threads of a block from which they gain where no row is ever copied otherwise.
const LARGE_BLOCK: i64 = 256;
/// Blocks of that size.
const SEVERAL: i64 = 2;
/// Bytes of an element above which a copy brings several words anyway.
const WORD: u32 = 4;
/// Iterations of a thread that repay tiles filled whole before them.
const WORK: i64 = 40;

/// Adds to a version without merging what its launches must be to gain.
pub fn gated(f: &Facets, mut plan: Plan) -> Plan {
    let rows = plan.regions.iter().flat_map(|r| rows(f, r));
    let work = plan.regions.iter().filter_map(|r| work(f, r));
    let mut gates: Vec<Fact> = Vec::new();
    for gate in rows.chain(work) {
        if !gates.iter().any(|g| same_rows(g, &gate)) {
            gates.push(gate);
        }
    }
    plan.gates.extend(gates);
    plan
}

/// Whether both ask the same of the same rows, which several loops may walk, about as often.
fn same_rows(a: &Fact, b: &Fact) -> bool {
    let lengths = |g: &Fact| match g {
        Fact::Multiple { or, .. } => or
            .as_ref()
            .is_some_and(|(p, _)| p.any(|a| matches!(a, Atom::Trip(_)))),
        _ => false,
    };
    match (a, b) {
        (Fact::Multiple { poly, of, .. }, Fact::Multiple { poly: p, of: o, .. }) => {
            (poly, of) == (p, o) && lengths(a) && lengths(b)
        }
        _ => a == b,
    }
}

/// What rows must be that each thread walks by itself, if they are all that a strip brings.
fn rows(f: &Facets, region: &Region) -> Vec<Fact> {
    let (Some(strip), [tile]) = (region.strip, &region.tiles[..]) else {
        return Vec::new();
    };
    let Some(stride) = walked_once(tile, strip.loop_) else {
        return Vec::new();
    };
    let trip = Poly::atom(Atom::Trip(strip.loop_));
    let by_pieces = !tile.widths.is_empty();
    let of = match tile.widths.iter().max() {
        Some(widest) => i64::from(*widest),
        None => SECTOR,
    };
    let known = stride.content() % of == 0;
    if known || !is_launch_wide(f, stride) || !is_launch_wide(f, &trip) {
        return Vec::new();
    }
    let gate = |other: Poly, least: i64| Fact::Multiple {
        poly: stride.clone(),
        of,
        or: Some((other, least)),
    };
    if by_pieces {
        return vec![gate(trip, LONG)];
    }
    let block = Poly::atom(Atom::Ntid(Dim::X));
    let blocks = Poly::atom(Atom::Nctaid(Dim::X));
    vec![gate(block, LARGE_BLOCK), gate(blocks, SEVERAL)]
}

/// The bytes from row to row of a tile that one load reads once, each thread along a row of its own.
pub(super) fn walked_once(tile: &Tile, l: LoopId) -> Option<&Poly> {
    let (inner, outer) = tile.dims.split_last()?;
    let [row] = outer else { return None };
    let [member] = &tile.members[..] else {
        return None;
    };
    let along = inner.terms.iter().all(|(a, _)| *a == Atom::Iter(l)) && !inner.terms.is_empty();
    let threads = row.terms.iter().any(|(a, _)| *a == Atom::Tid(Dim::X));
    let reads = !member.is_store && tile.write_back.is_empty() && tile.unit <= WORD;
    (along && threads && reads).then_some(&row.stride)
}

/// How often threads go through loops over tiles that are filled whole: a loop, or one inside another.
pub(super) fn work(f: &Facets, region: &Region) -> Option<Fact> {
    let Node::Loop(outer) = f.tree.node(region.node) else {
        return None;
    };
    let within = |l: &LoopId| f.tree.contains(region.node, f.tree.loop_(*l).node);
    let loops: Vec<LoopId> = (0..f.tree.loops.len() as u32).map(LoopId).collect();
    let loops: Vec<LoopId> = loops.into_iter().filter(within).collect();
    let [_, _] = &loops[..] else { return None };
    let trips = loops.iter().map(|l| Poly::atom(Atom::Trip(*l)));
    let all = trips.fold(Poly::constant(1), |p, t| p.times(&t));
    let whole = region.strip.is_none() && !region.only_stores();
    let shared = f.affine.uniform_trip(*outer).is_some() && is_launch_wide(f, &all);
    // Bounded above as facts are: what short loops run is the original.
    (whole && shared).then_some(Fact::InRange {
        poly: all,
        lo: WORK,
        hi: i64::from(i32::MAX),
    })
}
