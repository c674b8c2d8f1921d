//! What the checker found: one `Report` per kind of defect, place and array.

use std::fmt;

use crate::site::Place;

/// The defects the checker names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Defect {
    /// Outside the array the pointer belongs to, or in no array at all.
    OutOfBounds,
    /// A store to `__constant__` memory or a constant table.
    WriteToConstant,
    /// Shared bytes nobody wrote were read, and the result depends on them.
    Uninitialised,
    /// Two threads of a block write a byte in one barrier interval.
    WriteWriteRace,
    /// One thread writes and another reads a byte in one barrier interval.
    ReadWriteRace,
    /// Two blocks touch a byte, at least one writes, not both atomically.
    BlockRace,
    /// Shared bytes were touched while a `cp.async` to them was under way.
    CopyRace,
    /// Some live threads wait where the others never come, or at another place.
    BarrierDivergence,
    /// A warp primitive's mask names lanes that do not come, or not the caller.
    WarpDivergence,
    /// The address is less aligned than the access needs.
    Misaligned,
    /// The thread ended with a `cp.async` it never waited for.
    UnwaitedCopy,
    /// More than 48 KiB of static shared memory.
    StaticShared,
    /// `llvm.assume` of something false.
    FalseAssumption,
    /// An integer divided by 0, or the smallest one by -1: a GPU gives some number.
    UndefinedDivision,
    /// `assert` failed or `__trap` was reached.
    Trap,
    /// The launch did not finish within its budget of loop iterations.
    Endless,
    /// Results differ from those of another order of threads or blocks.
    OrderDependent,
}

impl Defect {
    /// Short name used in text and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Defect::OutOfBounds => "out-of-bounds",
            Defect::WriteToConstant => "write-to-constant",
            Defect::Uninitialised => "uninitialised-shared",
            Defect::WriteWriteRace => "write-write-race",
            Defect::ReadWriteRace => "read-write-race",
            Defect::BlockRace => "block-race",
            Defect::CopyRace => "copy-race",
            Defect::BarrierDivergence => "barrier-divergence",
            Defect::WarpDivergence => "warp-divergence",
            Defect::Misaligned => "misaligned",
            Defect::UnwaitedCopy => "unwaited-copy",
            Defect::StaticShared => "static-shared",
            Defect::FalseAssumption => "false-assumption",
            Defect::UndefinedDivision => "undefined-division",
            Defect::Trap => "trap",
            Defect::Endless => "endless",
            Defect::OrderDependent => "order-dependent",
        }
    }
}

/// A thread of the launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Who {
    /// Thread index in its block.
    pub thread: [u32; 3],
    /// Block index in the grid.
    pub block: [u32; 3],
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([x, y, z], [bx, by, bz]) = (self.thread, self.block);
        write!(f, "thread ({x},{y},{z}) of block ({bx},{by},{bz})")
    }
}

/// One finding.
#[derive(Debug, Clone)]
pub struct Report {
    /// What is wrong.
    pub defect: Defect,
    /// Kernel symbol.
    pub kernel: String,
    /// Where, in the source.
    pub place: Place,
    /// First thread that did it.
    pub who: Who,
    /// Address, 0 where there is none.
    pub address: u64,
    /// Array the access belongs to; empty where unknown.
    pub array: String,
    /// Byte offset from the array's start; may be negative.
    pub offset: i64,
    /// Bytes accessed.
    pub size: u64,
    /// The other party of a race, and where it did its part.
    pub other: Option<(Who, Place)>,
    /// More words, where the fields do not say it all.
    pub detail: String,
    /// How often it happened.
    pub count: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}: {}, {}",
            self.place,
            self.defect.name(),
            self.kernel,
            self.who
        )?;
        if self.address != 0 {
            write!(f, ", {} bytes at {:#x}", self.size, self.address)?;
        }
        if !self.array.is_empty() {
            write!(f, ", {} at byte offset {}", self.array, self.offset)?;
        }
        if let Some((who, place)) = &self.other {
            write!(f, "; against {who} at {place}")?;
        }
        if !self.detail.is_empty() {
            write!(f, "; {}", self.detail)?;
        }
        if self.count > 1 {
            write!(f, " ({} times)", self.count)?;
        }
        Ok(())
    }
}
