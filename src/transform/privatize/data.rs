//! Cells that a block adds to by itself, and how few blocks do the work of all.

use crate::access::{AccessId, Accesses, ArrayId};
use crate::affine::Poly;
use crate::kernel::ValueId;
use crate::llvm::ir::Rmw;
use crate::plan::data::{ActiveBound, ActiveSet, Dimension, Footprint, GridSteps, Held, Updates};
use crate::tree::{LoopId, NodeId};
use std::any::Any;
use std::fmt::Write;

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
    /// [`crate::plan::Plan::merge`] says how many, side by side, a thread takes at a time.
    pub stride: Option<Stride>,
    /// The elements of a thread's own, if they are loaded ahead in their order.
    pub ahead: Option<Ahead>,
    /// Loads of which it is not known that they are of none of the cells: those are looked up among them.
    pub looked_up: Vec<AccessId>,
}

impl GridSteps for Privatization {
    fn equals(&self, other: &dyn GridSteps) -> bool {
        (other as &dyn Any).downcast_ref() == Some(self)
    }

    /// If threads take steps of ids, not of blocks, it is right in any number of blocks.
    fn most_blocks(&self) -> Option<u32> {
        let by_ids = |s: &Stride| matches!(s.over, Over::Ids { .. });
        self.stride.filter(by_ids).map(|_| self.blocks)
    }

    fn held(&self) -> Vec<Held> {
        let held = |t: &PrivatizedArray| Held {
            array: t.array,
            access: t.updates[0],
            cells: t.cells,
        };
        self.arrays.iter().map(held).collect()
    }

    fn updates(&self) -> Updates {
        let updates = self.arrays.iter().flat_map(|t| &t.updates);
        Updates {
            by_steps: updates.copied().collect(),
            by_leader: self.arrays.iter().map(|t| t.cells).sum(),
            may_be_others: self.arrays.iter().any(|t| t.beyond),
            resident: self.resident,
            share: self.share,
        }
    }

    fn dump(&self, accesses: &Accesses) -> String {
        let mut s = format!(
            "  all blocks in steps: {} threads at most, {} blocks, one leader for {} threads at least, {} copies\n",
            self.resident, self.blocks, self.share, self.copies
        );
        if let Some(Stride { over, limit }) = &self.stride {
            let _ = match over {
                Over::Loop { loop_, counter } => {
                    writeln!(s, "    steps of elements: {loop_} by {counter}, {limit}")
                }
                Over::Ids { side } => writeln!(s, "    steps of ids: {side}, {limit}"),
            };
        }
        if let Some(Ahead {
            stride,
            loads,
            elements,
        }) = &self.ahead
        {
            let ids: Vec<String> = loads.iter().map(|l| l.access.to_string()).collect();
            let (ids, limit) = (ids.join(" "), stride.limit);
            let _ = writeln!(s, "    {elements} elements ahead: {ids}, {limit}");
        }
        if !self.looked_up.is_empty() {
            let ids: Vec<String> = self.looked_up.iter().map(ToString::to_string).collect();
            let _ = writeln!(s, "    looked up among the cells: {}", ids.join(" "));
        }
        for a in &self.arrays {
            let name = &accesses.array(a.array).name;
            let ids: Vec<String> = a.updates.iter().map(ToString::to_string).collect();
            let others = if a.beyond { ", others in memory" } else { "" };
            let _ = writeln!(
                s,
                "    privatized: {} {name}, {:?} of {} cells from byte {}, at byte {}, for {}{others}",
                a.array,
                a.op,
                a.cells,
                a.low,
                a.offset,
                ids.join(" ")
            );
        }
        s
    }
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
    /// Whether they may be of cells that are not privatized, too, which are updated where they lie.
    pub beyond: bool,
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

/// Elements that a thread of the kernel goes over by a loop, loaded so many at a time, in the order of the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ahead {
    /// The loop, and the elements.
    pub stride: Stride,
    /// What is loaded, of each element.
    pub loads: Vec<ElementLoad>,
    /// Elements at a time.
    pub elements: u32,
}

/// A load of what lies at an element's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ElementLoad {
    /// The load.
    pub access: AccessId,
    /// Bytes from one element to the next.
    pub pitch: i64,
    /// Bytes from the array's begin to where the load is for element 0.
    pub beyond: i64,
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
