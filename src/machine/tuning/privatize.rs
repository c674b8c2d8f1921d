//! Numbers of privatised atomics.

/// Bytes of all cells at most: a few blocks must share a multiprocessor, and all cells are given to global memory by
/// each of them.
pub const MOST_BYTES: u32 = 8 * 1024;
/// Cells that are privatized where data alone says which cell it is: the first of the array, as tables of counts are
/// mostly no longer (256 values of a byte, 1,024 bins), with as many copies as one multiprocessor has room for.
pub const FIRST_CELLS: u32 = 1024;
/// The same of a version behind that: tables of thousands, in few copies (4,096 bins of 2^26 numbers on an H200: with
/// the first 1,024 in shared memory x1.0).
pub const MORE_CELLS: u32 = 4096;
/// Updates of a leader, in all, for each that it makes in global memory.
pub const UPDATES: i64 = 4;
/// Threads of the blocks that must fit a multiprocessor beside each other with all copies of their cells: those that
/// small blocks become (`transform/reshape`). With half of the threads that there are, 16 bytes on their way to each
/// are 16 KiB, as many as DRAM's latency asks for (3.4 TB/s for 500 ns are 13 KiB a multiprocessor).
pub const BLOCK: u32 = crate::machine::target::BLOCK_THREADS / 4;
/// What the threads of half a multiprocessor are of all.
pub const PART: u32 = 2;
/// Blocks from which on there is work for every leader.
pub const MANY_BLOCKS: i64 = 1 << 21;
/// Copies that are read before one waits for them.
pub const AT_ONCE: u32 = 4;
/// Loads that a thread does ahead where it matters in which order it loads and updates: with half of the threads that a
/// multiprocessor has and words, 32 KiB are on their way, twice what DRAM's latency asks for, and blocks of 64 threads,
/// of which fewer fit, still have enough (a histogram of 2^26 words on an H200, blocks of 256 and 64: x83 and x26 with
/// 4 of them, x99 and x37 with 8).
pub const AHEAD: u32 = 8;
/// Registers of such a thread: as many as the blocks have that a multiprocessor holds with their cells. With 32 what is
/// loaded ahead is spilled where a kernel compares it (282 us in place of 117).
pub const AHEAD_REGISTERS: u32 = 40;
