//! Merged blocks of kernels with shared arrays of their own ([`crate::transform::own_tiles`]).

/// Blocks merged where ids along x alone count. Candidates, of which the launches decide.
pub const FLAT: [[u32; 3]; 2] = [[4, 1, 1], [2, 1, 1]];
/// The same where those along y count too: products reuse a tile along either dimension, and more of it the more blocks
/// are merged.
pub const PLANE: [[u32; 3]; 3] = [[1, 4, 1], [4, 1, 1], [2, 2, 1]];
