//! Packed blocks (`transform/pack/`).

/// Threads of a block that others are packed in, at most. Not fitted: 16 such blocks are all that a multiprocessor
/// holds, and each is soon over.
pub const THREADS: u32 = 128;
/// Blocks of a launch below which more of them are packed in one than fill a warp only where that leaves so many. Not
/// fitted: some for each multiprocessor of the largest chips.
pub const ENOUGH: u32 = 1024;
/// Parameters that a kernel may have, at most: `rt/rt_launch.h` has room for one more.
pub const MOST_PARAMETERS: usize = 31;
