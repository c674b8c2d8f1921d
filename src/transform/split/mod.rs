//! Split loops: the iterations of a thread's loop are dealt out to the lanes of a warp, which takes the thread's place;
//! what they make is joined behind the loop, or, where it has an order, step by step in that order.
//!
//! ```text
//! id = blockIdx.x * blockDim.x + threadIdx.x         id = (blockIdx.x * blockDim.x + threadIdx.x) / 32
//! s = s0                                             s = 0;  lane = threadIdx.x % 32
//! for (k = 0; k < n; k++)  s += a[id * n + k]  ──►   for (k = lane; k < n; k += 32)  s += a[id * n + k]
//!                                                    for (d = 16; d > 0; d /= 2)  s += shfl.bfly(s, d)
//! y[id] = s                                          s += s0;  if (lane == 0)  y[id] = s
//! ```
//! Neighbours of a row lie in the same sectors, where neighbours of a column do not, and a few thousand threads do not
//! fill a chip that 32 times as many do. Sums, products, minima, maxima and bit operations of whole numbers wrap, and
//! so give the same bits in any order; their flags that say that nothing wraps are dropped.
//!
//! Whatever else is carried keeps its order (`serial.rs`, `emit_serial.rs`): sums of real numbers, the first of the
//! least, numbers that are both multiplied and added to. Lanes do the work of 32 iterations, all but the steps that
//! take what is carried, and leave what steps need in shared memory; then all of them do the 32 steps.
//!
//! ```text
//! for (j = 0; j < n; j++)              for (j = 0; j < n; j += 32)
//!   if (near(i, j))            ──►       x[lane] = j + lane < n ? pull(i, j + lane) : 0, and whether it is near
//!     s += pull(i, j)                    for (l = 0; l < 32 && j + l < n; l++)  if (near[l])  s += x[l]
//! ```
//! That repeats each step in 32 lanes: it gains where threads are so few that most of the chip is idle, and only then
//! is it launched. It takes no place from a version of the plan.
//!
//! An iteration may store, too, in cells of its own (`cells.rs`, `emit_cells.rs`), whether it carries anything or not:
//! the lane stores that has it.
//!
//! ```text
//! for (k = 0; k < n; k++)              wait;  width = y + 4*i*n and a + 4*i*n are apart for 4*n bytes, or one ? 32 : 1
//!   y[i*n + k] = f(a[i*n + k])   ──►   if (lane < width)
//!                                        for (k = lane; k < n; k += width)  y[i*n + k] = f(a[i*n + k])
//!                                      wait
//! ```
//!
//! Sound, as a warp does what its thread did:
//! - All lanes have the thread's id. Which block it is in cannot be told, and threads have nothing to do with each
//!   other (`plan::is_free`, `legality.rs`). The host launches 32 threads for each of the program's, in blocks of
//!   whole warps, so that every warp is full and stands for one thread (`emit_launch.rs`).
//! - Outside the loops all lanes hold the same values: what memory holds that the kernel may write, lane 0 alone
//!   loads, and hands on. So all branches there go one way for a whole warp, and its lanes meet again at each shuffle,
//!   whose mask names all of them.
//! - Outside the loops lane 0 alone stores and updates, in the thread's order. Where a loop may touch that memory, the
//!   warp waits before and behind it (`bar.warp.sync` orders memory, too): lanes have read what comes before, and will
//!   read what was stored. So it does before and behind each loop that stores.
//! - An iteration runs once, by one lane, under the thread's conditions. Nothing but counters, accumulators and what
//!   steps make is carried from one to the next. What one stores no other one touches, or lane 0 has all of them, in
//!   their order: that is worked out before the loop, from addresses alone, and is the same for the whole warp.
//! - What `__restrict__` says holds for a thread, and so for its warp, but not for a lane: where lanes wait, it is
//!   taken from parameters that are stored to.
//! - Steps take the values that the thread's would, in its order. No branch hangs on what is carried; a step under
//!   another branch is done in any case, faults nowhere, and is taken where the lane came by that way. The back end
//!   fuses products with sums in one block: a product that a step adds up is a step, too, if nothing else takes it but
//!   a store, and kernels with a loop of which a product meets the next iteration's sum are refused. A product before
//!   what lane 0 does alone goes on to its sum behind that.
//!
//! The innermost loop that can be is dealt out: its neighbours in time are mostly neighbours in memory. A loop whose
//! trip count is known to be below 32 is not, then the one around it may be. Shuffles wait for lanes that diverged from
//! sm_70 on, which is the oldest chip that there are versions for.
//!
//! Not done: loops that store where iterations are a sector apart or more, as neighbouring threads store in
//! neighbouring cells then, or by steps that are known at run time alone; that store in inner loops; loops that are
//! left in their middle, kernels with loops that are not dealt out (all lanes would run them), accumulators in memory,
//! loops that carry what they load, threads in two dimensions, variables of threads in memory, code that must stay
//! short (`code=N`).

mod accumulators;
mod cells;
mod emit;
mod emit_cells;
mod emit_launch;
mod emit_serial;
mod gains;
mod legality;
mod plan;
mod rewrite;
mod serial;
mod trip;

pub use plan::Split;
use plan::{Carries, Effect, Reduction};
pub use rewrite::find;
