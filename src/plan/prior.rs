//! What the model says of launches before anything was measured.
//!
//! ```text
//! pays:  528 <= nctaid.x*nctaid.y                   of fewer, four of which are one, some multiprocessors get none
//! pays:  1048576 <= ntid.x*ntid.y*nctaid.x*nctaid.y fewer threads are over too soon
//! pays:  32 <= trip(loop0)                          shorter loops do not repay the first strips
//! pays:  8 <= ntid.x <= 64                          in narrower and wider blocks the model expects less
//! large: 90000000 <= ntid.x*nctaid.x*ntid.y*nctaid.y*trip(loop0)          0.4 ms
//! ```
//! Which version a launch runs is measured. Until then a launch that is large and surely gains may run the version at
//! once, and a kernel that holds its version itself, which nobody measures, runs it where the model is sure.
//!
//! Sure is the model where it predicts enough in a launch like the typical one and in every larger one, in blocks that
//! are not much narrower, wider, smaller or larger. So four numbers are varied, each by itself: blocks, iterations of
//! loops whose length the host can tell, and the block's rows and threads. How far each may go is asked. Nothing rests
//! on it.

use super::analyses::{Analyses, is_launch_wide};
use super::data::{Fact, Plan};
use super::extent::{self, MaxBlock};
use super::model::{self, Launch, Shape};
use crate::affine::{Atom, Poly};
use crate::kernel::{Dim, ids};
use crate::machine::target::{Target, WARP};
use crate::machine::tuning::forecast::MARGIN;
use crate::machine::tuning::prior::{HALVINGS, LARGE_US, SHAPES, SHORTER, SURE};
use crate::options::Options;
use crate::tree::LoopId;

/// Bytes that can be copied asynchronously, at least.
const WORD: i64 = 4;

/// What launches meet of which the model is sure that `plan` gains; none: it is sure of no launch, or knows nothing of
/// such plans: how iterations wait for each other, how long reuse that loops carry takes, what blocks wait for at
/// barriers of their own, and how much of what is copied is read under a condition on data.
pub fn pays(f: &Analyses, plan: &Plan, options: &Options) -> Vec<Fact> {
    let measured = options.host == Some(true);
    let unknown = plan.unrolls() || plan.unroll_jam().is_some() || plan.has_scalars_only();
    let keeps = plan.lockstep().is_some_and(|t| t.keeps_barriers);
    let unknown = unknown || keeps || measured && plan.reuses();
    let unknown = unknown || plan.facts().any(Fact::is_of_host);
    let target = Target::of_sm(f.kernel.sm).filter(|_| !plan.is_idle() && !unknown);
    let Some(target) = target else {
        return Vec::new();
    };
    let gain = if measured { SURE } else { MARGIN };
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
    let smallest = smallest.threads() * smallest.blocks();
    let mut all = vec![Fact::at_least(threads(f), smallest as i64)];
    let replicas = plan.merge.replicas();
    if replicas > 1 {
        // No multiprocessor is left without a block.
        let used = ids::dimensions(f.kernel);
        let along = Dim::ALL.into_iter().filter(|d| used[d.index()]);
        let blocks = along.map(|d| Poly::atom(Atom::Nctaid(d)));
        all.push(Fact::at_least(
            Poly::product(blocks),
            i64::from(replicas * target.sms),
        ));
    }
    if !open_loops.is_empty() {
        let trips: f64 = open_loops.iter().map(|l| shortest.trip(*l)).product();
        let iterations = open_loops.iter().map(|l| Poly::atom(Atom::Trip(*l)));
        all.push(Fact::at_least(Poly::product(iterations), trips as i64));
    }
    all.extend(by_words(f, plan));
    if measured {
        all.extend(by_shape(f, &shorter[0], &sure));
    }
    all
}

/// Blocks around the typical one in which the model is sure, too, of loops as in `long`.
fn by_shape(f: &Analyses, long: &Launch, sure: &dyn Fn(Vec<Launch>) -> Vec<Launch>) -> Vec<Fact> {
    let reads = extent::thread_dimensions(f.affine);
    let usual = MaxBlock::choices(f.kernel, reads)[0].typical(reads);
    let last = Dim::ALL.into_iter().rev().find(|d| usual[d.index()] > 1);
    let last = last.map_or(0, Dim::index);
    // The first of a list is the usual block; the model is sure of as many of the others as follow it.
    let end = |blocks: &dyn Fn(i64) -> [i64; 3]| {
        let all: Vec<[i64; 3]> = (0..=SHAPES).map(|k| blocks(1 << k)).collect();
        let possible = |b: &&[i64; 3]| b.iter().all(|n| *n > 0);
        let all: Vec<[i64; 3]> = all.iter().take_while(possible).copied().collect();
        let launches = all.iter().map(|b| Launch {
            trips: long.trips.clone(),
            ..typical_in(f, *b)
        });
        let launches = launches.collect();
        let many = sure(launches).len().max(1);
        all[many.min(all.len()) - 1]
    };
    let [x, y, z] = usual;
    let sized = |n: i64, d: i64| {
        let mut block = usual;
        block[last] = block[last] * n / d;
        block
    };
    let threads = |b: [i64; 3]| b.iter().product::<i64>();
    let size = Poly::product(Dim::ALL.map(|d| Poly::atom(Atom::Ntid(d))));
    let mut all = vec![
        Fact::InRange {
            poly: size.clone(),
            lo: threads(end(&|k| sized(1, k))),
            hi: threads(end(&|k| sized(k, 1))),
        },
        // Nothing is known of warps that are partly empty.
        Fact::Multiple {
            poly: size,
            of: i64::from(WARP),
        },
    ];
    if last > 0 {
        all.push(Fact::InRange {
            poly: Poly::atom(Atom::Ntid(Dim::X)),
            lo: end(&|k| [x / k, y * k, z])[0],
            hi: end(&|k| [x * k, y / k, z])[0],
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

/// What a large launch meets: clang's kernel takes longer than loading a version does. Loops whose length the host
/// cannot tell count once.
pub fn large(f: &Analyses) -> Fact {
    let Some(target) = Target::of_sm(f.kernel.sm) else {
        return never();
    };
    let typical = typical(f);
    let loops = nest(f);
    let open: Vec<LoopId> = loops.iter().copied().filter(|l| is_open(f, *l)).collect();
    // Iterations of short loops may take less time each: what a warp reads by rows stays in L1 between them.
    let each = |halvings: i32| {
        let launch = with_trips(&typical, &open, halvings);
        let trips: f64 = loops.iter().map(|l| launch.trip(*l)).product();
        let iterations = launch.threads() * launch.blocks() * trips.max(1.0);
        model::untouched(f, target, &launch) / iterations
    };
    let us = (0..SHORTER).map(each).fold(f64::INFINITY, f64::min);
    let all = [threads(f)]
        .into_iter()
        .chain(loops.into_iter().map(|l| Poly::atom(Atom::Trip(l))));
    Fact::at_least(Poly::product(all), (LARGE_US / us).ceil() as i64)
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
    let enclosing = |l: u32| {
        let outwards = std::iter::successors(Some(LoopId(l)), |l| f.tree.loop_(*l).parent);
        let known = |l: &LoopId| is_launch_wide(f, &Poly::atom(Atom::Trip(*l)));
        outwards.filter(known).collect::<Vec<_>>()
    };
    let nests = (0..f.tree.loops.len() as u32).map(enclosing);
    nests.max_by_key(Vec::len).unwrap_or_default()
}

/// Whether launches differ in how often a loop runs.
fn is_open(f: &Analyses, l: LoopId) -> bool {
    let trip = f.affine.uniform_trip(l);
    trip.is_some_and(|t| t.span.as_constant().is_none())
}

fn never() -> Fact {
    Fact::at_least(Poly::constant(0), 1)
}

/// The grid's threads, as far as it extends in the dimensions that the kernel asks for.
fn threads(f: &Analyses) -> Poly {
    let used = ids::dimensions(f.kernel);
    let along = Dim::ALL.into_iter().filter(|d| used[d.index()]);
    Poly::product(along.flat_map(|d| [Poly::atom(Atom::Ntid(d)), Poly::atom(Atom::Nctaid(d))]))
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
