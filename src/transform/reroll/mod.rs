//! Reroll: loops that their author unrolled by hand are rolled up again.
//!
//! ```text
//! for (; i + 4 <= n; i += 4) {  f(i); f(i + 1); f(i + 2); f(i + 3);  }         nothing: i and s stay as they are
//! for (; i < n; i++)            f(i);                                    ──►   for (; i < n; i++)  f(i);
//! ```
//! The rest's loop does all the work where the first one is left out. In a copy of the kernel it is, and that copy is
//! planned as any kernel is: its indices are affine, its loops can be cut into strips, and LLVM unrolls them by itself.
//!
//! Sound where one iteration of the first loop surely gives the bits that several of the second give (`expression.rs`:
//! both are evaluated over symbols, integers as polynomials modulo their width, floats operation by operation in their
//! order), neither does anything but load and compute, and the first loop runs only as long as the second would. What
//! no flag of the IR proves of that is a fact of every version of the copy: that its indices are exact, and that the
//! loop's limit leaves room for the step. The host decides these facts (`own.rs`): the copy's body is none to fall back
//! to.
//!
//! Not done: loops with stores, switches or loops in them, rests that are unrolled themselves, limits read from memory.

mod body;
mod compare;
mod emit;
mod expression;
mod legality;
mod plan;

pub use compare::Unrolled;
pub use emit::emit;
pub use legality::find;
