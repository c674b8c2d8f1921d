//! Registers of versions without tiles, and blocks that have enough of them.

use super::data::{Fact, Plan};
use crate::affine::{Atom, Poly};
use crate::kernel::{Dim, Kernel};
use crate::machine::target::{BLOCK_THREADS, Target, WARP};
use crate::machine::tuning::make::{MOST_PRESSURE, ROOMY_BLOCK};

/// Whether a kernel may need more registers than the largest block of its launches leaves.
pub fn is_short_of_registers(kernel: &Kernel) -> bool {
    !kernel.is_bounded() && kernel.pressure() > MOST_PRESSURE
}

/// Registers that a version of a kernel has where it may need more; `None`: it has enough. As a kernel of its own it
/// has what blocks of [`ROOMY_BLOCK`] threads leave, as a second body what any block does.
pub fn too_few(kernel: &Kernel, is_own: bool) -> Option<u32> {
    let target = Target::of_sm(kernel.sm).filter(|_| is_short_of_registers(kernel))?;
    let usual = target.register_ceiling(BLOCK_THREADS);
    let room = target.register_ceiling(ROOMY_BLOCK);
    // What the pressure does not count.
    let others = usual.saturating_sub(MOST_PRESSURE);
    match is_own {
        true => (kernel.pressure() + others > room).then_some(room),
        false => Some(usual),
    }
}

/// The version of a kernel that is short of registers, with as many as small blocks leave: the host launches it in no
/// others ([`in_blocks_that_leave_registers`]).
pub fn with_room(plan: Plan, kernel: &Kernel) -> Plan {
    let target = Target::of_sm(kernel.sm).filter(|_| is_short_of_registers(kernel));
    let room = target
        .filter(|_| !plan.is_idle())
        .map(|t| t.register_ceiling(ROOMY_BLOCK));
    Plan {
        registers: plan.registers.max(room),
        ..plan
    }
}

/// Registers a thread may have. Every warp that fits an SM hides latency: with 32 registers all do. Of
/// 7 kernels at 6 factors most fit without a word spilled, and without a limit ptxas lets all loads
/// begin before the first sum, which halves the warps.
pub fn registers(kernel: &Kernel) -> u32 {
    match kernel.pressure() {
        0..=16 => 32,
        17..=24 => 40,
        25..=MOST_PRESSURE => 64,
        _ => Target::of_sm(kernel.sm).map_or(64, |t| t.registers_per_thread),
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
