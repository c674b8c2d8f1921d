//! Aligned pointers (`transform/align/`).

/// Of so many loads and stores one must become part of another, so that there is something to measure. Not fitted.
pub const LEAST: usize = 8;
