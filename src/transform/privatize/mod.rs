//! Privatized atomics: cells that a block adds to by itself, in shared memory, and gives to global memory once.
//!
//! ```text
//! atomicAdd(&bins[data[i]], 1)      for (block = leader; block < blocks; block += leaders)
//!                                       atomicAdd(&own[data[i]], 1)                 shared memory
//!                                   if (own[c] != 0) atomicAdd(&bins[c], own[c])    for every cell c
//! ```
//! A few blocks, as many as fill the chip, do the work of all in *steps*, so that a cell travels once
//! a leader and not once a thread.
//!
//! Sound because CUDA's atomics are relaxed, their results are not used here, and the operations
//! commute and associate on integers: whatever order they come in, memory ends with the same bits. In
//! between nobody may tell: the kernel has no barrier, fence or other atomic by which threads could
//! know of each other, and nothing else in it touches the cells, by proof or by a test at the entry.
//! A cell that was not added to is left alone, so no address is used that the original would not use.
//!
//! Where data alone says which cell it is, and says no bounds (`bins[data[i]]` of whole numbers), the array's first
//! cells are privatized, and others are updated where they lie, at the place in the code where the original does it.
//! Those may be any memory, so it must not matter what they are: all atomics are of one operation, so that they
//! commute whichever cells are the same, nothing is stored, and what a thread loads it loads before its updates, in
//! code without a loop, or from arrays that are surely others. Threads that read what others update meanwhile are in no
//! order in the original either.
//!
//! Refused needlessly: an array of which a part is loaded again behind an update, since it is not known to be another;
//! two operations; tables of which a block uses a part of its own.

mod data;
mod emit;
mod emit_elements;
mod legality;
mod plan;
mod stride;

pub use data::{Privatization, PrivatizedArray};
pub use plan::choose;
