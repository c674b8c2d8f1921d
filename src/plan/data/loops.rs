//! How the iterations of a loop run: several of an outer loop jammed, unrolled, without clamps.

use crate::access::AccessId;
use crate::affine::Poly;
use crate::kernel::ValueId;
use crate::llvm::ir::Pred;
use crate::tree::{LoopId, NodeId};
use std::fmt;

/// What is done to one loop.
#[derive(Debug, Clone, PartialEq)]
pub enum LoopPlan {
    /// Iterations of it, an outer loop, run together.
    Jammed(UnrollJam),
    /// It is unrolled.
    Unrolled(Unroll),
    /// It runs without its clamps where they change nothing.
    Unclamped(UnclampedLoop),
}

/// How a loop is unrolled and jammed. Its accumulators are the plan's scalars.
#[derive(Debug, Clone, PartialEq)]
pub struct UnrollJam {
    /// The outer loop.
    pub loop_: LoopId,
    /// The child of its body that holds the inner loops.
    pub core: NodeId,
    /// Iterations a round.
    pub replicas: u32,
    /// Iterations by which this thread begins after the block's first; 0: rounds begin with the thread.
    pub offset: Poly,
    /// Iterations of the core's innermost loops that are unrolled, where all that they load lies in whole tiles. Then
    /// iterations that fill no round run one by one; elsewhere they take part in one with others' places left empty.
    pub unrolled_over_tiles: Option<u32>,
}

impl fmt::Display for UnrollJam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (l, n, core) = (self.loop_, self.replicas, self.core);
        write!(f, "{l}: {n} iterations jammed in {core}")?;
        if !self.offset.is_zero() {
            write!(
                f,
                ", counted from {} before the thread's first",
                self.offset
            )?;
        }
        if let Some(n) = self.unrolled_over_tiles {
            write!(f, " over tiles, {n} iterations of its loops unrolled")?;
        }
        Ok(())
    }
}

/// Why no loop is unrolled and jammed, in the order of the guards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NoUnrollJam {
    /// No loop with another one in it, of which all iterations would run the same way.
    Shape,
    /// Barriers, atomics, shuffles, volatile accesses, calls: somebody may wait or look.
    Communicates,
    /// The kernel has shared or private arrays of its own.
    OwnArrays,
    /// A loop carries a product into a sum: unrolling decides whether the two are fused.
    Fuses,
    /// An iteration needs what the one before it computed, before its inner loops.
    Carried,
    /// How often the loop runs cannot be computed at the kernel's entry.
    Trip,
    /// An inner loop stores what cannot stay in a register.
    Stores,
    /// What is stored may be what other iterations load.
    MayAlias,
    /// There are tiles, and an inner loop loads from global memory, too.
    PastTiles,
    /// Iterations load nothing in common, or too much each.
    NoGain,
}

impl fmt::Display for NoUnrollJam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoUnrollJam::Communicates => "threads or blocks may communicate",
            NoUnrollJam::OwnArrays => "the kernel has shared or private arrays",
            NoUnrollJam::Fuses => "a loop carries a product into a sum, or shares products",
            NoUnrollJam::Shape => "no loop's iterations would run an inner loop the same way",
            NoUnrollJam::Carried => "an iteration needs what the one before it computed",
            NoUnrollJam::Trip => "the loop's length is not known at entry",
            NoUnrollJam::Stores => "an inner loop stores what cannot stay in a register",
            NoUnrollJam::MayAlias => "what is stored may be what other iterations load",
            NoUnrollJam::PastTiles => "an inner loop loads what no tile holds",
            NoUnrollJam::NoGain => "no sure gain",
        })
    }
}

/// An unrolled loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unroll {
    /// The loop, one straight block tested at its end.
    pub loop_: LoopId,
    /// Iterations a round, a power of two.
    pub length: u32,
    /// Whether it is unrolled also where nothing is aligned: its length differs from run to run, or LLVM
    /// hardly unrolls it.
    pub always: bool,
    /// Loads of which a round reads up to 16 bytes at once, where all of them are aligned: all that the loop
    /// has, or none.
    pub wide: Vec<AccessId>,
    /// How far apart neighbouring threads read them, in bytes: loads are wide only if these are multiples
    /// of 16. Nothing rests on it: a warp some of whose threads are aligned would go both ways (x0.95).
    pub strides: Vec<Poly>,
    /// How what is left over runs.
    pub rest: Remainder,
    /// Loads of a round that come before all else of it (`transform/unroll/ahead.rs`).
    pub ahead: Vec<AccessId>,
}

impl fmt::Display for Unroll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: unrolled by {} iterations", self.loop_, self.length)?;
        if !self.always {
            f.write_str(" if aligned")?;
        }
        if !self.wide.is_empty() {
            let ids: Vec<String> = self.wide.iter().map(ToString::to_string).collect();
            write!(f, ", {} at once", ids.join(" "))?;
        }
        for s in &self.strides {
            write!(f, ", threads {s} apart")?;
        }
        if !self.ahead.is_empty() {
            let ids: Vec<String> = self.ahead.iter().map(ToString::to_string).collect();
            write!(f, ", {} first", ids.join(" "))?;
        }
        f.write_str(match self.rest {
            Remainder::PowersOfTwo => "",
            Remainder::OneByOne => ", the rest one by one",
            Remainder::FirstOneByOne => ", the rest before them one by one",
            Remainder::HalfOneByOne => ", half of one, the rest one by one",
        })
    }
}

/// How the iterations run that make no round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remainder {
    /// Behind the rounds, half a round at once, a quarter, and so on.
    PowersOfTwo,
    /// Behind the rounds, each under a test of its own, inside the test of the one before: the first one's address
    /// and constants are enough.
    OneByOne,
    /// The same before the rounds, where addresses are the loop's first. Where a loop is entered again and again that
    /// is 2% to 3% faster (windows of 2x2 and 3x3), and in rows of 5 to 9 taps 3% slower.
    FirstOneByOne,
    /// Behind the rounds, half a round at once, and what is left of that one by one. Where little else is in the loop
    /// it measures best whatever its length is: windows of 3, 5, 9 and 17 without clamps, 300² in 16x16 blocks, by
    /// rounds of 4 x1.22, x1.03, x0.93 and x1.07, of 8 by powers of two x0.99, x1.05, x1.00 and x1.14.
    HalfOneByOne,
}

/// Why no loop is unrolled, in the order of the guards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum NoUnroll {
    /// No loop is one straight block that loads.
    Shape,
    /// Barriers, atomics, shuffles, volatile accesses, calls between the loads.
    Communicates,
    /// Unrolling would decide what is fused.
    Fuses,
    /// How many iterations are left cannot be told at the loop's beginning.
    Count,
    /// It is the same each time: nothing may be left over.
    Even,
    /// It runs so few iterations that there would be one round at most.
    Few,
    /// What an iteration stores may be what the next one loads.
    Waits,
    /// The body is long: its own loads are enough, or its registers too many.
    Long,
}

impl fmt::Display for NoUnroll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoUnroll::Shape => "no loop is one block that loads",
            NoUnroll::Communicates => "threads or blocks may communicate",
            NoUnroll::Fuses => "unrolling would decide what is fused",
            NoUnroll::Count => "a loop's length is not known where it begins",
            NoUnroll::Even => "loops always run as often",
            NoUnroll::Few => "a loop runs a few iterations at most",
            NoUnroll::Waits => "what is stored may be what the next iteration loads",
            NoUnroll::Long => "an iteration is long",
        })
    }
}

/// An outermost loop, and its clamps.
#[derive(Debug, Clone, PartialEq)]
pub struct UnclampedLoop {
    /// The loop.
    pub loop_: LoopId,
    /// Clamps in it, each behind those that it clamps.
    pub clamps: Vec<Unclamped>,
}

impl fmt::Display for UnclampedLoop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.clamps.len();
        write!(
            f,
            "{} without {n} clamps where they change nothing",
            self.loop_
        )
    }
}

/// `min` or `max` of a value that moves with a loop's counter and a limit.
#[derive(Debug, Clone, PartialEq)]
pub struct Unclamped {
    /// Its value.
    pub value: ValueId,
    /// Whether it is a minimum.
    pub is_min: bool,
    /// Which operand is the limit, 0 or 1. The other one moves.
    pub limit: u32,
    /// What that one is made of.
    pub moving: Moving,
    /// Whether the value goes down as the counter goes up.
    pub down: bool,
    /// What it clamps, if that is a sum of the counter, from zero on, and something fixed, which does not overflow.
    pub sum: Option<ValueId>,
}

/// A value that moves with one counter.
#[derive(Debug, Clone, PartialEq)]
pub enum Moving {
    /// Not at all: it is known where the outermost loop begins.
    Fixed(ValueId),
    /// What the clamp at this place of [`UnclampedLoop::clamps`] is given.
    Clamped(usize),
    /// The counter itself.
    Counter(Counter),
    /// A sum of two.
    Sum(Box<[Moving; 2]>),
    /// The first minus the second.
    Difference(Box<[Moving; 2]>),
}

/// A counter that moves up by one, from a constant to what is fixed in the outermost loop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counter {
    /// Its loop.
    pub loop_: LoopId,
    /// The counter.
    pub phi: ValueId,
    /// What it begins at.
    pub first: i64,
    /// As in [`crate::plan::Count`].
    pub moved: bool,
    /// What it, or what it becomes, is compared with.
    pub bound: ValueId,
    /// Under which the loop goes on.
    pub relation: Pred,
}

/// A location that a loop updates in every iteration, kept in a register instead: all accesses
/// have the same address, which does not change in the loop.
#[derive(Debug, Clone, PartialEq)]
pub struct ScalarReplacement {
    /// The loop.
    pub loop_: LoopId,
    /// Its loads and stores, all in blocks that every iteration executes.
    pub accesses: Vec<AccessId>,
    /// Whether the first access is a load, so the register starts with the memory's value.
    pub loads_first: bool,
}
