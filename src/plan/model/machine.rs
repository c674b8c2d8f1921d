//! From work to time: what each resource of a multiprocessor needs, and which one holds.
//!
//! Each resource alone gives a bound; several that are nearly full delay each other, so the
//! prediction is a norm of the bounds ([`SHARPNESS`]) and not their maximum.

use crate::machine::target::{Target, WARP};
use crate::machine::tuning::machine::{
    CARVEOUTS, DEPENDENT, DEPENDENT_DOUBLE, DEPENDENT_SLOW, DRAM_EFFICIENCY, LAUNCH, PERIOD,
    SHARPNESS,
};
use std::fmt;
use std::ops::{Add, AddAssign, Mul};

/// What one warp does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Instructions issued.
    pub issue: f64,
    /// Of those, on the 32-bit floating-point lanes.
    pub fp: f64,
    /// Of those, on the special-function lanes (16 a multiprocessor).
    pub slow: f64,
    /// Of those, on the 64-bit lanes.
    pub double: f64,
    /// Cycles of the load-store unit: lines of L1 and wavefronts of shared memory.
    pub lsu: f64,
    /// Cycles waited for memory and barriers.
    pub wait: f64,
    /// Bytes copied through L2.
    pub l2: f64,
}

impl Cost {
    /// Cycles one warp takes when it runs alone.
    pub fn path(&self) -> f64 {
        self.wait
            + self.issue * DEPENDENT
            + self.double * DEPENDENT_DOUBLE
            + self.slow * DEPENDENT_SLOW
    }
}

impl Add for Cost {
    type Output = Cost;
    fn add(self, o: Cost) -> Cost {
        Cost {
            issue: self.issue + o.issue,
            fp: self.fp + o.fp,
            slow: self.slow + o.slow,
            double: self.double + o.double,
            lsu: self.lsu + o.lsu,
            wait: self.wait + o.wait,
            l2: self.l2 + o.l2,
        }
    }
}

impl AddAssign for Cost {
    fn add_assign(&mut self, o: Cost) {
        *self = *self + o;
    }
}

impl Mul<f64> for Cost {
    type Output = Cost;
    fn mul(self, k: f64) -> Cost {
        Cost {
            issue: self.issue * k,
            fp: self.fp * k,
            slow: self.slow * k,
            double: self.double * k,
            lsu: self.lsu * k,
            wait: self.wait * k,
            l2: self.l2 * k,
        }
    }
}

/// A resource that can hold a kernel back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// Instructions issued.
    Issue,
    /// Arithmetic lanes.
    Arithmetic,
    /// The load-store unit: L1 lines and shared wavefronts.
    Lsu,
    /// L2 bandwidth.
    L2,
    /// DRAM bandwidth.
    Dram,
    /// Latency that too few warps cover.
    Latency,
    /// Atomics that meet in a few lines of L2.
    Atomics,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Resource::Issue => "issue",
            Resource::Arithmetic => "arithmetic",
            Resource::Lsu => "shared",
            Resource::L2 => "l2",
            Resource::Dram => "dram",
            Resource::Latency => "latency",
            Resource::Atomics => "atomics",
        })
    }
}

/// What a whole launch does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Of one warp.
    pub warp: Cost,
    /// Threads of a block.
    pub threads: f64,
    /// Blocks that do work.
    pub blocks: f64,
    /// Blocks on a multiprocessor at one time.
    pub resident: f64,
    /// Bytes through L2 per block.
    pub l2: f64,
    /// Bytes through DRAM in all.
    pub dram: f64,
    /// Atomic updates by threads, in all, that meet in a few lines of L2.
    pub updates: f64,
}

/// Blocks of `threads` threads that one multiprocessor holds.
pub fn resident(t: &Target, threads: f64, registers: f64, shared: f64) -> f64 {
    let warp = f64::from(WARP);
    let warps = (threads / warp).ceil().max(1.0);
    // Registers are handed out per warp, 256 at a time.
    let per_warp = (registers * warp / 256.0).ceil() * 256.0;
    let by_registers = (f64::from(t.registers) / per_warp / warps).floor();
    let by_threads = (f64::from(t.threads_per_sm) / (warps * warp)).floor();
    let bytes = shared + f64::from(t.shared_reserved);
    let by_shared = if shared > 0.0 {
        (f64::from(t.shared_per_sm) / bytes).floor()
    } else {
        f64::INFINITY
    };
    by_registers
        .min(by_threads)
        .min(by_shared)
        .min(f64::from(t.blocks_per_sm))
        .max(1.0)
}

/// Bytes of L1 that are left where `blocks` of `shared` bytes each are resident.
pub fn l1_left(t: &Target, blocks: f64, shared: f64) -> f64 {
    if shared == 0.0 {
        return f64::from(t.l1);
    }
    let need = blocks * (shared + f64::from(t.shared_reserved));
    let sizes = CARVEOUTS
        .iter()
        .map(|k| f64::from((k << 10).min(t.shared_per_sm)));
    let taken = sizes
        .filter(|s| *s >= need)
        .fold(f64::from(t.shared_per_sm), f64::min);
    f64::from(t.l1) - taken
}

/// Microseconds that each resource needs.
fn bounds(t: &Target, l: &Load) -> [(Resource, f64); 7] {
    let sms = f64::from(t.sms);
    let warps = (l.threads / f64::from(WARP)).ceil().max(1.0);
    let places = sms * l.resident;
    // A grid that runs at one time is as slow as its fullest multiprocessor.
    let per_sm = if l.blocks <= places {
        (l.blocks / sms).ceil()
    } else {
        l.blocks / sms
    };
    let waves = (l.blocks / places).ceil().max(1.0);
    let work = l.warp * (per_sm * warps);
    let warp_throughput = |n: u32| f64::from(n) / f64::from(WARP);
    let arithmetic = (work.fp / warp_throughput(t.fp32_units))
        .max(work.double / warp_throughput(t.doubles))
        .max(work.slow / warp_throughput(t.special));
    let us = |cycles: f64| cycles / f64::from(t.clock);
    [
        (Resource::Issue, us(work.issue / f64::from(t.issue))),
        (Resource::Arithmetic, us(arithmetic)),
        (Resource::Lsu, us(work.lsu)),
        (
            Resource::L2,
            us((per_sm * l.l2 + work.l2) / (f64::from(t.l2) / sms).min(f64::from(t.l2_port))),
        ),
        (
            Resource::Dram,
            l.dram / (f64::from(t.dram) * DRAM_EFFICIENCY) / 1e3,
        ),
        (Resource::Latency, us(l.warp.path() * waves)),
        (Resource::Atomics, us(l.updates / f64::from(t.updates))),
    ]
}

/// Microseconds, and what holds.
pub fn time(t: &Target, l: &Load) -> (f64, Resource) {
    let bounds = bounds(t, l);
    let sum: f64 = bounds.iter().map(|(_, x)| x.powf(SHARPNESS)).sum();
    let most = bounds.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    (
        (sum.powf(1.0 / SHARPNESS) + LAUNCH).max(PERIOD),
        most.map_or(Resource::Issue, |b| b.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn h200() -> &'static Target {
        Target::of_sm(90).expect("a row")
    }

    #[test]
    fn blocks_that_fit() {
        let t = h200();
        assert_eq!(resident(t, 256.0, 32.0, 0.0), 8.0, "threads");
        assert_eq!(resident(t, 256.0, 64.0, 0.0), 4.0, "registers");
        assert_eq!(
            resident(t, 64.0, 32.0, 37.0 * 1024.0),
            6.0,
            "shared memory: 384 threads of 2048"
        );
        assert_eq!(resident(t, 32.0, 16.0, 0.0), 32.0, "blocks");
    }

    #[test]
    fn shared_memory_takes_from_l1() {
        let t = h200();
        assert_eq!(l1_left(t, 8.0, 0.0), f64::from(t.l1));
        // 5 blocks of 40 KiB and their reserve: the largest setting, 228 KiB of 256.
        assert_eq!(l1_left(t, 5.0, 40.0 * 1024.0), 28.0 * 1024.0);
    }

    #[test]
    fn a_grid_too_small_to_hide_latency_is_bound_by_it() {
        let warp = Cost {
            issue: 1e4,
            wait: 1e6,
            ..Cost::default()
        };
        let load = |blocks: f64| Load {
            warp,
            threads: 256.0,
            blocks,
            resident: 8.0,
            l2: 0.0,
            dram: 0.0,
            updates: 0.0,
        };
        let (few, bound) = time(h200(), &load(32.0));
        let (more, _) = time(h200(), &load(132.0));
        assert_eq!(bound, Resource::Latency);
        assert!((few - more).abs() < 0.01 * few, "the others ran beside");
        assert!(
            time(h200(), &load(132.0 * 16.0)).0 > 1.9 * more,
            "two waves"
        );
    }
}
