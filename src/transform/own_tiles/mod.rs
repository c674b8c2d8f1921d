//! Versions that merge blocks of kernels with shared arrays and barriers of their own: block coarsening.
//!
//! ```text
//! tile[ty][tx] = in[…];  barrier;  out[…] = tile[tx][ty]          4 blocks along y:
//!     tile0[ty][tx] = in[…]; tile1[ty][tx] = in[…]; …;  barrier;  out[…] = tile0[tx][ty]; out[…] = tile1[tx][ty]; …
//!
//! for k0: { A[ty][tx] = a[row, k0+tx]; B[ty][tx] = b[k0+ty, col]; barrier
//!           for k: s += A[ty][k] * B[k][tx];  barrier }
//!     A has a part for each of 4 rows of blocks, B one for all of them: 5 reads of shared memory for 4 products, not 8
//! ```
//! A thread runs the same thread of each merged block as a replica, as in [`super::lockstep`], which emits these bodies
//! too. More loads are in flight, fewer blocks come and go, and what blocks have in common is loaded, kept and read
//! once. The method is that of thread coarsening over blocks (Magni, Dubach, O'Boyle: *A large-scale cross-architecture
//! evaluation of thread-coarsening*, SC 2013), with barriers as in *Retargeting and respecializing GPU workloads for
//! performance portability* (Ivanov et al., CGO 2024).
//!
//! **Sound**, because blocks have no order, and a replica keeps its own. A barrier that all replicas come to together
//! is one barrier: what each of them did before it, all threads did before it. Where replicas may part, they run one
//! after the other, each with its own barriers: whether a block comes to one is the same for all of its threads, in the
//! original too. A shared array has a part for each replica, unless all of them store the same to the same places, on
//! the same way ([`arrays`]): then one part holds what each block's array would. Where an index may leave its array
//! ([`in_bounds`]), a part has all static arrays as they lie in the kernel. At the grid's end a group has fewer blocks:
//! they run one after the other, with a barrier between them, in the first part.
//!
//! Parts of dynamic shared memory begin at multiples of the bytes that the launch has of it, rounded up to 16, and the
//! host launches the version with all of them. A replica's part has no fewer bytes than its block's memory, and is
//! aligned as that is; whatever addresses a kernel forms in it, they are formed from the part's beginning. What lies
//! beyond the launch's bytes is not promised to anyone: the kernel may not touch it. One that asks how much it has is
//! left alone, as is one that makes numbers of a shared array's address. Where the device has no room for all parts the
//! host launches the kernel. A graph's node may be given other bytes later, so graphs hold no such version; and the
//! linker may take a version from one file and its number of parts from another, so of kernels that several files may
//! have none is made (`own.rs`).
//!
//! **Not done**, though it would be right: dynamic shared memory that is aligned to more than 16 bytes, or of which one
//! array needs fewer parts than another (all have as many), variables in memory, functions that are not inlined,
//! barriers under an `if` or in a loop that hangs on the block. What replicas have of their own where threads wait for
//! each other must fit the registers of such a version, or it would be kept in memory. How many parts there are, and
//! so whether static ones fit, the masks tell once a version is emitted: a plan may have versions that are then
//! dropped, with a remark. Whether it gains is measured.

pub(crate) mod arrays;
mod in_bounds;
mod legality;
mod plan;

pub use plan::{choose, has_barriers};
