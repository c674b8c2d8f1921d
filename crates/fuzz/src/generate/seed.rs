//! From a seed to a kernel with launches.

use fastrand::Rng;

use super::shapes;
use super::{Gen, Generated};

/// Chips that kernels are compiled for, in turns: one has no asynchronous copies, one has tensor cores for doubles.
const CHIPS: [u32; 8] = [80, 80, 90, 80, 80, 75, 80, 90];

/// The kernel of this seed.
pub fn generate(seed: u64) -> Generated {
    let mut rng = Rng::with_seed(seed);
    loop {
        let mut g = Gen::new(Rng::with_seed(rng.u64(..)));
        g.build();
        if let Some(mut done) = shapes::fit(g) {
            done.kernel.sm = CHIPS[(seed % 8) as usize];
            return done;
        }
    }
}
