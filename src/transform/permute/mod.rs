//! Permute: the axes of a launch exchanged, so that the threads of a warp touch neighbouring elements.
//!
//! ```text
//! row = blockIdx.x * blockDim.x + threadIdx.x          row = blockIdx.y * blockDim.y + threadIdx.y
//! col = blockIdx.y * blockDim.y + threadIdx.y    ──►   col = blockIdx.x * blockDim.x + threadIdx.x
//! c[row * n + col] = …                                 of <<<cols by 32, rows by 8>>> in place of <<<rows, cols>>>
//! ```
//! Logical to physical thread mapping (seed 2.2; IJNC 5(2) 2015): a dimension's *priority* is how near the elements are
//! that its neighbouring threads touch, and the one with the highest lies along x, where threads of a warp follow one
//! another. Priorities are sectors that a warp would ask for, all accesses and iterations together
//! (`plan::model::neighbours`). A copy of the kernel reads the ids of other axes and is planned as any kernel is, so
//! its arrays can be staged and its blocks merged as if the programmer had written it so. A folded copy whose ids lie
//! badly is permuted, too.
//!
//! Sound where which block a thread is in cannot be told along any dimension, and threads have nothing to do with each
//! other (`plan::may_be_redistributed`), as for blocks of other sizes. The copy's launch has the program's threads,
//! each with the ids that it had, in blocks of a warp's row. Where these do not hold exactly as many, the last ones
//! have some more, which must be of no use: their ids lie beyond a limit that the kernel's first branches test, and end
//! (`plan/active_bound.rs`). The host works that limit out, and takes shorter rows where there is none.
//!
//! A block's number by itself is an id where blocks have one thread along its dimension, which the host tests: in the
//! copy it is made of both along its axis, but along z, where blocks have one thread there, too.
//!
//! ```text
//! row = blockIdx.y                                          row = blockIdx.y * blockDim.y + threadIdx.y
//! for (k …) s += x[row * n + k] * w[k * m + col]     ──►    of <<<cols by 32, rows by 8>>>
//! ```
//! Where threads of other rows load in a loop what this one's do, blocks of one row become blocks of several, with the
//! same axes: they can stage what all of their rows load. Where nothing is staged then, there is no copy.
//!
//! Refused needlessly: kernels that ask for the grid's size, or for a block's along one dimension alone; kernels that
//! several files may have; rows that are parts of a block's number, but of a layer's. Refused by choice: kernels whose
//! blocks may not have 256 threads. The program's own blocks are not looked at: where they hold one thread along x, the
//! kernel is as fast as its copy, and that is measured.

mod emit;
mod emit_launch;
mod legality;
mod plan;

pub use emit::emit;
pub use legality::{find, find_folded};
pub use plan::Permute;
