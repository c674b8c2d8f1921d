//! Numbers of launches in other blocks, of folded and of spread kernels.

/// `fold/mod.rs`.
pub mod fold {
    /// Threads of a block in which a folded kernel is launched: a warp's row, eight rows.
    pub const THREADS: u32 = 8 * crate::machine::target::WARP;
    /// Shorter rows leave most of a block's threads idle, or make its rows too many for a grid.
    pub const SHORTEST: u32 = 8;
}

/// `transform/permute/legality.rs`.
pub mod permute {
    /// Times as many sectors as along another dimension, at least, that a warp asks for along x, where axes are
    /// exchanged: a store of many loads alone is not worth versions. On an H200, kernels with 4 to 8 times as many:
    /// x2.1 to x17.0.
    pub const FEWER: f64 = 2.0;
}

/// `plan/reshape_rules.rs`.
pub mod reshape_rules {
    /// Threads of long rows to those of short ones, at most: of the others nobody has any use (rows of 40 threads in
    /// 64: x0.87 to x0.90, of 24 in 32: x0.81).
    pub const MOST_WASTE: [u64; 2] = [8, 9];
    /// Rows of a flat block, at most. Not measured by itself (`docs/blocks.md`, flat blocks).
    pub const FLAT_ROWS: u32 = 2;
}

/// `transform/reshape/plan.rs`.
pub mod reshape {
    /// Threads of a small block.
    pub const SMALL: u32 = 64;
    /// Threads of a large block.
    pub const LARGE: u32 = 256;
    /// Threads of a row of blocks that lose rows.
    pub const ROWS: [u32; 2] = [16, 32];
    /// Threads of a row of blocks, from and below, that get rows of a warp.
    pub const SHORT_ROWS: [u32; 2] = [1, 8];
    /// The rows of a warp that they get: threads, and rows.
    pub const WIDE: [u32; 2] = [32, 8];
    /// Blocks from which a grid is one of many.
    pub const MANY: u32 = 4096;
    /// Blocks for each multiprocessor from which long rows are of more use than small blocks: 1,024 blocks of 32x8 are
    /// too few (`mm_early`, 512 x 512).
    pub const EACH: u32 = 16;
}

/// `transform/spread/legality.rs`.
pub mod spread {
    /// Elements of a thread in a row, at most.
    pub const MOST_IN_A_ROW: i64 = 64;
    /// Threads of a block in which a spread kernel is launched, where there are few and where there are many.
    pub const THREADS: [u32; 2] = [64, 256];
}

/// `transform/split/emit_launch.rs`.
pub mod split {
    /// Threads of a block in which a split kernel is launched, at most: small enough for any kernel's registers, and
    /// eight threads of the original.
    pub const BLOCK: u32 = 256;
    /// The same where steps keep their order: the few blocks that there are lie on as many multiprocessors as possible.
    /// On an H100, 1,024 bodies, 16 lanes a thread: blocks of 256 x2.9, of 64 x3.0. By `cargo xtask tune`, 183 rows of
    /// 38 kernels: 32 in its place x0.996 in the mean, x0.86 to x1.11; 128 x1.002, x0.92 to x1.23.
    pub const BLOCK_IN_ORDER: u32 = 64;
    /// Threads of a launch, at most, in whose place warps do steps in order: with more the chip is full, and a warp
    /// takes many times as many instructions for each step as a thread. On an H100, 112 rows of the bench: the best of
    /// all in 31, of up to 16,384 threads, where it has x0.8 to x2.9; with 20,001 and more x0.1 to x1.1, never the
    /// best.
    /// Not of loops that store, to rows that lie apart: on an H200, 100,000 rows of 784 x3.6 (the best of tiles x3.4 to
    /// x4.4), 98,304 rows of a causal softmax x6.0 (next best x1.02), where 11 kernels without have x0.06 to x1.5.
    pub const MOST_IN_ORDER: u32 = 1 << 14;
    /// Steps of an iteration and words that they take, at most: what is written out eight times. Not measured.
    pub const MOST_STEPS: usize = 16;
    /// Iterations whose steps are done without a test in between: two loads of 16 bytes for each word. Not measured by
    /// itself.
    pub const STEPS_AT_ONCE: u32 = 8;
}
