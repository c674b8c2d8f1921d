//! Products in blocks of another shape, by tensor cores or the vector units: a kernel whose threads each sum up
//! products for one element of a matrix, of 8-bit numbers in 32 bits, of doubles, or of floats.
//!
//! ```text
//! row = blockIdx.y * blockDim.y + threadIdx.y          block: 128 rows, 128 columns; warp: 64 rows, 32 columns
//! col = blockIdx.x * blockDim.x + threadIdx.x          for (k0 = 0; k0 < k; k0 += 64) {
//! if (row < m && col < n) {                              a = A[128 rows][64], b = B[64][128 columns]     cp.async
//!   sum = s0                                             acc += mma.m16n8k32(a, b)                     for each 16 x 8
//!   for (i = 0; i < k; i++)                      ──►   }
//!     sum += A[row * k + i] * B[i * n + col]           for (row, col of the block's)
//!   C[row * n + col] = f(sum)                            if (row < m && col < n) {
//! }                                                        sum = s0 + acc[row, col];  C[row * n + col] = f(sum)  }
//! ```
//! Whole numbers wrap, so the products may be summed up in any order with the same bits; `mma` without saturation
//! wraps, too. What a thread does before its loop and behind it stays the kernel's own code, run once for each element
//! with the ids of the thread whose element it is. So any start of the sum and any use of it are allowed: scaling, a
//! bias, clamps, results of any type.
//!
//! Doubles keep their order (`mma.m16n8k16`, 64 rows, 128 columns, 16 products a strip): `acc` begins with `s0`, and
//! takes the products up as the loop does; a second version has tiles of 32 x 64 for small products. The
//! instruction rounds each sum once, as `fma` does (PTX ISA); the back end makes such of the kernel's loop, whose
//! product has no other use and `contract`, as its sum has. That it adds them one after the other, from the first on,
//! no manual says: on sm_90 it was found so (`docs/tensor-cores.md`), and there alone it is done. Behind the last
//! product -0 times 0 is added, which leaves every sum as it is. (Which of two NaNs that meet lives on hangs on the
//! order of factors, which ptxas turns as it likes, in the kernel, too.)
//!
//! Floats keep their order, too, and no tensor core has all of their bits: each thread has 8 x 8 sums of a block's 128
//! x 128, or 4 x 8 of 64 x 64, and adds products by `fma`, row by row of strips that lie across the sum. Behind the
//! last product none is added (`emit_floats.rs`).
//!
//! Layers of the grid are a product each (batches, heads of attention): blocks keep their number along z, and bases of
//! operands may hang on it, and on quotients and remainders of it.
//!
//! Where `s0` is no constant (a bias, what lies in the result), a copy of the code in front of the loop is run for each
//! element before there are strips: it leaves `s0` where the element's sum will lie in shared memory, and the warps
//! take theirs up from there. That code stores nothing, so it may run twice; what it loads no other thread stores, in
//! any order, or the kernel would race.
//!
//! Sound, as each element's code runs once, as its thread's would:
//! - Threads have nothing to do with each other, and cannot tell their block (`plan::is_free`, `legality.rs`). Those
//!   whose elements are the product's are all below the guards' limits, and a store of the kernel stands under these
//!   guards, too: a thread beyond them leaves no trace. The host tests that the program launches all that are below.
//! - An operand's element is read only if a thread of the kernel reads it: its limits are those of the guards, and the
//!   loop's count. What is beyond them is 0 in shared memory, which adds nothing. (Four bytes at a time may take
//!   neighbours with them that lie between two such elements.)
//! - Operands are read before other threads store: what is stored lies apart from them, by `noalias` or by facts that
//!   the host tests.
//! - All indices are exact: the facts behind them are tested by the host, of the program's launch (`emit_launch.rs`),
//!   as is that there is something to sum up.
//! - A version for doubles is launched on a device of that chip alone: a later one's driver may compile its code anew.
//!
//! An operand whose rows along the sum lie in memory side by side is copied as it is; of bytes that lie across, 4 x 4
//! are turned in registers when they are read from shared memory, floats that lie along it on their way there. Where
//! rows begin and end at multiples of 16 bytes copies are asynchronous, and those of doubles and floats everywhere;
//! else words are loaded and shifted, and at the end of rows bytes.
//!
//! Flattened ids are none of a thread's along x and y: their copy's are (`transform::fold`), and its product is worked
//! out so (`transform::rewrite`), as is that of loops unrolled by hand, or over elements.
//!
//! Refused needlessly: sums of 64 bits, and of 16 (LLVM shortens those of which only so much is stored); several
//! sums; a zero point in the loop (`(a - z) * b`), loops unrolled by hand; steps along the sum other than 1;
//! batches by a loop; limits from below, and two of one id; launches of no product and of none to sum
//! up; operands in tables of constants; of doubles and floats sums that begin with what a store precedes,
//! differences, factors that are scaled. And by choice: code that must stay short (`code=N`), blocks of fewer
//! threads than the version's by launch bounds, chips before sm_80.

mod emit;
mod emit_body;
mod emit_bytes;
mod emit_doubles;
mod emit_fetch;
mod emit_floats;
mod emit_fragments;
mod emit_launch;
mod emit_operands;
mod emit_strips;
mod emit_warp_lane;
mod emit_words;
mod joins;
mod legality;
mod limits;
mod plan;
mod rewrite;

pub use plan::{Bound, Mma, Side};
pub use rewrite::{find, find_small};
