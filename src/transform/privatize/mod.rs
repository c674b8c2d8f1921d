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
//! Between what cells an update lies is known by its index: a byte, a remainder, or what a branch around it compares
//! with constants (`bounds.rs`). Where data alone says which cell it is, and says no bounds (`bins[data[i]]` of whole
//! numbers), the array's first cells are privatized, and others are updated where they lie, at the place in the code
//! where the original does it. Those may be any memory, so it must not matter what they are: all atomics are of one
//! operation, so that they commute whichever cells are the same, nothing is stored, and a thread loads and updates in
//! the order of the original. Threads that read what others update meanwhile are in no order in the original either.
//!
//! What a thread loads, which may be of a cell that it has updated, lies elsewhere by a test at the entry, or is looked
//! up among the cells (`look_up.rs`), as in loops of which nothing says what they come to.
//!
//! Steps are of elements where a loop goes over all by the grid's size and no order matters (`stride.rs`), of ids where
//! each has one element, or of the grid's blocks, whose threads then do what they do in the original. There a thread
//! loads some of its elements ahead, and again behind an update of what may be one of them (`emit_ahead.rs`).
//!
//! Refused needlessly: an array that is also loaded by its own name, loads wider than a cell that no test bounds; two
//! operations; tables of which a block uses a part of its own.

mod bounds;
mod data;
mod emit;
mod emit_ahead;
mod emit_elements;
mod legality;
mod look_up;
mod plan;
mod stride;

pub use data::{Privatization, PrivatizedArray};
pub use plan::choose;
