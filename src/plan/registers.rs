//! Registers of versions without tiles.

use crate::kernel::Kernel;

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
