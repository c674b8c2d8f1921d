//! Every number that was fitted, with its unit, its rule and its evidence. There is none anywhere else: a new chip, or
//! a new version of ptxas, asks for nothing but a look at these files. What hardware or arithmetic is (widths, address
//! spaces, room below an overflow) stands where it is used.

pub mod align;
mod coarsening;
pub mod divide;
mod emission;
pub mod index_set_splitting;
mod launches;
pub mod local_columns;
mod loops;
pub mod mma;
mod model;
pub mod own_tiles;
pub mod pack;
pub mod privatize;
pub mod register_window;
mod staging;
pub mod structurize;
pub mod swizzle;
pub mod trim;
pub mod vectorize;

pub use coarsening::*;
pub use emission::*;
pub use launches::*;
pub use loops::*;
pub use model::*;
pub use staging::*;
