//! One version of a plan, for launches of every size.
//!
//! Versions of a kernel ask whether a launch gains before they serve it: that its grid fills the chip, that
//! loops are long. Of launches so small that a CPU runs them hardly any is served then. So a version is
//! tried alone, without its gates, and with lower limits of 1 where facts ask for more. Nothing may rest
//! on those: that the bits stay the same says so.

use mesi::plan::{Fact, Plan};

/// Version `number` of `plan` (counted round and round) alone, for all launches; `None` where the plan
/// has one version, which serves all launches already.
pub fn alone(plan: &Plan, number: u32) -> Option<Plan> {
    let mut first = plan.clone();
    let others = std::mem::take(&mut first.alternatives);
    let several = !others.is_empty();
    let count = 1 + others.len();
    let mut version = std::iter::once(first)
        .chain(others)
        .nth(number as usize % count)?;
    let mut loosened = !version.gates.is_empty();
    version.gates.clear();
    // What short loops run in merged blocks asks for large grids. Every other time they run by rounds.
    if number as usize / count % 2 == 1 {
        version.short.retain(|p| p.together.is_none());
    }
    for short in &mut version.short {
        loosened |= !short.gates.is_empty();
        short.gates.clear();
    }
    for fact in &mut version.facts {
        loosened |= loosen(fact);
    }
    (several || loosened).then_some(version)
}

/// Takes the lower limit of a fact down to 1; whether it was above.
fn loosen(fact: &mut Fact) -> bool {
    match fact {
        Fact::InRange { lo, hi, .. } if *lo > 1 && *lo < *hi => {
            *lo = 1;
            true
        }
        _ => false,
    }
}
