//! Reads of tiles that merged blocks share from one iteration of a loop to the next.
//!
//! ```text
//! sum_j += tile[tid*R + j + k]      iteration k, replica j reads what iteration k+1, replica j-1 reads
//! ```
//! Where replicas own consecutive ids and a tile's index moves as far from replica to replica as from
//! iteration to iteration, the replicas of a thread read a *window* that slides by one cell. Its cells
//! stay in registers, and an iteration brings one new cell for all replicas. A thread's windows begin
//! `R` cells apart, so that reads of one cell would meet in few banks: cells are read several at a
//! time, from tiles whose rows are aligned for that. What all replicas of such a loop read alike is read
//! several at a time too.
//!
//! Sound because tiles are not written while their members read, and all replicas run the loop the same
//! number of times. The cells read ahead lie in the tile: its rows have room for them, and nobody uses what is there.

mod emit;
mod legality;
mod plan;
mod versions;

pub use plan::find;
pub use versions::VERSIONS;
