//! Numbers of tile staging: what is worth a tile, how long strips are, how many blocks are merged.

/// `plan/candidate.rs`.
pub mod candidate {
    /// Barriers that a tile of unknown size is worth avoiding for.
    pub const UNBOUNDED_COST: f64 = 50.0;
    /// The strip length that candidates are compared at.
    pub const TYPICAL_STRIP: u32 = 32;
}

/// `plan/cuts.rs`.
pub mod cuts {
    /// The largest of blocks that launch bounds keep small: wider ones leave no room for two strips.
    pub const SMALL_BLOCK: [u32; 3] = [16, 16, 1];
    /// The widest blocks, beside those of 32x32, that two blocks merged along y serve, widest first: what their rows
    /// take of shared memory other versions take anyway.
    pub const WIDE_BLOCKS: [[u32; 3]; 2] = [[128, 32, 1], [64, 32, 1]];
    /// Strip lengths of merged versions, best first: their tiles are larger.
    pub const MERGED_STRIPS: [u32; 2] = [16, 8];
    /// The same where launch bounds keep blocks small, for blocks up to `SMALL_BLOCK`: what is done once a
    /// strip is done half as often, and a copy brings a tile's whole 128-byte row (`mm_bounds` 4096 on an H200:
    /// x8.6 against x8.4). Other shapes, and kernels that may have large blocks, do without: it is a version more.
    pub const SMALL_BLOCK_STRIP: u32 = 32;
    /// Strips in flight in merged versions.
    pub const MERGED_DEPTH: u32 = 2;
}

/// `plan/extent.rs`.
pub mod extent {
    /// A loop whose trip count is not known is taken to run this often when candidates are compared.
    pub const TYPICAL_TRIP: i64 = 64;
}

/// `plan/make.rs`.
pub mod make {
    /// Values alive at once up to which the original surely fits in the 64 registers that a block of
    /// 1024 threads has. Kernels of known need take up to 15 registers more than the estimate, and the
    /// one whose estimate is 56 takes all 64 (tests/pressure.rs).
    pub const MOST_PRESSURE: u32 = 48;
    /// Threads of the largest blocks that versions of kernels run in which need more. Of twelve such kernels of a draw
    /// of public programs eight need no more than the 128 registers that these leave.
    pub const ROOMY_BLOCK: u32 = 512;
}

/// `own.rs`.
pub mod own {
    /// Facts that a version may rest on: a launch is asked all of them, and their code is compiled. A kernel of 64
    /// stores and 56 loads, asked in pairs, made 7,301 comparisons, which took 26 s.
    pub const MOST_FACTS: usize = 256;
    /// LLVM's instructions of a version, as it is emitted, at most, unless its kernel is long itself. A kernel of 33
    /// loops' iterations that are left early and 32 that threads leave the kernel from, four blocks merged, had 80,000,
    /// and took ten times the file's compile time.
    pub const MOST_LENGTH: usize = 20_000;
    /// The same of a long kernel: so many times its own. No version of the corpus comes near either.
    pub const MOST_GROWTH: usize = 32;
}

/// `plan/overlap.rs`.
pub mod overlap {
    /// Strip lengths tried, longest first: at 32 a strip's row is one 128-byte line of floats.
    pub const STRIPS: [u32; 3] = [32, 16, 8];
    /// Reads per copied element under which an array counts as used once.
    pub const ONCE: f64 = 2.0;
    /// Reads per copied element from which copying is a small part of the work.
    pub const OFTEN: f64 = 8.0;
}

/// `plan/profit.rs`.
pub mod profit {
    /// Reads per copied element.
    pub const LEAST_REUSE: f64 = 8.0;
    /// Bytes of tiles of known size: 2048 threads in blocks of 256 leave 28 KiB a block on sm_80.
    pub const LIGHT_BYTES: u32 = 16 * 1024;
    /// Bytes where a tile's size is known only at run time: what is reserved lowers the occupancy of
    /// launches that need less.
    pub const RUNTIME_BYTES: u32 = 40 * 1024;
    /// The same where threads walk along rows of their own, which take up to 7 cells more each (`tile`): 256 rows of
    /// 32 floats. Five such blocks are resident on sm_90 as of the smaller ones, three for four on sm_80.
    pub const ROWS_BYTES: u32 = 44 * 1024;
}

/// `plan/shape.rs`.
pub mod shape {
    /// Largest distance of constant offsets in one dimension, in steps.
    pub const SPREAD_LIMIT: i64 = 64;
    /// Strides up to this multiple of each other are one dimension (`2*tid + k`), others two.
    pub const SAME_DIMENSION_RATIO: i64 = 8;
}

/// `plan/stores.rs`.
pub mod stores {
    /// Cells that a tile of 1024 threads takes, rows of at least eight padded by one.
    pub const TILE_CELLS: u32 = 1280;
}

/// `plan/stretch.rs`.
pub mod stretch {
    /// Strip lengths tried, shortest first: powers of two, so that a row's transactions divide a block's
    /// threads, from one transaction of floats up to two lines. Of doubles, four are a sector. Two lines of each of 32
    /// rows in place of one of 64: what memory reads in a row is twice as long, and two blocks, which do not wait for
    /// each other, share a multiprocessor. 74 rows of 15 kernels on an H100: x1.07 in the mean, x0.95 to x1.35;
    /// a matrix of 8192 x 8192 by a vector 2,163 to 2,596 GB/s, where a copy has 2,964.
    pub const LENGTHS: [u32; 5] = [4, 8, 16, 32, 64];
    /// Rows of such lengths must be whole 16-byte transactions.
    pub const LEAST_UNIT: u32 = 2;
    /// Strips that are used only where no longer ones fit twice: below 8 iterations `mv_size_t`, in L2, fell
    /// from x2.4 to x1.7 on an H200, while two rows of floats in blocks of 256, which need it, gained x3.6.
    pub const LEAST: u32 = 8;
    /// The same where strips are written back: softmax in blocks of 256, in L2, x1.4 with three strips of 8
    /// and x2.1 with two of 16.
    pub const LEAST_WRITTEN: u32 = 16;
    /// Sizes of blocks that ways are looked for, as users launch them.
    pub const BLOCKS: [u32; 4] = [256, 128, 64, 32];
}

/// `plan/versions.rs`.
pub mod versions {
    /// The most replicas whose sums fit 64 registers, where each is one register and has no address. More
    /// registers and replicas, where launch bounds allow them, were no faster on an H200 (`mm_bounds` 4096):
    /// 8x8 blocks with 128 registers x7.8, 4x4 with 64 x8.3.
    pub const LARGEST: [u32; 3] = [4, 4, 1];
    /// Registers for as many sums of two registers each (product of doubles, 2048, blocks of 16x16 on an H100: 20.8
    /// TFLOP/s; 64 registers, which spill, 17.5, and 8 replicas with 64 registers 16.7).
    pub const FOR_DOUBLES: u32 = 96;
    /// What smaller grids get, and sums of two registers: 8 replicas. Along x they read side by side.
    pub const MIDDLE: [u32; 3] = [2, 4, 1];
    /// What the smallest grids get, in place of a version without merging (`mm_early` on an H200, by the
    /// block: 512, x2.1 to x2.8 against x1.6 to x2.2; 128, x1.6 against x1.5).
    pub const SMALLEST: [u32; 3] = [1, 2, 1];
    /// Factors that are tried.
    pub const FACTORS: [[u32; 3]; 9] = [
        LARGEST,
        MIDDLE,
        [8, 1, 1],
        [4, 1, 1],
        [2, 2, 1],
        [1, 4, 1],
        [2, 1, 1],
        [1, 2, 1],
        [1, 1, 2],
    ];
}
