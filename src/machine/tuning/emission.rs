//! Numbers of emission: registers, and how far code is unrolled.

/// `transform/remat/emit.rs`.
pub mod remat {
    /// Values alive at once up to which 32 registers hold them through loops that read tiles ahead
    /// (conv2d_padded, 4 replicas: 56; 8 replicas, 60, spill).
    pub const TIGHT_TILES: u32 = 58;
    /// The same for replicas without tiles (conv2d_padded, 27; conv2d_clamp, 31, spills two words).
    pub const TIGHT_REPLICAS: u32 = 29;
}

/// `lower/copy.rs`.
pub mod copy {
    /// Loads under way in one round.
    pub const ROUND: usize = 4;
}

/// `lower/cursor.rs`.
pub mod cursor {
    /// Transactions held in registers.
    pub const IN_REGISTERS: i64 = 4;
}

/// `lower/region.rs`.
pub mod region {
    /// Cost of unrolled instructions up to which a strip's inner loop is unrolled, fully or in part: beyond some 8 KB
    /// of code it runs slower for every copy of itself (n-body over structs, 32 iterations: x0.77).
    pub const UNROLLED: u32 = 640;
}

/// `lower/registers.rs`.
pub mod registers {
    /// Registers per thread of a block of 1024.
    pub const LIMIT: u32 = 64;
    /// Registers with which 1536 threads fit an SM.
    pub const LEAN: u32 = 40;
    /// The same with strips in flight: their copies' addresses stay alive from strip to strip, and 40
    /// spill some. 1344 threads fit an SM, and what is in flight hides latency in place of the others.
    pub const LEAN_PIPELINED: u32 = 48;
    /// Tiles in strips from which reads of 16 bytes of each, ahead of their use, need as many (`interaction4`, 40 and
    /// 48 registers, 32768 bodies on an H200: x2.00 and x2.27; 147456: x1.65 and x1.82).
    pub const MANY_TILES: usize = 4;
    /// Values alive at once in the original up to which it surely fits in [`LEAN`] registers itself.
    pub const LEAN_ORIGINAL: u32 = 24;
    /// The same for staged bodies: on the corpus they then fit with a few words spilled at entry.
    pub const LEAN_STAGED: u32 = 76;
    /// Registers for replicas whose tiles are copied whole by transactions, by the values alive at once in them up to
    /// which nothing spills (mavg, 32 values; conv2d_padded, 55; conv2d_clamp, 59): the fewer, the more blocks share
    /// a multiprocessor, also of launches that the original body serves.
    pub const WHOLE: [(u32, u32); 2] = [(64, 32), (96, 48)];
    /// Values alive in the original up to which it surely fits in the least of them.
    pub const LEAN_WHOLE: u32 = 16;
    /// Shared memory from which it, and not registers, decides how many blocks an SM holds: five of 32 KiB
    /// fit sm_80, and 64 registers let four of 256 threads in.
    pub const HEAVY: u32 = 32 * 1024;
    /// Registers that a body of fewer than [`LIMIT`] has beside those that it cannot do without, at least: of 34
    /// versions of two unseen seeds that cannot do without 24 to 47 and had 32, 13 spilled. On an H200, two kernels
    /// x1.00 to x1.14 with 32, x1.19 to x1.46 with more (docs/unseen.md).
    pub const SCHEDULED: u32 = 4;
    /// For kernels that write tiles back from strips in flight: of 64 ptxas takes all and spills some, where it
    /// does with 47 (softmax_rows, blocks of 64, on an H200: x3.7 and x4.4).
    pub const WRITING: u32 = 56;
}

/// `transform/unroll/emit.rs`.
pub mod emit_unroll {
    /// Bytes of the widest load.
    pub const WIDE: u32 = 16;
    /// Words of one array's round, of which loops that a thread comes to once hold as many as the registers of a full
    /// multiprocessor let them: the grid's other threads hide the rest (`two_loops` on an H200, 40 registers and 32: 2
    /// to 3 iterations in large grids x0.58 and x0.91, x0.85 and x0.96, all of 60 launches x1.03 and x1.04; two arrays,
    /// `triangular`: x1.84 and x1.68; entered again and again, `grid_table`: x1.06 and x1.02).
    pub const ONE_ARRAY: u32 = 16;
}

/// `lower/copy_loop.rs`.
pub mod copy_loop {
    /// Elements, of all tiles, per iteration of the quick way's loop.
    pub const AT_ONCE: usize = 4;
}
