//! A collapsed copy as one of the ways in which copies are written.

use super::Collapse;
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

    /// That what is stored does not lie in other arrays, and that indices are exact: all cells of one array were looked
    /// at.
    fn facts(&self, f: &Analyses) -> Option<Vec<Fact>> {
        let mut facts = FactList::default();
        for s in f.accesses.iter().filter(|a| a.writes()) {
            for a in f.accesses.iter() {
                if self.may_wrap && a.array == s.array {
                    f.affine.address(a.id)?;
                    plan::add_access_facts(f, a.id, &mut facts).ok()?;
                }
                let is_looked_at = a.writes() && a.id < s.id;
                if is_looked_at || a.array == s.array || !f.accesses.may_meet(s, a) {
                    continue;
                }
                plan::disjoint(f, s.array?, &[s.id], a.array?, a.id, &mut facts).ok()?;
            }
        }
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
