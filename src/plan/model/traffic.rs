//! What accesses move between L1, L2 and DRAM, and how often they miss L1.
//!
//! A block's traffic is found from the innermost loop outwards. Where everything that one iteration
//! touches, by all blocks that share the multiprocessor, fits L1, the next iteration finds it there
//! and the loop adds only new sectors; where not, each iteration fetches again. DRAM moves each
//! sector once: what blocks share, L2 holds, since neighbouring blocks run at one time.

use super::super::legality::Facets;
use super::super::shape::{self, Cluster};
use super::launch::Launch;
use super::warp::{self, LINE, Request, SECTOR, Steps};
use crate::access::{Access, AccessId, AccessKind};
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::tree::LoopId;
use std::collections::HashMap;

/// Bytes written to L2 cost as much as this many read: naive products that store their sum in every
/// iteration write 4.1 TB/s on an H200 and no more (corpus `mm_alpha_beta`), of 10 TB/s read.
const WRITE: f64 = 2.5;

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

/// Bytes an address moves per step of each varying atom, clamps seen through.
pub fn coefficients(f: &Facets, launch: &Launch, index: &Poly) -> Option<Vec<(Atom, f64)>> {
    let (varying, rest) = index.split(Atom::varies)?;
    let mut out: Vec<(Atom, f64)> = Vec::new();
    for (a, c) in &varying {
        let k = launch.eval(c);
        let Atom::Clamp(id) = a else {
            out.push((*a, k));
            continue;
        };
        let inner = coefficients(f, launch, &f.affine.clamps[id.index()].varying)?;
        out.extend(inner.into_iter().map(|(b, m)| (b, m * k)));
    }
    if let Some((blocks, _)) = rest.split(|a| matches!(a, Atom::Ctaid(_))) {
        out.extend(blocks.iter().map(|(a, c)| (*a, launch.eval(c))));
    }
    Some(out)
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
pub fn request(f: &Facets, launch: &Launch, a: &Access, size: f64) -> Request {
    let index = f.affine.address(a.id).map(|x| &x.index);
    match index.and_then(|p| coefficients(f, launch, p)) {
        Some(c) => warp::global(launch.block, steps(&c), size),
        None => warp::scattered(),
    }
}

/// Bytes in whole sectors that `size` bytes touch where the atoms take so many values.
fn footprint(size: f64, terms: &[(Atom, f64)], count: &dyn Fn(Atom) -> f64) -> f64 {
    let mut sorted: Vec<(f64, f64)> = terms
        .iter()
        .map(|(a, k)| (k.abs(), count(*a)))
        .filter(|(k, n)| *k > 0.0 && *n > 1.0)
        .collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut dims: Vec<(f64, f64)> = vec![(size, 1.0)];
    for (k, n) in sorted {
        // A multiple of a stride that reaches no further than that stride's own extent overlaps.
        let near = |(s, m): &&mut (f64, f64)| k % *s == 0.0 && k / *s <= *m;
        match dims.iter_mut().rev().find(near) {
            Some((s, m)) => *m += k / *s * (n - 1.0),
            None => dims.push((k, n)),
        }
    }
    let (mut span, mut pieces) = (0.0f64, 1.0);
    for (i, (s, n)) in dims.into_iter().enumerate() {
        match i {
            0 => span = s * n,
            _ if s <= span.max(SECTOR) => span += s * (n - 1.0),
            _ => pieces *= n,
        }
    }
    pieces * (span / SECTOR).ceil() * SECTOR
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

impl Stream<'_> {
    fn count(&self, launch: &Launch, inside: &[LoopId], grid: bool) -> f64 {
        let n = |a: Atom| match a {
            Atom::Tid(d) => launch.block[d.index()],
            Atom::Ctaid(d) if grid => launch.grid[d.index()],
            Atom::Iter(l) if inside.contains(&l) => launch.trip(l),
            _ => 1.0,
        };
        match &self.terms {
            Some(t) => footprint(self.size, t, &n),
            None => {
                let runs: f64 = inside.iter().map(|l| launch.trip(*l)).product();
                let blocks = if grid { launch.blocks() } else { 1.0 };
                launch.threads() * runs * blocks * SECTOR
            }
        }
    }
}

fn streams<'a>(
    f: &Facets<'a>,
    launch: &Launch,
    clusters: &[Cluster],
    left: &dyn Fn(AccessId) -> bool,
) -> Vec<Stream<'a>> {
    let around = |a: &Access| {
        f.node_of(a.id)
            .map_or(Vec::new(), |n| f.tree.loops_around(n))
    };
    let mut out = Vec::new();
    for c in clusters {
        let accesses: Vec<&Access> = c.accesses.iter().map(|a| f.accesses.get(*a)).collect();
        let accesses: Vec<&Access> = accesses.into_iter().filter(|a| left(a.id)).collect();
        let Some(first) = accesses.first() else {
            continue;
        };
        let index = f.affine.address(first.id).map(|x| &x.index);
        let deepest = accesses.iter().map(|a| around(a)).max_by_key(Vec::len);
        out.push(Stream {
            terms: index.and_then(|p| coefficients(f, launch, p)),
            loops: deepest.unwrap_or_default(),
            size: f64::from(first.size),
            accesses,
        });
    }
    let memory = |a: &&Access| {
        let kinds = [AccessKind::Load, AccessKind::Store, AccessKind::Atomic];
        let clustered = clusters.iter().any(|c| c.accesses.contains(&a.id));
        kinds.contains(&a.kind) && !clustered && left(a.id)
    };
    for a in f.accesses.list.iter().filter(memory) {
        let index = f.affine.address(a.id).map(|x| &x.index);
        out.push(Stream {
            accesses: vec![a],
            terms: index.and_then(|p| coefficients(f, launch, p)),
            loops: around(a),
            size: f64::from(a.size),
        });
    }
    out
}

/// Traffic of the accesses that `left` names, where a block has `l1` bytes of L1 to itself.
pub fn traffic(f: &Facets, launch: &Launch, l1: f64, left: &dyn Fn(AccessId) -> bool) -> Traffic {
    let clusters = shape::collect_clusters(f.accesses, f.affine);
    let streams = streams(f, launch, &clusters, left);
    let mut out = Traffic::default();
    for s in &streams {
        let stores = |a: &&&Access| a.kind != AccessKind::Load;
        let runs: f64 = s.loops.iter().map(|l| launch.trip(*l)).product();
        let warps = (launch.threads() / 32.0).ceil();
        let asked = request(f, launch, s.accesses[0], s.size).sectors * SECTOR * warps * runs;
        if s.accesses.iter().any(|a| a.kind == AccessKind::Load) {
            let moved = fetched(&streams, s, launch, l1).min(asked);
            out.l2 += moved;
            let part = moved / asked.max(1.0);
            out.misses.extend(s.accesses.iter().map(|a| (a.id, part)));
        }
        out.l2 += asked * WRITE * s.accesses.iter().filter(stores).count() as f64;
        let whole = s.count(launch, &s.loops, true);
        let both = s.accesses.iter().any(|a| a.kind == AccessKind::Load)
            && s.accesses.iter().any(|a| a.kind != AccessKind::Load);
        out.dram += whole * if both { 2.0 } else { 1.0 };
    }
    out.dram = out.dram.min(out.l2 * launch.blocks());
    out
}

/// Bytes a block fetches through L1 for one stream.
fn fetched(all: &[Stream], s: &Stream, launch: &Launch, l1: f64) -> f64 {
    let mut moved = s.count(launch, &[], false);
    for (i, l) in s.loops.iter().enumerate() {
        let together = all.iter().filter(|o| o.loops.contains(l));
        let touched: f64 = together
            .map(|o| {
                let at = o.loops.iter().position(|x| x == l).unwrap_or(0);
                lines_of(o, launch, &o.loops[..at])
            })
            .sum();
        moved = if touched <= l1 {
            s.count(launch, &s.loops[..=i], false).max(moved)
        } else {
            moved * launch.trip(*l)
        };
    }
    moved
}

/// Bytes of L1 that what a stream touches takes: whole lines.
fn lines_of(s: &Stream, launch: &Launch, inside: &[LoopId]) -> f64 {
    let bytes = s.count(launch, inside, false);
    let lane = s.terms.as_ref().map_or(LINE, |t| {
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
        let inner = |a: &Atom| matches!(a, Atom::Iter(l) if inside.contains(l));
        t.iter().any(|(a, k)| inner(a) && k.abs() < LINE)
    });
    if lane >= LINE && !walked && s.terms.is_some() && s.has_threads() {
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
