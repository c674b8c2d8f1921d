//! From a seed to a kernel with launches.

use fastrand::Rng;

use super::{Gen, Generated};
use super::{by_hand, shapes};

/// Chips that kernels are compiled for, in turns: one has no asynchronous copies, one has tensor cores for doubles.
const CHIPS: [u32; 8] = [80, 80, 90, 80, 80, 75, 80, 90];

/// Makes seeds of what is drawn for loops unrolled by hand.
const BY_HAND: u64 = 0x9e37_79b9_7f4a_7c15;

/// The kernel of this seed.
pub fn generate(seed: u64) -> Generated {
    let mut rng = Rng::with_seed(seed);
    loop {
        let mut g = Gen::new(Rng::with_seed(rng.u64(..)));
        g.build();
        // Draws of its own: the other kernels stay what they were.
        let mut hand = Rng::with_seed(seed ^ BY_HAND);
        if hand.u32(0..8) == 0 {
            by_hand::unroll(&mut g.k, &mut hand);
        }
        if let Some(mut done) = shapes::fit(g) {
            done.kernel.sm = CHIPS[(seed % 8) as usize];
            return done;
        }
    }
}
