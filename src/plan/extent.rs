//! Which blocks tiles serve, and what extents, functions of launch and trip counts (`shape`), are for the largest shape
//! and for a typical one.

use crate::affine::{Affine, Atom, Poly};
use crate::kernel::{Dim, Kernel};
use crate::machine::tuning::extent::TYPICAL_TRIP;

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
    let addresses = affine.addresses.iter().flatten().map(|a| &a.index);
    let all = addresses.chain(affine.clamps.iter().map(|c| &c.varying));
    for atom in all.flat_map(Poly::terms).flat_map(|(m, _)| m) {
        if let Atom::Tid(d) = atom {
            reads[d.index()] = true;
        }
    }
    reads
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
