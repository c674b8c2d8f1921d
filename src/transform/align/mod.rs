//! Aligned pointers: what a kernel's pointers point to is taken to begin at multiples of 16 bytes, so that loads and
//! stores of neighbours become one.
//!
//! ```text
//! struct body { float x, y, z, m; };             K:         4 loads of 4 bytes, a sector or two for each thread
//! body p = all[i];  …                      ──►   version:   1 load of 16 bytes, if all % 16 == 0
//! ```
//! A load of 8 or 16 bytes must be aligned to as many. What clang knows of a pointer is what its type says: 4 bytes of
//! a `float *`, and of a record of four floats. Memory comes from `cudaMalloc` at multiples of 256 bytes (CUDA C++
//! Programming Guide, size and alignment requirement), and only who launches the kernel knows that. So the version's
//! pointers are promised to be multiples of 16, the host tests that, and LLVM's load-store vectorizer, which asks for
//! the alignment of what it puts together, does the rest in the back end. Records whose fields are loaded one by one, a
//! row of numbers for each thread, and loops that the author unrolled gain: a warp's four loads of 4 bytes, 16 bytes
//! apart, ask for the same sectors four times, and four stores write each sector in four parts.
//!
//! Sound: the version is the kernel, in the kernel's own launch, with facts that the host has tested of that launch. A
//! pointer that the host knows is a parameter, or lies in one that is passed by value: nothing writes it. What the
//! kernel does with a pointer, or whether it does anything, does not matter: a promise about its value holds wherever
//! it stands. Loads and stores are put together by LLVM, by LLVM's rules of what may be moved where.
//!
//! Which accesses can be one is only looked at to see whether there is something to gain (`plan.rs`), and is worked out
//! from their addresses: of one block of code, at offsets from one pointer that differ by numbers. Whether it gains is
//! measured. Refused by choice: kernels of which fewer than one access in eight would be put together with another.
//! Refused needlessly: pointers that are loaded from memory, kernels that other files may have, and those that no
//! version is made of.

mod adjacent;
mod emit;
mod emit_launch;
mod legality;
mod plan;
mod rewrite;

pub use rewrite::find;
