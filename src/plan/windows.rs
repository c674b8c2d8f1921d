//! Versions for kernels whose threads read sliding windows: moving averages, convolutions, filters.
//!
//! Staging a window saves little where L1 holds it anyway; merged blocks whose reads slide
//! (`plan::slide`) read the tile once per iteration for all lanes. So where plain staging is not sure
//! to pay, blocks are merged only if all that a loop reads comes from tiles and slides.
//!
//! Measured on an H200 against the naive kernel: convolution 17x17, 4096², 16x16 threads, 8 blocks
//! along x x4.88, 4 blocks x4.3; 1024² x3.4 and x3.3; 512² x1.9 and x2.4; 64² x1.2 and x1.7. Moving
//! average, 2^24, 4 blocks: radius 64 x2.57, 16 x1.5; 2048 elements x1.4. The same for blocks inside
//! (`affine::inside`): convolution with clamps x4.8, with tests in the loop x3.2 (31 taps in constant
//! memory), moving average with tests x4.8.
//!
//! For rows the blocks that end at once decide: three of four do, and every instruction before that
//! counts. Eight blocks in place of four gain nothing there, nor do gaps in the tile that keep reads of
//! neighbouring threads in different banks (radius 64: x2.50, with gaps x2.30).

use super::first::is_launch_wide;
use super::legality::Facets;
use super::merge::NoMerge;
use super::model::{self, Shape};
use super::quiet::loads;
use super::{Fact, Member, Plan, Region, gates, slide::Slide};
use crate::access::{Access, AccessId, AccessKind, Base};
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::target::Target;
use crate::tree::{LoopId, Node};

/// Lanes along x in large grids of blocks of two dimensions: two thirds of the instructions that four take, by output,
/// and with 32 registers two words spilled once. Blocks inside gain little by them, and their code is long.
const MANY_LANES: [u32; 3] = [8, 1, 1];
/// Lanes along x. Windows that slide along columns gain where they are long alone (33 rows: x0.8 to
/// x1.37, 9 rows: x0.75), and are left alone.
const LANES: [u32; 3] = [4, 1, 1];
/// Lanes for blocks of two dimensions where four do not fit the tiles (32x32), and for smaller grids.
const FEWER_LANES: [u32; 3] = [2, 1, 1];
/// Bytes of tiles for blocks that are rows: 17 blocks fit a multiprocessor.
const ROW_BYTES: u32 = 12 * 1024;
/// For blocks of two dimensions. Launches that no version serves keep all their warps only if eight blocks of 256 threads
/// fit a multiprocessor, on sm_80 as well: a convolution of 3x3 in 30 KiB and 48 registers, where five fit, measured x0.67 to
/// x0.86. 17x17 elements fit around 16x16 and 32x8 threads, 4 blocks merged, and around 32x32, 2 merged.
const SQUARE_BYTES: u32 = 19968;
/// The same where a multiprocessor has so much shared memory: 17x17 elements fit around 16x16 threads, 8 blocks merged. More
/// would fit eight times, but leaves L1 little, where short windows live (3x3 in 28 KB, 4096²: x1.34, in 20 KB x1.84).
const LARGE_SQUARE_BYTES: u32 = 20480;
/// Blocks of 256 threads that have all of a multiprocessor's warps.
const ALL_WARPS: u32 = 8;

/// Elements of a window from which it gains. Rows of public one-dimensional convolutions with up to 9 taps
/// measured x0.74 to x0.84 served, 33 taps (mavg) x1.5; windows of 2x2 x0.57 to x0.86, of 3x3 x0.71 to x1.22, in blocks of
/// 8x8 threads x0.92 and without tiles x1.0 (`plan::short`).
const SHORTEST: i64 = 16;
/// What a column of a block pays for its tile, in elements of windows: for each of its rows, for each row that the window has more, and
/// for each column, twice. A block of few rows copies most of its tile's rows for others, and a wide one waits for them longer. Without tiles, 4x4
/// gains more in all blocks (16x16, 512²: x0.83 in tiles, x1.15 without, 4096²: x1.33 and x1.76), 5x5 in 64x4 (300²: x0.84 and x0.99) but not in
/// 8x4 (300²: x0.99 and x0.58), 7x7 in 256x1 (512²: x0.77 and x1.31, 64 columns x0.30 and x1.00), 5x5 and more in 32x8 and 16x16 alike.
const BY_ROW: i64 = 34;
const BY_ROW_BEYOND: i64 = 14;
const BY_COLUMN: i64 = 1;
/// Threads of a block of two dimensions up to which that holds. Larger ones fill a multiprocessor less often, and take
/// larger windows.
const USUAL_BLOCK: i64 = 256;
/// What a grid's threads times the square of a window's elements are from which small grids gain, with four blocks of
/// two dimensions merged (16x16 threads): 4x4 on 512² (67 million) x1.04, 7x7 on 256² (157 million) x1.08, 17x17 on
/// 64² (342 million) x1.77; but 4x4 on 256² (17 million) x0.91, 5x5 there (41 million) x0.96, with two merged x1.03.
const SMALL_GRID: i64 = 60_000_000;

/// The same for blocks inside, whose tests take longer, whatever the lanes: 5x5 on 512² (164 million) x0.81 to x0.89, 7x7 on 64²
/// (10 million) x0.90, there on 512² (629 million) x1.04, 17x17 on 64² x1.12.
const SMALL_GRID_INSIDE: i64 = 300_000_000;

/// Threads times elements from which rows of one load gain: where few blocks lead, a multiprocessor has one or two of them and
/// waits for their tiles (mavg, blocks of 256: 21 elements on 524288 x0.95, on 1048576 x1.06; 49 on 300000 x0.88, on 524288 x1.15; 65 on
/// 270336 x0.82, on 524288 x1.27). Blocks of 64 gain from fewer on (x1.07 to x1.20), and nearly as much without tiles. As a test at the entry
/// it costs large launches 4 to 7% (x2.60 to x2.49).
const ROW_WORK: i64 = 24_000_000;
/// The same for rows of several loads, of which lanes share one (conv1d_taps, 21 elements on 313952 x0.78; 16 to 42 on 1001209 and more x1.07 to x1.7).
const ROW_WORK_OF_TWO: i64 = 10_000_000;

/// What makes a version with some blocks merged, given the bytes it may take.
pub type Merged<'a> = dyn Fn([u32; 3], u32) -> Result<Plan, NoMerge> + 'a;

/// The versions that the model expects to gain, best first for large grids; none if there are none. In
/// blocks of two dimensions they serve smaller grids too, which gain as well, because the lanes'
/// sums do not wait for each other. Rows need large ones: in smaller ones the leaders fill a part of the
/// chip (`lower::entry`). Short windows gain in no grid, but have a body of their own (`plan::short`).
///
/// Eight blocks merged gain more in large grids (4096², 16x16 threads, 17x17: x4.7 in place of x4.2, 5x5: x2.4 and x2.0), less in
/// others (1024², 17x17: x3.0 and x3.2), and with 40 registers more (x5.1), which cost short windows in small grids warps.
pub fn versions(f: &Facets, target: &Target, reads: [bool; 3], merged: &Merged) -> Vec<Plan> {
    let square = reads[1] || reads[2];
    let large = LARGE_SQUARE_BYTES + target.shared_reserved;
    let has_room = ALL_WARPS * large <= target.shared_per_sm;
    let budget = match square {
        true if has_room => LARGE_SQUARE_BYTES,
        true => SQUARE_BYTES,
        false => ROW_BYTES,
    };
    let slid = |factor| merged(factor, budget).ok().filter(|p| slides(f, p));
    let Some(small) = slid(LANES) else {
        return Vec::new();
    };
    if !model::verdict(&model::forecast(f, &small, target, Shape::of(&small))) {
        return Vec::new();
    }
    let loops = loops_of(f, &small);
    if longest(f, &loops).is_some_and(|n| n < SHORTEST) {
        return Vec::new();
    }
    let trips = loops.iter().map(|l| Poly::atom(Atom::Trip(*l)));
    let elements = trips.fold(Poly::constant(1), |p, t| p.times(&t));
    // Where the iteration of one loop, or the block, decides how long another one is, no launch tells how many there are.
    if !is_launch_wide(f, &elements) {
        return Vec::new();
    }
    if !square {
        let small = gates::for_large_grids(f, small, target, None);
        let mut small = gates::with_ids_of_grid(small, Dim::X);
        if !f.affine.inside {
            let one = loops.iter().all(|l| loads(f, *l) == 1);
            let work = gates::threads(f).times(&elements);
            let least = if one { ROW_WORK } else { ROW_WORK_OF_TWO };
            small.host.push(Fact::at_least(work, least));
        }
        return vec![at_least(small, elements, SHORTEST)];
    }
    let by_rows = by_rows(f, &small, &elements);
    of_squares(
        f,
        target,
        (reads, elements, by_rows),
        (small, budget),
        &slid,
    )
}

/// The versions for blocks of two dimensions, by how many `elements` a window has; `slid` makes one, `small` is that of four lanes.
fn of_squares(
    f: &Facets,
    target: &Target,
    (reads, elements, by_rows): ([bool; 3], Poly, Option<Poly>),
    (small, budget): (Plan, u32),
    slid: &dyn Fn([u32; 3]) -> Option<Plan>,
) -> Vec<Plan> {
    let block = Dim::ALL.into_iter().filter(|d| reads[d.index()]);
    let block = block.fold(Poly::constant(1), |p, d| {
        p.times(&Poly::atom(Atom::Ntid(d)))
    });
    let inside = f.affine.inside;
    let by_block = elements
        .times_constant(USUAL_BLOCK / SHORTEST)
        .minus(&block);
    let narrow = |p: Plan| {
        let lanes = i64::from(p.merge.along(Dim::X));
        at_least(p, Poly::atom(Atom::Nctaid(Dim::X)), lanes)
    };
    // Small blocks fill a multiprocessor less often with tiles than without, and clamped windows without tiles suffer more from
    // that than by tiles: 3x3 in blocks of 8x8, 4096², x0.53 and x0.82.
    let long = |p| {
        let mut p = at_least(narrow(p), by_block.clone(), 0);
        if let Some(enough) = &by_rows {
            p = at_least(p, enough.clone(), 0);
        }
        match inside || by_rows.is_some() {
            true => p,
            false => at_least(p, elements.clone(), SHORTEST),
        }
    };
    let threads = gates::threads(f);
    let all = threads.times(&elements).times(&elements);
    let mut versions = Vec::new();
    if !inside && let Some(p) = slid(MANY_LANES) {
        let lanes = i64::from(p.merge.lanes());
        let all_threads = i64::from(target.sms * target.threads_per_sm);
        let p = with_room(f, long(p), budget);
        versions.push(at_least(p, threads, lanes * all_threads));
    }
    let least = if inside {
        SMALL_GRID_INSIDE
    } else {
        SMALL_GRID
    };
    versions.push(at_least(long(small), all.clone(), least));
    if let Some(p) = slid(FEWER_LANES) {
        let p = long(p);
        versions.push(if inside { at_least(p, all, least) } else { p });
    }
    versions
}

/// Adds a gate: what takes most of the tiles' room fits. Where it does not another version is asked, and most blocks end at once
/// behind that: they had better not test everything twice (17x17 in blocks of 32x8: x3.67, with this x3.90).
fn with_room(f: &Facets, mut plan: Plan, budget: u32) -> Plan {
    let room = |f: &&Fact| matches!(f, Fact::InRange { hi, .. } if *hi == i64::from(budget));
    let Some(Fact::InRange { poly, .. }) = plan.facts.iter().find(room) else {
        return plan;
    };
    let products = || poly.terms().filter(|(m, _)| m.len() > 1);
    let most = products().map(|(_, c)| c).max().unwrap_or(1);
    let mut large = Poly::default();
    for (m, _) in products().filter(|(_, c)| *c == most) {
        large.add_term(m.clone(), 1);
    }
    if !is_launch_wide(f, &large) {
        return plan;
    }
    let hi = i64::from(budget) / most.max(1);
    plan.gates.push(Fact::InRange {
        poly: large,
        lo: i64::MIN,
        hi,
    });
    plan
}

/// The elements of a column's windows, twice, less what it pays for its tile: [`BY_ROW`] and what follows it. `None` where a
/// window's rows are those of no loop, or no launch tells how many there are.
fn by_rows(f: &Facets, plan: &Plan, elements: &Poly) -> Option<Poly> {
    let tiles = plan.regions.iter().flat_map(|r| &r.tiles);
    let dims = tiles.flat_map(|t| &t.dims);
    let row = Atom::Tid(Dim::Y);
    let loop_of = |terms: &[(Atom, i64)]| match terms {
        [(a, 1), (Atom::Iter(l), 1)] | [(Atom::Iter(l), 1), (a, 1)] if *a == row => Some(*l),
        _ => None,
    };
    let l = dims.filter_map(|d| loop_of(&d.terms)).next()?;
    let trip = Poly::atom(Atom::Trip(l));
    let told = is_launch_wide(f, &trip).then_some(trip)?;
    let rows = Poly::atom(Atom::Ntid(Dim::Y));
    let beyond = told.minus(&Poly::constant(1));
    let columns = Poly::atom(Atom::Ntid(Dim::X)).times_constant(BY_COLUMN);
    let pays = rows.times_constant(BY_ROW).plus(&columns);
    let pays = pays.plus(&beyond.times_constant(BY_ROW_BEYOND));
    Some(elements.times(&rows).times_constant(2).minus(&pays))
}

/// Adds a gate: `least <= poly`.
fn at_least(mut plan: Plan, poly: Poly, least: i64) -> Plan {
    plan.gates.push(Fact::at_least(poly, least));
    plan
}

/// The loops around a member, which run through the window.
fn loops_of(f: &Facets, plan: &Plan) -> Vec<LoopId> {
    let tiles = plan.regions.iter().flat_map(|r| &r.tiles);
    let mut members = tiles.flat_map(|t| &t.members);
    let node = members.find_map(|m| f.node_of(m.access));
    node.map_or(Vec::new(), |n| f.tree.loops_around(n))
}

/// The most elements that a window can have, where each of its loops walks through an array of known size: a mask in
/// constant memory, say. Nothing rests on it: other iterations would read beyond the array's end.
fn longest(f: &Facets, loops: &[LoopId]) -> Option<i64> {
    let module = f.kernel.function.module();
    let within = |l: LoopId, a: &Access| {
        let index = &f.affine.address(a.id)?.index;
        let (each, _) = index.split(|x| x == Atom::Iter(l))?;
        let step = each.get(&Atom::Iter(l))?.as_constant()?.checked_abs()?;
        let base = f.kernel.value(f.accesses.array(a.array?).base);
        let (root, _) = base.parameter_offset(module)?;
        let bytes = root
            .is_global_variable()
            .then(|| module.alloc_size(root.global_value_type()))?;
        let bytes = i64::try_from(bytes).ok().filter(|b| *b > 0)?;
        (step > 0).then(|| bytes.div_euclid(step) + 1)
    };
    let most = |l: &LoopId| {
        let mine = f.accesses_in(*l);
        mine.filter_map(|a| within(*l, a)).min()
    };
    loops
        .iter()
        .map(most)
        .try_fold(1i64, |all, n| all.checked_mul(n?))
        .filter(|_| !loops.is_empty())
}

/// Whether all versions of a plan are of windows: all that they read of tiles slides.
pub fn are_all(plan: &Plan) -> bool {
    let mut versions = std::iter::once(plan).chain(&plan.alternatives);
    versions.all(|p| {
        let mut members = p
            .regions
            .iter()
            .flat_map(|r| &r.tiles)
            .flat_map(|t| &t.members);
        !p.regions.is_empty() && members.all(|m| m.slide.is_some())
    })
}

/// Whether leaders take turns: where windows slide in blocks of two dimensions, which serve grids of
/// all sizes. In rows every instruction of the entry counts (mavg, radius 16: x1.41 with it, x1.50
/// without), and small grids keep the original.
pub fn leaders_turn(plan: &Plan) -> bool {
    let tiles = plan.regions.iter().flat_map(|r| &r.tiles);
    let mut terms = tiles.flat_map(|t| &t.dims).flat_map(|d| &d.terms);
    plan.merge.lanes() > 1
        && plan.regions.iter().any(|r| r.bulk)
        && terms.any(|(a, _)| matches!(a, Atom::Tid(Dim::Y | Dim::Z)))
}

/// Whether all that the innermost loops of a plan's regions read comes from tiles and slides, and
/// some of it from lane to lane.
pub fn slides(f: &Facets, plan: &Plan) -> bool {
    let members = || {
        let tiles = plan.regions.iter().flat_map(|r| &r.tiles);
        tiles.flat_map(|t| &t.members)
    };
    let of = |a: AccessId| members().find(|m| m.access == a).and_then(|m| m.slide);
    let is_along = |s: &Slide| s.along.is_some();
    let whole = |r: &Region| r.strip.is_none();
    let inner = |l: &LoopId| {
        let body = f.tree.loop_(*l).body;
        let holds = f.tree.loops.iter().any(|x| f.tree.contains(body, x.node));
        let node = f.tree.loop_(*l).node;
        !holds && plan.regions.iter().any(|r| f.tree.contains(r.node, node))
    };
    let fine = |l: LoopId| {
        let inside = f.accesses_in(l);
        // Constant memory serves all lanes at once.
        let constant = |a: &&Access| {
            let origin = a.array.map(|x| f.accesses.array(x).origin);
            origin == Some(Base::Constant)
        };
        let mut loads = inside.filter(|a| !constant(a));
        let slides = |a: &Access| of(a.id).filter(|_| a.kind == AccessKind::Load);
        let all: Option<Vec<Slide>> = loads.by_ref().map(slides).collect();
        all.is_some_and(|s| s.iter().any(is_along))
    };
    let loops = (0..f.tree.loops.len() as u32).map(LoopId).filter(inner);
    let loops: Vec<LoopId> = loops.collect();
    let in_loop = |m: &Member| {
        let node = f.node_of(m.access);
        node.is_some_and(|n| {
            loops
                .iter()
                .any(|l| f.tree.contains(f.tree.loop_(*l).node, n))
        })
    };
    plan.regions.iter().all(whole)
        && plan
            .regions
            .iter()
            .all(|r| matches!(f.tree.node(r.node), Node::Loop(_)))
        && !loops.is_empty()
        && loops.iter().all(|l| fine(*l))
        && members().all(in_loop)
        && Dim::ALL
            .iter()
            .all(|d| plan.merge.along(*d) == 1 || plan.merge.consecutive[d.index()])
}
