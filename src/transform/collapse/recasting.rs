//! A collapsed copy as one of the ways in which copies are written.

use super::Collapse;
use crate::access::{Access, ArrayId};
use crate::affine::{Part, Poly};
use crate::choice::Relaunch;
use crate::kernel::Kernel;
use crate::plan::{self, Analyses, Fact, FactList};
use crate::transform::way::Recasting;

impl Recasting for Collapse {
    fn name(&self) -> &'static str {
        "Collapse"
    }

    fn word(&self) -> &'static str {
        "collapsed"
    }

    fn title(&self) -> Option<&'static str> {
        Some("its loop is a dimension of the grid")
    }

    /// That what is stored does not lie in other arrays, and that no two indices are the same because they wrap: all
    /// cells of one array were looked at.
    fn facts(&self, f: &Analyses) -> Option<Vec<Fact>> {
        let mut facts = FactList::default();
        let mut pairs = Vec::new();
        for s in f.accesses.iter().filter(|a| a.writes()) {
            if self.may_wrap {
                add_distinct(f, s.array?, &mut facts)?;
            }
            let all = f.accesses.iter();
            let others = all.filter(|a| !(a.writes() && a.id < s.id) && a.array != s.array);
            pairs.extend(others.filter(|a| f.accesses.may_meet(s, a)).map(|a| (s, a)));
        }
        plan::all_disjoint(f, &pairs, &mut facts)?;
        Some(facts.list)
    }

    fn must_know_facts(&self) -> bool {
        true
    }

    /// It has many times the kernel's threads.
    fn may_ask(&self) -> bool {
        true
    }

    /// What its tiles read beyond a thread's last iteration may lie in what is stored: then the kernel's own versions
    /// serve.
    fn leaves_places(&self) -> bool {
        true
    }

    fn relaunch(&self) -> Option<&dyn Relaunch> {
        Some(self)
    }

    fn describe(&self, kernel: &Kernel) -> String {
        let most = self.most.describe(kernel);
        match self.step {
            1 => format!("a thread for each iteration of {most} at most"),
            c => format!("a thread for each iteration of ({most}) / {c} at most"),
        }
    }
}

/// Adds that cells of an array are different where their numbers are; `None`: that cannot be tested.
fn add_distinct(f: &Analyses, array: ArrayId, facts: &mut FactList) -> Option<()> {
    let all = || f.accesses.iter().filter(|a| a.array == Some(array));
    if add_within_range(f, all(), facts).is_some() {
        return Some(());
    }
    all().try_for_each(|a| {
        f.affine.address(a.id)?;
        plan::add_access_facts(f, a.id, facts).ok()
    })
}

/// The same of indices without a sign, all widened in the same way, of which some are differences: that all their
/// numbers have as many bits with a sign. Each then wraps to a place of its own, though it may be below 0 in threads
/// that come to no access. `None`: they are of another kind.
fn add_within_range<'a>(
    f: &Analyses,
    accesses: impl Iterator<Item = &'a Access>,
    facts: &mut FactList,
) -> Option<()> {
    let mut first: Option<(i64, Part)> = None;
    let mut is_difference = false;
    let mut needed = facts.clone();
    for a in accesses {
        let (address, rests_on) = f.affine.machine_address[a.id.index()].as_ref()?;
        let [part] = &address.parts[..] else {
            return None;
        };
        let number = part.poly.times_constant(part.scale);
        let number = number.plus(&Poly::constant(address.constant));
        if !part.unsigned || part.width >= 64 || number != f.affine.address(a.id)?.index {
            return None;
        }
        let (constant, like) = first.get_or_insert_with(|| (address.constant, part.clone()));
        if *constant != address.constant || (like.scale, like.width) != (part.scale, part.width) {
            return None;
        }
        needed.add_ids(f.affine, rests_on).ok()?;
        needed.add_poly(f.affine, &part.poly).ok()?;
        let half = 1i64 << (part.width - 1);
        needed.add_range(&part.poly, -half, half - 1);
        is_difference |= part.poly.terms().any(|(_, c)| c < 0);
    }
    is_difference.then(|| *facts = needed)
}
