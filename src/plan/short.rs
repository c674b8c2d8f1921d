//! What launches run whose windows are too short for tiles.
//!
//! ```text
//! first: 0 <= 16*trip(loop0)*trip(loop1) - ntid.x*ntid.y          a window of 3 x 3: not the versions with tiles
//! short: merge 4x1x1 blocks                                       in large grids: 4 lanes read the mask once
//! short: loop1: rounds of 4 iterations, the rest before them one by one
//! ```
//! A thread of such a launch runs a few iterations, and what it does to find its place and to walk the window takes more
//! instructions than the window itself. Lanes share that: four blocks are merged, nothing is staged, and
//! loops stay rolled, so that it costs next to no code and more than what LLVM makes of three iterations. What lanes read
//! of the image is in L1.
//!
//! Grids too small for that have the original's loops by fours, and what is left over one by one (`rounds::short`), if
//! that gains ([`gates_of_rounds`]): the original is as fast for windows of one element and in small blocks, and the host
//! launches it without tiles. Versions of merged blocks cost the launches that they turn away registers and shared memory, so that fewer
//! warps run, and the first test; and clang's code for long loops is slow where they run three times. The
//! original remains for other launches that no version serves: loops may be long there, and are as fast as they were.
//! Kernels that clamp have another way in all of these, without clamps ([`super::clear`]). With it rounds are faster than the original in nearly
//! all launches, so that they stand in for it, as long as eight iterations (`rounds::clear`): in 16x16 blocks, 3x3, 5x5, 9x9 and 17x17 on 512² x1.29,
//! x1.05, x1.22 and x1.55, on 64² x1.26, x0.99, x1.18 and x1.05; lanes on 4096² x1.73 (3x3), in 8x8 blocks x0.88, where they were x0.83.
//! But where its loop would be told to stay rolled ([`super::quiet`]), that is by as many iterations as the body for short
//! loops runs in a round, and the original goes, as those rounds have no gates: two bodies of one kind would be a sixth of the kernel (`fir`).
//!
//! Measured on an H200 in 20 KB of shared memory, without the entry's tests, against clang:
//!
//! | blocks of 16x16 | 4x1 | 2x2 | in rounds |
//! |---|---|---|---|
//! | 2x2, 3x3, 5x5, 4096² | x2.02, x2.22, x2.17 | x1.92, x2.12, x2.19 | x0.99, x1.20 |
//! | 2x2, 3x3, 768² | x1.16, x1.21 | x1.10, x1.26 | x1.06, x1.23 |
//! | 3x3, 512² | x0.81 | x0.87 | x1.16 |
//! | with clamps 1x1, 3x3, 5x5, 4096² | x1.61, x1.68, x1.36 | x1.60, x1.82, x1.53 | x0.92, x0.89, x1.31 (as clang has them) |
//! | with clamps 3x3, 768² | x1.00 | x1.13 | x1.20 |
//!
//! With the tests, which each of the blocks that end at once runs, 3x3 gains x1.88 on 4096² and x1.36 on 1024², with clamps x1.49.
//! In blocks of 8x8 3x3 gains x1.00 to x1.07 (512² to 4096²), of 32x32 x1.54 and x2.50 (1024², 4096²), without them. Along y alone lanes read lines
//! of L1 that other blocks need (3x3 x1.84, with LLVM's loops).
//!
//! NB: rows keep their original, in rounds: where blocks of 256 threads read one element each, three of four blocks that end at
//! once cost what lanes gain.

use super::first::is_launch_wide;
use super::legality::Facets;
use super::quiet::loads;
use super::{Fact, Plan, clear, extent, rounds, unstaged, windows};
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::options::Options;
use crate::target::{BLOCK_THREADS, Target};
use crate::tree::{LoopId, Node};

/// Lanes along x: they share everything but the column.
const LANES: [u32; 3] = [4, 1, 1];
/// The same for blocks inside, whose rows and columns are clamped: half of the clamps are shared both ways.
const LANES_OF_CLAMPED: [u32; 3] = [2, 2, 1];
/// Blocks that each multiprocessor must get, ended ones counted. Those end the sooner the less is tested: with the grid's threads
/// in 64 bits the tests took a fifth of a 3x3 window's time.
const BLOCKS: i64 = 24;
/// The same for clamped lanes: fewer blocks gain more in rounds (3x3 on 1024² x1.31, in lanes x1.22; in blocks of 8x8 on 512² x0.95 and x0.73),
/// but for windows of one element (x0.78 and x0.95); 8192 blocks gain more in lanes (512x4096, 3x3 x1.40 and x1.32, 1x1 x0.99 and x0.75).
const BLOCKS_OF_CLAMPED: i64 = 60;
/// Groups along a dimension in which lanes are a block apart: the last may lack some, and takes the others one after the other (2
/// blocks wide: x0.60 to x0.94).
const GROUPS: i64 = 2;
/// Threads of a block from which lanes of clamped windows gain (3x3 in 8x8 on 1024², 2048² and 4096²: x0.95, x0.92 and x0.86).
const BLOCK_OF_CLAMPED: i64 = 128;
/// Elements of a window times threads of a block from which rounds gain in two dimensions. On 64² to 2048²: 3x3 in blocks of 256
/// x0.97 to x1.25, of 1024 x1.07 to x1.22, but of 128 x0.83 to x0.99 and of 64 (512² and more) x0.57 to x0.72; 4x4 in blocks of 128
/// and more x1.03 to x1.30, of 64 x1.10 to x0.68; 2x2 in blocks of 1024 x0.98 to x1.03, of others x0.75 to x1.0; 1x1 x0.82 to x0.99.
const WORK: i64 = 2048;
/// Elements of a clamped window from which they gain: 3x3 x1.05 to x1.35, 1x1 x0.75 to x1.0.
const CLAMPED: i64 = 2;
/// Blocks for each multiprocessor up to which clamped windows gain in rounds in blocks of [`SMALL_BLOCK`] threads: tiles that they do not use
/// leave room for no more blocks (3x3 in 8x8, 256² x1.24, 512² x0.94, 2048² x0.75; 5x5 on 512² x0.70).
const SMALL_BLOCKS: i64 = 8;
const SMALL_BLOCK: i64 = 64;
/// What a thread more in a block counts against blocks in that: larger ones are always enough.
const FAR: i64 = 100_000;
/// Threads of a block up to which rows of several loads gain in rounds (on an H200 `fir` and `conv1d_taps`, of 1024: x0.92 to x1.05 of 35 launches,
/// x0.97 in the mean; of 512 and fewer x0.97 to x1.1).
const LARGEST_OF_ROWS: i64 = 512;
/// Iterations of a row of a window that are a round of four and one, which rounds gain nothing by: the original runs them as fast, or x1.03 to x1.06
/// (clamped x0.93 to x1.06 of 17 launches; not clamped, in blocks below 1024, x0.95 to x1.02 of 5).
const FIVE: i64 = 5;
/// Iterations of a loop of one load that the original runs best: eight at once, and one (mavg x0.90 to x1.04 in rounds, 7 or 11 x1.00 to x1.32).
const NINE: i64 = 9;
/// Values alive at once in the original up to which four lanes fit the registers of the versions with tiles.
const LEAN: u32 = 16;
/// Facts beside which a light kernel gains less.
const FEW_FACTS: usize = 4;

/// Sets what runs, if the first test of `plan` leaves short loops to the original. `f` is the kernel as a whole.
pub fn choose(f: &Facets, plan: &mut Plan, options: &Options) {
    if !plan.short_trips || f.kernel.pairs.is_some() {
        return;
    }
    let merged = options.merge.is_none() && windows::are_all(plan);
    // What is about blocks inside is made from clamps, as far as ifs in loops leave lanes together.
    let clamped = !f.affine.clamps.is_empty();
    let (factor, blocks) = match clamped {
        true => (LANES_OF_CLAMPED, BLOCKS_OF_CLAMPED),
        false => (LANES, BLOCKS),
    };
    let lanes = merged.then(|| together(f, factor, blocks)).flatten();
    plan.short = lanes
        .into_iter()
        .chain(in_rounds(f, plan, options))
        .collect();
    let clear = clear::find(f);
    for p in plan.short.iter_mut().filter(|_| clear.is_some()) {
        p.rounds = p.rounds.iter().map(rounds::clear).collect();
        p.clear.clone_from(&clear);
    }
    // Warps clear of clamps are faster in all launches, and the others no slower.
    let has_short = plan.short.last().is_some_and(|p| !p.rounds.is_empty());
    plan.short_alone = clear.is_some() && has_short;
}

/// The original with its short loops in rounds.
fn in_rounds(f: &Facets, plan: &Plan, options: &Options) -> Option<Plan> {
    if options.rounds == Some(1) {
        return None;
    }
    let told = |l: &LoopId| {
        plan.first.iter().any(|g| match g {
            Fact::InRange { poly, .. } => poly.any(|a| a == Atom::Trip(*l)),
            _ => false,
        })
    };
    let loops = (0..f.tree.loops.len() as u32).map(LoopId);
    let rounds: Vec<_> = loops
        .filter(told)
        .filter_map(|l| rounds::short(f, l))
        .collect();
    (!rounds.is_empty()).then(|| Plan {
        host: gates_of_rounds(f),
        rounds,
        ..Plan::default()
    })
}

/// What launches gain by rounds; to others the host gives the original, which is as fast or faster. It is asked of the host alone: in the
/// kernel rounds stand in for the original.
fn gates_of_rounds(f: &Facets) -> Vec<Fact> {
    let all = (0..f.tree.loops.len() as u32).map(LoopId);
    let loops: Vec<LoopId> = all.collect();
    let trips = || loops.iter().map(|l| Poly::atom(Atom::Trip(*l)));
    if !trips().all(|t| is_launch_wide(f, &t)) {
        return Vec::new();
    }
    let [_, y, z] = extent::thread_dimensions(f.affine);
    match (&loops[..], y && !z) {
        ([_, row], true) => {
            let elements = trips().fold(Poly::constant(1), |p, t| p.times(&t));
            gates_of_squares(f, &elements, &Poly::atom(Atom::Trip(*row)))
        }
        ([l], false) if !y && !z && loads(f, *l) > 1 => {
            let block = Poly::atom(Atom::Ntid(Dim::X));
            let small = Poly::constant(LARGEST_OF_ROWS).minus(&block);
            vec![Fact::at_least(small, 0)]
        }
        ([l], false) if !y && !z && loads(f, *l) == 1 => {
            vec![Fact::at_least(
                below_at(&Poly::atom(Atom::Trip(*l)), NINE),
                0,
            )]
        }
        _ => Vec::new(),
    }
}

/// A number that is below zero where `p` is `n`, and nowhere else.
fn below_at(p: &Poly, n: i64) -> Poly {
    let near = p.minus(&Poly::constant(n - 1));
    near.times(&p.minus(&Poly::constant(n + 1)))
}

/// The same for windows of two dimensions, whose rows have `row` elements.
fn gates_of_squares(f: &Facets, elements: &Poly, row: &Poly) -> Vec<Fact> {
    let block = Poly::atom(Atom::Ntid(Dim::X)).times(&Poly::atom(Atom::Ntid(Dim::Y)));
    let five = below_at(row, FIVE);
    if f.affine.clamps.is_empty() {
        let work = elements.times(&block).minus(&Poly::constant(WORK));
        // Of five elements, in the largest blocks alone.
        let five = five.times_constant(i64::from(BLOCK_THREADS)).plus(&block);
        return vec![Fact::at_least(work, 0), Fact::at_least(five, 0)];
    }
    let Some(target) = Target::of_sm(f.kernel.sm) else {
        return Vec::new();
    };
    let more = block.minus(&Poly::constant(SMALL_BLOCK));
    let few = Poly::constant(SMALL_BLOCKS * i64::from(target.sms));
    let few = few.plus(&more.times_constant(FAR)).minus(&blocks());
    let large = Fact::at_least(elements.clone(), CLAMPED);
    vec![large, Fact::at_least(few, 0), Fact::at_least(five, 0)]
}

/// The grid's blocks.
fn blocks() -> Poly {
    Poly::atom(Atom::Nctaid(Dim::X)).times(&Poly::atom(Atom::Nctaid(Dim::Y)))
}

/// Lanes without tiles in grids of so many blocks for `each` multiprocessor, where all of them run each loop equally often and store to places of their own.
fn together(f: &Facets, factor: [u32; 3], each: i64) -> Option<Plan> {
    let [_, y, z] = extent::thread_dimensions(f.affine);
    let target = Target::of_sm(f.kernel.sm)?;
    let joint = |l| f.affine.uniform_trip(LoopId(l)).is_some();
    let opaque = |n: &Node| matches!(n, Node::Opaque { .. });
    if !y
        || z
        || f.kernel.pressure > LEAN
        || !(0..f.tree.loops.len() as u32).all(joint)
        || f.tree.nodes.iter().any(opaque)
        || !unstaged::is_out_of_place(f)
    {
        return None;
    }
    let mut plan = unstaged::version(f, factor).ok()?;
    let ifs = f.tree.nodes.iter().filter(|n| matches!(n, Node::If { .. }));
    let lanes = plan.together.as_mut()?;
    lanes.rolled = true;
    if ifs.count() != lanes.guards.len()
        || plan.facts.len() > FEW_FACTS
        || !unstaged::stores_apart(f, plan.merge)
    {
        return None;
    }
    let all = Fact::at_least(blocks(), each * i64::from(target.sms));
    let apart = |d: &Dim| plan.merge.along(*d) > 1 && !plan.merge.consecutive[d.index()];
    let merged = Dim::ALL.into_iter().filter(apart);
    let groups = merged.map(|d| {
        let least = GROUPS * i64::from(plan.merge.along(d));
        Fact::at_least(Poly::atom(Atom::Nctaid(d)), least)
    });
    plan.gates = std::iter::once(all).chain(groups).collect();
    if !f.affine.clamps.is_empty() {
        let block = Poly::atom(Atom::Ntid(Dim::X)).times(&Poly::atom(Atom::Ntid(Dim::Y)));
        plan.host.push(Fact::at_least(block, BLOCK_OF_CLAMPED));
    }
    Some(plan)
}
