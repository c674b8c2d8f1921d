//! Loops by the block's size that run over neighbours (`transform/vectorize/`).

/// Bytes that a thread loads or stores at once. Not fitted: the hardware's most.
pub const WIDTH: u32 = 16;
/// Iterations at once: fewer are none, more do not fit.
pub const LEAST: u32 = 2;
/// See [`LEAST`].
pub const MOST: u32 = 16;
/// Threads of a block at most, where it may have any number of them. Rows of 4096 halves to bytes, 4096 of them, on an
/// H200: blocks of 1024 28.2 us, 512 23.4, 256 22.6, 128 23.6.
pub const THREADS: u32 = 256;
/// Blocks of a launch below which they keep their length. Not fitted: some for each multiprocessor of the largest
/// chips.
pub const ENOUGH: u32 = 1024;
