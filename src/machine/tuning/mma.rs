//! `transform/mma/`: tiles of a product of bytes, and what follows from them.
//!
//! One H100 SXM, state ddabb2e, `mm_i8` 4096 x 4096 x 4096 by 16x16: 0.339 ms, which is 405 TOP/s and x91; 350 to 500
//! had been predicted, x60 asked for. Such instructions have 5,461 operations a multiprocessor and cycle there (ncu),
//! 1,270 TOP/s at 1,755 MHz. Tensor cores are busy in 31 % of the cycles, instructions issued in 63 % (4b65eda): of
//! some 370 for a strip 32 are such products, 32 turn bytes, 24 load, some 100 move words into the registers that a
//! product wants (`ldmatrix` would spare those of lines along the sum), and 140 work out what to copy. Nothing else was
//! tried yet but one way to copy what is not aligned: all words of an operand first (4001 x 4003 x 4005: x44, one chunk
//! after the other x35).

use crate::machine::target::WARP;

/// Rows and columns of the product that a block works out.
pub const TILE: [u32; 2] = [128, 128];
/// Warps of a block along them.
pub const WARPS: [u32; 2] = [2, 4];
/// Products of an element that are summed up from one strip: each lane has 16 bytes of every line, a quarter of it.
pub const DEPTH: u32 = 64;
/// Blocks that a multiprocessor is to hold: each thread has 128 registers then.
pub const BLOCKS: u32 = 2;
/// Strips of the operands in shared memory at once: all that a block may have is three of 16 KiB.
pub const STAGES: u32 = 3;
/// Sums of a row of the product that lie between two rows in shared memory besides, so that rows begin in other banks.
pub const GAP: u32 = 4;

/// Threads of a block.
pub const THREADS: u32 = WARPS[0] * WARPS[1] * WARP;
/// Bytes of an operand's strip.
pub const STRIP: [u32; 2] = [TILE[0] * DEPTH, TILE[1] * DEPTH];
/// Bytes of both.
pub const STAGE: u32 = STRIP[0] + STRIP[1];
/// Shared memory of a block: strips, and later the sums of a row of warps.
pub const SHARED: u32 = STAGES * STAGE;
/// Rows that one row of warps has.
pub const BAND: u32 = TILE[0] / WARPS[0];
/// Sums from one of them to the next in shared memory.
pub const PITCH: u32 = TILE[1] + GAP;
/// Elements of a band that a thread has.
pub const EACH: u32 = BAND * TILE[1] / THREADS;

/// Lines that a lane has parts of, in one go: four octets.
pub const GROUP: u32 = 32;
/// Groups of a warp along both sides.
pub const GROUPS: [u32; 2] = [TILE[0] / WARPS[0] / GROUP, TILE[1] / WARPS[1] / GROUP];
/// Instructions of a warp for each word pair, down and along: one takes 16 rows and 8 columns.
pub const EACH_WARP: [u32; 2] = [GROUPS[0] * GROUP / 16, GROUPS[1] * GROUP / 8];

const _: () =
    assert!(BAND * PITCH * 4 <= SHARED && SHARED <= crate::machine::target::STATIC_SHARED);
