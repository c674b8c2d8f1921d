//! Arrays of each thread's own in shared memory (`transform/local_columns/`).

/// Bytes that a thread has there at most: with these a multiprocessor of an A100 or H100 has room for 10 or 14 warps,
/// and fewer do not hide how long global memory takes.
pub const MOST_BYTES: u32 = 512;

/// LLVM's instructions of a kernel's loops over such arrays, unrolled, at most. The whole version of `mm_thread_tiles`,
/// 8 x 8 sums of four products each, has 1,000.
pub const MOST_UNROLLED: u64 = 8192;
/// Threads of a block of a version whose arrays are registers: each has 128 of them.
pub const UNROLLED_THREADS: u32 = 512;
