//! What is known of indices, as plain data.

use super::poly::{Atom, Poly};
use crate::access::{AccessId, ArrayId};
use crate::kernel::{Dim, ValueId, id};
use crate::tree::{LoopId, NodeId};

id!(/// A fact about 32-bit arithmetic, in order of discovery.
    FactId, "fact");

/// A block-uniform value that the kernel's entry can compute: `lower` clones the expression
/// behind `value` there, without poison-generating flags, and sign-extends the result to 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The value in the original body.
    pub value: ValueId,
    /// Its width in bits. 64-bit symbols are only used under the fact that they fit 32.
    pub bits: u32,
}

/// `min(a, b)` or `max(a, b)`, signed, of a varying and a block-uniform operand. Monotone in `a`,
/// so over a box it takes its extremes where `a` does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clamp {
    /// The value in the original body.
    pub value: ValueId,
    /// Whether it is a minimum.
    pub is_min: bool,
    /// The varying operand.
    pub varying: Poly,
    /// The block-uniform operand.
    pub limit: Poly,
    /// Its width in bits.
    pub bits: u32,
}

/// How often a loop runs: `ceil(span / step)`, but at least `least`. The same for all threads that
/// reach it when `span` and `step` hold no `Tid` or `Clamp`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trip {
    /// Distance from the first value of the induction variable to its limit, in its own units.
    pub span: Poly,
    /// Distance of one iteration; positive under the facts.
    pub step: Poly,
    /// 1 for a loop tested after its body, else 0.
    pub least: u32,
    /// Facts under which the formula holds.
    pub facts: Vec<FactId>,
}

/// How often each thread runs a loop that threads run a different number of times.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DivergentTrip {
    /// The count; `span` or `step` holds `Tid` or `Clamp`.
    pub trip: Trip,
    /// Where the compared value begins, in its own units, counted in the direction it moves: negated
    /// where the loop counts down.
    pub start: Poly,
}

/// Why a loop has no trip count that all threads share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoTrip {
    /// The bound or start differs between threads.
    Divergent,
    /// The exit condition is not a comparison of an induction variable with a bound.
    Unknown,
}

/// `lo <= value of poly <= hi` for every thread of the block and every iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The exact value.
    pub poly: Poly,
    /// Least value allowed.
    pub lo: i64,
    /// Greatest value allowed.
    pub hi: i64,
}

/// An access's address: bytes past the base of its array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// Bytes from the array's base.
    pub index: Poly,
    /// Facts under which the machine's address equals it.
    pub facts: Vec<FactId>,
}

/// Why an address is not affine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotAffine {
    /// Data-dependent, divided, or a product of two varying values.
    Index,
    /// A coefficient or offset is block-uniform but cannot be computed at the kernel's entry.
    NotAtEntry,
}

/// Which side of a limit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sense {
    /// `value >= limit`.
    AtLeast,
    /// `value <= limit`.
    AtMost,
}

/// One conjunct of the condition under which something executes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Guard {
    /// A block-uniform condition the entry can compute, wanted `true` or `false`.
    Uniform {
        /// The `i1` value in the original body.
        value: ValueId,
        /// The wanted outcome.
        wanted: bool,
    },
    /// `Σ multiplier·atom  >=  limit` (or `<=`): the atoms vary, the limit does not.
    Linear {
        /// Varying atoms and their multipliers, sorted by atom; never empty.
        terms: Vec<(Atom, i64)>,
        /// The side.
        sense: Sense,
        /// The block-uniform limit.
        limit: Poly,
        /// Facts under which the comparison is exact.
        facts: Vec<FactId>,
    },
    /// `poly >= 0` with no varying atom but iteration numbers of loops around.
    Fixed {
        /// The value tested.
        poly: Poly,
        /// Facts under which the comparison is exact.
        facts: Vec<FactId>,
    },
    /// Two numbers differ of which a thread's number is a part: `j != i`. Of the threads along this dimension one at
    /// most is left out.
    AllButOne {
        /// The dimension.
        dim: Dim,
        /// Facts under which the comparison is exact.
        facts: Vec<FactId>,
    },
    /// Anything else: data, or several variables in other ways.
    Opaque,
}

impl Guard {
    /// What is 0 at least where the guard lets a thread pass, and what that rests on; `None`: it tests something else.
    pub fn not_negative(&self) -> Option<(Poly, &[FactId])> {
        let (terms, sense, limit, facts) = match self {
            Guard::Fixed { poly, facts } => return Some((poly.clone(), facts)),
            Guard::Linear {
                terms,
                sense,
                limit,
                facts,
            } => (terms, sense, limit, facts),
            _ => return None,
        };
        let sum = Poly::sum(terms);
        let poly = match sense {
            Sense::AtLeast => sum.minus(limit),
            Sense::AtMost => limit.minus(&sum),
        };
        Some((poly, facts))
    }
}

/// Everything the later stages know about indices.
pub struct Affine {
    /// By [`super::SymbolId`].
    pub symbols: Vec<Symbol>,
    /// By [`super::ClampId`].
    pub clamps: Vec<Clamp>,
    /// By [`FactId`].
    pub facts: Vec<Range>,
    /// By [`LoopId`].
    pub trips: Vec<Result<Trip, NoTrip>>,
    /// By [`LoopId`]: the count of a loop whose trip is [`NoTrip::Divergent`], where it has a formula.
    pub divergent_trips: Vec<Option<DivergentTrip>>,
    /// By [`AccessId`].
    pub addresses: Vec<Result<Address, NotAffine>>,
    /// By [`AccessId`]: the address as the machine adds it up, and the facts its parts rest on.
    pub machine_address: Vec<Option<(MachineAddress, Vec<FactId>)>>,
    /// By [`AccessId`]: conjuncts of the conditions of the ifs around the access, outermost first,
    /// each with the `If` node it comes from.
    pub guards: Vec<Vec<(NodeId, Guard)>>,
    /// By [`ArrayId`]: the base pointer, a value the entry can compute.
    pub bases: Vec<ValueId>,
    /// Loops of which unrolling decides which of two products a sum is fused with.
    pub sharing: Sharing,
    /// Whether clamps or ifs were taken as they go in interior blocks (see [`super::interior()`]).
    pub interior: bool,
    /// What all of it rests on then, beside the facts of what is used.
    pub assumed: Vec<FactId>,
    /// What holds in every launch that the kernel, a copy, is for ([`crate::kernel::ids::mark_as_met`]); `None`: it
    /// cannot be said in facts.
    pub met: Option<Vec<FactId>>,
    /// Whether some of that is that clamps change nothing.
    pub unclamped: bool,
}

impl Affine {
    /// The trip count of a loop that all threads share.
    pub fn uniform_trip(&self, l: LoopId) -> Option<&Trip> {
        let t = self.trips[l.index()].as_ref().ok()?;
        let divergent = |a: Atom| matches!(a, Atom::Tid(_) | Atom::Clamp(_));
        (!t.span.any(divergent) && !t.step.any(divergent)).then_some(t)
    }
    /// How often a loop runs that always runs as often.
    pub fn constant_trip(&self, l: LoopId) -> Option<u64> {
        let t = self.trips[l.index()].as_ref().ok()?;
        let (span, step) = (t.span.as_constant()?, t.step.as_constant()?);
        let times = (span.max(0) + step.max(1) - 1) / step.max(1);
        u64::try_from(times.max(i64::from(t.least))).ok()
    }
    /// The trip count of a loop, whether or not all threads share it.
    pub fn any_trip(&self, l: LoopId) -> Option<&Trip> {
        let own = self.divergent_trips[l.index()].as_ref().map(|u| &u.trip);
        self.trips[l.index()].as_ref().ok().or(own)
    }
    /// The address of an access, where it is affine.
    pub fn address(&self, a: AccessId) -> Option<&Address> {
        self.addresses[a.index()].as_ref().ok()
    }
    /// Whether an atom's value depends on the iteration of `l`.
    pub fn follows(&self, a: Atom, l: LoopId) -> bool {
        match a {
            Atom::Iter(x) => x == l,
            Atom::Clamp(c) => {
                let c = &self.clamps[c.index()];
                c.varying.any(|a| self.follows(a, l)) || c.limit.any(|a| self.follows(a, l))
            }
            Atom::Trip(x) => self.trips[x.index()].as_ref().is_ok_and(|t| {
                t.span.any(|a| self.follows(a, l)) || t.step.any(|a| self.follows(a, l))
            }),
            _ => false,
        }
    }
    /// The base pointer of an array.
    pub fn base(&self, a: ArrayId) -> ValueId {
        self.bases[a.index()]
    }
}

/// Loops, in order.
#[derive(Default)]
pub struct Sharing {
    /// Those of which the original's unrolling decides what is fused.
    pub loops: Vec<LoopId>,
    /// Those of which only the unrolling of another body would.
    pub elsewhere: Vec<LoopId>,
}

/// Bytes past an array's base: `constant + Σ scale · extended(poly mod 2^width)`.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct MachineAddress {
    /// Bytes.
    pub constant: i64,
    /// What is added, sorted.
    pub parts: Vec<Part>,
}

/// One index that varies.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Part {
    /// Bytes per step.
    pub scale: i64,
    /// Bits before the extension; 64 without one.
    pub width: u32,
    /// How the extension reads them.
    pub unsigned: bool,
    /// The value modulo 2^width, coefficients as signed numbers of that width.
    pub poly: Poly,
}
