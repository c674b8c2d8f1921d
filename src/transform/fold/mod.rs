//! Fold: flattened ids taken apart into the dimensions that they are made of.
//!
//! ```text
//! id = blockIdx.x * blockDim.x + threadIdx.x            x = …x, y = …y      of a launch in two dimensions
//! if (id >= n * m) return;                         ──►  if (x >= n) return;  if (y >= m) return;
//! row = id / n;  col = id % n;                          row = y;  col = x
//! c[id] = …                                             c[y * n + x] = …
//! ```
//! By `id = n * (id / n) + id % n` (seed 2.2, logical to physical thread mapping; IJNC 5(2) 2015) the threads of a
//! launch along x are those of a launch in two or three dimensions, and each decoded value is a thread's own number. A
//! copy of the kernel is written so, and that copy is planned as any kernel is: its indices are affine, so its arrays
//! can be staged and its blocks merged. Its versions are versions of the user's kernel. The host launches them with
//! other numbers, which a function beside the gate works out from the program's launch (`emit_launch.rs`).
//!
//! Sound where which block a thread is in cannot be told and threads have nothing to do with each other
//! (`plan::is_free`), as for blocks of other sizes. All lengths are made of the kernel's arguments: the host tests that
//! each is positive, that none of their products goes beyond 31 bits, and that the program launches at least the
//! threads that are of use. What it may launch besides ends at once: behind the limit of the first branch
//! (`plan/active_bound.rs`) in the kernel, at a length in the copy.
//!
//! Of more than three dimensions, two lie along x and y and all others along z: they are worked out from the number of
//! the block's layer, so they are the same for a whole block. Which two, the accesses say (`axes.rs`). Where elements
//! are moved from neighbours along one dimension to neighbours along another one, it is these:
//!
//! ```text
//! l = id % d, k = id / d % c, j = id / (d * c) % b, i = id / (d * c * b)       x = l, y = i, z = j * c + k
//! out[((l * c + k) * b + j) * a + i] = in[id]                                  in a tile of 32 by 32
//! ```
//! As x is what is read, permutations have the same copy in whatever order they take their ids apart. It is launched in
//! blocks of 32x8 whatever the lengths are, so its versions know their threads, and without the merged blocks that do
//! not lead (`choice/leaders.rs`), as those of any folded copy that test nothing themselves.
//!
//! The numbers of all lengths, of layers, and of indices that number elements by the dimensions in another order have
//! 31 bits, and are worked out in 32, once for a block where they are the same for it (`emit_index.rs`).
//!
//! A kernel may ask for its block's number along y or z besides: a batch, say. These are the outermost layers. In the
//! copy they are along z, above the id's own layers, by whose number the block's is divided.
//!
//! Not done: threads along y or z of the program's blocks; limits that include the last id, lengths read from memory,
//! kernels that several files may have, loops by the grid's size; more than 65,535 layers; neighbouring dimensions that
//! are one in all accesses are not joined, so images of short rows have rests. Refused by choice: fewer than 8 along x,
//! or of dimensions out of their order along y, as 3 channels: threads in the order of ids are near both sides.

mod axes;
mod emit;
mod emit_index;
mod emit_launch;
mod legality;
mod plan;

pub use emit::emit;
pub use legality::{find, find_in_order};
pub use plan::Fold;
