//! From a seed to a kernel with launches.

use fastrand::Rng;

use super::shapes;
use super::{Gen, Generated};

/// One kernel in so many is compiled for a chip without asynchronous copies.
const OLD_CHIPS: u64 = 8;

/// The kernel of this seed.
pub fn generate(seed: u64) -> Generated {
    let mut rng = Rng::with_seed(seed);
    loop {
        let mut g = Gen::new(Rng::with_seed(rng.u64(..)));
        g.build();
        if let Some(mut done) = shapes::fit(g) {
            done.kernel.old_chip = seed % OLD_CHIPS == 5;
            return done;
        }
    }
}
