//! Flat blocks: threads of one dimension whose numbers are taken apart by a constant become threads of two.
//!
//! ```text
//! row = blockIdx.x * 32 + threadIdx.x / 32                  row = blockIdx.y * blockDim.y + threadIdx.y
//! col = blockIdx.y * 32 + threadIdx.x % 32           ──►    col = blockIdx.x * blockDim.x + threadIdx.x
//! c[row * n + col] = …   of <<<(rows, cols), 1024>>>        of <<<(cols, rows), (32, 32)>>>
//! ```
//! Logical to physical thread mapping (seed 2.2; IJNC 5(2) 2015), within a block: quotients and remainders of a
//! thread's number are what the axes of a block are. A copy of the kernel has them so, and is planned as any kernel is:
//! its ids are those of a grid, so its arrays can be staged, its blocks merged, and its products done in blocks of
//! another shape.
//!
//! Sound where threads have nothing to do with each other (`plan::may_be_redistributed`), and all that is asked for
//! of threads and blocks are two ids: a quotient by `c` and as many rows `r` for each block, a remainder and `c`
//! columns for each block. The host tests that blocks have `c * r` threads along x alone, so that quotients are
//! below `r`. The copy's launch has the program's threads, each with the ids that it had, in blocks of `c` by `r`.
//!
//! Refused needlessly: ids that are made of the block's size, blocks of more dimensions, quotients by arguments,
//! threads that wait for each other. Refused by choice: where nothing is done to the copy there is none, as it does
//! what the kernel does.

mod emit;
mod emit_launch;
mod legality;
mod plan;

pub use emit::emit;
pub use legality::find;
pub use plan::FlatBlock;
