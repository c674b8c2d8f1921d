//! Which loops by the block's size run over neighbours, as plain data.

use crate::kernel::{BlockId, ValueId};
use std::fmt;

/// How a kernel's loops are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vectorize {
    /// In program order.
    pub loops: Vec<Wide>,
    /// Whether blocks may be of any length along x: nothing but these loops asks for that, or for a thread's place.
    pub any_length: bool,
    /// Where the kernel's other loops begin.
    pub others: Vec<BlockId>,
}

/// A loop in which a thread has so many neighbouring iterations at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wide {
    /// The block that enters it, and the one where it goes at its end.
    pub outside: [BlockId; 2],
    /// Its own, each behind those that lead to it: the first is entered, the last is left.
    pub blocks: Vec<BlockId>,
    /// The block that asks whether it runs at all.
    pub guard: BlockId,
    /// What counts: a phi that begins with the thread's number along x; and the number that it goes on by, where the
    /// block is as long. `None`: by the block's length.
    pub counter: (ValueId, Option<u32>),
    /// The comparison at its end, and which operand of that its number of iterations is.
    pub compare: (ValueId, u32),
    /// Whether that has a sign.
    pub signed: bool,
    /// Iterations at a time.
    pub width: u32,
    /// Loads and stores whose cells lie side by side, in their order.
    pub accesses: Vec<Cells>,
    /// Which of them may not meet what, each with a store.
    pub disjoint: Vec<Disjoint>,
}

/// A load or store of which iteration `i` has cell `i`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells {
    /// The instruction.
    pub at: ValueId,
    /// The operand that is the address.
    pub pointer: u32,
    /// Bytes of a cell.
    pub bytes: u32,
}

/// A store's cells, by its number among [`Wide::accesses`], and what else the loop touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disjoint {
    pub store: usize,
    pub other: Other,
}

/// What the cells of a store may not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Other {
    /// Other cells. `same`: they may be the very same, each iteration's its own.
    Cells { number: usize, same: bool },
    /// What each iteration loads.
    One { at: ValueId, bytes: u32 },
}

/// Why a loop stays as it is, in the order in which that is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NoVectorize {
    /// The kernel is left alone whatever could be gained.
    Rejected,
    /// It has other counters, or what it counts or works out is used behind it.
    Carries,
    /// A product might meet a sum in one of the two that it does not meet in the other.
    Fuses,
    /// How often it runs is not what is asked before it, or is not the same for all threads.
    Count,
    /// Some threads of a block may not come to it, or work with numbers of their own.
    Threads,
    /// Threads have to do with each other in it, or it calls what is not known.
    Communicates,
    /// It stores what does not lie side by side.
    Scattered,
    /// Its cells have 16 bytes already.
    Wide,
    /// What it loads may be what it stores.
    Meets,
    /// What it touches may be touched before it or behind it, with no barrier in between.
    Outside,
}

impl fmt::Display for NoVectorize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoVectorize::Rejected => "its threads may wait for others, or it cannot be cloned",
            NoVectorize::Fuses => "LLVM may bring products to sums in one of the two alone",
            NoVectorize::Carries => "an iteration hands something to the next, or to what follows",
            NoVectorize::Count => "how often it runs is not known before it, for all threads",
            NoVectorize::Threads => "threads may not all come to it, or have numbers of their own",
            NoVectorize::Communicates => "threads have to do with each other in it",
            NoVectorize::Scattered => "what it stores does not lie side by side",
            NoVectorize::Wide => "its cells have 16 bytes already",
            NoVectorize::Meets => "what it loads may be what it stores",
            NoVectorize::Outside => {
                "what it touches may be touched outside, with no barrier in between"
            }
        })
    }
}
