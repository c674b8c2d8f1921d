//! What must hold of a launch so that, of merged blocks, those alone are launched that lead.
//!
//! ```text
//! a grid of 241 blocks, 4 merged        61 are launched: the last group has three blocks that the grid has not
//! if (i >= n) return;                   their threads end at once, as n <= 241*ntid
//! ```
//! A chip starts a block in a fixed time, whatever that does (`choice/leaders.rs`): of a kernel that does little more
//! than to read and write, that is a good part. Where the kernel is launched with all threads that are of use, and ends
//! the others at once, a grid may have more blocks than the program's, and so whole groups.

use super::active_bound;
use super::analyses::Analyses;
use super::data::{Fact, Plan};
use super::facts::Facts;
use crate::affine::{Atom, Poly};
use crate::kernel::Dim;
use crate::kernel::ids::{Register, register};
use crate::machine::target::BLOCK_THREADS;

/// Blocks of a group along one dimension, at most: a byte says how many.
const MOST: u32 = 255;

/// The facts under which none but leaders has to be launched; `None`: followers may have work of their own.
pub fn facts(f: &Analyses, plan: &Plan) -> Option<Vec<Fact>> {
    let merge = plan.merge;
    if merge.replicas() == 1 || plan.steps().is_some() || f.affine.interior {
        return None;
    }
    let merged = || Dim::ALL.into_iter().filter(|d| merge.along(*d) > 1);
    let instructions = f.kernel.blocks.iter().flat_map(|b| b.instructions());
    let mut read = instructions.filter_map(register);
    if read.any(|(r, d)| r == Register::Nctaid && merge.along(d) > 1) {
        return None;
    }
    let mut facts = Facts::default();
    for d in merged() {
        let (n, limit) = (merge.along(d), active_bound::active_bound(f, d)?);
        let below = active_bound::ids_below_sum(f, limit, &mut facts).filter(|_| n <= MOST)?;
        let ids = Poly::atom(Atom::Ntid(d)).times(&Poly::atom(Atom::Nctaid(d)));
        // Ids of a whole last group fit as well.
        let most = i64::from(i32::MAX) - i64::from(n * BLOCK_THREADS);
        facts.add_range(&ids, 1, most);
        facts.add_range(&below, 0, most);
        facts.add_range(&ids.minus(&below), 0, most);
    }
    Some(facts.list)
}
