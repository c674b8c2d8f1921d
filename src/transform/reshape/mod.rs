//! Launches whose threads the host may deal out to blocks of another size: candidates of each kernel, with versions or
//! without. What is launched is measured (`rt/`); a launch that no version is sure to gain keeps its blocks until then.
//!
//! ```text
//! grid 32, blocks of 256      8,192 threads on 32 of 132 multiprocessors
//! grid 128, blocks of 64      the same threads on 128 of them
//! ```
//! Where thread and block numbers along x occur in `ctaid.x * ntid.x + tid.x` alone, and threads of a block have
//! nothing to do with each other, which block a thread is in cannot be told. So the host may launch the same threads in
//! other blocks; what the kernel then does is what it does for any launch of that shape. Where the new ones do not hold
//! exactly the same threads, the last one has some more, which must be of no use: their ids lie beyond a limit that the
//! kernel tests first of all, and ends. The host works that limit out.
//!
//! Measured on an H200, each launched in blocks of its own size, microseconds (the plug-in's kernel or, in italics, the
//! original that the host launched):
//!
//! | kernel, threads | 32 | 64 | 128 | 256 | 512 |
//! |---|---|---|---|---|---|
//! | `mv_row`, 8,192 | 123 | 123 | 178 | 452 | *2202* |
//! | `row_max`, 16,384 | 73 | 72 | 110 | 174 | *1073* |
//! | `row_smooth`, 16,384 | 235 | 236 | 263 | 611 | *2447* |
//! | `softmax_rows`, 100,000 | 611 | 490 | 626 | 579 | *2221* |
//! | `covariance`, 1,024 | 8516 | 8705 | 8765 | 9937 | 11387 |
//! | `nbody`, 65,536 | *7204* | 3719 | 3695 | 3466 | 3521 |
//! | `kmeans`, 1 Mi | *2204* | 154 | 121 | 115 | *2222* |
//! | `device_table`, 4 Mi | 82 | 46 | 37 | 40 | 45 |
//! | `conv1d_constant`, 16 Mi | 319 | 161 | 83 | 78 | 83 |
//! | `mavg5`, 64 Mi | 1270 | 636 | 319 | 164 | 167 |
//! | `histogram`, 64 Mi | 1333 | 671 | 354 | 197 | 187 |
//!
//! Starting a block takes the chip 0.6 ns. Two seeds of random launches (3,900), the host's choice before and after:
//! where the kernel ran both times x1.30 in the mean, where the original ran and now the kernel does x4.4, where the
//! original ran both times x1.22.
//!
//! Refused: anything by which threads communicate, shared memory, volatile accesses, any other use of the ids, a block
//! size that is given.

mod legality;
mod plan;

pub use plan::choose;
