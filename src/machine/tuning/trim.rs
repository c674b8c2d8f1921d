//! Trimmed grids (`transform/trim/`).

/// A launch is trimmed where so many of so many of its blocks go, at least. A version that gains nothing is not chosen,
/// but each that is offered costs launches that are measured, and a block that is left pays for finding its place. Not
/// fitted: blocks that end at once are cheap, and few of them are not worth a trial.
pub const LEAST_DROPPED: [u32; 2] = [1, 4];
