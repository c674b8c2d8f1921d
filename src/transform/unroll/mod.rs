//! Iterations of a loop that a thread runs unrolled, without a test in between, where nothing else is done.
//!
//! ```text
//! for (j = 0; j <= i; j++)         16 iterations a round: their loads are under way at once, and the sums
//!   s += a[i*n + j] * x[j];        follow in their order;  the last 15 or fewer: 8, 4, 2, 1
//! ```
//! LLVM unrolls such loops as well, by 2 to 8, but runs what is left one iteration at a time, each
//! waiting for its loads; and a loop whose addresses are widened in each iteration ptxas unrolls no
//! further. Where the length differs from run to run, by thread or by an outer loop's iteration, there is
//! always something left: on an H200 a triangle updated in place gains x1.0 to x2.5, rows of one x1.5 to x3.3.
//!
//! Loops that always run as often may have a length that is a multiple of LLVM's, and then rounds are only
//! other code (sums over a fixed window x0.83 to x1.08). They gain where all that they load lies side by
//! side from iteration to iteration: then a round reads 16 bytes at once, if that is aligned where
//! the loop begins, and else the loop runs as it did. And they gain where LLVM unrolls them by two at most,
//! as their bodies are long (sums of complex products x1.04 to x1.14).
//!
//! A kernel of its own is measured, so that there loops of one length are unrolled, too: sums of columns, whose few
//! threads have more loads under way.
//!
//! Nothing is assumed of the launch: iterations and what they do stay as they are and in their order, and
//! how many there are is computed where the loop is entered, by each thread. So no fact is tested, and the
//! original body is not needed.
//!
//! Conservative: one straight block of plain loads and stores, a counter with a step of a power of two.

mod ahead;
mod emit;
mod legality;
mod plan;

pub(crate) use emit::words;
pub(crate) use plan::{choose, short, unclamped, unconditional};
