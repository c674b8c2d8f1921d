//! How many blocks share a multiprocessor before and after, which their registers and shared memory decide.

use super::tiles::Tiles;
use super::{Shape, machine};
use crate::machine::tuning::residence::REGISTERS;
use crate::plan::model::question::Question;
use crate::plan::registers::registers;

/// How many blocks share a multiprocessor, and the L1 that is left to each.
#[derive(Clone, Copy)]
pub(super) struct Residence {
    pub blocks: f64,
    /// Bytes.
    pub l1: f64,
}

impl Question<'_> {
    fn residence(&self, registers: f64, shared: f64) -> Residence {
        let most = machine::resident(self.target, self.launch.threads(), registers, shared);
        let there = (self.launch.blocks() / f64::from(self.target.sms))
            .ceil()
            .max(1.0);
        let left = machine::l1_left(self.target, most, shared);
        Residence {
            blocks: most,
            l1: left.max(0.0) / most.min(there),
        }
    }

    pub(super) fn original_residence(&self) -> Residence {
        let registers = REGISTERS + f64::from(self.f.kernel.pressure());
        self.residence(registers, f64::from(self.f.kernel.own_shared))
    }

    /// Both bodies share the tiles' bytes and the larger register count.
    pub(super) fn staged_residence(&self) -> Residence {
        if let Some(w) = self.whole {
            return self.residence(w.registers, w.shared);
        }
        let tiles = self.tiles();
        if self.plan.regions.is_empty() {
            let own = f64::from(self.f.kernel.own_shared);
            return self.residence(self.staged_registers(), own);
        }
        let bytes = |s: Shape| {
            let t = Tiles { shape: s, ..tiles };
            self.plan
                .regions
                .iter()
                .map(|r| t.bytes(r))
                .sum::<f64>()
                .max(1.0)
        };
        // Strips that grow take what there is.
        let grow = self.plan.regions.iter().any(|r| r.stretch.is_some());
        let scale = if grow {
            1.0
        } else {
            bytes(self.shape) / bytes(Shape::of(self.plan))
        };
        let shared =
            f64::from(self.plan.shared_bytes) * scale + f64::from(self.f.kernel.own_shared);
        self.residence(self.staged_registers(), shared)
    }

    /// What `lower::registers` will limit to; merged replicas each keep what they accumulate.
    fn staged_registers(&self) -> f64 {
        let replicas = self.shape.merge.iter().product::<u32>();
        if self.plan.lockstep().is_some() {
            f64::from(registers(self.f.kernel))
        } else if replicas == 1 && self.f.kernel.pressure() <= 24 {
            40.0
        } else {
            (REGISTERS + f64::from(self.f.kernel.pressure())).max(64.0)
        }
    }
}
