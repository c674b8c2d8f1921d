//! Numbers of loops that are unrolled, or unrolled and jammed.

/// `transform/unroll/ahead.rs`.
pub mod ahead {
    /// Iterations a round, at most.
    pub const LONGEST: u32 = 8;
    /// Instructions of a round, at most: LLVM unrolls to about as many.
    pub const INSTRUCTIONS: usize = 320;
    /// Words that a round's loads bring, at most: half of the registers that a thread of a full block has.
    pub const WORDS: u32 = 32;
}

/// `transform/unroll_jam/legality.rs`.
pub mod nest {
    /// Registers that replicas may fill, of the 64 of a block of 1024 threads.
    pub const REGISTERS: usize = 64;
    /// Of them for what replicas share: addresses, counters, the loads in common.
    pub const SHARED_REGISTERS: usize = 16;
    /// Values alive at once in the original up to which its body leaves replicas room.
    pub const MOST_PRESSURE: u32 = 32;
}

/// `transform/unroll_jam/legality.rs`, over whole tiles.
pub mod jam_over_tiles {
    /// Iterations a round, most first. Of four (`kmeans`, sm_90, a warp) a point's 4 floats and those of 4 centres take
    /// 8 cycles of shared memory for 32 operations, where iterations one by one take 20; the operations take 8. On an
    /// H200: `kmeans` x28.0 of clang's, x19.4 one by one; `two_nearest` x5.5 and x4.9.
    pub const JAMMED: [u32; 2] = [4, 2];
    /// Iterations of the inner loop that are unrolled, of cells of 4 bytes: two reads of 16 bytes of each row. Each row
    /// has a pointer of its own to move on, and ptxas unrolls no further (`kmeans`, sm_90: 82 instructions for 64
    /// operations; unrolled by 4, 45 for 32). On an H200: `kmeans` x28.0, by 4 x26.9; `two_nearest` x5.52, x5.49.
    pub const UNROLLED: u32 = 8;
    /// Words of sums, and of what a round of the inner loop reads once, at most: ptxas fits them in 48 registers, with
    /// addresses and counters, and reads no more ahead than these allow (`kmeans`, 44 words, no word spilled).
    pub const WORDS: u32 = 48;
}

/// `transform/unroll/plan.rs`.
pub mod unroll {
    /// Iterations a round, of short bodies, of others, and of coarse ones. Rounds of 16 measured x1.02 to x2.5
    /// where those of 8 measured x1.00 to x2.2; sums of complex products x1.04 to x1.14 by 4 and x1.02 to x1.05 by 8.
    pub const LENGTHS: [u32; 3] = [16, 8, 4];
    /// Instructions of a short body, phis left out.
    pub const SHORT: usize = 14;
    /// Instructions of a body above which a round would be long, and its loads many without it.
    pub const MOST_INSTRUCTIONS: usize = 32;
    /// Instructions of a body, phis left out, above which LLVM unrolls it by two at most: four times as many
    /// would pass its limit of 75, by which addresses count for less.
    pub const COARSE: usize = 22;
    /// Values alive at once in the original up to which a round's loads find room among 40 registers.
    pub const MOST_PRESSURE: u32 = 16;
    /// Bytes that one load brings.
    pub const WIDE: i64 = 16;
}
