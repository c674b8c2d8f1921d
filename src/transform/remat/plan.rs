//! What of a kernel it is done to, as plain data, or why it is not. Idea and soundness: [`super`].

use crate::affine::Atom;
use crate::kernel::{Dim, Kernel};
use crate::machine::target::Target;
use crate::plan::data::{Plan, Remat, Tile};

/// What of a version is rematerialized: ids in any case, as the chip wants it, and real numbers beside packed ids,
/// where it gains.
pub fn choose(kernel: &Kernel, version: &Plan) -> Vec<Remat> {
    let Some(target) = Target::of_sm(kernel.sm) else {
        return Vec::new();
    };
    let ids = !target.packs_ids && version.merge.replicas() > 1;
    let floats = target.remat_floats && !ids && version.packs_ids();
    let ids = ids.then_some(Remat::Ids).into_iter();
    ids.chain(floats.then_some(Remat::Floats)).collect()
}

impl Plan {
    /// Whether replicas' first cells are, in some tile, a number apart that only the launch tells.
    pub fn replicas_are_disjoint(&self) -> bool {
        let mut tiles = self.tiles();
        tiles.any(|t| self.cells_are_spread(t))
    }

    /// Whether what comes behind passes over strips takes the thread's ids from one register: where blocks are merged
    /// and their replicas do not lie apart. A block by itself has registers left, and reads them again.
    pub fn packs_ids(&self) -> bool {
        self.merge.replicas() > 1
            && !self.remat.contains(&Remat::Ids)
            && !self.replicas_are_disjoint()
    }

    /// Whether the strips' replicas want even registers that hold what the launch or the block's number alone decides:
    /// where they lie apart, and what they add up is read from memory before the strips and goes back behind them
    /// (`syrk`). Elsewhere it fits, and ptxas does better with it (`mm_nt`: else three words spilled).
    pub fn is_crowded(&self) -> bool {
        let disjoint = self.merge.replicas() > 1 && self.replicas_are_disjoint();
        disjoint && self.has_scalars() && !self.remat.contains(&Remat::Ids)
    }

    fn cells_are_spread(&self, tile: &Tile) -> bool {
        let merge = &self.merge;
        let disjoint = |d: Dim| match merge.consecutive[d.index()] {
            true => merge.along(d) > merge.run[d.index()],
            false => merge.along(d) > 1,
        };
        let mut terms = tile.footprint.dims.iter().flat_map(|t| &t.terms);
        terms.any(|(a, _)| matches!(a, Atom::Tid(d) if disjoint(*d)))
    }
}
