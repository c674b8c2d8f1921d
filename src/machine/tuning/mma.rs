//! `transform/mma/`: tiles of a product, and what follows from them.
//!
//! Bytes, one H100 SXM, state ddabb2e, `mm_i8` 4096 x 4096 x 4096 by 16x16: 0.339 ms, which is 405 TOP/s and x91; 350
//! to 500 had been predicted, x60 asked for. Such instructions have 5,461 operations a multiprocessor and cycle there
//! (ncu),
//! 1,270 TOP/s at 1,755 MHz. Tensor cores are busy in 31 % of the cycles, instructions issued in 63 % (4b65eda): of
//! some 370 for a strip 32 are such products, 32 turn bytes, 24 load, some 100 move words into the registers that a
//! product wants (`ldmatrix` would spare those of lines along the sum), and 140 work out what to copy. Nothing else was
//! tried yet but one way to copy what is not aligned: all words of an operand first (4001 x 4003 x 4005: x44, one chunk
//! after the other x35).

use crate::machine::target::{STATIC_SHARED, WARP};

/// How a product is dealt out to blocks, warps and strips.
#[derive(Debug, PartialEq)]
pub struct Shape {
    /// Rows and columns of the product that a block works out.
    pub tile: [u32; 2],
    /// Warps of a block along them.
    pub warps: [u32; 2],
    /// Products of an element that are summed up from one strip.
    pub depth: u32,
    /// Blocks that a multiprocessor is to hold.
    pub blocks: u32,
    /// Strips of the operands in shared memory at once.
    pub stages: u32,
    /// Elements by which a row of a strip of floats is longer than the tile, so that rows begin in other banks.
    pub skip: u32,
    /// Sums of a row of the product that lie between two rows in shared memory besides, so that rows begin in other
    /// banks.
    pub gap: u32,
    /// Bytes of a factor.
    pub factor: u32,
    /// Bytes of a sum.
    pub sum: u32,
}

/// Each lane has 16 bytes of every line of a strip, a quarter of it. All that a block may have is three strips of 16
/// KiB; with two blocks a multiprocessor each thread has 128 registers.
pub const BYTES: Shape = Shape {
    tile: [128, 128],
    warps: [2, 4],
    depth: 64,
    blocks: 2,
    stages: 3,
    skip: 0,
    gap: 4,
    factor: 1,
    sum: 4,
};
/// Each lane has a fourth of the 16 numbers of every line of a strip, as one instruction takes them. One H200,
/// `mm_double` 2048 x 2048 x 2048 by 16x16: 43.7 TFLOP/s, which is x13.9 (x6.2 by the vector units, whose limit is 33;
/// cuBLAS has 58, in whichever order); 8 warps of 32 x 32 with 128 registers spill some 150 bytes (x12.4), or one block
/// of them has a multiprocessor (x11.4); a block of 64 x 64 reads more from L2 (x9.3). Two strips are all that a block
/// may have.
pub const DOUBLES: Shape = Shape {
    tile: [64, 128],
    warps: [2, 2],
    depth: 16,
    blocks: 2,
    stages: 2,
    skip: 0,
    gap: 4,
    factor: 8,
    sum: 8,
};
/// For products with few of those tiles, with more strips under way. One H200, `mm_double` of 512 x 1024, 512 products
/// each: x5.5, by the large tiles x3.3; `mm_double_tn` 512 cubed x2.6 and x1.3. Tiles of 32 x 32 by a warp: x5.2 and
/// x2.4, with six strips under way no faster.
pub const SMALL_DOUBLES: Shape = Shape {
    tile: [32, 64],
    warps: [1, 2],
    depth: 16,
    blocks: 4,
    stages: 4,
    skip: 0,
    gap: 4,
    factor: 8,
    sum: 8,
};

/// By the vector units, eight by eight sums a thread. One H100, `mm_early` 4096 cubed by 16x16: 45.5 to 46.8 TFLOP/s,
/// tiles of the program's blocks 41 (cuBLAS 51); `mm_aat_f32` 2048 x48.8, by such tiles x31.4. Two strips of 16
/// products are what 48 KiB and two blocks a multiprocessor leave room for, each thread with 126 registers.
pub const FLOATS: Shape = Shape {
    tile: [128, 128],
    warps: [4, 2],
    depth: 16,
    blocks: 2,
    stages: 2,
    skip: 4,
    gap: 4,
    factor: 4,
    sum: 4,
};
/// For products with few of those tiles. One H100, `mm_early` 1000 cubed by 16x16: x5.5, by tiles of the program's
/// blocks x4.5; `mm_nt` 1024 cubed x36.3, before x26.3.
pub const SMALL_FLOATS: Shape = Shape {
    tile: [64, 64],
    warps: [2, 2],
    depth: 16,
    blocks: 4,
    stages: 3,
    skip: 4,
    gap: 4,
    factor: 4,
    sum: 4,
};

/// Lanes of a warp down and along, where each has its own sums.
pub const WARP_LANES: [u32; 2] = [4, 8];
/// Lines that a lane has parts of, in one go: four octets.
pub const GROUP: u32 = 32;

impl Shape {
    /// Threads of a block.
    pub const fn threads(&self) -> u32 {
        self.warps[0] * self.warps[1] * WARP
    }
    /// Bytes of a line of a strip, along the sum.
    pub const fn line(&self) -> u32 {
        self.depth * self.factor
    }
    /// Bytes of a side's strip.
    pub const fn strip(&self, side: usize) -> u32 {
        (self.tile[side] + self.skip) * self.line()
    }
    /// Bytes of both.
    pub const fn stage(&self) -> u32 {
        self.strip(0) + self.strip(1)
    }
    /// Shared memory of a block: strips, and later the sums of a row of warps.
    pub const fn shared(&self) -> u32 {
        self.stages * self.stage()
    }
    /// Rows that one row of warps has.
    pub const fn band(&self) -> u32 {
        self.tile[0] / self.warps[0]
    }
    /// Sums from one of them to the next in shared memory.
    pub const fn pitch(&self) -> u32 {
        self.tile[1] + self.gap
    }
    /// Elements of a band that a thread has.
    pub const fn each(&self) -> u32 {
        self.band() * self.tile[1] / self.threads()
    }
    /// Groups of a warp along a side.
    pub const fn groups(&self, side: usize) -> u32 {
        self.tile[side] / self.warps[side] / GROUP
    }
    /// Sums that a thread has.
    pub const fn sums(&self) -> u32 {
        self.tile[0] * self.tile[1] / self.threads()
    }
    /// Instructions of a warp down and along: one takes 16 rows and 8 columns.
    pub const fn each_warp(&self) -> [u32; 2] {
        [self.groups(0) * GROUP / 16, self.groups(1) * GROUP / 8]
    }
    /// Rows and columns of a lane, where each has its own sums.
    pub const fn each_thread(&self) -> [u32; 2] {
        let [rows, cols] = self.tile;
        [
            rows / self.warps[0] / WARP_LANES[0],
            cols / self.warps[1] / WARP_LANES[1],
        ]
    }
    const fn is_right(&self) -> bool {
        self.band() * self.pitch() * self.sum <= self.shared() && self.shared() <= STATIC_SHARED
    }
}

const _: () = assert!(BYTES.is_right() && DOUBLES.is_right() && SMALL_DOUBLES.is_right());
const _: () = assert!(FLOATS.is_right() && SMALL_FLOATS.is_right());
