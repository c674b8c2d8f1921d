//! What the model says of launches before anything was measured.
//!
//! ```text
//! pays:  528 <= nctaid.x*nctaid.y                   of fewer, four of which are one, some multiprocessors get none
//! pays:  1048576 <= ntid.x*ntid.y*nctaid.x*nctaid.y fewer threads are over too soon
//! pays:  32 <= trip(loop0)                          shorter loops do not repay the first strips
//! pays:  8 <= ntid.x <= 64                          in narrower and wider blocks the model expects less
//! pays:  0 <= 2*n - ntid.x*nctaid.x                 at most half of the threads have nothing to do
//! large: 90000000 <= ntid.x*nctaid.x*ntid.y*nctaid.y*trip(loop0)          0.4 ms
//! ```
//! Which version a launch runs is measured. Until then a launch that is large and surely gains may run the version at
//! once, and a kernel that holds its version itself, which nobody measures, runs it where the model is sure.
//!
//! Sure is the model where it predicts enough in a launch like the typical one and in every larger one, in blocks that
//! are not much narrower, wider, smaller or larger. So four numbers are varied: blocks, iterations of loops whose
//! length the host can tell, and the block's threads, each by itself, and the block's rows, in the smallest blocks as
//! well. How far each may go is asked. Nothing rests on it.

use super::analyses::{Analyses, is_launch_wide};
use super::data::{Fact, LockstepPlan, Plan};
use super::extent::{self, MaxBlock};
use super::model::{self, Launch, Shape};
use crate::affine::{Atom, Poly};
use crate::kernel::{Dim, ids};
use crate::machine::target::{SECTOR, Target, WARP};
use crate::machine::tuning::forecast::MARGIN;
use crate::machine::tuning::prior::{EVEN, FEW, HALVINGS, LARGE_US, LONE, SHAPES, SHORTER, SURE};
use crate::options::Options;
use crate::tree::{LoopId, Node, OpaqueReason};

/// Bytes that can be copied asynchronously, at least.
const WORD: i64 = 4;

/// What launches meet of which the model is sure that `plan` gains; none: it is sure of no launch, or knows nothing of
/// such plans: how iterations wait for each other, how long reuse that loops carry takes, what blocks wait for at
/// barriers of their own, how much of what is copied is read under a condition on data, how long loops run that are
/// left from several places, and how many updates are of cells that leaders hold, if not all are.
pub fn pays(f: &Analyses, plan: &Plan, options: &Options) -> Vec<Fact> {
    let measured = options.host == Some(true);
    let unknown = is_unknown(f, plan, measured);
    let target = Target::of_sm(f.kernel.sm).filter(|_| !plan.is_idle() && !unknown);
    let Some(target) = target else {
        return Vec::new();
    };
    let gain = if measured { SURE } else { MARGIN };
    let of_copy = gain_of_copy(f);
    // What a thread of such a copy waits for, iterations may not: without tiles it may gain what the kernel has.
    let is_more = of_copy.is_some_and(|g| g >= SURE) || !plan.regions.is_empty();
    if measured && f.kernel.is_spread && !is_more {
        return vec![never()];
    }
    let gain = gain / of_copy.unwrap_or(1.0);
    let open_loops: Vec<LoopId> = nest(f).into_iter().filter(|l| is_open(f, *l)).collect();
    let typical = typical(f);
    let sure = |launches: Vec<Launch>| sure(f, plan, target, gain, launches);
    let halved = |of: &dyn Fn(i32) -> Launch| (0..HALVINGS).map(of).collect::<Vec<Launch>>();
    let shorter = sure(halved(&|k| with_trips(&typical, &open_loops, k)));
    // The longest loops that tiles hold, in fewer and fewer blocks.
    let smaller = shorter.first();
    let smaller = smaller.map(|long| sure(halved(&|k| with_blocks(long, k))));
    let smaller = smaller.and_then(|all| all.last().cloned());
    let (Some(shortest), Some(smallest)) = (shorter.last(), smaller) else {
        return vec![never()];
    };
    let mut all = vec![Fact::at_least(
        elements(f),
        elements_of(f, &smallest) as i64,
    )];
    let replicas = plan.merge.replicas();
    // A grid whose blocks do all of it in steps has as many of them as gain.
    if (replicas > 1 || f.kernel.is_cut) && plan.steps().is_none() {
        // No multiprocessor is left without a block, or with one of a triangle alone.
        let used = ids::dimensions(f.kernel);
        let along = Dim::ALL.into_iter().filter(|d| used[d.index()]);
        let blocks = along.map(|d| Poly::atom(Atom::Nctaid(d)));
        let each = replicas * if f.kernel.is_cut { EVEN } else { 1 };
        all.push(Fact::at_least(
            Poly::product(blocks),
            i64::from(each * target.sms),
        ));
    }
    if !open_loops.is_empty() {
        let trips: f64 = open_loops.iter().map(|l| shortest.trip(*l)).product();
        let iterations = open_loops.iter().map(|l| Poly::atom(Atom::Trip(*l)));
        let least = if measured { FEW } else { 1 };
        let trips = least.max(trips as i64);
        all.push(Fact::at_least(Poly::product(iterations), trips));
    }
    all.extend(by_words(f, plan));
    if measured {
        all.extend(by_limits(f));
        all.extend(by_shape(f, &shorter[0], &sure));
    }
    all
}

/// Whether the model knows nothing of such a plan.
fn is_unknown(f: &Analyses, plan: &Plan, measured: bool) -> bool {
    let waits = plan.unrolls() || plan.unroll_jam().is_some() || plan.has_scalars_only();
    let keeps = |t: &LockstepPlan| t.keeps_barriers() || t.streamed.is_some();
    let keeps = plan.lockstep().is_some_and(keeps);
    let ends = |why: OpaqueReason| why == OpaqueReason::SeveralExits;
    let is_left_early = |n: &Node| matches!(n, Node::Opaque { why, .. } if ends(*why));
    let leaves_others = || plan.steps().is_some_and(|s| s.updates().may_be_others);
    let by_data = || f.tree.nodes.iter().any(is_left_early) || leaves_others();
    let of_host = plan.facts().any(Fact::is_of_host);
    waits || keeps || of_host || measured && (plan.reuses() || by_data())
}

/// Grids of which at most half lies beyond the limits that threads' numbers are compared with, one along each
/// dimension: the model takes all threads to work.
fn by_limits(f: &Analyses) -> Vec<Fact> {
    let guards = f.affine.guards.iter().flatten();
    let tested = guards.filter_map(|(_, g)| Some(g.not_negative()?.0));
    let tested: Vec<Poly> = tested.collect();
    let of = |d| {
        let [thread, block, threads, blocks] =
            [Atom::Tid, Atom::Ctaid, Atom::Ntid, Atom::Nctaid].map(|of| Poly::atom(of(d)));
        let id = thread.plus(&block.times(&threads));
        let mut last = tested.iter().map(|p| p.plus(&id));
        let useful = last
            .find(|p| is_launch_wide(f, p))?
            .plus(&Poly::constant(1));
        let left = useful.times_constant(2).minus(&threads.times(&blocks));
        Some(Fact::at_least(left, 0))
    };
    Dim::ALL.into_iter().filter_map(of).collect()
}

/// Blocks around the typical one in which the model is sure, too, of loops as in `long`.
fn by_shape(f: &Analyses, long: &Launch, sure: &dyn Fn(Vec<Launch>) -> Vec<Launch>) -> Vec<Fact> {
    let reads = extent::thread_dimensions(f.affine);
    let usual = MaxBlock::choices(f.kernel, reads)[0].typical(reads);
    let last = Dim::ALL.into_iter().rev().find(|d| usual[d.index()] > 1);
    let last = last.map_or(0, Dim::index);
    let sized = |mut block: [i64; 3], n: i64, d: i64| {
        block[last] = block[last] * n / d;
        block
    };
    let is_possible = |b: &[i64; 3]| b.iter().all(|n| *n > 0);
    let launch_in = |b: [i64; 3]| Launch {
        trips: long.trips.clone(),
        ..typical_in(f, b)
    };
    // The last step up to which the model is sure of all blocks that are possible, by the first of them.
    let end = |blocks: &dyn Fn(i64) -> Vec<[i64; 3]>| {
        let is_sure = |all: &Vec<[i64; 3]>| {
            let possible = all.iter().copied().filter(is_possible);
            let launches: Vec<Launch> = possible.map(launch_in).collect();
            let many = launches.len();
            is_possible(&all[0]) && sure(launches).len() == many
        };
        let steps = (1..=SHAPES).map(|k| blocks(1 << k)).take_while(is_sure);
        steps.last().map_or(usual, |all| all[0])
    };
    let [x, y, z] = usual;
    let threads = |b: [i64; 3]| b.iter().product::<i64>();
    let size = Poly::product(Dim::ALL.map(|d| Poly::atom(Atom::Ntid(d))));
    let small = threads(end(&|k| vec![sized(usual, 1, k)]));
    let mut all = vec![
        Fact::InRange {
            poly: size.clone(),
            lo: small,
            hi: threads(end(&|k| vec![sized(usual, k, 1)])),
        },
        // Nothing is known of warps that are partly empty.
        Fact::Multiple {
            poly: size,
            of: i64::from(WARP),
        },
    ];
    if last > 0 {
        // In the smallest of these blocks, too: rows of 8 may gain in large ones alone.
        let of_all = |b: [i64; 3]| vec![b, sized(b, small, threads(usual))];
        all.push(Fact::InRange {
            poly: Poly::atom(Atom::Ntid(Dim::X)),
            lo: end(&|k| of_all([x / k, y * k, z]))[0],
            hi: end(&|k| of_all([x * k, y / k, z]))[0],
        });
    }
    all
}

/// Of `launches` those that the model is sure of: the first that are served, as far as all gain so much.
fn sure(f: &Analyses, plan: &Plan, target: &Target, gain: f64, of: Vec<Launch>) -> Vec<Launch> {
    let all = model::predict_all(f, plan, target, Shape::of(plan), &of);
    let all = all.into_iter().zip(of).skip_while(|(p, _)| !p.serves);
    let sure = all.take_while(|(p, _)| p.serves && p.gain() >= gain);
    sure.map(|(_, l)| l).collect()
}

/// Of what a large launch meets one at least: clang's kernel takes longer than loading a version does, for all of its
/// iterations or for those of one thread, which few threads wait for. Loops whose length the host cannot tell count
/// once.
pub fn large(f: &Analyses) -> Vec<Fact> {
    let Some(target) = Target::of_sm(f.kernel.sm) else {
        return vec![never()];
    };
    let typical = typical(f);
    let loops = nest(f);
    let open: Vec<LoopId> = loops.iter().copied().filter(|l| is_open(f, *l)).collect();
    // Iterations of short loops may take less time each: what a warp reads by rows stays in L1 between them.
    let least = |us: &dyn Fn(Launch) -> f64| {
        let each = (0..SHORTER).map(|k| us(with_trips(&typical, &open, k)));
        (LARGE_US / each.fold(f64::INFINITY, f64::min)).ceil() as i64
    };
    let trips_of = |l: &Launch| loops.iter().map(|x| l.trip(*x)).product::<f64>().max(1.0);
    let of_all = least(&|l| model::untouched(f, target, &l) / (elements_of(f, &l) * trips_of(&l)));
    // Where the model knows nothing of an address it takes a sector for each thread's word: they may lie side by side.
    let of_all = match knows_addresses(f) {
        true => of_all,
        false => of_all.saturating_mul(SECTOR / WORD),
    };
    let trips = Poly::product(loops.iter().map(|l| Poly::atom(Atom::Trip(*l))));
    let mut any = vec![Fact::at_least(elements(f).times(&trips), of_all)];
    if !loops.is_empty() && grid_stride(f).is_none() {
        let lone = |l| with_blocks(&l, HALVINGS);
        let of_one = least(&|l| model::untouched(f, target, &lone(l.clone())) / trips_of(&l));
        any.push(Fact::at_least(trips, of_one.saturating_mul(LONE)));
    }
    any
}

/// Whether what [`large`] asks a launch for is all that it does, and grows with its grid: then it says how long that
/// takes, and not only how long at least.
pub fn is_timed(f: &Analyses) -> bool {
    let known = |l: LoopId| is_launch_wide(f, &Poly::atom(Atom::Trip(l)));
    let is_opaque = |n: &Node| matches!(n, Node::Opaque { .. });
    let loops = f.tree.loop_ids().all(known) && !f.tree.nodes.iter().any(is_opaque);
    loops && knows_addresses(f) && grid_stride(f).is_none()
}

/// A launch as the model takes it to be usual.
fn typical(f: &Analyses) -> Launch {
    let reads = extent::thread_dimensions(f.affine);
    typical_in(f, MaxBlock::choices(f.kernel, reads)[0].typical(reads))
}

/// The same in other blocks.
fn typical_in(f: &Analyses, block: [i64; 3]) -> Launch {
    Launch::typical(
        f,
        block.map(|n| n as f64),
        crate::machine::tuning::launch::LARGE,
        None,
    )
}

/// The launch with as many rows as are usual, if they are numbered by blocks alone.
fn with_rows(f: &Analyses, mut launch: Launch) -> Launch {
    let y = Dim::Y.index();
    if ids::dimensions(f.kernel)[y] && launch.grid[y] * launch.block[y] <= 1.0 {
        launch.grid[y] = crate::machine::tuning::launch::LARGE;
    }
    launch
}

/// The launch with its blocks halved so often, along each dimension in turn.
fn with_blocks(launch: &Launch, halvings: i32) -> Launch {
    let mut out = launch.clone();
    for _ in 0..halvings {
        let widest = out.grid.iter().copied().fold(1.0, f64::max);
        let along = out.grid.iter_mut().rev().find(|n| **n == widest);
        along.into_iter().for_each(|n| *n = (*n / 2.0).ceil());
    }
    out
}

/// The launch with `loops` halved so often, from the longest that tiles may hold on.
fn with_trips(launch: &Launch, loops: &[LoopId], halvings: i32) -> Launch {
    let mut out = launch.clone();
    for l in loops {
        let trip = (crate::machine::tuning::launch::LARGE / f64::powi(2.0, halvings)).ceil();
        out.trips[l.index()] = trip.max(1.0);
    }
    out
}

/// The loops of the deepest nest, as far as the host knows how long they run.
fn nest(f: &Analyses) -> Vec<LoopId> {
    let known = |l: &LoopId| is_launch_wide(f, &Poly::atom(Atom::Trip(*l)));
    let nests = f.tree.loop_ids();
    let nests = nests.map(|l| outwards(f, l).filter(known).collect::<Vec<_>>());
    nests.max_by_key(Vec::len).unwrap_or_default()
}

/// A loop and those around it.
fn outwards<'a>(f: &Analyses<'a>, l: LoopId) -> impl Iterator<Item = LoopId> + use<'a> {
    let tree = f.tree;
    std::iter::successors(Some(l), |l| tree.loop_(*l).parent)
}

/// Whether launches differ in how often a loop runs.
fn is_open(f: &Analyses, l: LoopId) -> bool {
    let trip = f.affine.uniform_trip(l);
    trip.is_some_and(|t| t.span.as_constant().is_none())
}

fn never() -> Fact {
    Fact::at_least(Poly::constant(0), 1)
}

/// The grid's threads, as far as it extends in the dimensions that the kernel asks for; or the elements that they
/// have among them.
fn elements(f: &Analyses) -> Poly {
    if let Some((_, elements)) = grid_stride(f) {
        return elements;
    }
    let used = ids::dimensions(f.kernel);
    let along = Dim::ALL.into_iter().filter(|d| used[d.index()]);
    Poly::product(along.flat_map(|d| [Poly::atom(Atom::Ntid(d)), Poly::atom(Atom::Nctaid(d))]))
}

/// How many of those a launch has.
fn elements_of(f: &Analyses, launch: &Launch) -> f64 {
    let each = grid_stride(f).map_or(1.0, |(l, _)| launch.trip(l));
    launch.threads() * launch.blocks() * each
}

/// A loop that begins at each thread's id and moves by as many as there are threads, and its limit.
fn grid_stride(f: &Analyses) -> Option<(LoopId, Poly)> {
    let [tid, block, ntid, blocks] =
        [Atom::Tid, Atom::Ctaid, Atom::Ntid, Atom::Nctaid].map(|of| Poly::atom(of(Dim::X)));
    let id = tid.plus(&block.times(&ntid));
    let threads = ntid.times(&blocks);
    f.tree.loop_ids().find_map(|l| {
        let trip = f.affine.any_trip(l).filter(|t| t.step == threads)?;
        let limit = trip.span.plus(&id);
        is_launch_wide(f, &limit).then_some((l, limit))
    })
}

/// Microseconds that an iteration of the longest nest takes in a typical launch of the kernel as it is; `None`: the
/// model knows of some access nothing, so it may take any time.
pub fn us_of_iteration(f: &Analyses) -> Option<f64> {
    let target = Target::of_sm(f.kernel.sm).filter(|_| knows_addresses(f))?;
    let typical = with_rows(f, typical(f));
    let runs = |l| outwards(f, l).map(|l| typical.trip(l)).product::<f64>();
    let nests = f.tree.loop_ids().map(runs);
    let threads = typical.threads() * typical.blocks();
    let us = model::untouched(f, target, &typical);
    Some(us / threads / nests.fold(1.0, f64::max))
}

/// Whether all addresses are affine.
fn knows_addresses(f: &Analyses) -> bool {
    let all = &f.accesses.list;
    all.iter().all(|a| f.affine.address(a.id).is_some())
}

/// How many times faster than the user's kernel the model takes its copy to be as that is; `None`: it is no copy, or
/// nothing is known of one of them.
fn gain_of_copy(f: &Analyses) -> Option<f64> {
    Some(f.kernel.user_us? / us_of_iteration(f)?)
}

/// How many empty blocks a launch has to lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmptyBlocks {
    /// For each block that is left.
    pub for_each: u32,
    /// Beside those.
    pub places: u32,
}

/// What launches of a copy meet of which the model is sure that the copy gains as it is.
pub fn pays_as_it_is(f: &Analyses) -> Vec<Fact> {
    let sure = gain_of_copy(f).is_some_and(|gain| gain >= SURE);
    match Target::of_sm(f.kernel.sm).filter(|_| sure) {
        Some(target) => vec![fills(target)],
        None => vec![never()],
    }
}

/// Blocks that end at once, of which the model is sure that a launch gains without them: as many for each block that
/// works, and one for each place, as what takes no longer than one wave of blocks is nothing to gain by. A place is
/// given to the next block after [`Target::turnover`], whatever a block does. `None`: of a chip that it does not know.
pub fn empty_blocks(f: &Analyses) -> Option<EmptyBlocks> {
    let target = Target::of_sm(f.kernel.sm)?;
    let typical = typical(f);
    let busy = model::untouched(f, target, &typical) / typical.blocks();
    let (idle, places) = model::of_empty_block(f, target, &typical);
    Some(EmptyBlocks {
        for_each: ((SURE - 1.0) * busy / idle).ceil() as u32,
        places: places as u32,
    })
}

/// That no multiprocessor is left without a block.
pub fn fills(target: &Target) -> Fact {
    let blocks = Dim::ALL.map(|d| Poly::atom(Atom::Nctaid(d)));
    Fact::at_least(Poly::product(blocks), i64::from(target.sms))
}

/// What launches meet in which no version copies elements of less than a word one by one: each of them waits in a
/// register, and what is read once gains nothing by it. The model does not know where rows begin.
fn by_words(f: &Analyses, plan: &Plan) -> Vec<Fact> {
    let strips = plan.regions.iter().filter(|r| r.strip.is_some());
    let tiles = strips.flat_map(|r| &r.tiles);
    let mut all = Vec::new();
    for tile in tiles.filter(|t| i64::from(t.footprint.size) < WORD && !t.members.is_empty()) {
        if tile.widths.iter().all(|w| i64::from(*w) < WORD) {
            return vec![never()];
        }
        let outer = tile.footprint.dims.iter().rev().skip(1).map(|d| &d.stride);
        let open = outer.filter(|s| s.content() % WORD != 0 && is_launch_wide(f, s));
        all.extend(open.map(|stride| Fact::Multiple {
            poly: stride.clone(),
            of: WORD,
        }));
    }
    all
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_run_time_part_has_the_time_of_a_large_launch() {
        let header = include_str!("../../rt/mesi_rt.h");
        let line = format!("#define MESI_LARGE {}\n", 1000.0 * super::LARGE_US);
        assert!(header.contains(&line));
    }
}
