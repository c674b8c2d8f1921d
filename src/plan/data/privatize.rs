//! Cells that a block adds to by itself, and how few blocks do the work of all.

use super::{ActiveSet, Dimension, Footprint, LockstepPlan};
use crate::access::{AccessId, ArrayId};
use crate::affine::Poly;
use crate::kernel::ValueId;
use crate::llvm::ir::Rmw;
use crate::tree::{LoopId, NodeId};
use std::fmt;

/// Who does a block's work where there is no region.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Workers {
    /// Its threads, each its own.
    #[default]
    Threads,
    /// Its threads, each that of all replicas in lockstep.
    Lockstep(LockstepPlan),
    /// A few blocks do the work of the whole grid in steps, and add to cells of their own: then the whole grid is
    /// merged, [`super::Plan::merge`] says how many steps a thread takes at a time, and facts are about the whole grid.
    Leaders(LockstepPlan, Privatization),
}

impl Workers {
    /// The same, who run replicas in lockstep, as leaders; `None`: there are no such workers.
    pub fn leading(self, privatized: Privatization) -> Option<Workers> {
        match self {
            Workers::Threads => None,
            Workers::Lockstep(how) | Workers::Leaders(how, _) => {
                Some(Workers::Leaders(how, privatized))
            }
        }
    }
}

/// Cells that are privatized, and how the grid is walked.
#[derive(Debug, Clone, PartialEq)]
pub struct Privatization {
    /// The arrays.
    pub arrays: Vec<PrivatizedArray>,
    /// Dimensions of the grid that are walked: x, and up to the last in which block numbers are read. Blocks that
    /// differ in the others do the same, so each slice of them has leaders of its own.
    pub dimensions: usize,
    /// Threads of all leaders, at most: what the chip holds at a time.
    pub resident: u32,
    /// Leaders at most: the blocks that the chip holds at a time, by their number and by the shared memory that they
    /// take.
    pub blocks: u32,
    /// Threads of the grid per leader, at least; a power of two.
    pub share: u32,
    /// Copies of every cell, side by side; a power of two. A thread updates the one of its number in the warp: where
    /// there are as many as a warp has threads, each finds its own in a bank of its own, so that no two threads of a
    /// warp ever wait for each other.
    pub copies: u32,
    /// The elements that the kernel goes over, if threads take steps of those and not of the grid's blocks: then
    /// [`super::Plan::merge`] says how many, side by side, a thread takes at a time.
    pub stride: Option<Stride>,
}

/// One array's cells.
#[derive(Debug, Clone, PartialEq)]
pub struct PrivatizedArray {
    /// The array.
    pub array: ArrayId,
    /// Its base pointer, computable at entry.
    pub base: ValueId,
    /// Byte offset of the first cell from the base.
    pub low: i64,
    /// Cells of 4 bytes.
    pub cells: u32,
    /// Byte offset in the kernel's buffer.
    pub offset: u32,
    /// What is done to them.
    pub op: Rmw,
    /// The atomics that do it.
    pub updates: Vec<AccessId>,
}

impl PrivatizedArray {
    /// The bytes of all cells.
    pub fn footprint(&self) -> Footprint {
        let last = i64::from(self.cells - 1) * i64::from(CELL);
        Footprint {
            array: self.array,
            base: self.base,
            rest: Poly::constant(self.low),
            dims: vec![Dimension::of_bytes()],
            active: vec![ActiveSet::always(vec![vec![0], vec![last]])],
            size: CELL,
        }
    }
}

/// Bytes of a cell: shared memory adds to words by itself, to wider ones in a loop.
pub const CELL: u32 = 4;

/// A kernel that goes over elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stride {
    /// How it does.
    pub over: Over,
    /// The elements: those whose number is below it.
    pub limit: ActiveBound,
}

/// How elements come to threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// By a loop.
    Loop {
        /// The loop.
        loop_: LoopId,
        /// Its phi: the element's number.
        counter: ValueId,
    },
    /// One to each thread that has an id below the limit.
    Ids {
        /// What such threads do, behind the entry's block.
        side: NodeId,
    },
}

/// Threads whose global id along x is `value` or more, or above it if that is `included`, end at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ActiveBound {
    /// Computed at the kernel's entry.
    pub value: ValueId,
    /// Whether the thread of that id still does something.
    pub included: bool,
    /// Whether ids are compared with it as signed numbers.
    pub signed: bool,
}

impl ActiveBound {
    /// How many threads along x do something, if the value is `value`, sign-extended from `width` bits.
    pub fn threads(&self, value: i64, width: u32) -> i128 {
        let value = match self.signed {
            true => i128::from(value),
            false => i128::from(value) & ((1 << width) - 1),
        };
        value + i128::from(self.included)
    }
}

impl fmt::Display for ActiveBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let than = if self.included { "<=" } else { "<" };
        let bits = if self.signed { "" } else { ", unsigned" };
        write!(f, "id {than} {}{bits}", self.value)
    }
}
