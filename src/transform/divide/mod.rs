//! Division by a number of the launch: a multiplication by its reciprocal, which the host works out.
//!
//! ```text
//! K<<<…>>>(a, w):  row = i / w;  col = i % w       ──►  version<<<…>>>(a, w, {multiplier, shift}):
//!                                                         row = (mulhi(i, multiplier) + i >> shift) - (i >> 31)
//!                                                         col = i - row * w
//! ```
//! A GPU has no instruction for integer division: ptxas writes some 20 for one of 32 bits, three of them conversions
//! and a reciprocal at a quarter of the rate, and LLVM a branch to a longer sequence for 64 bits. Kernels that take a
//! flat id apart, wrap an index around, or map pixels of one image to another do several of them for each element that
//! they move. Where the divisor is the same for all threads, as a kernel's parameter is, the host can do what hangs on
//! it alone, once a launch. The version finds the results in a list, which the device has in constant memory.
//!
//! Sound, by Granlund and Montgomery, *Division by Invariant Integers using Multiplication*, PLDI 1994, figures 4.1
//! (unsigned) and 5.1 (signed), for N bits and `1 <= d < 2^N` or `2^(N-1)`. With `l = ceil(log2 d)`:
//! - Unsigned: `m = floor(2^N (2^l - d) / d) + 1`. The multiplier is `2^N + m`, of which `2^N n` is added apart:
//!   `t = mulhi(m, n);  q = (t + (n - t >> min(l, 1))) >> max(l - 1, 0)`. No step overflows, as `t <= n`.
//! - Signed, `l` at least 1: `m = floor(2^N 2^(l-1) / d) + 1 - 2^N`, which is negative, or 1 for `d = 1`:
//!   `q = (n + mulhi(m, n) >> l - 1) - (n >> N - 1)`, rounded towards zero as C does. The sum is `floor` of `n` times a
//!   number from 1/2 to 1, or `n` less 1 where `d = 1` and `n < 0`, when the last step adds 1 again; with `d = 1`,
//!   `n = -2^(N-1)` wraps twice and comes back.
//! - A remainder is `n - q * d`, modulo `2^N`.
//!
//! `plan.rs` has these formulas a second time, for 8 bits, and a test compares all quotients of all pairs.
//! The host refuses launches where a divisor is below 1, or, of 64 bits, `2^32` and more: the kernel itself runs then.
//! It divides by no number that it did not test. A divisor that a thread does not come to may be anything: what the
//! host makes of it is not used. What the host computes wraps as the kernel's does; where the kernel's was poison, a
//! division by it has no behaviour to keep. Nothing but these instructions is changed, and the launch is the program's
//! own, so barriers, shared arrays and exchanges are where they were.
//!
//! Refused by choice: kernels with loops of which none divides, as one division before a loop is not what takes time.
//! Refused needlessly: divisors below 1 that are right; numbers of 8, 16 and 128 bits; divisors that are loaded, or
//! differ between blocks; kernels that several files may have.

mod emit;
mod emit_launch;
mod legality;
mod plan;
mod rewrite;

pub use rewrite::find;
