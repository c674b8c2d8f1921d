//! Arrays of each thread's own in shared memory (`transform/local_columns/`).

/// Bytes that a thread has there at most: with these a multiprocessor of an A100 or H100 has room for 10 or 14 warps,
/// and fewer do not hide how long global memory takes.
pub const MOST_BYTES: u32 = 512;
