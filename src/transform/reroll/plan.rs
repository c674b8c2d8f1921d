//! What versions of a copy rest on, as plain data. Idea and soundness: [`super`].

use crate::access::AccessKind;
use crate::kernel::{Kernel, ValueId};
use crate::plan::{self, Analyses, Fact};
use crate::transform::way::Recasting;

/// What versions of a rerolled copy rest on, in values of the copy.
#[derive(Clone, Debug)]
pub struct Rerolled {
    /// Loads of the loops, whose addresses must be exact.
    pub(super) loads: Vec<ValueId>,
    /// Limits of the loops, and the room that they must leave below 2^31.
    pub(super) limits: Vec<(Limit, u32)>,
}

/// What a loop's number is compared with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    Known(i64),
    Value(ValueId),
}

impl Recasting for Rerolled {
    fn name(&self) -> &'static str {
        "Reroll"
    }

    fn word(&self) -> &'static str {
        "rerolled"
    }

    /// Whether loops are rolled up cannot be told then.
    fn is_fallback(&self) -> bool {
        false
    }

    /// Of two loops one is left.
    fn joins_fewer_ways(&self) -> bool {
        true
    }

    fn describe(&self, _: &Kernel) -> String {
        let times: Vec<String> = self.limits.iter().map(|l| l.1.to_string()).collect();
        let all = times.join(", ");
        format!("loops that were unrolled by hand, {all} times, are rolled up")
    }

    /// What the launch must be tested for; `None`: an address is not known, or a limit is nothing that can be asked
    /// about.
    fn facts(&self, f: &Analyses) -> Option<Vec<Fact>> {
        let mut ids = Vec::new();
        for load in &self.loads {
            let mut all = f.accesses.iter();
            // What is no access lies in memory that is always there, at places of no array.
            if let Some(a) = all.find(|a| a.value == *load && a.kind == AccessKind::Load) {
                ids.extend(f.affine.address(a.id)?.facts.iter().copied());
            }
        }
        let mut facts = plan::facts_of(f.affine, &ids)?;
        for (limit, times) in &self.limits {
            let most = i64::from(i32::MAX) - i64::from(*times);
            match limit {
                Limit::Known(c) => (0..=most).contains(c).then_some(())?,
                Limit::Value(v) => facts.push(Fact::InRange {
                    poly: plan::number(f.kernel, f.affine, *v)?,
                    lo: 0,
                    hi: most,
                }),
            }
        }
        Some(facts)
    }
}
