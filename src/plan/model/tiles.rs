//! A plan's tiles as a launch and a [`Shape`] make them: extents, pitches, how members read them,
//! and what filling them costs.

use super::super::analyses::Analyses;
use super::super::data::{Merge, Pitch, Region, Reuse, Strip, Tile};
use super::launch::Launch;
use super::machine::Cost;
use super::question::{Question, Shape};
use super::warp::{self, LINE, SECTOR};
use crate::access::AccessId;
use crate::affine::Atom;
use crate::machine::tuning::merge::WARP_TILE;
use crate::machine::tuning::tiles::{
    BOX_DIMENSION, LEAST_ASYNC, MOVE, MOVE_ASYNC, MOVE_CLIP, MOVE_DIMENSION, NUMBERING, ROUND,
    SKIPPED, WALK, WALK_DIMENSION,
};
use crate::machine::tuning::traffic::WRITE;
use crate::map::HashMap;
use crate::tree::LoopId;

/// How a member is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Served {
    /// Bytes of shared memory per thread index.
    steps: [f64; 3],
    size: f64,
    /// Reads that one instruction can do where so many iterations stand next to each other.
    joined: f64,
    /// Those of them that are fields of one record, and need no unrolling.
    fields: f64,
    /// How replicas and iterations share them.
    pub reuse: Option<Reuse>,
}

impl Served {
    /// Instructions and wavefronts per iteration of a read whose reuse a loop carries, for all replicas that share
    /// it: threads are `merge` cells apart, as replicas own consecutive ids.
    pub fn reused(&self, block: [f64; 3], w: &Reuse, merge: [u32; 3]) -> (f64, f64) {
        let steps = [0, 1, 2].map(|d| self.steps[d] * f64::from(merge[d]));
        let width = f64::from(w.width);
        let wavefronts = warp::shared(block, steps, self.size * width);
        (1.0 / width, wavefronts / width)
    }

    /// Instructions and wavefronts of one read for all replicas of merged blocks: replicas that own neighbouring
    /// cells in runs read them together, and the others as [`Self::cost`] has it. Threads are a run apart,
    /// and a warp's are those of a square where it works on one, of which pairs are served together
    /// (16 bytes take two cycles and not four: products on an H200).
    pub fn merged(&self, block: [f64; 3], unroll: f64, merge: Merge) -> (f64, f64) {
        let reads = |d: usize| self.steps[d] != 0.0;
        let replicas: f64 = (0..3)
            .filter(|d| reads(*d))
            .map(|d| f64::from(merge.factor[d]))
            .product();
        let run = |d: usize| match merge.consecutive[d] {
            true => f64::from(merge.run[d]),
            false => 1.0,
        };
        let steps = [0, 1, 2].map(|d| self.steps[d] * run(d));
        let at_once = (0..3)
            .filter(|d| self.steps[*d] == self.size)
            .map(run)
            .fold(1.0, f64::max)
            .min((16.0 / self.size).max(1.0));
        let warp = if merge.square {
            [f64::from(WARP_TILE[0]), f64::from(WARP_TILE[1]), 1.0]
        } else {
            block
        };
        if at_once == 1.0 {
            let unjoined = Served { steps, ..*self };
            let (issue, wavefronts) = unjoined.cost(warp, unroll);
            return (issue * replicas, wavefronts * replicas);
        }
        let wavefronts = warp::shared(warp, steps, self.size * at_once);
        let pairs = if merge.square { 2.0 } else { 1.0 };
        let reads = replicas / at_once;
        (reads, (wavefronts / pairs).max(1.0) * reads)
    }

    /// Instructions and wavefronts of one read, where `unroll` iterations are next to each other.
    pub fn cost(&self, block: [f64; 3], unroll: f64) -> (f64, f64) {
        let near = unroll.max(1.0).log2().floor().exp2();
        let joined = (self.joined).min(near * self.fields).max(1.0);
        (
            1.0 / joined,
            warp::shared(block, self.steps, self.size * joined) / joined,
        )
    }
}

/// What one filling of a region's tiles costs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Copying {
    /// Per warp, waits left out; `l2` in bytes per warp.
    pub cost: Cost,
    /// Times a thread waits for memory.
    pub waits: f64,
    /// Finding the first cells, per warp.
    pub setup: Cost,
}

/// One launch's view of tiles.
pub struct Tiles<'a> {
    /// The kernel.
    pub f: Analyses<'a>,
    /// The launch.
    pub launch: &'a Launch,
    /// What is asked about.
    pub shape: Shape,
}

impl Question<'_> {
    /// The tiles of its plan.
    pub(super) fn tiles(&self) -> Tiles<'_> {
        Tiles {
            f: self.f,
            launch: self.launch,
            shape: self.shape,
        }
    }
}

impl Tiles<'_> {
    /// Values an atom takes in a tile of a region with this strip loop.
    fn span(&self, a: Atom, strip: Option<LoopId>) -> f64 {
        match a {
            Atom::Tid(d) => self.launch.block[d.index()] * f64::from(self.shape.merge[d.index()]),
            Atom::Iter(l) if strip == Some(l) => {
                f64::from(self.shape.length).min(self.launch.trip(l))
            }
            Atom::Iter(l) => self.launch.trip(l),
            Atom::Clamp(c) => {
                let (terms, _) = self.f.affine.clamps[c.index()]
                    .varying
                    .split(Atom::varies)
                    .unwrap_or_default();
                let reach = |(b, k): (&Atom, &crate::affine::Poly)| {
                    self.launch.eval(k).abs() * (self.span(*b, strip) - 1.0).max(0.0)
                };
                1.0 + terms.iter().map(reach).sum::<f64>()
            }
            _ => 1.0,
        }
    }

    /// Cells per dimension.
    pub fn extents(&self, t: &Tile, strip: Option<LoopId>) -> Vec<f64> {
        let extent = |d: &super::super::TileDim| {
            let reach =
                |(a, m): &(Atom, i64)| m.abs() as f64 * (self.span(*a, strip) - 1.0).max(0.0);
            (d.high - d.low + 1) as f64 + d.terms.iter().map(reach).sum::<f64>()
        };
        t.footprint.dims.iter().map(extent).collect()
    }

    /// Bytes of a region's tiles, all that are in flight.
    pub fn bytes(&self, r: &Region) -> f64 {
        let strip = r.strip.map(|s| s.loop_);
        let of =
            |t: &Tile| self.extents(t, strip).iter().product::<f64>() * f64::from(t.footprint.size);
        let depth = if strip.is_some() { self.shape.depth } else { 1 };
        r.tiles.iter().map(of).sum::<f64>() * f64::from(depth)
    }

    /// Cells between neighbours, per dimension.
    fn pitches(&self, t: &Tile, strip: Option<Strip>) -> Vec<f64> {
        let extents = self.extents(t, strip.map(|s| s.loop_));
        let walked = |g: usize| {
            let iter = |s: Strip| {
                t.footprint.dims[g]
                    .terms
                    .iter()
                    .any(|(a, _)| *a == Atom::Iter(s.loop_))
            };
            strip.is_some_and(|s| s.length != self.shape.length && iter(s))
        };
        let mut out = vec![1.0; extents.len()];
        for g in (0..extents.len()).rev().skip(1) {
            let inner = out[g + 1] * extents[g + 1];
            out[g] = match t.footprint.dims[g].pitch {
                // Of another length than the plan's: padded if the plan's is.
                Pitch::Const(p)
                    if walked(g + 1) && f64::from(p * t.footprint.size) % LINE != 0.0 =>
                {
                    inner + (16.0 / f64::from(t.footprint.size)).max(1.0)
                }
                Pitch::Const(_) if walked(g + 1) => inner,
                Pitch::Const(p) => f64::from(p),
                Pitch::Runtime { align, odd, .. } if odd => {
                    let multiples = (inner / f64::from(align)).ceil() as u32 | 1;
                    f64::from(multiples * align)
                }
                Pitch::Runtime { pad, .. } => inner + f64::from(pad),
            };
        }
        out
    }

    /// How each member of a region's tiles is read.
    pub fn served(&self, r: &Region, out: &mut HashMap<AccessId, Served>) {
        for t in &r.tiles {
            let pitches = self.pitches(t, r.strip);
            let unit = f64::from(t.footprint.size);
            let mut steps = [0.0; 3];
            for (d, p) in t.footprint.dims.iter().zip(&pitches) {
                for (a, m) in &d.terms {
                    if let Atom::Tid(x) = a {
                        steps[x.index()] += *m as f64 * p * unit;
                    }
                }
            }
            for m in &t.members {
                let size = f64::from(self.f.accesses.get(m.access).size);
                let (joined, fields) = self.joined(t, &pitches, size);
                let served = Served {
                    steps,
                    size,
                    joined,
                    fields,
                    reuse: m.reuse,
                };
                out.insert(m.access, served);
            }
        }
    }

    /// Reads of neighbouring iterations and fields that become one instruction: up to 16 bytes,
    /// where rows are aligned. And how many of them are fields.
    fn joined(&self, t: &Tile, pitches: &[f64], size: f64) -> (f64, f64) {
        let unit = f64::from(t.footprint.size);
        let is_walk = |a: &Atom| matches!(a, Atom::Iter(_));
        // Whatever else moves the address, a thread's row or an outer loop's, must keep it aligned.
        let is_reused = t.is_reused();
        let steps = t.footprint.dims.iter().zip(pitches).flat_map(|(d, p)| {
            let known = match d.pitch {
                Pitch::Const(_) => true,
                Pitch::Runtime { align, .. } => align > 1 && !is_reused,
            };
            d.terms
                .iter()
                .map(move |(a, m)| (*a, *m as f64 * p * unit, known))
        });
        let steps: Vec<(Atom, f64, bool)> = steps.collect();
        let fields = match t.footprint.dims.last() {
            Some(d) if d.terms.is_empty() => t.members.len() as f64,
            _ => 1.0,
        };
        let most = (16.0 / size).max(1.0);
        let run = fields * size;
        let (next, others): (Vec<_>, Vec<_>) = steps
            .iter()
            .partition(|(a, s, known)| is_walk(a) && *s == run && *known);
        if others.iter().any(|(_, s, known)| !known || s % 16.0 != 0.0) {
            return (1.0, 1.0);
        }
        let fields = fields.min(most).log2().floor().exp2();
        (if next.len() == 1 { most } else { fields }, fields)
    }

    /// Filling a region's tiles once, or emptying `count` of their boxes.
    pub fn copying(&self, r: &Region, out: bool) -> Copying {
        let strip = r.strip.map(|s| s.loop_);
        let moved = moved(r, out);
        let transfers: usize = moved.iter().map(|(_, n)| n).sum();
        let mut all = Copying::default();
        if transfers == 0 {
            return all;
        }
        let per_round = (ROUND / transfers as f64).floor().max(1.0);
        let threads = self.launch.threads();
        let warps = (threads / 32.0).ceil().max(1.0);
        let (mut every, mut ahead) = (0.0, 0.0);
        for (t, n) in moved {
            let n = n as f64;
            let extents = self.extents(t, strip);
            let cells: f64 = extents.iter().product();
            let column_wise = t.is_column_wise();
            let last = *extents.last().unwrap_or(&1.0);
            let unit = f64::from(t.footprint.size);
            let wide = self.wide(t, last, out);
            let places = if column_wise {
                (threads / self.launch.block[0]).max(1.0)
            } else {
                threads
            };
            let moves = if column_wise {
                cells / last
            } else {
                (cells / wide).ceil()
            };
            let own = moves / places;
            all.waits = all.waits.max((own / per_round).ceil());
            let dims = if column_wise {
                0.0
            } else {
                extents.len() as f64 - 1.0
            };
            let clip = if t.clip_linear { MOVE_CLIP } else { 0.0 };
            let stepped = MOVE_DIMENSION * dims + clip;
            all.cost.issue += n * own * (MOVE - SKIPPED);
            // Less than that is not copied asynchronously; where no width is asked about, transactions are cells.
            let flies = self.shape.width == 0 || wide * unit >= LEAST_ASYNC;
            ahead += n * own * if flies { MOVE_ASYNC } else { MOVE };
            every += n * per_round * (SKIPPED + stepped);
            let at_once = 32.0 * wide;
            let (lines, moved) = self.transactions_of_warp(t, &extents, wide, out);
            let wavefronts = (at_once * unit / LINE).max(1.0);
            all.cost.lsu += n * cells / at_once / warps * (lines + wavefronts);
            all.cost.l2 += n * cells / at_once / warps * moved;
            all.setup.issue += n * (WALK + WALK_DIMENSION * dims) + hull(t, out);
        }
        if self.shape.depth > 1 && strip.is_some() && !out {
            all.cost.issue = ahead;
            all.waits = all.waits.min(1.0);
        } else {
            all.cost.issue += all.waits * (every + 4.0);
        }
        all.setup.issue += NUMBERING;
        all
    }

    /// Lines that a warp touches with transactions of `wide` cells, and bytes that this moves.
    fn transactions_of_warp(&self, t: &Tile, extents: &[f64], wide: f64, out: bool) -> (f64, f64) {
        let unit = f64::from(t.footprint.size);
        let at_once = 32.0 * wide;
        let stride = t.footprint.dims.last().and_then(|d| d.stride.as_constant());
        let contiguous = stride == Some(i64::from(t.footprint.size));
        let last = if contiguous {
            self.run(t, extents)
        } else {
            *extents.last().unwrap_or(&1.0)
        };
        let lines = if contiguous {
            (at_once * unit / LINE).max(at_once / last).min(at_once)
        } else {
            32.0
        };
        let row = if contiguous {
            (last * unit / SECTOR).ceil() * SECTOR
        } else {
            last * SECTOR
        };
        let moved = if out {
            lines * WRITE
        } else {
            row * at_once / last
        };
        (lines, moved)
    }

    /// Cells that lie next to each other in memory: a row, or rows that touch, as records do.
    fn run(&self, t: &Tile, extents: &[f64]) -> f64 {
        let mut run = *extents.last().unwrap_or(&1.0);
        for g in (0..extents.len().saturating_sub(1)).rev() {
            if self.launch.eval(&t.footprint.dims[g].stride) != run * f64::from(t.footprint.size) {
                break;
            }
            run *= extents[g];
        }
        run
    }

    /// Cells moved by one instruction.
    fn wide(&self, t: &Tile, last: f64, out: bool) -> f64 {
        let contiguous = t.footprint.dims.last().and_then(|d| d.stride.as_constant())
            == Some(i64::from(t.footprint.size));
        let outer = t
            .footprint
            .dims
            .split_last()
            .map_or(&[][..], |(_, outer)| outer);
        // Rows must begin aligned; arrays are taken to.
        let is_possible = |bytes: &u32| {
            let aligned = |s: f64| s % f64::from(*bytes) == 0.0;
            aligned(last * f64::from(t.footprint.size))
                && outer.iter().all(|d| aligned(self.launch.eval(&d.stride)))
        };
        let wider = |bytes: &u32| *bytes > t.footprint.size && *bytes <= self.shape.width;
        let widths = [16, 8, 4].into_iter().filter(wider);
        match widths.filter(|_| contiguous && !out).find(is_possible) {
            Some(bytes) => f64::from(bytes / t.footprint.size),
            None => 1.0,
        }
    }
}

/// Instructions that find the hull of what a tile's reads need, beyond the first box.
fn hull(t: &Tile, out: bool) -> f64 {
    let boxes = if out { 1 } else { t.footprint.active.len() };
    boxes.saturating_sub(1) as f64 * BOX_DIMENSION * t.footprint.dims.len() as f64
}

/// A region's tiles with the boxes that are filled, or emptied, where there are any.
fn moved(r: &Region, out: bool) -> Vec<(&Tile, usize)> {
    let boxes = |t: &Tile| {
        if out {
            t.write_back.len()
        } else {
            usize::from(!t.footprint.active.is_empty())
        }
    };
    let all = r.tiles.iter().map(|t| (t, boxes(t)));
    all.filter(|(_, n)| *n > 0).collect()
}
