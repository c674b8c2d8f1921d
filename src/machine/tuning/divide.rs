//! Divisions by numbers of the launch (`transform/divide/`).

/// Divisors that are served, at most: `rt/mesi_rt.h` has room for 39 words, of which each takes four. Others stay
/// divisions.
pub const MOST_DIVISORS: usize = 9;
/// Parameters that a kernel may have, at most: `rt/rt_launch.h` has room for one more.
pub const MOST_PARAMETERS: usize = 31;
