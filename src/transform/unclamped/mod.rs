//! Loops that run without their clamps where a warp is clear of them.
//!
//! ```text
//! for (k < n) s += x[min(max(i + k - r, 0), w - 1)];      i - r >= 0, i - r + n-1 <= w - 1 for all threads of a warp:
//!                                                         for (k < n) s += x[i + k - r];
//! ```
//! A clamp of what moves by one from iteration to iteration changes nothing if it changes neither the first nor the
//! last value, and these are known where the loop begins. What is left of an iteration is half as long, and its loads
//! lie side by side. Only a warp as a whole leaves the clamps out: one that went both ways would take as long as both.
//!
//! Sound whatever overflows: values move up by one from `first` to `last`, `n - 1` times, modulo 2^32. If `last >=
//! first`, read as signed, their distance is below 2^32 and so is exactly `n - 1`, and all values lie between them.
//! Hence sums of the counter, from zero, and what is fixed do not overflow on that way ([`Unclamped::sum`]).
//!
//! Conservative: clamps by what is fixed in the outermost loop, of a counter with a step of one plus or minus what is
//! fixed there.

mod emit;
mod legality;
mod plan;

pub use plan::find;
