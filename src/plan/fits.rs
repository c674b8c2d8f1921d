//! Which loops and rows fit the strips and pieces of versions whose blocks are merged along y: gates.
//!
//! ```text
//! fact: trip(loop0) is a multiple of 16, or 50 <= trip(loop0)        25 iterations, a strip and a part of one: the original
//! fact: 2*s0 is a multiple of 4                                      rows of halves, one of them longer by an element: the original
//! ```
//! A strip that is cut short goes through an odometer, and its loop is not unrolled. That takes a microsecond or two, whatever the strip
//! before it gained. Elements of less than 4 bytes cannot be copied asynchronously, so where rows do not begin at
//! whole words each of them waits in a register. Sums kept in memory are slow in the original, so that short loops gain all the same
//! (`syrk`, 17 iterations: x1.0 to x1.5).
//!
//! Measured on an H200 over 1,400 launches of 18 products with sizes and blocks drawn at random, and for some what the original then takes,
//! its loop as the plug-in leaves it:
//!
//! | two lanes | served | turned away |
//! |---|---|---|
//! | 16, 32, 48 iterations | x0.95 to x5.7 | |
//! | 17 to 31 | x0.6 to x1.0, of 27 three above | x0.85 to x1.6 |
//! | 33 to 49 | x0.65 to x1.3, of 27 three above | x0.87 to x1.7 |
//! | 50 to 63 | x0.86 to x2.9, mostly x1.2 | x1.1 to x1.4 |
//! | rows of halves or bytes at whole words, from 32 iterations on | x0.93 to x3.2 | |
//! | elsewhere | x0.47 to x0.94 of 52, x1.07 | x0.9 to x2.5 |
//!
//! Eight lanes serve grids so large that the original loses half of its warps to the registers of the merged blocks: strips cut short
//! cost no more than that (17 to 31 iterations: x0.64 to x2.0, turned away x0.62 to x0.99), rows of small elements do (x0.37 to x0.83 of 11, x1.1;
//! turned away x0.84 to x1.04).

use super::first::is_launch_wide;
use super::legality::Facets;
use super::{Fact, Plan, Tile, gates};
use crate::affine::{Atom, Poly};
use crate::kernel::{Dim, ids};
use crate::target::{BLOCK_THREADS, Target};
use crate::tree::LoopId;

/// Lanes of versions for grids in which the original is short of warps.
const MANY_LANES: u32 = 8;
/// Iterations from which a strip cut short is paid for by those before it.
const ENOUGH: i64 = 50;
/// Iterations that repay the first two strips, whatever the lanes: with 16 to 23 of them none of nine launches gained (x0.73 to x0.95), with 24 to 31
/// six of seven did.
const LEAST: i64 = 24;
/// Bytes that can be copied asynchronously.
const WORD: i64 = 4;
/// Threads for each multiprocessor from which [`MANY_LANES`] gain although elements are copied one by one (`mm_i8`: 3,600 x0.95,
/// 5,000 x1.2, 7,300 x0.83, 10,000 x1.5; 2,100 x0.84; `mm_half`: 2,800 x1.1, 1,300 x0.44).
const THREADS_OF_ELEMENTS: i64 = 3000;

/// Adds to a version what its loops and rows must be.
pub fn gated(f: &Facets, mut plan: Plan, target: &Target) -> Plan {
    if plan.merge.along(Dim::Y) > 1 && plan.promotions.is_empty() {
        let more = lengths(f, &plan).into_iter().chain(rows(f, &plan, target));
        let more = more.chain(filled(f, &plan));
        plan.gates.extend(more.collect::<Vec<_>>());
    }
    plan
}

/// Loops cut into strips in flight run long enough, and with few lanes whole strips or longer.
fn lengths(f: &Facets, plan: &Plan) -> Vec<Fact> {
    let strips = plan.regions.iter().filter_map(|r| r.strip);
    let mut all = Vec::new();
    for s in strips.filter(|s| s.depth > 1) {
        let poly = Poly::atom(Atom::Trip(s.loop_));
        if !is_launch_wide(f, &poly) {
            continue;
        }
        if !is_long_enough(f, plan, s.loop_) {
            // Bounded above as facts are: what short loops run is the original.
            all.push(Fact::InRange {
                poly: poly.clone(),
                lo: LEAST,
                hi: i64::from(i32::MAX),
            });
        }
        if plan.merge.lanes() < MANY_LANES {
            all.push(Fact::Multiple {
                of: i64::from(s.length),
                or: Some((poly.clone(), ENOUGH)),
                poly,
            });
        }
    }
    all
}

/// Whether a loop is known to run [`LEAST`] times: always as often, or by a fact.
fn is_long_enough(f: &Facets, plan: &Plan, l: LoopId) -> bool {
    let fixed = f
        .affine
        .uniform_trip(l)
        .is_some_and(|t| t.span.as_constant().is_some());
    let told = |g: &Fact| matches!(g, Fact::InRange { poly, lo, .. } if *poly == Poly::atom(Atom::Trip(l)) && *lo >= LEAST);
    fixed || plan.facts.iter().any(told)
}

/// A grid of many layers has two blocks along y, or small ones: in one of the largest whose second lane is not there, half of the registers and
/// of the tiles serve nobody (`mm_batch`, products of 32 in blocks of 32x32: x0.57; in blocks of 8x32 x1.0 to x1.6).
fn filled(f: &Facets, plan: &Plan) -> Option<Fact> {
    let layered = ids::dimensions(f.kernel)[Dim::Z.index()] && plan.merge.lanes() == 2;
    let threads = Poly::atom(Atom::Ntid(Dim::X)).times(&Poly::atom(Atom::Ntid(Dim::Y)));
    let blocks = Poly::atom(Atom::Nctaid(Dim::Y)).times_constant(i64::from(BLOCK_THREADS));
    layered.then(|| Fact::at_least(blocks.minus(&threads), 1))
}

/// Rows of small elements begin at whole words, as far as their distances say.
fn rows(f: &Facets, plan: &Plan, target: &Target) -> Vec<Fact> {
    let or = (plan.merge.lanes() >= MANY_LANES).then(|| {
        let least = THREADS_OF_ELEMENTS * i64::from(target.sms);
        (gates::threads(f), least)
    });
    let mut all: Vec<Fact> = Vec::new();
    let in_flight = plan
        .regions
        .iter()
        .filter(|r| r.strip.is_some_and(|s| s.depth > 1));
    for tile in in_flight.flat_map(|r| &r.tiles).filter(|t| is_narrow(t)) {
        let outer = tile.dims.iter().rev().skip(1);
        for stride in outer.map(|d| &d.stride) {
            let known = stride.content() % WORD == 0;
            let gate = Fact::Multiple {
                poly: stride.clone(),
                of: WORD,
                or: or.clone(),
            };
            if !known && is_launch_wide(f, stride) && !all.contains(&gate) {
                all.push(gate);
            }
        }
    }
    all
}

/// What launches meet in which no version copies elements of less than a word one by one: each of them waits in a register, and what is read
/// once gains nothing by it. Asked before a version is trusted unmeasured, see `own`.
pub fn by_words(f: &Facets, plan: &Plan) -> Vec<Fact> {
    let strips = plan.regions.iter().filter(|r| r.strip.is_some());
    let narrow = strips
        .flat_map(|r| &r.tiles)
        .filter(|t| i64::from(t.unit) < WORD && !t.members.is_empty());
    let mut all = Vec::new();
    for tile in narrow {
        if !is_narrow(tile) {
            // Never by words: of no launch.
            return vec![Fact::at_least(Poly::constant(0), 1)];
        }
        let outer = tile.dims.iter().rev().skip(1).map(|d| &d.stride);
        let open = outer.filter(|s| s.content() % WORD != 0 && is_launch_wide(f, s));
        all.extend(open.map(|stride| Fact::Multiple {
            poly: stride.clone(),
            of: WORD,
            or: None,
        }));
    }
    all
}

/// Whether the tile's elements are less than a word, and it may be copied by words.
fn is_narrow(t: &Tile) -> bool {
    i64::from(t.unit) < WORD && t.widths.iter().any(|w| i64::from(*w) >= WORD)
}
