//! What accesses move between L1, L2 and DRAM, and how often they miss L1.
//!
//! A block's traffic is found from the innermost loop outwards. Where everything that one iteration
//! touches, by all blocks that share the multiprocessor, fits L1, the next iteration finds it there
//! and the loop adds only new sectors; where not, each iteration fetches again. DRAM moves each
//! sector once: what blocks share, L2 holds, since neighbouring blocks run at one time.

use super::super::analyses::Analyses;
use super::known::Known;
use super::launch::Launch;
use super::warp::{self, LINE, Request, SECTOR, Steps};
use crate::access::{Access, AccessId, AccessKind};
use crate::affine::Atom;
use crate::kernel::Dim;
use crate::machine::tuning::traffic::WRITE;
use crate::map::HashMap;
use crate::tree::LoopId;

/// What some accesses of a kernel move.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    /// Bytes from and to L2 per block, writes weighted by [`WRITE`].
    pub l2: f64,
    /// Bytes from and to DRAM, whole grid.
    pub dram: f64,
    /// Sectors that miss L1, of those asked for.
    pub misses: HashMap<AccessId, f64>,
}

/// The part of them that tells the threads of a block apart.
pub fn steps(coefficients: &[(Atom, f64)]) -> Steps {
    let of = |d| {
        let mine = coefficients.iter().filter(|(a, _)| *a == Atom::Tid(d));
        mine.map(|(_, k)| k).sum()
    };
    Dim::ALL.map(of)
}

/// A warp's request for an access of this kernel.
pub fn request(known: &Known, launch: &Launch, a: &Access, size: f64) -> Request {
    match known.coefficients(launch, a.id) {
        Some(c) => warp::global(launch.block, steps(&c), size),
        None if known.is_indirect(a.id) => warp::scattered(),
        // Folded at an edge, say: not affine, but neighbours mostly read neighbours.
        None => warp::global(launch.block, [size, 0.0, 0.0], size),
    }
}

/// Bytes in whole sectors that `size` bytes touch where the atoms take so many values.
fn footprint(size: f64, terms: &[(Atom, f64)], count: &dyn Fn(Atom) -> f64) -> f64 {
    let mut sorted: Vec<(f64, f64)> = terms
        .iter()
        .map(|(a, k)| (k.abs(), count(*a)))
        .filter(|(k, n)| *k > 0.0 && *n > 1.0)
        .collect();
    crate::order::sort_by(&mut sorted, |a, b| a.0.total_cmp(&b.0));
    let mut dims: Vec<(f64, f64)> = vec![(size, 1.0)];
    for (k, n) in sorted {
        // A multiple of a stride that reaches no further than that stride's own extent overlaps.
        let near = |(s, m): &&mut (f64, f64)| k % *s == 0.0 && k / *s <= *m;
        match dims.iter_mut().rev().find(near) {
            Some((s, m)) => *m += k / *s * (n - 1.0),
            None => dims.push((k, n)),
        }
    }
    let (mut span, mut segments) = (0.0f64, 1.0);
    for (i, (s, n)) in dims.into_iter().enumerate() {
        match i {
            0 => span = s * n,
            _ if s <= span.max(SECTOR) => span += s * (n - 1.0),
            _ => segments *= n,
        }
    }
    segments * (span / SECTOR).ceil() * SECTOR
}

/// Accesses of one array with equal coefficients, seen from one warp and one block.
struct Stream<'a> {
    accesses: Vec<&'a Access>,
    /// `None`: scattered.
    terms: Option<Vec<(Atom, f64)>>,
    /// Loops around, innermost first.
    loops: Vec<LoopId>,
    size: f64,
}

/// Whose accesses are counted together.
#[derive(Clone, Copy, PartialEq)]
enum Who {
    Warp,
    Block,
    Grid,
}

impl Who {
    /// Threads per dimension.
    fn threads(self, launch: &Launch) -> [f64; 3] {
        let [x, y, z] = launch.block;
        if self != Who::Warp {
            return [x, y, z];
        }
        let wide = x.min(32.0);
        let tall = y.min((32.0 / wide).floor().max(1.0));
        [wide, tall, z.min((32.0 / wide / tall).floor().max(1.0))]
    }
}

impl Stream<'_> {
    fn count(&self, launch: &Launch, within: &[LoopId], who: Who) -> f64 {
        let block = who.threads(launch);
        let grid = who == Who::Grid;
        let n = |a: Atom| match a {
            Atom::Tid(d) => block[d.index()],
            Atom::Ctaid(d) if grid => launch.grid[d.index()],
            Atom::Iter(l) if within.contains(&l) => launch.trip(l),
            _ => 1.0,
        };
        match &self.terms {
            Some(t) => footprint(self.size, t, &n),
            // A gathered table is taken to fit L2: what DRAM gives to it is not counted.
            None if grid => 0.0,
            None => {
                let runs: f64 = within.iter().map(|l| launch.trip(*l)).product();
                block.iter().product::<f64>() * runs * SECTOR
            }
        }
    }
}

fn streams<'a>(
    f: &Analyses<'a>,
    known: &Known,
    launch: &Launch,
    left: &dyn Fn(AccessId) -> bool,
) -> Vec<Stream<'a>> {
    let outer = |a: &Access| {
        f.node_of(a.id)
            .map_or(Vec::new(), |n| f.tree.enclosing_loops(n))
    };
    let mut out = Vec::new();
    for c in &known.clusters {
        let accesses: Vec<&Access> = c.accesses.iter().map(|a| f.accesses.get(*a)).collect();
        let accesses: Vec<&Access> = accesses.into_iter().filter(|a| left(a.id)).collect();
        let Some(first) = accesses.first() else {
            continue;
        };
        let deepest = accesses.iter().map(|a| outer(a)).max_by_key(Vec::len);
        out.push(Stream {
            terms: known.coefficients(launch, first.id),
            loops: deepest.unwrap_or_default(),
            size: f64::from(first.size),
            accesses,
        });
    }
    let memory = |a: &&Access| {
        let kinds = [AccessKind::Load, AccessKind::Store, AccessKind::Atomic];
        let clustered = known.clusters.iter().any(|c| c.accesses.contains(&a.id));
        kinds.contains(&a.kind) && !clustered && left(a.id)
    };
    for a in f.accesses.iter().filter(memory) {
        out.push(Stream {
            accesses: vec![a],
            terms: known.coefficients(launch, a.id),
            loops: outer(a),
            size: f64::from(a.size),
        });
    }
    out
}

/// Traffic of the accesses that `left` names, where a block has `l1` bytes of L1 to itself.
pub fn traffic(
    f: &Analyses,
    known: &Known,
    launch: &Launch,
    l1: f64,
    left: &dyn Fn(AccessId) -> bool,
) -> Traffic {
    let streams = streams(f, known, launch, left);
    let touched = touched(&streams, launch);
    let mut out = Traffic::default();
    let warps = (launch.threads() / 32.0).ceil();
    for s in &streams {
        let runs = |a: &Access| -> f64 {
            let outer = f
                .node_of(a.id)
                .map_or(Vec::new(), |n| f.tree.enclosing_loops(n));
            outer.iter().map(|l| launch.trip(*l)).product()
        };
        let requested = |a: &Access| request(known, launch, a, s.size).sectors * SECTOR * runs(a);
        let written = |a: &Access| request(known, launch, a, s.size).lines * WRITE * runs(a);
        let (loads, others): (Vec<&Access>, Vec<&Access>) =
            s.accesses.iter().partition(|a| a.kind == AccessKind::Load);
        let most = loads.iter().map(|a| requested(a)).fold(0.0, f64::max);
        // A store drops its line from L1, so that the next load of a neighbour misses.
        let dropped = others.iter().any(|a| runs(a) > 1.0) && !loads.is_empty();
        if dropped {
            out.l2 += most * warps;
            out.misses.extend(s.accesses.iter().map(|a| (a.id, 1.0)));
        } else if !loads.is_empty() {
            out.l2 += fetched(&touched, s, launch, l1, Who::Block).min(most * warps);
            // A warp waits for what is new to it, whoever else of the block asks for it too.
            let part = (fetched(&touched, s, launch, l1, Who::Warp) / most.max(1.0)).min(1.0);
            out.misses.extend(s.accesses.iter().map(|a| (a.id, part)));
        }
        out.l2 += others.iter().map(|a| written(a) * warps).sum::<f64>();
        let whole = s.count(launch, &s.loops, Who::Grid);
        let both = !loads.is_empty() && !others.is_empty();
        out.dram += whole * if both { 2.0 } else { 1.0 };
    }
    out.dram = out.dram.min(out.l2 * launch.blocks());
    out
}

/// Bytes of L1 that one iteration of each loop touches, in all streams of a block.
fn touched(all: &[Stream], launch: &Launch) -> HashMap<LoopId, f64> {
    let mut touched = HashMap::default();
    for o in all {
        for (at, l) in o.loops.iter().enumerate() {
            *touched.entry(*l).or_insert(0.0) += lines_of(o, launch, &o.loops[..at]);
        }
    }
    touched
}

/// Bytes a block, or one of its warps, fetches through L1 for one stream.
fn fetched(touched: &HashMap<LoopId, f64>, s: &Stream, launch: &Launch, l1: f64, who: Who) -> f64 {
    let mut moved = s.count(launch, &[], who);
    for (i, l) in s.loops.iter().enumerate() {
        moved = if touched[l] <= l1 {
            s.count(launch, &s.loops[..=i], who).max(moved)
        } else {
            moved * launch.trip(*l)
        };
    }
    moved
}

/// Bytes of L1 that what a stream touches takes: whole lines.
fn lines_of(s: &Stream, launch: &Launch, within: &[LoopId]) -> f64 {
    let bytes = s.count(launch, within, Who::Block);
    let thread_step = s.terms.as_ref().map_or(LINE, |t| {
        let steps = steps(t);
        steps
            .iter()
            .map(|k| k.abs())
            .filter(|k| *k > 0.0)
            .fold(LINE, f64::min)
    });
    // Threads further apart than a sector leave the rest of their line unused, unless iterations
    // inside use it.
    let walked = s.terms.as_ref().is_some_and(|t| {
        let inner = |a: &Atom| matches!(a, Atom::Iter(l) if within.contains(l));
        t.iter().any(|(a, k)| inner(a) && k.abs() < LINE)
    });
    if thread_step >= LINE && !walked && s.terms.is_some() && s.has_threads() {
        bytes * LINE / SECTOR
    } else {
        bytes
    }
}

impl Stream<'_> {
    fn has_threads(&self) -> bool {
        self.terms
            .as_ref()
            .is_some_and(|t| t.iter().any(|(a, k)| *a == Atom::Tid(Dim::X) && *k != 0.0))
    }
}
