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

mod data;
mod emit;
mod emit_elements;
mod legality;
mod plan;
mod stride;

pub use data::{Privatization, PrivatizedArray};
pub use plan::choose;
