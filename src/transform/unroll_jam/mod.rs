//! Iterations of an outer loop that a thread runs together, where nothing is staged.
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

mod emit;
mod legality;
mod plan;

pub use plan::choose;
