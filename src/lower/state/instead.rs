//! What stands for instructions of the original where code is emitted now.

use super::{ServedBy, Slot};
use crate::llvm::ir::Value;
use std::rc::Rc;

/// What stands for one. An instruction has one such thing at most.
#[derive(Clone)]
pub enum Instead {
    /// An access of a tile that is open.
    Tile(ServedBy),
    /// Of a tile's load whose window is in registers: which of them this iteration reads, by replica.
    Register(Rc<[Slot]>),
    /// Of a clamp that changes nothing here, what it clamps.
    Unclamped(Value),
    /// A sum that does not overflow here.
    NeverWraps,
    /// A load that is aligned to so many bytes here, better than the original knows.
    Aligned(u32),
    /// What a load of this iteration has given, made before it.
    Loaded(Value),
}
