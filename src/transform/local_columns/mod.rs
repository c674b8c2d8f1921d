//! Local columns: arrays that each thread has to itself, and that data index, lie in shared memory, a column each.
//!
//! ```text
//! int count[16] = {0};                ──►  columns = shared memory, 64 bytes for each thread;  t = thread of its block
//! for (k = 0; k < m; k++)                  P = threads of the block, rounded up to whole warps
//!   count[x[k * n + i]]++;                 for (e = 0; e < 16; e++)  columns[e * P + t] = 0
//!                                          for (k = 0; k < m; k++)  columns[min(x[k * n + i], 15) * P + t]++
//! ```
//! An index that data decides cannot name a register, so clang leaves such an array in local memory: lanes of a warp
//! touch as many sectors as their indices differ, and all threads of a multiprocessor together have more of it than its
//! first cache holds. In shared memory word `e` of thread `t` is number `e * P + t`, and `P` is a multiple of 32: each
//! lane has a bank of its own, whatever its index is. Elements below a word lie four bytes of one thread to a word:
//!
//! ```text
//! byte o of thread t  =  base + (o / w) * w * P + t * w + o % w       w: bytes of a word, 4, or of wider elements
//! ```
//! Shared memory is the launch's: the host gives a block so many bytes for each of its threads (`Needs::per_thread`),
//! and launches the kernel itself where the device has not so many.
//!
//! Sound, as nothing but where such an array lies is changed:
//! - All that is done to it is known: loads, stores, fills with a byte. Its address goes nowhere else, so no other
//!   thread, call or pointer meets it, and no barrier is needed: a thread reads what it wrote itself.
//! - Each byte has one place, as `o` is its column's row and place, and a thread's column is its own: threads of a
//!   block are numbered as the hardware does. No access reaches over a word's end, as each is aligned to its length.
//! - Rows are kept below the column's length by one minimum. Where an index is beyond the array's end the program has
//!   no meaning (clang's `inbounds` says so to LLVM, too), but it ran, and may have had no use for what it read: a
//!   version must neither fault there nor touch what another thread has. LLVM takes the minimum away where it sees the
//!   range.
//! - What was never written holds anything in both.
//! - Products and sums meet in one block as they did. What LLVM knows about a thread's own memory it does not know of
//!   shared memory, so it may put a stored value in a load's place, or branches into one block, in the kernel alone.
//!   Kernels in which that may bring a product to a sum are refused.
//!
//! **Arrays that counters index** are registers instead (`registers.rs`):
//!
//! ```text
//! float sums[8][8];                              sums = 64 registers;  the loops over i and j unrolled
//! for (s…) for (i < 8) for (j < 8)       ──►
//!   sums[i][j] += a[i][s] * b[j][s];
//! ```
//! Where a loop over such an array is long, clang leaves it a loop, so that an index is no constant, and the array in
//! local memory; nvcc unrolls it. In a version those loops are unrolled as often as they run, and no index is left.
//! Sound, as LLVM's unrolling and its names for elements are, but for products that would meet sums: refused as above.
//! It is launched as the kernel is, whatever its threads have to do with each other, in blocks of at most as many
//! threads as have room for their registers.
//!
//! Refused by choice: as columns, arrays whose indices hang on nothing but counters of loops that run a fixed
//! number of times; loops that would be too long, unrolled; arrays so large that few threads fit a multiprocessor.
//! Refused needlessly: arrays that are copied as a whole, or of which an unknown part is filled; pointers to one of
//! several arrays; launches with dynamic shared memory of the program's own; kernels that several files may have.

mod emit;
mod emit_launch;
mod emit_registers;
mod legality;
mod plan;
mod registers;
mod rewrite;
mod uses;

pub use registers::find_registers;
pub use rewrite::find;
