//! Swizzle: words of a kernel's own shared array are permuted within each 32 of them, so that columns lie in all banks.
//!
//! ```text
//! __shared__ float tile[32][32];                       word w of the array lies at w ^ (w / 32 % 32):
//! tile[ty][tx] = in[…];  barrier;                      row ty is permuted by ty, within itself
//! out[…] = tile[tx][ty];   32 words of one bank  ──►   32 words of 32 banks
//! ```
//! Shared memory has 32 banks of 4 bytes, of which each gives one word a cycle (CUDA C++ Programming Guide, compute
//! capabilities, shared memory). Threads of a warp that go down a column of rows of 32 words wait for one another 32
//! times. By hand one makes rows a word longer. A permutation takes no more memory, asks for no shape of the array, and
//! serves whatever pitch is a power of two. (The method is that of CUTLASS's layouts and of the swizzling modes of
//! tensor maps; as a rewrite of code that pads nothing we know of none.) The copy is planned as any kernel is, so that
//! its blocks are merged, too.
//!
//! Sound, as which word lies where is no one's to see: each access of the array is known, is of one word, and takes the
//! permuted place, so what is stored at a place is what is loaded there. A word's place stays among the 32 that it was
//! among, and the array is a multiple of those long, so no place lies outside. Words have 8 bytes where all accesses
//! have. No thread is given an array's address, in which it could see more.
//!
//! Refused by choice: arrays that no access goes over in steps that are known to meet in a bank. Refused needlessly:
//! kernels that call functions, which may know an array by its name, arrays that accesses of several sizes share,
//! dynamic shared memory, addresses that loops carry or that are chosen, kernels that LLVM may fuse in another way (a
//! product that is stored, and loaded by the same thread).

mod emit;
mod legality;
mod plan;

pub use emit::emit;
pub use legality::find;
pub use plan::Swizzle;
