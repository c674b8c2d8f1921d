//! Which loops are cut, as plain data. Idea and soundness: [`super`].

use crate::affine::{Atom, Poly, Range};
use crate::kernel::{BlockId, Kernel, ValueId};
use crate::transform::way::Recasting;
use crate::tree::LoopId;

/// One loop that is cut.
#[derive(Clone, Debug)]
pub struct Split {
    /// The loop.
    pub loop_: LoopId,
    /// What it is less its start, in steps of `step`: how often a thread runs it, where threads start alike.
    pub(super) span: Poly,
    /// The distance of one iteration, positive.
    pub(super) step: i64,
    /// Where each thread starts, if that differs.
    pub(super) start: Option<Start>,
    /// What must hold of all threads.
    pub(super) facts: Vec<Holds>,
    /// The block whose branch leads to the loop or to what follows it, where what it tests is among the facts.
    pub(super) guard: Option<BlockId>,
}

/// A fact that must hold in all iterations of the middle.
#[derive(Clone, Debug)]
pub(super) struct Holds {
    /// In the first iteration of the loop.
    pub range: Range,
    /// How much more its value is in the next iteration.
    pub each: i64,
}

/// Where each thread starts a loop.
#[derive(Clone, Debug)]
pub(super) struct Start {
    /// The start, counted in the direction in which the loop counts: negated where that is downwards.
    pub from: Poly,
    /// The phi that counts.
    pub phi: ValueId,
    /// Whether it counts up.
    pub up: bool,
    /// What the phi starts with, less the start.
    pub ahead: i64,
}

impl Split {
    /// All of which the extremes are worked out.
    pub(super) fn polys(&self) -> impl Iterator<Item = &Poly> {
        let from = self.start.as_ref().map(|s| &s.from);
        let facts = self.facts.iter().map(|r| &r.range.poly);
        facts.chain([&self.span]).chain(from)
    }

    /// Where threads part.
    pub(super) fn sides(&self) -> Sides {
        Sides {
            start: self.start.is_some(),
            end: self.span.any(differs),
        }
    }
}

/// On which sides of the iterations that all threads run each has its own.
#[derive(Clone, Copy, Debug)]
pub struct Sides {
    start: bool,
    end: bool,
}

/// The loops of a copy that are cut.
#[derive(Clone, Debug)]
pub struct IndexSets(pub(super) Vec<Sides>);

impl Recasting for IndexSets {
    fn name(&self) -> &'static str {
        "IndexSetSplitting"
    }

    fn word(&self) -> &'static str {
        "index sets cut"
    }

    fn title(&self) -> Option<&'static str> {
        Some("iterations that all threads of a block run are loops of their own")
    }

    fn may_be_rewritten(&self) -> bool {
        false
    }

    fn describe(&self, _: &Kernel) -> String {
        let describe = |s: &Sides| match (s.start, s.end) {
            (true, true) => "each thread starts and ends one by itself",
            (true, false) => "each thread starts one by itself",
            (false, _) => "each thread ends one by itself",
        };
        let all: Vec<&str> = self.0.iter().map(describe).collect();
        all.join(", ")
    }

    /// Parts of a loop take turns that the loop as it was does not (on an H200, five such loops: x1.00 where unrolled
    /// loops have x1.6).
    fn leaves_places(&self) -> bool {
        true
    }
}

/// Whether threads of a block see different values of it.
pub(super) fn differs(a: Atom) -> bool {
    matches!(a, Atom::Tid(_) | Atom::Clamp(_))
}

/// Whether it differs between threads of a group.
pub(super) fn varies(a: Atom) -> bool {
    differs(a) || matches!(a, Atom::Ctaid(_))
}

/// Whether a coefficient is positive, and not negative; `None`: it may be either.
pub(super) fn sign(c: &Poly) -> Option<bool> {
    match (
        c.is_surely_nonnegative(),
        c.times_constant(-1).is_surely_nonnegative(),
    ) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}
