//! What is chosen by: plain facts of a candidate, read from its index once.

use std::collections::BTreeSet;

use crate::access::{AccessId, ArrayId};
use crate::kernel::Dim;
use crate::tree::{LoopId, NodeId};

/// A region, and the loop that is cut into strips.
pub type StagedAt = (NodeId, Option<LoopId>);

/// A candidate as those see it who choose, cut and merge: none of them reads its index again.
#[derive(Clone, Debug)]
pub struct Prospect {
    /// Its number among all candidates.
    pub id: usize,
    /// The array.
    pub array: ArrayId,
    /// The number of its cluster.
    pub cluster: usize,
    /// Where it is staged.
    pub place: StagedAt,
    /// Loads and stores that its tile serves.
    pub members: Vec<AccessId>,
    /// Bytes of a cell.
    pub size: u32,
    /// Reads per copied element, for a typical launch; of a store tile, stores per element.
    pub reuse: f64,
    /// What holds of it.
    pub traits: BTreeSet<Trait>,
    /// How many merged blocks' ids along each dimension should follow each other.
    pub runs: [Run; 3],
}

impl Prospect {
    /// Whether something holds of it.
    pub fn is(&self, what: Trait) -> bool {
        self.traits.contains(&what)
    }
    /// Whether it is copied in strips.
    pub fn in_strips(&self) -> bool {
        self.place.1.is_some()
    }
    /// Whether rows lie along memory that are not those of neighbouring threads: they are padded.
    pub fn has_padded_rows(&self) -> bool {
        self.is(Trait::Rows) && !self.is(Trait::Coalesced) && !self.is(Trait::Record)
    }
    /// Whether each thread walks along a row of its own. An odd number of transactions then keeps eight neighbouring
    /// rows in different banks, as many as one pass of such reads takes.
    pub fn has_own_rows(&self) -> bool {
        self.is(Trait::Walked) && self.has_padded_rows()
    }
    /// The thread index that the innermost moving dimension follows.
    pub fn row(&self) -> Option<Dim> {
        Dim::ALL.into_iter().find(|d| self.is(Trait::RowOf(*d)))
    }
}

/// What may hold of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trait {
    /// It is only stored, so that its tile is a store tile.
    OnlyStores,
    /// Elements of it are written back.
    WrittenBack,
    /// See [`super::Region::barrier_before`].
    BarrierBefore,
    /// See [`super::Region::barrier_after`].
    BarrierAfter,
    /// A copy of it costs more than all the reads that it serves.
    Lost,
    /// Copies may read what the kernel does not: the host asks whether that is memory ([`super::Fact::Mapped`]).
    Mapped,
    /// Neighbouring threads read neighbouring elements.
    Coalesced,
    /// They read elements that lie apart.
    Strided,
    /// Threads lie along a dimension other than the innermost.
    Rows,
    /// Neighbouring threads do: they read a column of the tile, which in global memory is uncoalesced.
    Uncoalesced,
    /// The innermost dimension is fields of a record.
    Record,
    /// Iterations and threads move one dimension, or a clamp does.
    Window,
    /// A loop walks along rows cell by cell: unrolled, it reads several at once from rows of whole transactions.
    Walked,
    /// There are several rows, along which the loop in strips walks.
    RowStrips,
    /// A loop walks backwards.
    Backwards,
    /// The innermost dimension that moves follows this thread index alone.
    RowOf(Dim),
    /// Each thread touches one cell of its own row in an iteration of the loop in strips, from the first one on or from
    /// the last.
    OwnCell {
        /// From the first one on.
        forwards: bool,
    },
}

/// How many merged blocks' ids along a dimension should follow each other: of several, the most that one asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Run {
    /// It says nothing of it.
    Any,
    /// So many.
    Of(u32),
    /// All, as for windows, of which neighbouring replicas read the same.
    All,
}
