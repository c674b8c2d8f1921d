//! How large or small a grid a version with merged blocks is for: gates, which need not hold, and facts.

use super::legality::Facets;
use super::{Fact, Plan};
use crate::affine::{Atom, Poly};
use crate::kernel::{Dim, ids};
use crate::target::{BLOCK_THREADS, Target};
use crate::tree::LoopId;

/// Threads that each multiprocessor must still get.
const THREADS_LEFT: i64 = 512;
/// The same where the grid's first blocks lead: they are on different multiprocessors (`mm_early` 512, 8 lanes against
/// 2: x3.1 and x2.5; `mm_double` 512x1024: x2.5 and x1.7).
const THREADS_OF_HEADS: i64 = 230;
/// Lanes that must have more.
const MANY_LANES: u32 = 16;
/// Threads for versions of [`MANY_LANES`]: with fewer, half as many lanes hide more latency (the product
/// of 1023 on an H200: x3.4 against x2.3 to x2.6).
const MANY_THREADS_LEFT: i64 = 768;
/// The blocks that those numbers are about.
const USUAL_BLOCK: i64 = 256;
/// What a block counts beside its threads where blocks are merged in two dimensions: small ones, of which more
/// lanes share what a block reads, gain from fewer threads on, large ones from more. In blocks of 8x8 half as many
/// are enough (`mm_early` on an H200, 16 lanes against 8: 1023, x3.0 and x2.4; 1000, x4.0 and x3.4; 8 against 2:
/// 512, x2.9 and x2.6).
const BLOCK_COUNTS: i64 = 192;
/// The same where the grid's first blocks lead (512 in blocks of 32x32, 8 lanes against 2: x1.2 and x1.7).
const HEAD_COUNTS: i64 = 768;
/// Threads of a block that leave a multiprocessor idle much of the time: half as many blocks take no
/// longer, however few they are. Larger ones must be enough (128, 32x32: x0.88).
const SMALL_BLOCK: i64 = 256;

/// The grid's threads, as far as it extends in the dimensions that the kernel asks for.
pub fn threads(f: &Facets) -> Poly {
    let used = ids::dimensions(f.kernel);
    let mut threads = Poly::constant(1);
    for d in Dim::ALL.into_iter().filter(|d| used[d.index()]) {
        threads = threads.times(&Poly::atom(Atom::Ntid(d)));
        threads = threads.times(&Poly::atom(Atom::Nctaid(d)));
    }
    threads
}

/// Adds that the grid fills the chip although most of its blocks end at once, as far as it extends in
/// the dimensions that the kernel asks for.
pub fn for_large_grids(
    f: &Facets,
    plan: Plan,
    target: &Target,
    least_trip: Option<(LoopId, i64)>,
) -> Plan {
    let mut plan = with_least_trip(plan, least_trip);
    let used = ids::dimensions(f.kernel);
    let mut threads = threads(f);
    let lanes = i64::from(plan.merge.lanes());
    let many = plan.merge.lanes() == MANY_LANES;
    let left = if many {
        MANY_THREADS_LEFT
    } else if plan.heads {
        THREADS_OF_HEADS
    } else {
        THREADS_LEFT
    };
    let counts = if plan.heads {
        HEAD_COUNTS
    } else {
        BLOCK_COUNTS
    };
    // Along a dimension with fewer blocks than are merged, most lanes would have nothing to do (a product
    // 64 wide, blocks of 32x8: x1.45 with four blocks merged along x). Of one dimension the threads tell.
    let several = used.iter().filter(|u| **u).count() > 1;
    let merged = |d: &Dim| plan.merge.along(*d) > 1 && several;
    let merged: Vec<Dim> = Dim::ALL.into_iter().filter(merged).collect();
    let mut least = lanes * i64::from(target.sms) * left;
    if merged.len() > 1 {
        let along = Dim::ALL.into_iter().filter(|d| used[d.index()]);
        let blocks = along.map(|d| Poly::atom(Atom::Nctaid(d)));
        let blocks = blocks.fold(Poly::constant(counts), |p, b| p.times(&b));
        threads = threads.plus(&blocks);
        least += least / USUAL_BLOCK * counts;
    }
    for d in merged {
        let blocks = (i64::from(plan.merge.along(d)) * 3).div_euclid(4).max(2);
        (plan.gates).push(Fact::at_least(Poly::atom(Atom::Nctaid(d)), blocks));
    }
    plan.gates.push(Fact::at_least(threads, least));
    plan
}

/// Adds that the grid has as many blocks as may be halved, or blocks so small that it does not matter: none
/// of more than [`SMALL_BLOCK`] threads where there are few, any where there is one for each multiprocessor.
pub fn for_small_grids(plan: Plan, target: &Target, least_trip: Option<(LoopId, i64)>) -> Plan {
    let mut plan = with_least_trip(plan, least_trip);
    let product = |of: fn(Dim) -> Atom| {
        let all = Dim::ALL.map(|d| Poly::atom(of(d)));
        all.iter().fold(Poly::constant(1), |p, a| p.times(a))
    };
    let enough = i64::from(target.sms);
    let threads = product(Atom::Ntid).times_constant(enough);
    let blocks = product(Atom::Nctaid).times_constant(i64::from(BLOCK_THREADS) - SMALL_BLOCK);
    let fact = Fact::InRange {
        poly: threads.minus(&blocks),
        lo: i64::MIN,
        hi: SMALL_BLOCK * enough,
    };
    plan.facts.insert(0, fact);
    plan
}

/// Tests the grid's threads along `d` both ways in place of the group's ids, where they are all that the
/// grid's size is told by: no id is beyond the last thread but those of lanes that are not there.
pub fn with_ids_of_grid(mut plan: Plan, d: Dim) -> Plan {
    let id = Poly::atom(Atom::Ctaid(d)).times(&Poly::atom(Atom::Ntid(d)));
    let id = id.plus(&Poly::atom(Atom::Tid(d)));
    let threads = Poly::atom(Atom::Ntid(d)).times(&Poly::atom(Atom::Nctaid(d)));
    let narrow = |f: &Fact| {
        let Fact::InRange { poly, lo, hi } = f else {
            return false;
        };
        *poly == id && (*lo, *hi) == (i64::from(i32::MIN), i64::from(i32::MAX))
    };
    let told = |g: &Fact| matches!(g, Fact::InRange { poly, .. } if *poly == threads);
    let (Some(at), Some(gate)) = (
        plan.facts.iter().position(narrow),
        plan.gates.iter().position(told),
    ) else {
        return plan;
    };
    if let Fact::InRange { poly, lo, .. } = plan.gates.remove(gate) {
        let beyond = i64::from(plan.merge.along(d)) * i64::from(BLOCK_THREADS);
        let hi = i64::from(i32::MAX) - beyond;
        plan.facts[at] = Fact::InRange { poly, lo, hi };
    }
    plan
}

/// Adds that a loop runs so often, where the model asks for it.
pub fn with_least_trip(mut plan: Plan, least_trip: Option<(LoopId, i64)>) -> Plan {
    if let Some((l, n)) = least_trip {
        let fact = Fact::InRange {
            poly: Poly::atom(Atom::Trip(l)),
            lo: n,
            hi: i64::from(i32::MAX),
        };
        if !plan.facts.contains(&fact) {
            plan.facts.push(fact);
        }
    }
    plan
}
