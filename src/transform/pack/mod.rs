//! Packed blocks: several small blocks of the program's launch are one of the version's.
//!
//! ```text
//! K<<<n, 6>>>:  i = blockIdx.x        ──►  version<<<ceil(n / 21), (6, 1, 21)>>>:
//!               j = threadIdx.x              i = blockIdx.x * 21 + threadIdx.z;  if (i >= n) return;
//!               o[i * 6 + j] = …             j = threadIdx.x;  o[i * 6 + j] = …
//! ```
//! A block of up to 32 threads has a warp to itself, of which lanes are idle, and a multiprocessor holds as many blocks
//! as it has places for, far fewer threads than it could (CUDA C++ Programming Guide, compute capabilities: 32 blocks
//! and 64 warps). Kernels that tell blocks from threads, a row of a matrix or a tree for each block, cannot be launched
//! in other blocks (`transform::reshape`). So several blocks lie behind each other in layers of one: a thread's layer
//! says which of them it is in, and is hidden from the kernel's own code.
//!
//! Sound, as each thread does what it did, with the numbers that it had:
//! - What tells a thread where it is, is replaced: `blockIdx`, `gridDim`, `threadIdx.z`, `blockDim.z`. Kernels that can
//!   ask in another way are refused (`legality.rs`), and launches of blocks with layers are not packed.
//! - Threads of a block share nothing but memory, or: blocks have a number of threads by which 32 can be divided, so a
//!   warp holds whole blocks. Where they met at a block's barrier, they meet as those threads of a warp, by a mask that
//!   names them, which orders memory for them as the barrier did (PTX ISA, `bar.warp.sync`); threads that ended count
//!   for neither. Each block has a part of every shared array, at its own bytes and its own alignment, up to 16; of
//!   dynamic memory, what the launch has for a block, rounded up to 16 (as in `own_tiles`). Kernels that meet in other
//!   ways, or in functions that are not inlined, or make numbers of a shared array's address, are refused
//!   (`shared.rs`). Where threads of a warp exchange values, blocks have 32 threads, so a warp of the version is a
//!   block of the program, whole and in its order, and they share nothing besides.
//! - Blocks may run in any order, and next to each other. Those that wait for others are refused
//!   (`kernel/rejected.rs`), as lanes of a warp may keep each other from going on.
//!
//! Refused by choice: kernels that make global ids of their numbers, as their blocks may be of any size, and are
//! hardly ever so small; where nothing else hangs on the block, they are launched in others without code. If their
//! threads share something, they are served, unless their static arrays have a word for each of 128 threads: these are
//! for larger blocks. Refused needlessly: blocks with layers, exchanges within parts of a warp or beside shared arrays,
//! blocks of 6 threads that meet, kernels that several files may have, 32 and more parameters, assertions and prints.

mod emit;
mod emit_launch;
mod legality;
mod plan;
mod rewrite;
mod shared;

pub use rewrite::find;
