//! Windows that lanes slide over without a tile: columns of an image, planes of a solid.
//!
//! ```text
//! for k: sum += x[(row + k)*w + column]         lane j in iteration k + 1 reads what lane j + 1 read in iteration k
//! ```
//! Where lanes own neighbouring rows, all but the last of them find what they read in a register, and an iteration
//! loads one element for all. Nothing is loaded that the original would not have loaded then: the first iteration loads
//! for every lane, each of the others for the last one. So no bounds are asked, and no tile is filled; neighbouring
//! threads read neighbouring columns, which coalesces as it did. In tiles such windows measured x0.8 to x1.37 (33 rows)
//! and x0.75 (9).
//!
//! Sound because addresses of both are equal as polynomials, in the width that the machine adds them up in
//! ([`crate::affine::Narrow`]), nothing in the loop writes, and what other blocks write meanwhile has no order with it.

use super::data::{Fact, Plan, Sliding};
use super::facets::Facets;
use super::facts::Facts;
use super::lane_address::is_out_of_place;
use super::unstaged;
use crate::access::Access;
use crate::kernel::Dim;
use crate::machine::tuning::columns::{ELEMENT, FIT, LANES, LEFT, MOST, SCHEDULED};
use crate::machine::tuning::lane_address::{COALESCED, MOST_INSTRUCTIONS};
use crate::options::Options;
use crate::tree::LoopId;

/// The version for blocks inside, or `plan` as it is.
pub fn choose(f: &Facets, plan: Plan, options: &Options) -> Plan {
    let version = match options.merge {
        Some([1, 1, 1]) => None,
        Some(factor) => along(f, factor),
        None => by_default(f),
    };
    version.unwrap_or(plan)
}

/// The version for a kernel all of whose loops slide over columns. `f` may be the kernel as blocks inside see it.
pub fn by_default(f: &Facets) -> Option<Plan> {
    let instructions: usize = f.kernel.blocks.iter().map(|b| b.instructions().len()).sum();
    let fits = !f.tree.loops.is_empty()
        && instructions <= MOST_INSTRUCTIONS
        && is_coalesced(f)
        && is_out_of_place(f);
    fits.then(|| along(f, [1, LANES, 1])).flatten()
}

/// The version with so many lanes, if every loop slides and most loads go.
fn along(f: &Facets, factor: [u32; 3]) -> Option<Plan> {
    let mut plan = unstaged::version(f, factor).ok()?;
    let together = plan.together.as_ref()?;
    let slides = |l: u32| together.slides.iter().any(|s| s.loop_ == LoopId(l));
    let left = f64::from(together.loaded) / f64::from(together.asked.max(1));
    let all = (0..f.tree.loops.len() as u32).all(slides);
    let narrow = |s: &Sliding| f.accesses.get(s.access).size <= ELEMENT;
    if !all
        || !together.slides.iter().all(narrow)
        || left > LEFT
        || !unstaged::stores_apart(f, plan.merge)
    {
        return None;
    }
    let mut facts = Facts::default();
    facts.add_ids(f.affine, &f.affine.assumed).ok()?;
    let more = facts.list.into_iter().filter(|x| !plan.facts.contains(x));
    let more: Vec<Fact> = more.collect();
    plan.facts.extend(more);
    plan.registers = registers(f, &plan);
    Some(plan)
}

/// The registers that a version takes whose lanes keep windows in many columns: what the original keeps, and a window
/// of each column. What spills there spills in every iteration. `None`: what versions without tiles get holds them.
fn registers(f: &Facets, plan: &Plan) -> Option<u32> {
    let words = |s: &Sliding| f.accesses.get(s.access).size.div_ceil(4);
    let slides = plan.together.iter().flat_map(|t| &t.slides);
    let columns: u32 = slides.map(words).sum();
    let alive = f.kernel.pressure + columns * plan.merge.lanes();
    (alive > FIT).then(|| (alive + SCHEDULED).next_multiple_of(8).min(MOST))
}

/// Whether neighbouring threads access neighbouring elements, or the same one, everywhere. By indices, as loops have
/// them: straight code is asked without facts ([`unstaged`]).
fn is_coalesced(f: &Facets) -> bool {
    let step = |a: &Access| f.step_along(a.id, Dim::X)?.as_constant();
    let mut all = f.accesses.list.iter();
    all.all(|a| step(a).is_some_and(|s| s.abs() <= COALESCED))
}
