//! Vectorized loops: a thread has neighbouring iterations of a loop that a block's threads share, and loads and stores
//! their cells at once.
//!
//! ```text
//! for (i = threadIdx.x; i < n; i += blockDim.x)      a = address of in[0];  first = cells before the next 16 bytes
//!   out[i] = f(in[i]);                               m = (n - first) / 4, or 0 where a test below fails
//!                                             ──►    for (k = threadIdx.x; k < m; k += blockDim.x)
//!                                                      out[first + 4k .. + 3] = f(in[first + 4k .. + 3])
//!                                                    for (e = threadIdx.x; e < n - 4m; e += blockDim.x)
//!                                                      i = e < first ? e : e + 4m;  out[i] = f(in[i])
//! ```
//! A block for each row is how normalisations, activations and quantisations are written, and the map over the row at
//! their end hands a warp 128 bytes, or 32 of bytes, for each instruction. By 16 bytes a thread fewer instructions do
//! that, and more of it is under way. (Wide accesses as in Luitjens, *CUDA pro tip: increase performance with
//! vectorized memory access*, 2013.)
//!
//! Sound, as each iteration is done once, by some thread of the same block and row of threads along x:
//! - All threads along x come to the loop together, with the same number of iterations, and nothing that it uses
//!   differs among them but the counter (`kernel/varying.rs`). Those that the loop is not for, as it has fewer
//!   iterations than they have numbers, are not needed: there are no more vectors and leftovers than iterations.
//! - Iterations have nothing to do with each other: nothing is carried, and what is stored is nobody else's. The
//!   version tests that, for its own row: cells lie side by side from the first to the last, so their numbers did not
//!   wrap; no store's lie where others' do, or what all iterations load, unless they are the same cells one by one.
//!   Arrays that data index must be others for sure.
//! - What a thread touches before the loop or behind it is not touched in it, or a barrier of the whole block stands in
//!   between, or all threads load it from one address: were that stored to without a barrier, it would be a data race.
//!   So does a barrier where the loop runs again: over less of its row it would hand cells to other threads.
//! - A vector is aligned to its length, as the version tests: `first` makes it so for the first access, and where
//!   others then are not, all iterations are done one by one.
//! - Arithmetic is the original's, iteration by iteration, in a block of its own as there. Loops whose iterations may
//!   share products are refused.
//! - The host launches it for a loop by a number in blocks of that length along x alone.
//!
//! Other loops of the kernel, as sums of the row that is then written, are unrolled in the same version
//! (`own/unrolled.rs`), where that rests on no fact.
//!
//! Refused needlessly: rows by warps, several counters, arrays in shared memory, several rows of a block one after the
//! other, what is stored to without a barrier in between though it is never the same.

mod addresses;
mod emit;
mod emit_launch;
mod hazards;
mod launches;
mod legality;
mod plan;
mod rewrite;

pub use rewrite::find;
