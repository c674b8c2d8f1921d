//! Launches whose split loops surely gain.
//!
//! ```text
//! s += a[id * n + k]     32 threads of a warp ask for 32 sectors, 32 lanes of one thread's row for 4
//! s += a[k * n + id]     the other way round
//! ```
//! Where all that loops load lies as in the first line, lanes load an eighth of the sectors that threads did, and
//! nothing is done twice: what is carried has no order. Steps in order are repeated by all lanes, so of those the model
//! is never sure.

use super::{Carries, Reduction};
use crate::access::Access;
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::machine::target::SECTOR;
use crate::machine::tuning::prior::LONG;
use crate::plan::analyses::is_launch_wide;
use crate::plan::{Analyses, Fact};
use crate::tree::LoopId;

/// What launches meet that surely gain; none: none does surely.
pub(super) fn pays(f: &Analyses, loops: &[Reduction]) -> Vec<Fact> {
    let facts: Option<Vec<Fact>> = loops.iter().map(|r| long(f, r)).collect();
    facts.unwrap_or_default()
}

/// That the loop is long, if it gains then.
fn long(f: &Analyses, r: &Reduction) -> Option<Fact> {
    let l = f
        .tree
        .loop_ids()
        .find(|l| f.tree.loop_(*l).header == r.loop_.header)?;
    let trip = Poly::atom(Atom::Trip(l));
    let all = &f.accesses.list;
    let mut in_loop = all
        .iter()
        .filter(|a| r.loop_.blocks.contains(&a.block))
        .peekable();
    let gains = matches!(r.carries, Carries::Parts(_))
        && !r.cells.stores
        && is_launch_wide(f, &trip)
        && in_loop.peek().is_some()
        && in_loop.all(|a| lies_in_rows(f, a, l));
    gains.then(|| Fact::at_least(trip, LONG))
}

/// Whether what an access asks for lies in one sector with what the next iteration asks for, and in another one than
/// what the next thread does; or is the same for all threads.
fn lies_in_rows(f: &Analyses, a: &Access, l: LoopId) -> bool {
    let varies = |atom| matches!(atom, Atom::Tid(_)) || f.affine.follows(atom, l);
    let parts = f
        .affine
        .address(a.id)
        .and_then(|address| address.index.split(varies));
    let Some((steps, _)) = parts else {
        return false;
    };
    let step_of = |atom| steps.get(&atom).map_or(Some(0), |p| p.as_constant());
    let is_short = |step: Option<i64>| step.is_some_and(|n| n.abs() < SECTOR);
    let others = steps.keys().filter(|atom| **atom != Atom::Tid(Dim::X));
    let by_iteration = others.copied().all(|atom| is_short(step_of(atom)));
    let by_thread = step_of(Atom::Tid(Dim::X));
    by_iteration && (by_thread == Some(0) || !is_short(by_thread))
}
