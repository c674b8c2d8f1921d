//! Reductions that are dealt out, as plain data.

use super::accumulators::Accumulator;
use super::cells::Cells;
use super::serial::Serial;
use super::trip::{Counter, Trip};
use crate::kernel::ValueId;
use crate::machine::tuning::split::BLOCK_IN_ORDER;
use crate::plan::Fact;
use crate::tree::Loop;

/// How a kernel's reductions are dealt out.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// The loops, outer program order.
    pub(super) loops: Vec<Reduction>,
    /// The values that are a thread's id along x, and those that are how many threads the launch has.
    pub(super) ids: Vec<ValueId>,
    pub(super) strides: Vec<ValueId>,
    /// What lane 0 loads for all.
    pub(super) loads: Vec<ValueId>,
    /// What lane 0 does alone.
    pub(super) effects: Vec<Effect>,
    /// Products before what lane 0 does, each with the sum behind it that takes it.
    pub(super) sinks: Vec<(ValueId, ValueId)>,
    /// What the host tests: that lanes have something to do.
    pub(super) facts: Vec<Fact>,
}

impl Split {
    /// Whether a loop has steps that keep the thread's order.
    pub(super) fn keeps_order(&self) -> bool {
        self.loops.iter().any(|l| l.serial().is_some())
    }

    /// Whether a loop carries anything but what it counts with.
    pub(super) fn reduces(&self) -> bool {
        self.loops.iter().any(|l| l.carried() > 0)
    }

    /// Whether iterations store.
    pub(super) fn stores(&self) -> bool {
        self.loops.iter().any(|l| l.cells.stores)
    }

    /// Whether lanes wait, as one may touch what another one stored.
    pub(super) fn waits(&self) -> bool {
        self.effects.iter().any(|e| e.is_shared) || self.stores()
    }

    /// Bytes in which a block's lanes leave what steps take, in one loop after the other.
    pub(super) fn bytes(&self) -> u32 {
        let each = self.loops.iter().filter_map(Reduction::serial);
        BLOCK_IN_ORDER * each.map(|s| s.bytes).max().unwrap_or(0)
    }
}

/// A store or an update of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Effect {
    pub(super) value: ValueId,
    /// Whether a loop that is dealt out may touch that memory.
    pub(super) is_shared: bool,
}

/// A loop that is dealt out.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Reduction {
    pub(super) loop_: Loop,
    pub(super) counters: Vec<Counter>,
    pub(super) trip: Trip,
    pub(super) carries: Carries,
    pub(super) cells: Cells,
}

/// What a loop carries from iteration to iteration besides.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Carries {
    /// What lanes make parts of, in any order.
    Parts(Vec<Accumulator>),
    /// What has an order, at least in part.
    Steps(Serial),
}

impl Reduction {
    /// How many values it carries, but for those that it counts with.
    pub(super) fn carried(&self) -> usize {
        match &self.carries {
            Carries::Parts(all) => all.len(),
            Carries::Steps(serial) => serial.carried.len(),
        }
    }

    /// What it does in the thread's order.
    pub(super) fn serial(&self) -> Option<&Serial> {
        match &self.carries {
            Carries::Parts(_) => None,
            Carries::Steps(serial) => Some(serial),
        }
    }
}
