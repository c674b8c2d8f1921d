//! `mma/`, `choice/mma.rs`.

/// Rows and columns of the product that a block works out.
pub const TILE: [u32; 2] = [128, 128];
/// Warps of a block along them.
pub const WARPS: [u32; 2] = [2, 4];
/// Strips of the operands in shared memory at once: all that a block may have is three of 16 KiB.
pub const STAGES: u32 = 3;
/// Sums of a row of the product that lie between two rows in shared memory besides, so that rows begin in other banks.
pub const GAP: u32 = 4;
