//! Iterations of an outer loop that a thread runs together.
//!
//! ```text
//! for (j = i; j < n; j++) {            8 jammed iterations: one load of a[k*n + i], 8 of a[k*n + j],
//!   s = 0;                             8 sums that do not wait for each other
//!   for (k) s += a[k*n + i] * a[k*n + j];
//!   c[i*n + j] = s;                    then the stores, iteration by iteration
//! }
//! ```
//! The iterations are *replicas*: what the body does up to and in its inner loops, the *core*, runs for all of them,
//! instruction by instruction; what follows runs replica by replica, in order, and stores before the core, or in it
//! outside its loops, are put off until then. So all stores keep their order, and only loads of the core come earlier
//! than stores of replicas before: of other arrays, as the entry tests. Sums in memory that the core keeps up to date
//! stay in registers meanwhile.
//!
//! Threads may run the loop a different number of times. Where they begin one after the other and end
//! together, as here, rounds are counted from the block's first iteration, so that the threads of a
//! warp stand at the same `j` and ask for one element, not for 32. A thread takes part with the replicas
//! that are its own; the others repeat one of those, and store nothing. No barrier is needed.
//!
//! The same over whole tiles, in versions that have them and do not merge blocks:
//!
//! ```text
//! for (c = 0; c < centres; c++) {      4 jammed iterations: 4 floats of the point's row at once, 4 of each of 4
//!   d2 = 0;                            centres' rows: 5 reads of tiles for 16 differences, not 8
//!   for (f) d2 += (tile_p[i][f] - tile_c[c][f])²;
//!   if (d2 < best) best = d2, at = c;  then the comparisons, iteration by iteration
//! }
//! ```
//! A loop is jammed that lies in a region and holds none, so no copy and no barrier stands in it. While a region is
//! open nothing stores to what its read-only tiles hold (`plan/legality.rs`), so their reads may come before any store;
//! all others are asked for as above. Rounds begin with the thread's first iteration, and hold its own alone; what is
//! left over runs one by one. So a thread reads no cell that it would not have read. Sums in memory refuse it.

mod emit;
mod emit_over_tiles;
mod legality;
mod plan;

pub use plan::{choose, over_tiles};
