//! Collapse: a thread's loop whose iterations have nothing to do with each other becomes a dimension of the grid.
//!
//! ```text
//! i = id;                                          i = id along y,  k = id along x
//! if (i < m)                                       if (i < m)
//!   for (j = first(i); j < end(i); j++)      ──►     if (k < end(i) - first(i))  f(i, first(i) + k)
//!     f(i, j);                                     in a launch of as many along x as a thread has iterations at most
//! ```
//! (The name is that of OpenMP's clause.) A kernel with a thread for each row, or for each layer of a matrix that is
//! rotated, has few threads, and each walks through memory by itself. In a copy of the kernel there is a thread for
//! each pair of a thread and an iteration; those beyond a thread's last iteration do nothing. That copy is planned as
//! any kernel is. Iterations lie along x where neighbours of those are neighbours in memory.
//!
//! Sound where threads have nothing to do with each other and which block one is in cannot be told (`plan::is_free`),
//! nothing but counters is carried from iteration to iteration, nothing is stored outside the loop, and no two pairs
//! touch the same cell where one of them stores (`cells.rs`). All of that is proven of the whole numbers that threads,
//! iterations and arguments may be (`reach.rs`), by limits that the kernel's own conditions give; but that an array's
//! rows are no longer than they lie apart, that arguments of 64 bits have 32, and that other arrays lie elsewhere, are
//! facts that the host tests, as is what numbers without a sign rest on: that one of which a part is named (`n / 2`) is
//! below 2^31, and that indices of 32 bits do not wrap to each other's cells. How many iterations a thread has at most
//! the host works out from the launch (`emit_launch.rs`). It may depend on the thread, as may where they begin.
//!
//! Not done: loops where neighbours among threads are the better neighbours in memory, steps that are known at run time
//! alone, pointers that are counted up, updates, threads in two dimensions, loops around the loop; conditions without a
//! sign on differences that are not known to be above 0.

mod cells;
mod emit;
mod emit_launch;
mod legality;
mod plan;
mod reach;
mod recasting;

pub use emit::emit;
pub use legality::find;
pub use plan::{Collapse, Refused};
