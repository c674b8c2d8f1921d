//! Numbers of merged blocks without tiles, and of sliding windows.

/// `transform/lockstep/untiled_windows.rs`.
pub mod untiled_windows {
    /// Bytes of an element. Replicas of doubles and what they leave for each other take twice the registers (planes,
    /// x0.71 to x2.2).
    pub const ELEMENT: u32 = 4;
    /// Replicas of a thread, along y; along z some launches lose (planes, blocks of 32x4x2, 40 registers: x0.87 to
    /// x1.26, 32: two words spilled). Eight gain more in the largest grids (33 rows on 4096², without gates x2.40 and
    /// x3.02), less in others (on 1061x2050 x1.49 and x1.28), and both versions in one kernel are 8.5 times clang's
    /// code and spill.
    pub const REPLICAS: u32 = 4;
    /// Part of the loads that may be left.
    pub const LEFT: f64 = 0.6;
    /// Words alive in a version up to which what others without tiles get holds them, a few of them spilled.
    pub const FIT: u32 = 40;
    /// Registers that the assembler's schedule takes beyond what is alive (15 columns of 4 replicas: 80 alive, 88
    /// taken; 9 columns: 52 and 56 to 64).
    pub const SCHEDULED: u32 = 10;
    /// The most: blocks of 512 threads still run.
    pub const MOST: u32 = 128;
}

/// `transform/lockstep/streaming.rs`.
pub mod streaming {
    /// Blocks of which a thread does the work: rows side by side, and planes one after the other. A stencil of radius 4
    /// on 480^3 (an H200, blocks of 32x8): 8, 16, 32 planes of two rows 0.509, 0.495, 0.498 ms, of four rows 0.610 (16
    /// planes, 96 registers); by hand of one row 0.512, 0.487, 0.479, of two 0.474, 0.453, 0.450 ms.
    pub const FACTOR: [u32; 3] = [1, 2, 16];
    /// Registers of such a thread: two rows of a window of nine cells take them.
    pub const REGISTERS: u32 = 64;
}

/// `plan/data/merge.rs`.
pub mod merge {
    /// Threads along x and y that a warp works on where `Merge::square`.
    pub const WARP_TILE: [u32; 2] = [8, 4];
}

/// `plan/replica_address.rs`.
pub mod replica_address {
    /// Bytes from thread to thread, at most: what is not coalesced is not bound by latency (a record of 28 bytes:
    /// x0.66).
    pub const COALESCED: i64 = 8;
    /// Instructions of a thread at most: longer bodies hide their latency themselves.
    pub const MOST_INSTRUCTIONS: usize = 256;
}

/// `plan/whole.rs`.
pub mod whole {
    /// Replicas along x: they share everything but the column.
    pub const REPLICAS: [u32; 3] = [4, 1, 1];
    /// The same where rows and columns are clamped: half of the clamps are shared both ways.
    pub const REPLICAS_OF_CLAMPED: [u32; 3] = [2, 2, 1];
}

/// `transform/lockstep/layers.rs`: rows and layers that a thread does the work of, where rows are along y and where
/// they are not. Candidates, of which the launches decide.
pub mod layers {
    /// 16, 8 and 4 sums a thread: of a 3x3 window 54 loads for 144 products, 48 for 72 and 45 for 36.
    pub const PLANE: [(u32, u32); 3] = [(4, 4), (2, 4), (1, 4)];
    /// The same without rows.
    pub const FLAT: [(u32, u32); 2] = [(1, 8), (1, 4)];
}
