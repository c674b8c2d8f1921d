//! Keeps a kernel launchable with as many threads as before, and its occupancy high.
//!
//! Both bodies share one register count. Without launch bounds a launch may ask for 1024 threads, which leaves each 64
//! registers; and ptxas, left alone, gives the unrolled strips 48 to 56, with which half as many warps fit an SM as the
//! naive kernel had. The function attribute `"nvvm.maxnreg"` limits it. Matrix product 2048, 16x16 blocks, on an H200:
//! x1.17 without a limit, x1.38 with 40 registers, x1.49 with 32; the n-body kernel gains nothing from 40 and loses
//! from 32. Chips whose multiprocessors hold fewer threads than that one's have more registers for each of them: 40 on
//! sm_86 to sm_89 and sm_120, 64 on sm_75. A limit below that adds no thread, and spilled (`stencil_r4_3d`,
//! `conv2d_padded`, 32 registers on sm_120).

use crate::kernel::Kernel;
use crate::kernel::pressure::{most_alive, needed};
use crate::llvm::ir::Block;
use crate::machine::target::{REGISTER_STEP, Target};
use crate::machine::tuning::registers::{
    HEAVY, LEAN, LEAN_ORIGINAL, LEAN_PIPELINED, LEAN_STAGED, LEAN_WHOLE, LIMIT, MANY_TILES,
    SCHEDULED, WHOLE, WRITING,
};
use crate::plan::lockstep_registers;

/// What a kernel's staged bodies do.
pub(crate) struct Ways {
    /// Strips in flight.
    pub flies: bool,
    /// The most replicas of a body, each with accumulators of its own.
    pub replicas: u32,
    /// Replicas alone, whose tiles are all copied whole by transactions.
    pub whole_async: bool,
    /// Bytes of shared memory.
    pub shared: u32,
    /// Tiles.
    pub staged: bool,
    /// Stores alone.
    pub only_stores: bool,
    /// Tiles of the strips that have most.
    pub tiles: usize,
    /// Tiles that are written back.
    pub writes: bool,
    /// Jammed iterations, each with sums and loads of its own, or several under way at once.
    pub unroll_jam: bool,
    /// What the plan wants, where the version is a kernel of its own.
    pub wanted: Option<u32>,
    /// Words that a round's wide loads bring at once, where they are to have registers of their own.
    pub unrolled_words: u32,
}

/// Limits the registers of `kernel`, whose staged bodies are `staged`, if nothing else does.
pub(crate) fn limit(kernel: &Kernel, staged: &[Block], ways: Ways) {
    let f = kernel.function;
    if let Some(wanted) = ways.wanted {
        return limit_bounded(kernel, wanted);
    }
    if kernel.is_bounded() {
        if ways.replicas > 1 && ways.staged && !ways.whole_async {
            limit_bounded(kernel, LIMIT);
        }
        return;
    }
    let heavy = ways.flies && ways.shared > HEAVY;
    let lean = ways.replicas == 1
        && !heavy
        && kernel.pressure() <= LEAN_ORIGINAL
        && most_alive(staged) <= LEAN_STAGED;
    let limit = match (lean, ways.flies) {
        // Threads wait for loads, which no iteration asks for ahead: the more there are, the less.
        _ if ways.only_stores && ways.replicas > 1 => LEAN,
        _ if ways.unroll_jam && !ways.staged => LIMIT,
        // With 32 lombscargle spills two words, which are loaded again in each of its outer iterations.
        _ if kernel.pressure() + ways.unrolled_words > LEAN_WHOLE && ways.unrolled_words > 0 => {
            LEAN
        }
        _ if !ways.staged => lockstep_registers(kernel),
        (true, false) if ways.shared <= HEAVY && ways.tiles < MANY_TILES => LEAN,
        // Five blocks of 256 threads fit the shared memory of an SM, and 48 registers let them.
        (true, _) => LEAN_PIPELINED,
        (false, _) if ways.whole_async && kernel.pressure() <= LEAN_WHOLE => {
            let alive = most_alive(staged);
            let row = WHOLE.iter().find(|(most, _)| alive <= *most);
            row.map_or(LIMIT, |(_, registers)| *registers)
        }
        (false, true) if ways.writes && ways.replicas == 1 => WRITING,
        (false, _) => LIMIT,
    };
    // What a body cannot do without would be spilled, in whatever loop it is.
    let least = || (needed(staged) + SCHEDULED).next_multiple_of(REGISTER_STEP);
    let limit = if limit < LIMIT {
        least().clamp(limit, LIMIT)
    } else {
        limit
    };
    let all = Target::of_sm(kernel.sm).map_or(limit, Target::registers_of_all);
    f.add_string_attribute("nvvm.maxnreg", &limit.max(all).to_string());
}

/// Limits registers unless the program does. With launch bounds, ptxas takes what they leave for reads ahead, and
/// merged blocks lose more by being fewer on a multiprocessor (`mm_bounds` 4096 on an H200: x7.95 with 64 registers,
/// x7.0 with 128).
fn limit_bounded(kernel: &Kernel, registers: u32) {
    let f = kernel.function;
    let limited = ["nvvm.maxnreg", "nvvm.minctasm"];
    if limited.iter().all(|k| f.string_attribute(k).is_none()) {
        f.add_string_attribute("nvvm.maxnreg", &registers.to_string());
    }
}
