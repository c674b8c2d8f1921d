//! Grid interchange: a grid's columns become its rows, where blocks are numbered along another axis than their threads.
//!
//! ```text
//! row = blockIdx.x                                          row = blockIdx.y
//! col = blockIdx.y * blockDim.x + threadIdx.x        ──►    col = blockIdx.x * blockDim.x + threadIdx.x
//! y[row * n + col] = …   of <<<(rows, cols), 256>>>         of <<<(cols, rows), 256>>>
//! ```
//! Logical to physical thread mapping (seed 2.2; IJNC 5(2) 2015), of blocks alone. The copy's ids are those of a grid
//! as most kernels have them, so what is done to those is done to it: blocks of other sizes, of several rows, products
//! in tiles of another shape.
//!
//! Sound as each of the program's blocks is one of the copy's, with the same threads: what the copy reads as its
//! block's number along x is what the kernel reads along y, and the host exchanges how many there are. It is asked for
//! where threads have nothing to do with each other (`plan::may_be_redistributed`), as nothing is gained elsewhere.
//!
//! Refused needlessly: layers (`blockIdx.z`) in place of one of both. Refused by choice: where nothing is done to the
//! copy there is none, as it does what the kernel does.

mod emit;
mod emit_launch;
mod legality;
mod plan;

pub use emit::emit;
pub use legality::find;
pub use plan::GridInterchange;
