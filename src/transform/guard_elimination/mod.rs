//! Guard elimination: a condition that every thread of a launch meets is none, where threads behind it wait for each
//! other.
//!
//! ```text
//! row = blockIdx.y * T + threadIdx.y;  col = …        asked of the launch: gridDim.y * T <= n, gridDim.x * T <= n
//! if (row >= n || col >= n) return;             ──►   row, col
//! for (…) {  tile = …;  barrier;  … }                 for (…) {  tile = …;  barrier;  … }
//! ```
//! Blocks with barriers are merged where all of their threads come to all barriers on the same way
//! (`transform::own_tiles`). Behind such a guard they do where the grid just covers what there is, and most programs
//! round their sizes so. The copy is what is left without the guard; it is planned as any kernel is, and the host
//! launches its versions in no other grids. (Compilers of polyhedra call such blocks full tiles.)
//!
//! Sound, as the host asks the condition of the whole grid before it launches a version, by the same exact arithmetic
//! as all facts (`plan/grid.rs`): every thread of the launch would have taken that side of the branch. What is asked is
//! made of the copy's own values, which a mark keeps (`kernel::ids::mark_as_met`) until versions are emitted.
//!
//! Refused by choice: guards around no barrier, since those are no hindrance. Refused needlessly: guards with something
//! to do on the other side, or behind which values meet; conditions of what memory holds, or of a flag besides;
//! kernels that several files may have, as a version must then test its own facts.

mod emit;
mod legality;
mod plan;

pub use emit::emit;
pub use legality::find;
pub use plan::GuardElimination;
