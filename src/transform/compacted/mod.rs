//! Whether the grid's first blocks do the work of all, where blocks are merged.
//!
//! ```text
//! blocks of a grid 8 wide, 4x2 merged       groups led by one of their own      by the grid's first
//!                                           0 . . . 1 . . .                     0 1 2 3 . . . .
//!                                           . . . . . . . .                     . . . . . . . .
//!                                           2 . . . 3 . . .                     . . . . . . . .
//! ```
//! Multiprocessors take blocks as they become free, and those that end at once make room at once: where each sixteenth
//! works, some multiprocessors get twice as many as others. The first blocks are dealt out evenly (`mm_early` on an
//! H200, 512 in blocks of 16x16, 16 replicas: x1.1 and x3.2; 1023 in blocks of 8x8: x3.0 and x3.2).
//!
//! A block then works for another group than its own, so all blocks must decide alike: facts are tested for the whole
//! grid as if it were one block. That says more than each group needs, and takes facts about global ids alone.

mod emit;
mod legality;

pub use legality::may;
