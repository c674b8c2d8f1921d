//! Loops that are cut where threads run them a different number of times
//! ([`crate::transform::index_set_splitting`]). Not measured by themselves: what comes of it is a candidate.

/// Blocks along each dimension that agree about the middle of a loop, a power of two: as many as are merged where
/// that is done along two. Each thread runs the rest by itself, half of a group's iterations that differ.
pub const GROUP: u32 = 4;

/// Instructions of a loop that is cut, at most: there are three of it then.
pub const MOST_INSTRUCTIONS: usize = 120;

/// Loops of a kernel that are cut, at most.
pub const MOST_LOOPS: usize = 4;
