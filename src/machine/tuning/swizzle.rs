//! Numbers of permuted shared arrays.

/// Threads of a warp that meet in a bank, from which on an array is permuted. Two cost one more cycle, which the
/// permutation's three instructions take, too.
pub const LEAST_WAYS: u32 = 4;
