//! What is known about a chip: one row per `sm_NN`, and the only place that knows any.
//!
//! Limits are those of NVIDIA's CUDA programming guide (compute capabilities). The rates are of
//! one typical board per row, named in it; they feed the profit model, never a legality decision.

use crate::llvm::Function;

/// The oldest target that is staged for.
pub const OLDEST_SM: u32 = 70;

/// Threads of a warp, on every target.
pub const WARP: u32 = 32;

/// Registers are handed out to a thread by so many, on every target.
pub const REGISTER_STEP: u32 = 8;

/// Predicates that a thread has, on every target (SASS: `P0` to `P6`).
pub const PREDICATES: u32 = 7;

/// Bytes of a sector, the unit of traffic to L2 and DRAM, on every target.
pub const SECTOR: i64 = 32;

/// Threads a block may have, on every target; a kernel without launch bounds must allow for it.
pub const BLOCK_THREADS: u32 = 1024;
/// Layers of a block, at most, on every chip.
pub const BLOCK_LAYERS: u32 = 64;
/// Blocks of a grid along y, at most (CUDA programming guide, table of compute capabilities).
pub const GRID_ROWS: u32 = 65_535;

/// The first chip with instructions for pairs of floats (PTX ISA, `fma.rn.f32x2`).
pub const FLOATS_IN_PAIRS: u32 = 100;

/// The first chip whose tensor cores take `mma.m16n8k32` of bytes (PTX ISA).
pub const OLDEST_MMA: u32 = 80;

/// The chip of which is known in which order its tensor cores sum doubles up: one after the other, as they are
/// numbered, from the sum that they begin with, each rounded once (`docs/tensor-cores.md`).
pub const ORDERED_MMA: u32 = 90;

/// Static shared memory of a block, in bytes, on every chip.
pub const STATIC_SHARED: u32 = 48 * 1024;
/// What dynamic shared memory is aligned to, unless an array in it asks for more; and each part of it that a version
/// has (`dynamic_of` of `rt/rt_launch.h`).
pub const DYNAMIC_ALIGNMENT: u32 = 16;
/// Bytes that a load or store has at most, at a multiple of as many.
pub const WIDEST_ACCESS: u32 = 16;
/// Bytes of a word of shared memory, of which each bank gives one at once.
pub const BANK_BYTES: u32 = 4;
/// Bytes by which a block's shared memory is dealt out, at most (CUDA programming guide: 128 from sm_80 on, 256
/// before).
pub const SHARED_UNIT: u32 = 256;

/// One target.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// 80 for `sm_80`.
    pub sm: u32,
    /// The board that the rates are of.
    pub board: &'static str,
    /// Static shared memory a block may have, bytes.
    pub static_shared: u32,
    /// Shared memory of a multiprocessor, bytes.
    pub shared_per_sm: u32,
    /// Shared memory the system takes per resident block, bytes.
    pub shared_reserved: u32,
    /// 32-bit registers of a multiprocessor.
    pub registers: u32,
    /// 32-bit registers one thread may have.
    pub registers_per_thread: u32,
    /// Threads resident on a multiprocessor.
    pub threads_per_sm: u32,
    /// Blocks resident on a multiprocessor.
    pub blocks_per_sm: u32,
    /// Whether `cp.async` exists.
    pub cp_async: bool,
    /// Whether ptxas does well where merged blocks' ids come through a product's passes in one register, and where
    /// crowded replicas read their block's numbers again behind them (`lower::remat`). If not, ids alone are read
    /// again. By words spilled, ptxas 13.0: with packed ids 6 and 12 in `mm_early` and `mm_fixed2d` for sm_120 and
    /// sm_100, else none; not measured on such a chip.
    pub packs_ids: bool,
    /// Whether ptxas orders a product's passes better if real numbers that are the same for all threads are made
    /// again behind them (`lower::remat`). Measured with ptxas 13.0.
    pub remat_floats: bool,
    /// Multiprocessors.
    pub sms: u32,
    /// 32-bit floating-point lanes of a multiprocessor.
    pub fp32_units: u32,
    /// Clock, MHz.
    pub clock: u32,
    /// Global memory bandwidth, GB/s.
    pub dram: u32,
    /// L2 bandwidth, bytes per clock for the whole chip (reads, order of magnitude).
    pub l2: u32,
    /// Bytes that L2 holds (architecture whitepapers and data sheets of the boards): what fits is taken
    /// to be there when a kernel begins, unless the user says it is not.
    pub l2_bytes: u32,
    /// Shared memory bandwidth, bytes per clock and multiprocessor.
    pub shared: u32,
    /// L1 and shared memory together, bytes of a multiprocessor (programming guide).
    pub l1: u32,
    /// 64-bit floating-point lanes of a multiprocessor (programming guide, arithmetic throughput).
    pub doubles: u32,
    /// Special-function lanes of a multiprocessor (same table): square roots, conversions.
    pub special: u32,
    /// Instructions a multiprocessor issues per clock: one per scheduler (tuning guides).
    pub issue: u32,
    /// Atomic updates by threads that L2 does per clock where they meet in a few lines: 4.1 for 256 counters
    /// and 4.4 for seven on an H200 (corpus `histogram`, `atomic_sum`), whole chip. Not measured on others.
    pub updates: u32,
    /// Bytes per clock that one multiprocessor takes from L2 (architecture whitepapers: 64).
    pub l2_port: u32,
    /// Cycles of a dependent load that hits shared memory. Latencies are those that published
    /// pointer chases agree on, in tens: Jia et al. 2018 and 2019 (V100, T4), Luo et al. 2024
    /// (A100, Ada, H100); a row without a study has those of its nearest relative.
    pub shared_latency: u32,
    /// The same for L1.
    pub l1_latency: u32,
    /// Cycles from the end of a block to the first load of the next in its place, as far as they are
    /// not hidden: kernels of 2 to 7 loads a thread take 27 to 31 cycles per warp and multiprocessor on
    /// an H200 with 64 warps, where latency explains 15 (corpus `saxpy`, `mavg5`, `stencil5`,
    /// `stencil7_3d`). Not measured on other chips.
    pub turnover: u32,
    /// The same for L2.
    pub l2_latency: u32,
    /// The same for DRAM under load, pages spread. On sm_90 measured: a walk down the columns of
    /// 256 MiB takes 913 cycles per group of four loads, L1 and arithmetic included (corpus
    /// `mv_col`, H200); other rows have the chase's figure times the same 1.8.
    pub dram_latency: u32,
    /// Cycles a warp loses at a block barrier that all others have reached (Luo et al. 2024 and our
    /// strips, tens).
    pub barrier: u32,
}

/// What most rows have in common.
const COMMON: Target = Target {
    sm: 0,
    board: "",
    static_shared: 48 << 10,
    shared_per_sm: 0,
    shared_reserved: 1 << 10,
    registers: 65536,
    registers_per_thread: 255,
    threads_per_sm: 1536,
    blocks_per_sm: 24,
    cp_async: true,
    packs_ids: true,
    remat_floats: true,
    sms: 0,
    fp32_units: 128,
    clock: 0,
    dram: 0,
    l2: 0,
    l2_bytes: 0,
    shared: 128,
    l1: 128 << 10,
    doubles: 2,
    special: 16,
    issue: 4,
    updates: 4,
    l2_port: 64,
    shared_latency: 30,
    l1_latency: 40,
    turnover: 900,
    l2_latency: 270,
    dram_latency: 850,
    barrier: 40,
};

#[rustfmt::skip]
const TARGETS: &[Target] = &[
    Target { sm: 70, board: "V100", shared_per_sm: 96 << 10, shared_reserved: 0, threads_per_sm: 2048,
        blocks_per_sm: 32, cp_async: false, sms: 80, fp32_units: 64, clock: 1530, dram: 900, l2: 2048,
        l2_bytes: 6 << 20, l1: 128 << 10, doubles: 32, shared_latency: 20, l1_latency: 30, l2_latency: 190,
        dram_latency: 750, ..COMMON },
    Target { sm: 72, board: "Xavier", shared_per_sm: 96 << 10, shared_reserved: 0, threads_per_sm: 2048,
        blocks_per_sm: 32, cp_async: false, sms: 8, fp32_units: 64, clock: 1377, dram: 137, l2: 512,
        l2_bytes: 512 << 10, l1: 128 << 10, doubles: 32, shared_latency: 20, l1_latency: 30, l2_latency: 190,
        dram_latency: 750, ..COMMON },
    Target { sm: 75, board: "T4", shared_per_sm: 64 << 10, shared_reserved: 0, threads_per_sm: 1024,
        blocks_per_sm: 16, cp_async: false, sms: 40, fp32_units: 64, clock: 1590, dram: 320, l2: 1280,
        l2_bytes: 4 << 20, l1: 96 << 10, shared_latency: 20, l1_latency: 30, l2_latency: 190, dram_latency: 780,
        ..COMMON },
    Target { sm: 80, board: "A100", shared_per_sm: 164 << 10, threads_per_sm: 2048, blocks_per_sm: 32, sms: 108,
        fp32_units: 64, clock: 1410, dram: 1555, l2: 5120, l2_bytes: 40 << 20, l1: 192 << 10, doubles: 32,
        l2_latency: 260, dram_latency: 840, ..COMMON },
    Target { sm: 86, board: "A40", shared_per_sm: 100 << 10, blocks_per_sm: 16, sms: 84, clock: 1740, dram: 696,
        l2: 2048, l2_bytes: 6 << 20, ..COMMON },
    Target { sm: 87, board: "Orin", shared_per_sm: 164 << 10, blocks_per_sm: 16, sms: 16, clock: 1300,
        dram: 204, l2: 512, l2_bytes: 4 << 20, l1: 192 << 10, ..COMMON },
    Target { sm: 88, board: "Orin", shared_per_sm: 164 << 10, blocks_per_sm: 16, sms: 16, clock: 1300,
        dram: 204, l2: 512, l2_bytes: 4 << 20, l1: 192 << 10, ..COMMON },
    Target { sm: 89, board: "L40", shared_per_sm: 100 << 10, sms: 142, clock: 2490, dram: 864, l2: 2048,
        l2_bytes: 96 << 20, dram_latency: 970, ..COMMON },
    Target { sm: 90, board: "H200", remat_floats: false, shared_per_sm: 228 << 10, threads_per_sm: 2048,
        blocks_per_sm: 32, sms: 132, clock: 1980, dram: 4800, l2: 5120, l2_bytes: 50 << 20, l1: 256 << 10,
        doubles: 64, l2_latency: 260, ..COMMON },
    Target { sm: 100, board: "B200", packs_ids: false, shared_per_sm: 228 << 10, threads_per_sm: 2048,
        blocks_per_sm: 32, sms: 148, clock: 1965, dram: 8000, l2: 8192, l2_bytes: 126 << 20, l1: 256 << 10,
        doubles: 64, ..COMMON },
    Target { sm: 101, board: "Thor", packs_ids: false, shared_per_sm: 228 << 10, threads_per_sm: 1536, sms: 20,
        clock: 1575, dram: 273, l2: 1024, l2_bytes: 32 << 20, l1: 256 << 10, ..COMMON },
    Target { sm: 103, board: "B300", packs_ids: false, shared_per_sm: 228 << 10, threads_per_sm: 2048,
        blocks_per_sm: 32, sms: 148, clock: 1965, dram: 8000, l2: 8192, l2_bytes: 126 << 20, l1: 256 << 10,
        ..COMMON },
    Target { sm: 110, board: "Thor", packs_ids: false, shared_per_sm: 228 << 10, threads_per_sm: 1536, sms: 20,
        clock: 1575, dram: 273, l2: 1024, l2_bytes: 32 << 20, l1: 256 << 10, ..COMMON },
    Target { sm: 120, board: "RTX 5090", packs_ids: false, shared_per_sm: 100 << 10, sms: 170, clock: 2410,
        dram: 1792, l2: 4096, l2_bytes: 96 << 20, dram_latency: 970, ..COMMON },
    Target { sm: 121, board: "GB10", packs_ids: false, shared_per_sm: 100 << 10, sms: 48, clock: 2400,
        dram: 273, l2: 1024, l2_bytes: 24 << 20, ..COMMON },
];

impl Target {
    /// The row of `sm_NN`, or of the newest older one for a chip that came after this table.
    /// `None` before `OLDEST_SM`.
    pub fn of_sm(sm: u32) -> Option<&'static Target> {
        TARGETS.iter().rfind(|t| t.sm <= sm)
    }

    /// The target a kernel is compiled for. IR that names none is taken for the oldest, whose
    /// instructions every later one has. The error is the name of a target that is too old.
    pub fn of(kernel: Function) -> Result<&'static Target, String> {
        let cpu = kernel.string_attribute("target-cpu").unwrap_or_default();
        let sm = sm_number(&cpu).unwrap_or(OLDEST_SM);
        Self::of_sm(sm).ok_or(cpu)
    }

    /// Registers a thread may use while as many threads as a multiprocessor holds still fit it: with fewer none is
    /// added.
    pub fn registers_of_all(&self) -> u32 {
        (self.registers / self.threads_per_sm / 8 * 8).min(self.registers_per_thread)
    }

    /// Registers a thread may use if blocks of `threads` threads must still be launchable:
    /// registers are handed out per warp, in steps of 8 per thread.
    pub fn register_ceiling(&self, threads: u32) -> u32 {
        let warps = threads.div_ceil(WARP).max(1);
        (self.registers / (warps * WARP) / 8 * 8).min(self.registers_per_thread)
    }
}

/// 90 for `sm_90`, `sm_90a`.
fn sm_number(cpu: &str) -> Option<u32> {
    cpu.strip_prefix("sm_")?
        .trim_end_matches(|c: char| c.is_ascii_lowercase())
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_ascend_and_are_complete() {
        assert!(TARGETS.windows(2).all(|w| w[0].sm < w[1].sm));
        assert_eq!(TARGETS[0].sm, OLDEST_SM);
        for t in TARGETS {
            assert!(
                [t.sms, t.clock, t.dram, t.l2, t.l2_bytes, t.fp32_units]
                    .iter()
                    .all(|n| *n > 0),
                "{t:?}"
            );
            assert!(t.l1 >= t.shared_per_sm && t.shared_latency <= t.l1_latency);
            assert!(t.l1_latency < t.l2_latency && t.l2_latency < t.dram_latency);
            assert!(t.shared_per_sm >= t.static_shared && t.threads_per_sm >= BLOCK_THREADS);
            assert_eq!(t.cp_async, t.sm >= 80);
        }
    }

    #[test]
    fn architecture_names() {
        assert_eq!(sm_number("sm_90a"), Some(90));
        assert_eq!(sm_number("sm_120"), Some(120));
        assert_eq!(sm_number("gfx90a"), None);
        assert_eq!(Target::of_sm(60), None);
        assert_eq!(
            Target::of_sm(130).map(|t| t.sm),
            Some(121),
            "a chip newer than the table"
        );
    }

    #[test]
    fn fewer_threads_have_more_registers() {
        let of = |sm| Target::of_sm(sm).unwrap().registers_of_all();
        assert_eq!([75, 80, 86, 90, 120].map(of), [64, 32, 40, 32, 40]);
    }

    #[test]
    fn a_kernel_without_bounds_may_use_64_registers() {
        let t = Target::of_sm(80).unwrap();
        assert_eq!(t.register_ceiling(1024), 64);
        assert_eq!(t.register_ceiling(256), 255);
        assert_eq!(t.register_ceiling(384), 168);
    }
}
