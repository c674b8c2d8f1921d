//! Numbers of the performance model: what hardware does, and what a launch is taken to be.

/// `plan/model/body.rs`.
pub mod body {
    /// Instructions of a body that LLVM unrolls in part for NVPTX: its threshold of 300 by 4.
    pub const PARTIAL: usize = 75;
    /// The same of one that it unrolls fully.
    pub const FULL: usize = 300;
    /// The most copies of a body.
    pub const COPIES: f64 = 8.0;
    /// Instructions of a strip up to which most of them have constant offsets, unrolled by `lower::region`.
    pub const STRIP: usize = 1024;
    /// Iterations of a loop that ends where data says so.
    pub const DATA_TRIP: f64 = 16.0;
    /// Instructions of a branch up to which ptxas 13.0 predicates them: a load and sums of up to 13 products, nine such
    /// branches in a row; one product more, and it jumps.
    pub const PREDICATED: f64 = 16.0;
    /// Values of which a condition is made that are looked at, at most.
    pub const MOST_SEEN: usize = 64;
}

/// `plan/model/forecast.rs`.
pub mod forecast {
    /// A plan is taken if it is expected to gain this much: at the launches that were measured, kernels
    /// that lost on the GPU are predicted at x1.11 at most.
    pub const MARGIN: f64 = 1.15;
    /// What the original body may lose to the tiles it shares a kernel with.
    pub const HARMLESS: f64 = 0.97;
    /// From this gain on, such a loss is accepted: rows walked and reused.
    pub const LARGE_GAIN: f64 = 4.0;
    /// Sizes of typical launches, largest first.
    pub const SIZES: [f64; 5] = [super::launch::LARGE, 1024.0, 256.0, 64.0, 32.0];
    /// Sizes asked about, of those that the tiles hold.
    pub const QUERIED: usize = 2;
    /// Trip counts that a fact may ask for.
    pub const TRIPS: [f64; 6] = [32.0, 64.0, 128.0, 256.0, 512.0, 1024.0];
}

/// `plan/model/launch.rs`.
pub mod launch {
    /// Elements of a large array: 256 MiB of floats, five times the L2 of the largest chip known.
    pub const ELEMENTS: f64 = (1u64 << 26) as f64;
    /// Innermost iterations of a typical launch in all, as a product of order 2048 has.
    pub const ITERATIONS: f64 = (1u64 << 33) as f64;
    /// Threads of a typical launch at least, if arrays may be large enough: a chip well filled.
    pub const LEAST_THREADS: f64 = (1u64 << 13) as f64;
    /// Threads of a typical launch at most.
    pub const THREADS: f64 = (1u64 << 24) as f64;
    /// The largest size asked about: rows of this many elements, or so many rows and columns.
    pub const LARGE: f64 = 4096.0;
    /// Iterations of a window: a loop whose number is added to a thread index, `x[i + k]`. A radius of 8,
    /// and no multiple of a strip.
    pub const WINDOW: f64 = 17.0;
    /// Iterations of a loop whose number does not follow from arguments: it runs until data ends it.
    pub const DATA_TRIP: f64 = 16.0;
}

/// `plan/model/machine.rs`.
pub mod machine {
    /// The exponent of the norm: two resources equally full cost 19% over one.
    pub const SHARPNESS: f64 = 4.0;
    /// Of the DRAM bandwidth on paper, what copies reach (4.2 of 4.8 TB/s on an H200).
    pub const DRAM_EFFICIENCY: f64 = 0.88;
    /// Cycles from one instruction of a warp to the next where nothing is to be waited for: results
    /// take 4, and about every fourth instruction does not need the one before.
    pub const DEPENDENT: f64 = 3.0;
    /// More of them where the result is a double.
    pub const DEPENDENT_DOUBLE: f64 = 5.0;
    /// And where it comes from the special unit.
    pub const DEPENDENT_SLOW: f64 = 20.0;
    /// Bytes of shared memory a multiprocessor can be set to, in KiB; the driver takes the least that
    /// lets as many blocks be resident as could be (programming guide), and L1 has the rest.
    pub const CARVEOUTS: [u32; 10] = [0, 8, 16, 32, 64, 100, 132, 164, 196, 228];
    /// Microseconds that a launch takes beside its work.
    pub const LAUNCH: f64 = 2.0;
    /// Microseconds from one launch to the next at least, however little they do (docs/bench, H200).
    pub const PERIOD: f64 = 3.0;
}

/// `plan/model/mix.rs`.
pub mod mix {
    /// Instructions of a division of floats: an estimate, its refinement, a test for the slow path.
    pub const DIVISION: f64 = 10.0;
    /// The same in double precision, on the 64-bit lanes.
    pub const DOUBLE_DIVISION: f64 = 20.0;
    /// Instructions of a 32-bit integer division.
    pub const INTEGER_DIVISION: f64 = 18.0;
}

/// `plan/model/mod.rs`.
pub mod entry {
    /// Instructions at the entry: thread numbers and the branch.
    pub const ENTRY: f64 = 20.0;
    /// Of a fact: the terms of a polynomial.
    pub const ENTRY_FACT: f64 = 6.0;
    /// Of a fact that two arrays lie apart.
    pub const ENTRY_DISJOINT: f64 = 20.0;
    /// Cycles of the load-store unit for an atomic update of shared memory by a warp: 32 threads that count in
    /// 256 cells take 30 on an H200 (corpus `histogram`).
    pub const SHARED_UPDATE: f64 = 28.0;
}

/// `plan/model/reads.rs`.
pub mod reads {
    /// Instructions of an address rematerialized.
    pub const ADDRESS: f64 = 3.0;
    /// Of one that moves on by a number only the launch knows: a wide product, which takes two slots,
    /// and now and then the number again from the constant bank.
    pub const STRIDE: f64 = 2.5;
}

/// `plan/model/residence.rs`.
pub mod residence {
    /// Registers of a kernel beside the values that `pressure` counts.
    pub const REGISTERS: f64 = 16.0;
}

/// `plan/model/tiles.rs`.
pub mod tiles {
    /// Instructions of one predicated move of the copy loop: bounds, two addresses, load, store. These
    /// and the next are counted in the PTX of the corpus at `force`.
    pub const MOVE: f64 = 10.0;
    /// Of a move whose cell lies outside: bounds, and branches round the load and the store.
    pub const SKIPPED: f64 = 4.0;
    /// Of an asynchronous move: what a thread copies is worked out before the first strip, and pointers
    /// move on.
    pub const MOVE_ASYNC: f64 = 4.0;
    /// More of them per dimension that is stepped like a mixed-radix counter.
    pub const MOVE_DIMENSION: f64 = 7.0;
    /// More of them where corners are clipped.
    pub const MOVE_CLIP: f64 = 4.0;
    /// Bytes of the smallest asynchronous copy.
    pub const LEAST_ASYNC: f64 = 4.0;
    /// Moves of one round of the copy loop, `lower::copy`.
    pub const ROUND: f64 = 4.0;
    /// Instructions that find a thread's first cell, per tile.
    pub const WALK: f64 = 15.0;
    /// The same per dimension after the first: two divisions each, unless the block's columns are the tile's.
    pub const WALK_DIMENSION: f64 = 50.0;
    /// Instructions of each box after the first that a tile is the hull of, per dimension: counted in sm_90's machine
    /// code of windows of 5 and 17 reads that are guarded one by one (30 in one dimension, 75 in two).
    pub const BOX_DIMENSION: f64 = 36.0;
    /// Instructions that number a block's threads, once.
    pub const NUMBERING: f64 = 12.0;
}

/// `plan/model/traffic.rs`.
pub mod traffic {
    /// A store's request takes L2 as long as this many bytes read, one line or less of it written:
    /// walks down rows that are written back take 5.4 clocks a request and multiprocessor (corpus
    /// `row_copy_strided`, H200), and rows written whole hardly more.
    pub const WRITE: f64 = 1.5 * 128.0;
}

/// `plan/prior.rs`.
pub mod prior {
    /// Microseconds of a large launch: twice what it takes to load a version, which the driver does at its first
    /// launch, as the model may take a kernel for twice as slow as it is (docs/choice.md).
    pub const LARGE_US: f64 = 400.0;
    /// How many times as long a thread's own iterations must take, as the model knows little of how loads of one thread
    /// overlap. On an H200 it takes all-pairs loops over 2,000 to 4,000 records for up to 4 times as slow as they are.
    pub const LONE: i64 = 4;
    /// Halvings of the grid and of loops that are asked about: from the typical launch down to one of a few blocks, or
    /// iterations.
    pub const HALVINGS: i32 = 14;
    /// Halvings of loops down to those of 8 iterations.
    pub const SHORTER: i32 = 9;
    /// A version that nobody measured runs where the model expects this gain. From 1.15 on, 71 of 475 such rows of
    /// the unseen bench lost, now 36 of 309 (docs/unseen.md).
    pub const SURE: f64 = 1.5;
    /// Iterations below which the model is sure of no plan, if the host knows how many there are: rows so short lie in
    /// sectors that L1 still has, which the model takes for a request each. Ten rows of the unseen bench, distances in
    /// 2 to 16 dimensions, had x0.48 to x0.95 in their first ten launches (docs/unseen.md).
    pub const FEW: i64 = 32;
    /// Blocks, merged ones, for each multiprocessor from which on they even out, where loops are cut and the last block
    /// of a triangle works twice as long as they do on average. With one or two a triangular product had x0.23 and
    /// x0.62 in its first ten launches (`product_260` of the unseen seed 20311802, an H200).
    pub const EVEN: u32 = 4;
    /// Iterations from which on a loop surely gains where threads share what it loads, or lanes what it does. On an
    /// H200, 61 rows of the bench that all tests leave have x5.5 to x813 (docs/choice.md).
    pub const LONG: i64 = 128;
    /// Halvings and doublings of the block's threads and of its rows that are asked about: from 256 to 32 and 1024.
    pub const SHAPES: i32 = 4;
}
