//! What is known while a body without tiles is emitted.

use crate::access::{AccessId, ArrayId};
use crate::affine::MachineAddress;
use crate::llvm::ir::{Block, Type, Value};
use crate::lower::state::{Predicates, Slot};
use crate::map::HashMap;
use crate::plan::{LockstepPlan, Reuse};
use crate::tree::{LoopId, NodeId};

/// What a load is found by.
pub(super) type Key = (ArrayId, MachineAddress, Type);
/// What was loaded on the way here, by address.
pub(super) type Known = HashMap<Key, Value>;

/// All replicas of a thread, which are all here, and what is known of them.
pub(super) struct Lockstep<'a> {
    pub(super) plan: &'a LockstepPlan,
    /// The loads that are found by address.
    pub(super) keyed: HashMap<Value, AccessId>,
    /// Nobody is left out.
    pub(super) all: Predicates,
    pub(super) slow: Block,
    pub(super) known: Known,
    /// All of a plane's loads that are found so, its stores notwithstanding.
    pub(super) loaded: Known,
    /// Whether nothing is stored.
    pub(super) only_loads: bool,
    pub(super) streamed: Option<&'a Streamed>,
    /// The loads that slide, and what their replicas find in the next iteration.
    pub(super) carried: HashMap<Value, Reuse>,
    pub(super) rotating: HashMap<(Value, usize), Slot>,
    /// Loops whose first iteration this is, in which every replica loads.
    pub(super) first: Vec<LoopId>,
}

/// What planes leave for each other.
pub(super) struct Streamed {
    /// The part of the kernel that makes all accesses.
    pub(super) part: NodeId,
    /// Whether the plane before left anything.
    pub(super) before: Value,
    /// Whether this one does.
    pub(super) left: Slot,
    /// Loads of a plane by their address, what the next plane finds there, and where it is kept.
    pub(super) carried: Vec<(Key, Key, Slot)>,
}
