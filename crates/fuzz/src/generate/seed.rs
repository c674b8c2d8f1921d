//! From a seed to a kernel with launches.

use fastrand::Rng;

use super::{Gen, Generated};
use super::{by_hand, shapes};

/// Chips that kernels are compiled for, in turns: one has no asynchronous copies, one has tensor cores for doubles.
const CHIPS: [u32; 8] = [80, 80, 90, 80, 80, 75, 80, 90];

/// Makes seeds of what is drawn for loops unrolled by hand.
const BY_HAND: u64 = 0x9e37_79b9_7f4a_7c15;

/// Makes seeds of what is drawn for elements that are moved.
const MOVED: u64 = 0xd1b5_4a32_d192_ed03;

/// From here on seeds are of such kernels alone: those of a campaign's seed 9,223,372,036,855 on.
const ONLY_MOVED: u64 = 1 << 63;

/// The kernel of this seed.
pub fn generate(seed: u64) -> Generated {
    let mut rng = Rng::with_seed(seed);
    // Draws of its own, too.
    let mut moved = Rng::with_seed(seed ^ MOVED);
    let is_moved = seed >= ONLY_MOVED || moved.u32(0..12) == 0;
    loop {
        let own = match is_moved {
            true => &mut moved,
            false => &mut rng,
        };
        let mut g = drawn(is_moved, Rng::with_seed(own.u64(..)));
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

fn drawn(is_moved: bool, rng: Rng) -> Gen {
    if is_moved {
        return Gen::moving(rng);
    }
    let mut g = Gen::new(rng);
    g.build();
    g
}
