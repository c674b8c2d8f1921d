//! What stands for instructions of the original where code is emitted now.

use super::ServedBy;
use crate::llvm::ir::Value;
use std::rc::Rc;

/// What stands for one. An instruction has one such thing at most.
#[derive(Clone)]
pub enum Instead {
    /// An access of a tile that is open.
    Tile(ServedBy),
    /// Of a clamp that changes nothing here, what it clamps.
    Unclamped(Value),
    /// A sum that does not overflow here.
    NeverWraps,
    /// A load that is aligned to so many bytes here, better than the original knows.
    Aligned(u32),
    /// What a load of this iteration has given, made before it: one for all replicas, or by replica.
    Loaded(Rc<[Value]>),
}
