//! How the replicas of merged blocks run where nothing is staged, and what they load and store at once.

use super::ScalarReplacement;
use crate::access::AccessId;
use crate::kernel::Dim;
use crate::tree::{LoopId, NodeId};
use std::fmt;

/// How the replicas of a version without tiles run together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LockstepPlan {
    /// Loads of which a replica may ask for what another load of another replica brings: they are found
    /// by address. Sorted.
    pub loads: Vec<AccessId>,
    /// Ifs before any store: where the replicas disagree there, the slow path begins anew.
    pub guards: Vec<NodeId>,
    /// Whether replicas disagree at the edges of the grid and of the data alone, where threads' numbers meet a bound.
    pub at_edges: bool,
    /// Distinct addresses that the loads of all replicas ask for, each load by itself, and with what is found by it
    /// counted once.
    pub addresses: (u32, u32),
    /// Whether loops stay as they are written, because they are short.
    pub rolled: bool,
    /// Loads whose values loops carry from replica to replica.
    pub carried: Vec<(AccessId, Reuse)>,
    /// Loads that all replicas, which own consecutive ids along x, do at once if aligned.
    pub at_once: Vec<AccessId>,
    /// What replicas have of the kernel's own shared arrays, if it has some, or barriers: one stands for all of theirs.
    pub own: Option<SharedParts>,
    /// What is done in a loop over the replicas along z, which carries what the next one loads again; `None`: they run
    /// together, as the others do.
    pub streamed: Option<NodeId>,
}

/// The parts in which merged blocks have a kernel's own shared arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SharedParts {
    /// An array has parts by itself, or one for all replicas.
    ByArray,
    /// A part has all static arrays as they lie in the kernel, since an index may leave one.
    AsTheyLie,
}

impl LockstepPlan {
    /// Whether the replicas keep barriers and shared arrays of the kernel's own.
    pub fn keeps_barriers(&self) -> bool {
        self.own.is_some()
    }
}

/// Reuse of a load's values that a loop carries: what an iteration loads, from memory or from a tile, others find in
/// registers. Without it each replica loads in each iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reuse {
    /// The loop, the innermost around the load, which every iteration runs.
    pub loop_: LoopId,
    /// The merged dimension along which a replica finds what the next one has had one iteration before; `None`: all
    /// replicas load alike.
    pub along: Option<Dim>,
    /// Elements loaded at once: a power of two that divides the replicas along that dimension. Those of a thread's
    /// first replica and first iteration are aligned for it.
    pub width: u32,
}

impl Reuse {
    /// Replicas that one load serves.
    pub fn replicas(&self, factor: [u32; 3]) -> u32 {
        self.along.map_or(1, |d| factor[d.index()])
    }
}

impl fmt::Display for Reuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reuse { loop_, width, .. } = self;
        match self.along {
            Some(d) => write!(f, " slides along {} in {loop_}", d.letter())?,
            None => write!(f, " runs ahead in {loop_}")?,
        }
        write!(f, " by {width}")
    }
}

/// What is kept, or written, in another way than in memory element by element.
#[derive(Debug, Clone, PartialEq)]
pub enum Storage {
    /// An accumulator is kept in a register while a loop runs: one of a region, or where nothing is staged.
    Register(ScalarReplacement),
    /// A store is done for several replicas at once.
    Wide(WideStore),
}

/// A store of replicas that own consecutive ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WideStore {
    /// The store.
    pub access: AccessId,
    /// The dimension along which the replicas are neighbours.
    pub along: Dim,
    /// How many replicas store at once: a power of two that divides their number along `along`.
    pub replicas: u32,
}

impl fmt::Display for WideStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (replicas, d) = (self.replicas, self.along.letter());
        write!(
            f,
            "{} stores {replicas} replicas along {d} at once if aligned",
            self.access
        )
    }
}
