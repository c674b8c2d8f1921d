//! Launches turned away that run the kernel as clang makes it, neither the kernel nor the original with longer loops.
//!
//! ```text
//! turned away, as it was: trip(loop0) <= 31                               two rounds of the lengthened loop
//! turned away, as it was: 129 <= ntid.x*ntid.y                            blocks of more than 128 threads
//! turned away, as it was: 135169 <= ntid.x*ntid.y*nctaid.x*nctaid.y       more than fit with 64 registers each
//! ```
//! The original that the host launches has up to 64 registers, so that the loads of a long loop are under way at once ([`crate::choice`]).
//! A multiprocessor then has 1024 threads, half of those that clang's kernel has. A grid that fits all the same loses nothing by it. In a larger one
//! loops of less than two rounds run mostly what is left over of them, four iterations at once as clang's kernel does, with half as many warps; and
//! of large blocks there is one where there were two, so nothing runs while the last warps of a block end. Small blocks follow each other more
//! smoothly.
//!
//! Measured on an H200, 278 launches that the host turns away (eleven kernels, loops of 5 to 200 iterations, blocks of 64 to 1024 threads), by clang's:
//!
//! | grid, block | with 64 registers | lengthened, 32 registers |
//! |---|---|---|
//! | all threads fit, 77 | x1.16, least x0.94 | x1.06, x0.99 |
//! | more, blocks of 64, 63 | x1.06, x0.93 | x1.01, x0.90 |
//! | more, of 256, 84 | x0.99, x0.67 | x1.02, x0.93 |
//! | more, of 1024, 54 | x0.91, x0.65 | x1.01, x0.92 |
//!
//! Of these facts all hold in 107 of the launches (x0.94 in the mean, 50 below x0.95); of the others five are below x0.95, none below x0.9. From 32 iterations
//! on launches gain as many as lose (32, in blocks of 256: x1.0 to x1.3).

use super::first::is_launch_wide;
use super::legality::Facets;
use super::{Fact, Plan, gates};
use crate::affine::{Atom, Poly};
use crate::kernel::{Dim, ids};
use crate::target::{BLOCK_THREADS, Target};
use crate::tree::LoopId;

/// Iterations below which a lengthened loop has one round of sixteen at most.
const TWO_ROUNDS: i64 = 32;
/// Threads of a block up to which blocks follow each other smoothly.
const SMALL_BLOCK: i64 = 128;

/// Sets which launches those are; none where the original by itself is clang's kernel anyway, or a launch does not tell.
pub fn choose(f: &Facets, plan: &mut Plan) {
    let is_clangs = plan.quiet.is_some() || plan.short_trips || plan.short_alone;
    if plan.is_idle() || f.affine.inside || is_clangs || !plan.rounds.is_empty() || !plan.reads_far
    {
        return;
    }
    let is_told = |l: &LoopId| {
        let trip = f.affine.uniform_trip(*l);
        let varies = trip.is_some_and(|t| t.span.as_constant().is_none());
        varies && is_launch_wide(f, &Poly::atom(Atom::Trip(*l)))
    };
    let trips: Vec<LoopId> = innermost(f).filter(is_told).collect();
    let Some(target) = Target::of_sm(f.kernel.sm) else {
        return;
    };
    // One that threads run differently often may be a long one, and LLVM has its own way with constant lengths.
    if trips.is_empty() || trips.len() < innermost(f).count() {
        return;
    }
    let used = ids::dimensions(f.kernel);
    let used = Dim::ALL.into_iter().filter(|d| used[d.index()]);
    let block = used.fold(Poly::constant(1), |p, d| {
        p.times(&Poly::atom(Atom::Ntid(d)))
    });
    // What the original takes leaves room for so many threads.
    let threads = target.registers / target.register_ceiling(BLOCK_THREADS);
    let resident = i64::from(threads) * i64::from(target.sms);
    plan.plain = trips
        .into_iter()
        .map(|l| Fact::InRange {
            poly: Poly::atom(Atom::Trip(l)),
            lo: i64::MIN,
            hi: TWO_ROUNDS - 1,
        })
        .collect();
    plan.plain.push(Fact::at_least(block, SMALL_BLOCK + 1));
    let threads = gates::threads(f);
    plan.plain.push(Fact::at_least(threads, resident + 1));
}

/// The loops that hold no other.
pub(super) fn innermost<'f>(f: &'f Facets) -> impl Iterator<Item = LoopId> + 'f {
    let all = || (0..f.tree.loops.len() as u32).map(LoopId);
    let holds = move |outer: LoopId, l: LoopId| {
        let body = f.tree.loop_(outer).body;
        f.tree.contains(body, f.tree.loop_(l).node)
    };
    all().filter(move |l| !all().any(|other| holds(*l, other)))
}
