//! Which iteration numbers have a value where a polynomial is asked for.
//!
//! ```text
//! do { …; k += 3; } while (k < e);   if (k < 60) …      3*iter(loop0) + 3, but loop0 is over
//! ```
//! LLVM keeps such a value without a phi behind the loop where that changes nothing. Its polynomial then names the
//! iteration number of a loop that does not run any more, which no later stage can give a value. Clamps and trip
//! counts hide such numbers.

use super::value::Values;
use super::{Atom, Poly};
use crate::kernel::BlockId;
use crate::tree::LoopId;

impl Values<'_> {
    /// Whether every iteration number in it is of a loop that holds `block`.
    pub(super) fn is_known_in(&self, p: &Poly, block: BlockId) -> bool {
        let in_scope = |a: Atom| match a {
            Atom::Iter(l) => self.tree.loop_(l).blocks.contains(&block),
            _ => true,
        };
        self.all_atoms(p, &in_scope)
    }

    /// Whether it has one value for as long as `l` runs, and that is known before.
    pub(super) fn is_known_before(&self, p: &Poly, l: LoopId) -> bool {
        self.is_known_in(p, self.tree.loop_(l).header) && !self.follows(p, l)
    }

    /// Whether the iteration of `l` is in it.
    pub(super) fn follows(&self, p: &Poly, l: LoopId) -> bool {
        !self.all_atoms(p, &|a| a != Atom::Iter(l))
    }

    /// Whether `fine` holds of its atoms, and of those of what its clamps and trip counts stand for.
    fn all_atoms(&self, p: &Poly, fine: &dyn Fn(Atom) -> bool) -> bool {
        p.atoms().into_iter().all(|a| {
            fine(a)
                && match a {
                    Atom::Clamp(c) => {
                        let c = &self.clamps[c.index()];
                        self.all_atoms(&c.varying, fine) && self.all_atoms(&c.limit, fine)
                    }
                    Atom::Trip(l) => self.trips[l.index()].as_ref().is_ok_and(|t| {
                        self.all_atoms(&t.span, fine) && self.all_atoms(&t.step, fine)
                    }),
                    _ => true,
                }
        })
    }
}
