//! How large a tile gets: extents as functions of launch and trip counts, their values for the
//! largest block shape served, and for a typical one.

use super::data::Merge;
use super::shape::ShapeDim;
use crate::affine::{Affine, Atom, Poly};
use crate::kernel::{Dim, Kernel};
use crate::machine::tuning::extent::TYPICAL_TRIP;
use crate::tree::LoopId;

/// The largest block shape that constant pitches serve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxBlock(pub [u32; 3]);

impl MaxBlock {
    /// The bounds of blocks worth trying, largest first, from the thread indices the kernel reads: a block of a
    /// kernel that reads `threadIdx.x` alone is a row, one that reads two a square.
    pub fn choices(kernel: &Kernel, reads: [bool; 3]) -> Vec<MaxBlock> {
        if let Some(c) = kernel.block_cap {
            return vec![MaxBlock(c)];
        }
        let m = kernel.max_threads;
        match reads {
            [_, _, true] => [[32, 16, 8], [32, 8, 8], [32, 8, 4]]
                .into_iter()
                .map(|c| MaxBlock(c.map(|x: u32| x.min(m))))
                .collect(),
            [_, true, _] => vec![MaxBlock([32.min(m), 32.min(m), 1])],
            _ => {
                let mut sizes: Vec<u32> =
                    [1024, 512, 256].into_iter().filter(|s| *s <= m).collect();
                if sizes.is_empty() {
                    sizes.push(m);
                }
                sizes.into_iter().map(|x| MaxBlock([x, 1, 1])).collect()
            }
        }
    }

    /// A block shape as users launch them, for comparing candidates.
    pub fn typical(self, reads: [bool; 3]) -> [i64; 3] {
        let cap = self.0.map(i64::from);
        match reads {
            [_, _, true] => [8.min(cap[0]), 8.min(cap[1]), 4.min(cap[2])],
            [_, true, _] => [16.min(cap[0]), 16.min(cap[1]), 1],
            _ => [256.min(cap[0]), 1, 1],
        }
    }
}

/// Which thread indices occur in any address.
pub fn thread_dimensions(affine: &Affine) -> [bool; 3] {
    let mut reads = [false; 3];
    let mut note = |p: &Poly| {
        for a in p.atoms() {
            if let Atom::Tid(d) = a {
                reads[d.index()] = true;
            }
        }
    };
    affine
        .addresses
        .iter()
        .flatten()
        .for_each(|a| note(&a.index));
    affine.clamps.iter().for_each(|c| note(&c.varying));
    reads
}

/// How far a dimension extends, in steps: `Σ |m|·(span of v) + high - low + 1`.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Least constant offset of an access.
    pub low: i64,
    /// Greatest constant offset of an access.
    pub high: i64,
    /// The extent for one block and one iteration of the loop in strips, as a function of launch and trip counts.
    least: Poly,
    /// Steps that each further iteration of a strip adds.
    per_iteration: i64,
}

impl Extent {
    /// That of a dimension, in strips of the loop `strip`; `None` if a clamp hides the span.
    pub fn of(affine: &Affine, dim: &ShapeDim, strip: Option<LoopId>) -> Option<Extent> {
        let (low, high) = dim.ends();
        let mut extent = Extent {
            low,
            high,
            least: Poly::constant(high - low + 1),
            per_iteration: 0,
        };
        for (a, m) in &dim.terms {
            extent.add(affine, *a, m.abs(), strip)?;
        }
        Some(extent)
    }

    /// Adds what `times` steps in each value of an atom span.
    fn add(&mut self, affine: &Affine, a: Atom, times: i64, strip: Option<LoopId>) -> Option<()> {
        let last = match a {
            Atom::Tid(d) => Poly::atom(Atom::Ntid(d)),
            Atom::Iter(l) if strip == Some(l) => {
                self.per_iteration += times;
                return Some(());
            }
            Atom::Iter(l) => trip(affine, l)?,
            // A clamp spreads no further than what it clamps. Iterations of loops around the region
            // are fixed there and add nothing, which this counts needlessly.
            Atom::Clamp(c) => {
                let (coefficients, _) = affine.clamps[c.index()].varying.split(Atom::varies)?;
                for (b, k) in &coefficients {
                    self.add(affine, *b, times * k.as_constant()?.abs(), strip)?;
                }
                return Some(());
            }
            _ => return Some(()),
        };
        let last = last.minus(&Poly::constant(1));
        self.least = self.least.plus(&last.times_constant(times));
        Some(())
    }

    /// With strips of `length` iterations and `merge` blocks that the tile serves.
    pub fn at(&self, length: u32, merge: Merge) -> Poly {
        let threads = |p: Poly, d: &Dim| match merge.along(*d) {
            1 => p,
            n => p.substitute(
                Atom::Ntid(*d),
                &Poly::atom(Atom::Ntid(*d)).times_constant(n.into()),
            ),
        };
        let iterations = self.per_iteration * (i64::from(length) - 1);
        let all = Dim::ALL.iter().fold(self.least.clone(), threads);
        all.plus(&Poly::constant(iterations))
    }
}

/// The trip count as a polynomial: a constant where it is one.
fn trip(affine: &Affine, l: LoopId) -> Option<Poly> {
    let t = affine.uniform_trip(l)?;
    Some(match (t.span.as_constant(), t.step.as_constant()) {
        (Some(s), Some(d)) => Poly::constant(ceil_div(s.max(0), d).max(i64::from(t.least))),
        _ => Poly::atom(Atom::Trip(l)),
    })
}

/// The quotient of non-negative numbers, rounded up.
fn ceil_div(a: i64, b: i64) -> i64 {
    (a + b - 1) / b
}

/// The value for the largest block; `None` if it grows with anything else than the block shape.
pub fn at_cap(p: &Poly, max_block: MaxBlock) -> Option<i64> {
    evaluate(p, |a| match a {
        Atom::Ntid(d) => Some(i64::from(max_block.0[d.index()])),
        _ => None,
    })
}

/// The largest value over all block shapes of powers of two with at most `threads` threads; `None`
/// if it grows with anything else. Other shapes may need more: the entry tests theirs.
pub fn at_any_block(p: &Poly, threads: u32) -> Option<i64> {
    let sizes = || (0..=10).map(|k| 1u32 << k);
    let mut most = None;
    for x in sizes() {
        for y in sizes().take_while(|y| x * y <= threads) {
            for z in sizes().take_while(|z| x * y * z <= threads && *z <= 64) {
                most = most.max(Some(at_cap(p, MaxBlock([x, y, z]))?));
            }
        }
    }
    most
}

/// The value for a typical launch, in floating point so that nothing overflows.
pub fn typical(p: &Poly, block: [i64; 3]) -> f64 {
    let mut sum = 0.0;
    for (m, c) in p.terms() {
        let value = |a: &Atom| match a {
            Atom::Ntid(d) => block[d.index()] as f64,
            _ => TYPICAL_TRIP as f64,
        };
        sum += c as f64 * m.iter().map(value).product::<f64>();
    }
    sum
}

fn evaluate(p: &Poly, value: impl Fn(Atom) -> Option<i64>) -> Option<i64> {
    let mut sum = 0i64;
    for (m, c) in p.terms() {
        let mut t = c;
        for a in m {
            t = t.checked_mul(value(*a)?)?;
        }
        sum = sum.checked_add(t)?;
    }
    Some(sum)
}

/// All three dimensions' thread count of a typical block.
pub fn threads(block: [i64; 3]) -> f64 {
    Dim::ALL.iter().map(|d| block[d.index()] as f64).product()
}
