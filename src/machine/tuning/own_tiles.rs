//! Merged blocks of kernels with shared arrays of their own ([`crate::transform::own_tiles`]).

/// Blocks merged where ids along x alone count. Candidates, of which the launches decide (sums up to each element of
/// 256, 2^25 and 2^20 in all: x1.33 and x1.00 with 4, x1.22 and x1.07 with 2).
pub const FLAT: [[u32; 3]; 2] = [[4, 1, 1], [2, 1, 1]];
/// The same where those along y count too: products reuse a tile along either dimension, and more of it the more blocks
/// are merged, as long as they fill the chip. Measured on an H100 in large grids, as 2x4, 4x4, 2x2 and 1x4. Blocks of
/// 16x16: a product x2.48, x3.07, x1.85, x1.78, and of 1024 rows x2.44, x1.60, x1.78, x1.77; distances x2.38, x2.73,
/// x1.93, x1.62; a transpose x1.52, x1.48, x1.38, x1.33, and of odd length x1.15, x0.95, x1.03, x1.31. Blocks of 32x32:
/// a product x2.26, x2.99, x1.94, x1.89.
pub const PLANE: [[u32; 3]; 4] = [[2, 4, 1], [4, 4, 1], [1, 4, 1], [2, 2, 1]];
/// Of these so many at most, the first that fit.
pub const MOST: usize = 3;

/// Registers that a body needs, about, up to which those of other versions without tiles do.
pub const FEW: u32 = 32;
/// Registers of a thread of one that needs more. With 32 the sums of 8 replicas in a product of 16x16 tiles spill 8
/// words, and forces between bodies with 4 replicas 66.
pub const REGISTERS: u32 = 64;
/// Registers that a body may need, about: twice what it has, as not all that loops carry stays in registers. Distances
/// with 16 replicas, of which 115 were expected, take 56; a product whose threads hold 8x8 sums would need 282 with 4.
pub const MOST_REGISTERS: u32 = 2 * REGISTERS;
