//! Reroll: loops that their author unrolled by hand are rolled up again.
//!
//! ```text
//! for (; i + 4 <= n; i += 4) {  f(i); f(i + 1); f(i + 2); f(i + 3);  }         nothing: i and s stay as they are
//! for (; i < n; i++)            f(i);                                    ──►   for (; i < n; i++)  f(i);
//! ```
//! The rest's loop does all the work where the first one is left out. In a copy of the kernel it is, and that copy is
//! planned as any kernel is: its indices are affine, its loops can be cut into strips, and LLVM unrolls them by itself.
//!
//! Sound where one iteration of the first loop surely gives the bits that several of the second give (`expression.rs`:
//! both are evaluated over symbols, integers as polynomials modulo their width, floats operation by operation in their
//! order), neither does anything but load and compute, and the first loop runs only as long as the second would. What
//! no flag of the IR proves of that is a fact of every version of the copy: that its indices are exact, and that the
//! loop's limit leaves room for the step. The host decides these facts (`own.rs`): the copy's body is none to fall back
//! to.
//!
//! Not done: loops with branches or stores in them, rests that are unrolled themselves, limits read from memory.

mod compare;
mod emit;
mod expression;
mod legality;

use super::way::Recasting;
use crate::access::AccessKind;
use crate::kernel::{Kernel, ValueId};
use crate::plan::{Analyses, Fact};

pub use compare::Unrolled;
pub use emit::emit;
pub use legality::find;

/// What versions of a rerolled copy rest on, in values of the copy.
#[derive(Clone, Debug)]
pub struct Rerolled {
    /// Loads of the loops, whose addresses must be exact.
    loads: Vec<ValueId>,
    /// Limits of the loops, and the room that they must leave below 2^31.
    limits: Vec<(Limit, u32)>,
}

/// What a loop's number is compared with.
#[derive(Clone, Copy, Debug)]
enum Limit {
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

    fn title(&self) -> Option<&'static str> {
        None
    }

    /// Whether loops are rolled up cannot be told then.
    fn is_fallback(&self) -> bool {
        false
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
        let mut facts = crate::plan::facts_of(f.affine, &ids)?;
        for (limit, times) in &self.limits {
            let most = i64::from(i32::MAX) - i64::from(*times);
            match limit {
                Limit::Known(c) => (0..=most).contains(c).then_some(())?,
                Limit::Value(v) => facts.push(Fact::InRange {
                    poly: crate::plan::number(f.kernel, f.affine, *v)?,
                    lo: 0,
                    hi: most,
                }),
            }
        }
        Some(facts)
    }
}
