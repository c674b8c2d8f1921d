//! Launches whose split loops surely gain.
//!
//! ```text
//! s += a[id * n + k]     32 threads of a warp ask for 32 sectors, 32 lanes of one thread's row for 4
//! s += a[k * n + id]     the other way round
//! ```
//! Where all that loops load lies as in the first line, or some of it is the same for all threads, lanes load an eighth
//! of the sectors that threads did, and nothing is done twice: what is carried has no order. Where all of it is the
//! same for all threads they load no more than lanes would. Steps in order are repeated by all lanes, so of those the
//! model is sure only in kernels that store rows, too: lanes store to an eighth of the sectors as well, and all loops
//! are long.

use super::{Carries, Reduction, Split};
use crate::access::Access;
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::machine::target::{SECTOR, WARP};
use crate::machine::tuning::prior::LONG;
use crate::plan::analyses::is_launch_wide;
use crate::plan::{Analyses, Fact};
use crate::tree::LoopId;

/// What launches meet that surely gain; none: none does surely.
pub(super) fn pays(f: &Analyses, split: &Split) -> Vec<Fact> {
    // Without sums a copy has a thread for each element, and is before it.
    let stores = split.stores() && split.reduces();
    let of_loop = |r| long(f, r, stores);
    let facts: Option<Vec<Fact>> = split.loops.iter().map(of_loop).collect();
    facts.unwrap_or_default()
}

/// That all loops together have an iteration for each lane, as far as the host knows how many they have, unless some of
/// what they ask for lies in rows of a thread's own: a launch of fewer takes up to 32 times as long. Nothing else rests
/// on it.
pub(super) fn serves(f: &Analyses, loops: &[Reduction]) -> Vec<Fact> {
    let trip = |r: &Reduction| {
        let trip = Poly::atom(Atom::Trip(loop_of(f, r)?));
        (is_launch_wide(f, &trip) && !walks_own_rows(f, r)).then_some(trip)
    };
    let all: Option<Vec<Poly>> = loops.iter().map(trip).collect();
    let sum = |all: Vec<Poly>| all.iter().fold(Poly::default(), |sum, t| sum.plus(t));
    let fact = all.map(|all| Fact::at_least(sum(all), WARP.into()));
    fact.into_iter().collect()
}

fn walks_own_rows(f: &Analyses, r: &Reduction) -> bool {
    loop_of(f, r).is_some_and(|l| rows_of(f, r, l).any(|rows| rows == Some(Rows::OfEach)))
}

fn loop_of(f: &Analyses, r: &Reduction) -> Option<LoopId> {
    let mut all = f.tree.loop_ids();
    all.find(|l| f.tree.loop_(*l).header == r.loop_.header)
}

/// That the loop is long, if it gains then. `stores`: a loop of the kernel stores, and another one sums up.
fn long(f: &Analyses, r: &Reduction, stores: bool) -> Option<Fact> {
    let l = loop_of(f, r)?;
    let trip = Poly::atom(Atom::Trip(l));
    let rows: Option<Vec<Rows>> = rows_of(f, r, l).collect();
    let has_parts = matches!(r.carries, Carries::Parts(_)) && !r.cells.stores;
    let gains = (has_parts || stores)
        && is_launch_wide(f, &trip)
        && rows.is_some_and(|all| all.contains(&Rows::OfEach));
    gains.then(|| Fact::at_least(trip, LONG))
}

/// Whose rows each access of a loop walks.
fn rows_of<'a>(
    f: &'a Analyses,
    r: &'a Reduction,
    l: LoopId,
) -> impl Iterator<Item = Option<Rows>> + 'a {
    let all = f.accesses.list.iter();
    let in_loop = all.filter(|a| r.loop_.blocks.contains(&a.block));
    in_loop.map(move |a| rows(f, a, l))
}

/// Whose rows a loop walks.
#[derive(PartialEq, Eq)]
enum Rows {
    /// Each thread's own, in other sectors than the next one's.
    OfEach,
    /// The same for all threads: these load it once for all of a warp, as it is.
    OfAll,
}

/// In whose rows what an access asks for lies in one sector with what the next iteration asks for; `None`: in nobody's.
fn rows(f: &Analyses, a: &Access, l: LoopId) -> Option<Rows> {
    let varies = |atom| matches!(atom, Atom::Tid(_)) || f.affine.follows(atom, l);
    let parts = f
        .affine
        .address(a.id)
        .and_then(|address| address.index.split(varies));
    let (steps, _) = parts?;
    let step_of = |atom| steps.get(&atom).map_or(Some(0), |p| p.as_constant());
    let is_short = |step: Option<i64>| step.is_some_and(|n| n.abs() < SECTOR);
    let others = steps.keys().filter(|atom| **atom != Atom::Tid(Dim::X));
    let by_iteration = others.copied().all(|atom| is_short(step_of(atom)));
    let by_thread = step_of(Atom::Tid(Dim::X));
    match by_iteration {
        true if by_thread == Some(0) => Some(Rows::OfAll),
        true if !is_short(by_thread) => Some(Rows::OfEach),
        _ => None,
    }
}
