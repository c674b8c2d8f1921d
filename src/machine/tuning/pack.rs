//! Packed blocks (`transform/pack/`).

/// Threads of a block that others are packed in, at most. Not fitted: 16 such blocks are all that a multiprocessor
/// holds, and each is soon over.
pub const THREADS: u32 = 128;
/// Threads of a block up to which packing surely gains. Not fitted: three of four lanes are idle without.
pub const FEW: i64 = 8;
/// Blocks of a launch below which more of them are packed in one than fill a warp only where that leaves so many. Not
/// fitted: some for each multiprocessor of the largest chips.
pub const ENOUGH: u32 = 1024;
/// Blocks that one is packed of, at most, if their threads share something. Not fitted: as many as have 8 threads.
pub const MOST_PARTS: u32 = 16;
/// Bytes of static shared arrays from which on a kernel is not one for blocks of 32 threads. Not fitted: a word for
/// each thread of the next larger blocks that are common, 128.
pub const LARGE_ARRAYS: u32 = 512;
/// Parameters that a kernel may have, at most: `rt/rt_launch.h` has room for one more.
pub const MOST_PARAMETERS: usize = 31;
