//! Whether the cells that lanes read of a tile lie apart.
//!
//! ```text
//! a[row*k + p], 4 lanes along y that own consecutive rows      one address: the others are a known number on
//! b[col*k + p], 4 lanes along x, ids a block apart             four addresses: ntid.x rows lie between them
//! ```
//! The addresses stay in registers through all strips, and little else may: short strips then begin at numbers of
//! their own ([`crate::lower`], `frame.rs`), and the thread's ids are read again where they are needed behind the
//! strips (`anew.rs`). Where lanes lie side by side, one register keeps the ids.

use super::data::{Plan, Tile};
use crate::affine::Atom;
use crate::kernel::{Dim, Kernel};
use crate::machine::target::Target;

/// Sets whether ids are read again in any case, as the chip wants it, and whether real numbers are made anew: beside
/// packed ids, where it gains.
pub fn choose(kernel: &Kernel, plan: &mut Plan) {
    let Some(target) = Target::of_sm(kernel.sm) else {
        return;
    };
    let choose = |p: &mut Plan| {
        p.ids_anew = !target.packs_ids && p.merge.lanes() > 1;
        p.reals_anew = target.reals_anew && p.packs_ids();
    };
    choose(plan);
    let others = plan.alternatives.iter_mut().chain(&mut plan.whole);
    others.for_each(choose);
}

impl Plan {
    /// Whether lanes' first cells are, in some tile, a number apart that only the launch tells.
    pub fn lanes_lie_apart(&self) -> bool {
        let mut tiles = self.regions.iter().flat_map(|r| &r.tiles);
        tiles.any(|t| self.lie_apart(t))
    }

    /// Whether what comes behind passes over strips takes the thread's ids from one register: where blocks are merged
    /// and their lanes do not lie apart. A block by itself has registers left, and reads them again.
    pub fn packs_ids(&self) -> bool {
        self.merge.lanes() > 1 && !self.ids_anew && !self.lanes_lie_apart()
    }

    /// Whether the strips' lanes want even registers that hold what the launch or the block's number alone decides:
    /// where they lie apart, and what they add up is read from memory before the strips and goes back behind them
    /// (`syrk`). Elsewhere it fits, and ptxas does better with it (`mm_nt`: else three words spilled).
    pub fn is_crowded(&self) -> bool {
        let apart = self.merge.lanes() > 1 && self.lanes_lie_apart();
        apart && !self.promotions.is_empty() && !self.ids_anew
    }

    fn lie_apart(&self, tile: &Tile) -> bool {
        let merge = &self.merge;
        let apart = |d: Dim| match merge.consecutive[d.index()] {
            true => merge.along(d) > merge.run[d.index()],
            false => merge.along(d) > 1,
        };
        let mut terms = tile.dims.iter().flat_map(|t| &t.terms);
        terms.any(|(a, _)| matches!(a, Atom::Tid(d) if apart(*d)))
    }
}
