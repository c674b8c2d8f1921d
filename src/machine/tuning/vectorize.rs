//! Loops by the block's size that run over neighbours (`transform/vectorize/`), and replicas that are neighbours
//! (`transform/lockstep/side_by_side.rs`).

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
/// Replicas side by side at least. Four are no faster than four of other blocks: 2^26 floats 186 us in both, clang 237;
/// but halves 98 and 124 (297), bytes 35 and 58 (163), on one H200.
pub const SIDE_BY_SIDE: u32 = 8;
