//! Index-set splitting: iterations that all threads of a block run are a loop of their own.
//!
//! ```text
//! for (k = 0; k <= i; k++)             n = the least i + 1 of the block and of those it may be merged with
//!   s += a[i*m + k] * b[k*m + j];  ──►  for (k = 0; k < n; k++) s += …;       the same for all threads: staged
//!                                       for (; k <= i; k++)     s += …;       each thread's own, near the diagonal
//!
//! for (k = j; k < m; k++)              f = the greatest j
//!   s += …;                        ──►  for (k = j; k < m && k < f; k++) s += …;      each thread's own
//!                                       for (; k < m; k++)               s += …;      the same for all
//! ```
//! By index-set splitting (Griebl, Feautrier, Lengauer 2000; seed 2.2): a loop that threads run a different number of
//! times cannot hold what they copy together. In a copy of the kernel such a loop is cut in three: from each thread's
//! own start to the greatest start, from there to the least end, and from there to its own end. The first one is left
//! out where all threads start alike. The loop in the middle runs equally often in all threads of a block, and the copy
//! is planned as any kernel is.
//!
//! Sound, whatever the launch and the arguments are, so the copy's body is one to fall back to:
//! - Each thread runs the iterations that it ran, in the order in which it ran them, and no others: what it loads, adds
//!   up and stores is the same, and nothing is read that was not. So no bound of an array matters.
//! - The first and the last loop test what the original tested, behind each iteration, too. Only the loop in the middle
//!   does not: it runs as often as is proven of every thread of the block. How often a thread runs the original is a
//!   polynomial in its ids (`affine::DivergentTrip`), under facts about the machine's arithmetic. The least count and
//!   the facts are worked out at the extremes of all ids of the block, in 64 bits, in which nothing wraps
//!   (`legality.rs`). Where a fact does not hold for all threads, the middle does not run, and the last loop does all.
//! - Extremes are those of the block's group, [`GROUP`] blocks along each dimension, so that merged blocks agree. More
//!   threads than there are can only make the middle shorter.
//! - A branch that leads to the loop or past it may compare two numbers of a thread (`j <= i`), which what is copied to
//!   shared memory could not follow. Then the first loop and the middle stand in front of it: what it tests is one more
//!   fact, so where the middle runs all threads would have come to the loop.
//! - Where threads meet in the loop, or count on running it together, it is not cut.
//!
//! Which block a thread is in decides how long the middle is, and nothing else: registers that are read for that alone
//! are marked ([`crate::kernel::ids::mark_for_bounds`]), so the copy's blocks may be merged, or be of other sizes.
//!
//! The copy takes no place where it has no more tiles than without (`recast.rs`).
//!
//! Refused by choice: loops whose unrolling decides about the last bit, long ones, those within another that is cut.
//! Refused needlessly: what the copy could be written as without a plan (`rewrite.rs`), steps other than one where
//! starts differ, counts that hang on outer loops or on unknown strides, loops that test before their body. Of another
//! induction variable it is not seen that all threads have the same where starts differ.
//!
//! [`GROUP`]: crate::machine::tuning::index_set_splitting::GROUP

mod emit;
mod emit_bounds;
mod emit_parts;
mod legality;
mod plan;

pub use emit::emit;
pub use legality::find;
