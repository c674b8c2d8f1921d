//! What only the host asks of a launch: whether it gains over the original in a kernel of its own ([`crate::choice`]).
//!
//! ```text
//! asked by the host alone: 64 <= trip(loop0)                                     two lanes of a product, short rows: the original
//! asked by the host alone: 270336 <= ntid.x*ntid.y*nctaid.x*nctaid.y + 2112*trip(loop0)
//! asked by the host alone: 32 <= s0                                              fewer rows than a warp has threads
//! asked by the host alone: 45875200 <= 4*ntid.x*nctaid.x*trip(loop0) + 339*ntid.x*nctaid.x        columns that L2 does not hold
//! ```
//! There the original has all of its warps and of L1, and its long loops are lengthened ([`crate::lower`]), so launches gain less over it
//! than over what they would run inside the kernel. What is asked here costs a launch that gains nothing: the kernel itself tests none of it.
//!
//! Measured on an H200, 2,853 launches of 32 kernels with sizes and blocks drawn at random, each run by the kernel, by the original beside
//! it and by clang's; by how much the kernel is faster than the original, geometric mean:
//!
//! | products, whole rows coalesced | iterations 32 | 33 to 63 | 64 to 127 | 128 to 511 | more |
//! |---|---|---|---|---|---|
//! | two lanes, up to 256 threads a multiprocessor | x0.78 of 24 | x0.82 of 5 | x0.86 of 26 | x1.02 of 66 | x1.17 of 83 |
//! | to 1024 | x0.79 of 24 | x0.79 of 5 | x1.01 of 11 | x1.30 of 26 | x1.30 of 33 |
//! | more | x0.90 of 3 | x0.95 of 1 | x1.04 of 9 | x1.37 of 5 | x1.42 of 4 |
//! | eight lanes, to 2048 threads | x0.90 of 7 | x0.90 of 2 | x1.35 of 4 | x1.71 of 7 | x2.17 of 5 |
//! | more | x1.46 of 6 | x1.21 of 5 | x1.40 of 13 | x2.9 of 11 | x2.9 of 13 |
//!
//! Columns that threads next to each other read side by side, each element once, gain by what is under way alone (`mv_col`, `column_broadcast`, `mm_rows`,
//! 568 launches). What L2 holds the lengthened original reads as far ahead, and waits for no barrier; from memory the kernel's longer strips bring more:
//!
//! | bytes | to 40 MB | to 46 MB | to 53 MB | more |
//! |---|---|---|---|---|
//! | kernel over original by itself, blocks up to 256 | x0.42 to x0.72 from 1000 iterations, x0.58 to x0.8 from 32 on | x0.80 to x1.09 of 6 | x1.12 to x1.31 of 4 | x1.15 to x1.42, two of 30 below x1.03 |
//!
//! Where threads next to each other read rows of their own (A·Aᵀ, a product with its indices swapped) the original is no faster by itself,
//! and the kernel gains over it in all but 15 of 273 launches.

use super::first::is_launch_wide;
use super::legality::Facets;
use super::plain::innermost;
use super::{Fact, Plan, Tile, gates, repay, uneven, windows};
use crate::access::{Access, AccessId, AccessKind};
use crate::affine::{Atom, Guard, Poly, Sense};
use crate::kernel::{Dim, ids};
use crate::target::{BLOCK_THREADS, Target, WARP};
use crate::tree::{LoopId, Node};

/// Lanes of products that small grids get.
pub(super) const FEW_LANES: u32 = 2;
/// Lanes of products that only large grids get: nothing is asked of them.
const MOST_LANES: u32 = 16;
/// Iterations from which two lanes of a product gain.
const LEAST: i64 = 64;
/// The same with hardly any threads; each [`THREADS`] of a multiprocessor make up for one.
const ENOUGH: i64 = 128;
const THREADS: i64 = 16;
/// Iterations of all threads of a multiprocessor from which eight lanes gain.
const WORK: i64 = 48 * 1024;
/// Iterations over single bytes from which two lanes gain (`mm_i8`, 32, two strips: x0.74 to x1.35 of 12, five below x0.95).
const OF_BYTES: i64 = 33;
/// Bytes of an element from which the original's loop is lengthened.
const HALF: u32 = 2;
/// Rounds of lanes abreast that the longest thread must have, where threads begin together: with 32 of 8 lanes or fewer the kernel is x0.56 to x0.97 of
/// the original by itself (16 launches of `lower_products`, one x1.12), from 38 on x1.09 to x1.5.
const ROUNDS: i64 = 4;
/// Groups of two of the largest blocks for each multiprocessor, counted in blocks, from which windows gain again: in between some multiprocessors
/// have no group, where the original has a block for each (clamped 9x9, 198 and 256 blocks: x0.81, x0.82; 17x17, 204: x0.94; 468: x1.3; 50: x1.09).
const BLOCKS: i64 = 3;
/// How much of L2 a kernel's columns may fill so that they stay there from launch to launch.
const OF_L2: (i64, i64) = (7, 8);
/// Threads for each multiprocessor from which the original has no registers for more loads at once: launches of that many are not turned away.
pub const MANY_THREADS: i64 = 1024;
/// Iterations of a thread over tiles filled whole from which it gains over the original by itself, and what an outer one counts beside them.
const POINTS: i64 = 220;
const OUTER: i64 = 30;
/// What a thread less in a block counts against blocks in that: smaller ones are not asked.
const FAR: i64 = 1 << 40;

/// Adds to each version of a plan what the host asks before it.
pub fn choose(f: &Facets, plan: &mut Plan) {
    let Some(target) = Target::of_sm(f.kernel.sm) else {
        return;
    };
    let versions = 1 + plan.alternatives.len();
    for k in 0..versions {
        let version = match k.checked_sub(1) {
            Some(k) => &mut plan.alternatives[k],
            None => &mut *plan,
        };
        let asked = asked(f, version, target);
        version.host.extend(asked);
    }
}

fn asked(f: &Facets, plan: &Plan, target: &Target) -> Vec<Fact> {
    let mut all = products(f, plan, target);
    all.extend(in_large_blocks(plan, target));
    all.extend(rows(f, plan));
    all.extend(triangle(f, plan));
    all.extend(columns(f, plan, target));
    all.extend(uneven::asked(f, plan, target));
    all.extend(points(f, plan));
    all
}

/// Iterations of a thread over tiles filled whole before them, one loop in another: more than the kernel asks for over what it would run itself, and the
/// outer ones count for more (`kmeans`, 40 iterations of a thread and more; less than this: x0.76 to x0.96 of seven launches; more: x1.05 to x6.1 of 39, x0.69 and x0.90).
fn points(f: &Facets, plan: &Plan) -> Vec<Fact> {
    let regions = plan.regions.iter().filter(|_| plan.merge.lanes() == 1);
    let asked = regions.filter_map(|r| {
        let (Fact::InRange { poly, .. }, Node::Loop(outer)) =
            (repay::work(f, r)?, f.tree.node(r.node))
        else {
            return None;
        };
        let outer = Poly::atom(Atom::Trip(*outer));
        let all = poly.plus(&outer.times_constant(OUTER));
        Some(Fact::at_least(all, POINTS))
    });
    asked.collect()
}

/// Columns read once: more of them than L2 holds.
fn columns(f: &Facets, plan: &Plan, target: &Target) -> Option<Fact> {
    let mut regions = plan.regions.iter().filter(|r| !r.tiles.is_empty());
    let (region, None) = (regions.next()?, regions.next()) else {
        return None;
    };
    let strip = region.strip.filter(|s| s.depth > 1)?;
    let trip = Poly::atom(Atom::Trip(strip.loop_));
    let alone = plan.merge.lanes() == 1 && ids::dimensions(f.kernel) == [true, false, false];
    if !alone || !is_launch_wide(f, &trip) || !gains_alone(f, strip.loop_) {
        return None;
    }
    let mut bytes = 0;
    for tile in &region.tiles {
        let threads = |terms: &[(Atom, i64)]| terms.iter().any(|(a, _)| matches!(a, Atom::Tid(_)));
        match &tile.dims[..] {
            all if !all.iter().any(|d| threads(&d.terms)) => {}
            [walk, row] if row.terms == [(Atom::Tid(Dim::X), 1)] && !threads(&walk.terms) => {
                bytes += i64::from(tile.unit)
            }
            _ => return None,
        }
    }
    let held = i64::from(target.l2_bytes) / OF_L2.1 * OF_L2.0;
    let threads = gates::threads(f);
    let all = threads.times(&trip).times_constant(bytes);
    let each = held / (MANY_THREADS * i64::from(target.sms));
    let all = all.plus(&threads.times_constant(each));
    (bytes > 0 && held > 0).then(|| Fact::at_least(all, held))
}

/// How long the loops of products must be, by the grid's threads.
fn products(f: &Facets, plan: &Plan, target: &Target) -> Vec<Fact> {
    let lanes = plan.merge.lanes();
    if plan.merge.along(Dim::Y) == 1 || lanes >= MOST_LANES || !plan.promotions.is_empty() {
        return Vec::new();
    }
    let strips = plan.regions.iter().filter_map(|r| r.strip);
    let in_flight = strips.filter(|s| s.depth > 1).map(|s| s.loop_);
    let sms = i64::from(target.sms);
    let ask = |l: LoopId| {
        let trip = Poly::atom(Atom::Trip(l));
        let small = f.accesses_in(l).any(|a| a.size < HALF);
        if is_launch_wide(f, &trip) && small && lanes <= FEW_LANES {
            return vec![Fact::at_least(trip, OF_BYTES)];
        }
        if !is_launch_wide(f, &trip) || !gains_alone(f, l) {
            return Vec::new();
        }
        let threads = gates::threads(f);
        if lanes > FEW_LANES {
            return vec![Fact::at_least(threads.times(&trip), WORK * sms)];
        }
        let both = threads.plus(&trip.times_constant(THREADS * sms));
        let few = Fact::at_least(both, ENOUGH * THREADS * sms);
        vec![Fact::at_least(trip, LEAST), few]
    };
    in_flight.flat_map(ask).collect()
}

/// Whether the original's loop is faster when lengthened: it only loads, and threads next to each other load side by side, or together.
pub(super) fn gains_alone(f: &Facets, l: LoopId) -> bool {
    let mut all = f.accesses_in(l);
    all.all(|a| a.kind == AccessKind::Load && a.size >= HALF && is_together(f, a))
}

/// Whether some innermost loop of the kernel loads what L1 has not: threads next to each other read what does not lie together, or the loops around
/// read something else each time.
pub fn reads_far(f: &Facets) -> bool {
    let mut all = innermost(f).flat_map(|l| f.accesses_in(l));
    all.any(|a| a.kind == AccessKind::Load && (!is_together(f, a) || !comes_again(f, a)))
}

/// Whether an access goes to the same places in every iteration of some loop around it.
fn comes_again(f: &Facets, a: &Access) -> bool {
    let Some(address) = f.affine.address(a.id) else {
        return false;
    };
    let around = f
        .node_of(a.id)
        .map_or(Vec::new(), |n| f.tree.loops_around(n));
    let mut around = around.into_iter();
    around.any(|l| !address.index.any(|x| f.affine.follows(x, l)))
}

/// Whether threads next to each other along x access what lies side by side, or the same.
fn is_together(f: &Facets, a: &Access) -> bool {
    let step = f.step_along(a.id, Dim::X).and_then(|p| p.as_constant());
    step.is_some_and(|s| s.unsigned_abs() <= u64::from(a.size))
}

/// Windows in blocks of the most threads: as many blocks that not a part of the chip waits for the others.
fn in_large_blocks(plan: &Plan, target: &Target) -> Option<Fact> {
    let slides = plan.merge.lanes() == FEW_LANES && windows::leaders_turn(plan);
    let product = |of: fn(Dim) -> Atom| {
        let all = [Dim::X, Dim::Y].map(|d| Poly::atom(of(d)));
        all[0].times(&all[1])
    };
    let sms = i64::from(target.sms);
    let blocks = product(Atom::Nctaid);
    let few = blocks.minus(&Poly::constant(sms));
    let many = blocks.minus(&Poly::constant(BLOCKS * sms));
    let largest = Poly::constant(i64::from(BLOCK_THREADS)).minus(&product(Atom::Ntid));
    let all = few.times(&many).plus(&largest.times_constant(FAR));
    slides.then(|| Fact::at_least(all, 0))
}

/// Rows that threads write through tiles: as many as a warp has threads. Of fewer most lanes of the copy have none (`row_ramp`, 16, 17 and 19 rows:
/// x0.42, x0.46, x0.89; 32: x1.44 and x1.49).
fn rows(f: &Facets, plan: &Plan) -> Option<Fact> {
    let mut tiles = plan.regions.iter().flat_map(|r| &r.tiles);
    let tile = tiles.find(|t| is_of_rows(t))?;
    let member = tile.members.iter().find(|m| m.is_store)?;
    let rows = last_row(f, member.access)?.plus(&Poly::constant(1));
    Some(Fact::at_least(rows, i64::from(WARP)))
}

/// Whether a tile is written back, and its rows are those of threads.
fn is_of_rows(tile: &Tile) -> bool {
    let of = |terms: &[(Atom, i64)], a: Atom| terms.iter().any(|(x, _)| *x == a);
    let Some((inner, outer)) = tile.dims.split_last() else {
        return false;
    };
    let along = !inner.terms.iter().any(|(a, _)| matches!(a, Atom::Tid(_)));
    let threads = outer.iter().any(|d| of(&d.terms, Atom::Tid(Dim::X)));
    !tile.write_back.is_empty() && along && threads
}

/// The last thread along x of the whole grid that comes to an access, by the ifs around it.
fn last_row(f: &Facets, a: AccessId) -> Option<Poly> {
    let id = Poly::atom(Atom::Ctaid(Dim::X)).times(&Poly::atom(Atom::Ntid(Dim::X)));
    let limits = f.affine.guards[a.index()]
        .iter()
        .filter_map(|(_, g)| match g {
            Guard::Linear {
                terms,
                sense: Sense::AtMost,
                limit,
                ..
            } if terms[..] == [(Atom::Tid(Dim::X), 1)] => Some(limit.plus(&id)),
            _ => None,
        });
    let mut known = limits.filter(|p| is_launch_wide(f, p));
    known.next()
}

/// Iterations abreast of a loop that is the longer the later a thread is: the longest has several rounds of them.
fn triangle(f: &Facets, plan: &Plan) -> Option<Fact> {
    let abreast = plan.abreast.as_ref()?;
    if !abreast.offset.is_zero() {
        return None;
    }
    let longest = longest(f, abreast.loop_)?;
    let lanes = i64::from(abreast.lanes);
    Some(Fact::at_least(longest, ROUNDS * lanes + 1))
}

/// How often a loop runs at most that runs more often in later threads or in later iterations of the loop around it. `None`: it runs equally
/// often everywhere, or that cannot be told of a launch.
pub(super) fn longest(f: &Facets, l: LoopId) -> Option<Poly> {
    let trip = f.affine.any_trip(l)?;
    let inside = f.accesses_in(l).next()?;
    let grows = |a: &Atom| matches!(a, Atom::Tid(Dim::X) | Atom::Iter(_));
    let varying: Vec<Atom> = trip.span.atoms().into_iter().filter(grows).collect();
    let [one] = varying[..] else { return None };
    let (each, _) = trip.span.split(|a| a == one)?;
    let step = trip.step.as_constant().filter(|s| *s == 1);
    step.and(each.get(&one)?.as_constant()).filter(|c| *c > 0)?;
    let most = match one {
        Atom::Iter(outer) => Poly::atom(Atom::Trip(outer)).minus(&Poly::constant(1)),
        _ => {
            let id = Poly::atom(Atom::Ctaid(Dim::X)).times(&Poly::atom(Atom::Ntid(Dim::X)));
            last_row(f, inside.id)?.minus(&id)
        }
    };
    let all = trip.span.substitute(one, &most);
    is_launch_wide(f, &all).then_some(all)
}
