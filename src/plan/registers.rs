//! Registers of versions without tiles, and blocks that have enough of them.

use super::data::{Fact, Plan};
use crate::affine::{Atom, Poly};
use crate::kernel::{Dim, Kernel};
use crate::machine::target::{Target, WARP};

/// Registers a thread may have. Every warp that fits an SM hides latency: with 32 registers all do. Of
/// 7 kernels at 6 factors most fit without a word spilled, and without a limit ptxas lets all loads
/// begin before the first sum, which halves the warps.
pub fn registers(kernel: &Kernel) -> u32 {
    match kernel.pressure {
        0..=16 => 32,
        17..=24 => 40,
        _ => 64,
    }
}

/// The plan, tested to run in no larger blocks than its registers allow: the driver would refuse the launch.
pub fn in_blocks_that_leave_registers(plan: &Plan, kernel: &Kernel) -> Plan {
    let (Some(registers), Some(target)) = (plan.registers, Target::of_sm(kernel.sm)) else {
        return Plan {
            registers: None,
            ..plan.clone()
        };
    };
    let most = (1..=kernel.max_threads.div_ceil(WARP)).map(|w| w * WARP);
    let most = most
        .take_while(|t| target.register_ceiling(*t) >= registers)
        .last();
    let threads = Poly::product(Dim::ALL.map(|d| Poly::atom(Atom::Ntid(d))));
    let mut plan = plan.clone();
    match most {
        None => plan.registers = None,
        Some(most) if most >= kernel.max_threads => {}
        Some(most) => plan.require([Fact::InRange {
            poly: threads,
            lo: 1,
            hi: i64::from(most),
        }]),
    }
    plan
}
