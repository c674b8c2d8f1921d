//! Trimmed grids (`transform/trim/`).

/// A launch is trimmed where so many of so many of its blocks go, at least. A version that gains nothing is not chosen,
/// but each that is offered costs launches that are measured, and a block that is left pays for finding its place. Not
/// fitted: blocks that end at once are cheap, and few of them are not worth a trial.
pub const LEAST_DROPPED: [u32; 2] = [1, 4];
/// A constant limit of an id up to this is within a launch's first block, or next to it: it leaves nothing out.
pub const SMALL: i64 = 1024;
/// Blocks of code before a kernel's first effect, at most: the host's test of a box grows with them.
pub const MOST_BLOCKS: usize = 24;
/// Of a kernel.
pub const MOST_CODE: usize = 512;
/// Boxes of blocks that are left, at most: two slabs along each dimension.
pub const BOXES: usize = 6;
/// Parameters that a kernel may have, at most: `rt/rt_launch.h` has room for one more.
pub const MOST_PARAMETERS: usize = 31;
