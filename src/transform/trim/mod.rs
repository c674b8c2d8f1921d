//! Trimmed grids: blocks that a guard proves empty are not launched.
//!
//! ```text
//! x = blockIdx.x * blockDim.x + threadIdx.x;  …        b = blockIdx.x                     of a grid of one row
//! if (x == 0 || x == n-1 || y == 0 || … )        ──►   box = the first whose end is above b
//!   a[(z * n + y) * n + x] = …                         blockIdx = box.low + the place of b - begin in it
//!                                                      gridDim = the program's; the kernel's own code
//! ```
//! A kernel that runs a whole volume for its surface launches a block for every place, and nearly all of them end at
//! their guard. The host knows which: it works out the guards' outcomes for boxes of blocks, finds the smallest box out
//! of which all is empty and the largest empty box within that, and hands the version what is left, six boxes at most,
//! with one more parameter. Cutting the grid in two places along each dimension makes 27 boxes; these six are those of
//! the 27 that are not empty, joined where they make a larger box.
//!
//! Sound, as a block that is left out leaves no trace, and all others do what they did:
//! - From a kernel's entry up to its first effect nothing can be observed: what is done there computes and loads
//!   (`legality.rs`). Stores, atomics, barriers, calls, volatile loads, loops, and inline assembly are effects. A block
//!   is empty if no thread of it comes to an effect.
//! - The host's test of a box of blocks holds for all threads of all of its blocks (`emit_empty.rs`): values are
//!   intervals, made of those of the block's number, the thread's number in its block (`0 .. blockDim-1`), and exact
//!   values of parameters. An interval that may leave its type's range says nothing any more: what wraps is kept. A
//!   condition that is not known goes both ways. So an empty box is proven, and one that is not proven is launched.
//! - How boxes are searched for does not matter: what is left out is a union of boxes that were each tested. What is
//!   left is taken apart into boxes that do not overlap and miss nothing (`emit_launch.rs`).
//! - Blocks keep their threads, so barriers, warps and shared memory are what they were. A block learns its number and
//!   the grid's size from the list alone: kernels that can ask in another way, or that are launched in clusters, are
//!   refused, and so are kernels whose threads wait for others (`kernel/rejected.rs`), as blocks are launched in
//!   another order. Blocks that share nothing but memory cannot tell.
//!
//! Refused by choice: guards that are upper limits alone (`if (i >= n) return`), as each kernel has one and a launch
//! mostly just covers it (`rules.rs`).
//!
//! Refused needlessly: triangles (`if (col > row) return`: no box that is more than a corner is empty), guards behind a
//! loop, a barrier or a store, guards that are made of remainders or of what memory holds, several holes in a volume,
//! holes that are not in its middle, kernels that several files may have, 32 and more parameters. (A flattened id is
//! taken apart in a copy, `transform::fold`; the grids of that are trimmed.)

mod emit;
mod emit_empty;
mod emit_intervals;
mod emit_launch;
mod known;
mod legality;
mod plan;
mod rewrite;
mod rules;

pub use plan::words;
pub use rewrite::find;
