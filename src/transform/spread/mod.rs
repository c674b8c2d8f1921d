//! Spread: a thread's loop over elements that have nothing to do with each other is dealt out, an element to each
//! thread.
//!
//! ```text
//! for (i = id; i < n; i += gridDim.x * blockDim.x)  f(i);         i = id;  if (i < n)  f(i);  in a launch of n threads
//! for (i = 4 * id; i < 4 * id + 4 && i < n; i++)    f(i);    ──►  the same
//! ```
//! The loops by the grid's size that CUDA's guides teach, and the threads of a few neighbours each, hide what the
//! kernel is: one element a thread. In a copy of the kernel the loop's counter is the thread's own id and the loop ends
//! after one iteration, and that copy is planned as any kernel is: its indices are affine, its loops the same for all
//! threads, its arrays can be staged and its blocks merged. The host launches its versions with as many threads as
//! there are elements, which a function beside the gate works out from the program's launch (`emit_launch.rs`).
//! Neighbours of one thread become neighbours in a warp, which lie in the same sectors.
//!
//! Sound where threads have nothing to do with each other and which block one is in cannot be told (`plan::is_free`),
//! as for blocks of other sizes, and where elements have nothing to do with each other, too: nothing but the counter is
//! carried from iteration to iteration, nothing is touched outside the loop, and what is stored is nobody else's
//! (`cells.rs`). Two elements that one thread had in turn may be two threads' now. A program may launch one thread, so
//! that no race between threads speaks for that: it is proven, or a fact that the host tests.
//!
//! Not done: updates of floating-point numbers, sums over a thread's iterations, loops in loops, counters that begin
//! elsewhere.

mod cells;
mod emit;
mod emit_launch;
mod legality;
mod plan;
mod recasting;

pub use cells::DisjointCells;
pub use emit::emit;
pub use legality::find;
use plan::Row;
pub use plan::Spread;
pub use recasting::Distributed;
