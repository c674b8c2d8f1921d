//! Whether a launch is large: then a version that the model is sure of runs from the first launch on.
//!
//! ```text
//! large: 2^28 <= ntid.x*nctaid.x * ntid.y*nctaid.y * … * trip(loop0)       iterations of the longest nest, in all threads
//! ```
//! The driver loads a version at its first launch, which takes 0.1 to 0.3 ms on an H100's host: ten launches of 30 us are over before a version has
//! brought that back. A launch that is not large runs `K` first, and the version is tried as any other.
//!
//! Loops whose length the host cannot tell count once.

use super::first::is_launch_wide;
use super::{Facets, Fact};
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::tree::LoopId;

/// Iterations of a launch that is large. An H100 runs 3e11 of a product's a second as clang leaves them, so that this is a millisecond; of a window's,
/// 2e12.
const LARGE: i64 = 1 << 28;

/// What a large launch meets.
pub fn large(f: &Facets) -> Fact {
    let nests = (0..f.tree.loops.len() as u32).map(|l| nest(f, LoopId(l)));
    let deepest = nests.max_by_key(Vec::len).unwrap_or_default();
    let trips = deepest.into_iter().map(Atom::Trip);
    let threads = Dim::ALL
        .into_iter()
        .flat_map(|d| [Atom::Ntid(d), Atom::Nctaid(d)]);
    let all = threads.chain(trips).map(Poly::atom);
    Fact::at_least(all.fold(Poly::constant(1), |p, a| p.times(&a)), LARGE)
}

/// A loop and those around it, as far as the host knows how long they run.
fn nest(f: &Facets, innermost: LoopId) -> Vec<LoopId> {
    let outwards = std::iter::successors(Some(innermost), |l| f.tree.loop_(*l).parent);
    let known = |l: &LoopId| is_launch_wide(f, &Poly::atom(Atom::Trip(*l)));
    outwards.filter(known).collect()
}
