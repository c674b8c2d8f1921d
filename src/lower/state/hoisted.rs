//! What holds for the whole kernel and is worked out once.

use crate::affine::Poly;
use crate::llvm::ir::Value;

/// What was worked out.
#[derive(PartialEq, Eq, Hash)]
pub enum Hoisted {
    /// A sum.
    Poly(Poly),
    /// What an instruction of the original makes, or a call of an intrinsic; of the buffer, where this thread's own
    /// part begins.
    Value(Value),
    /// The slot of what a load gives that was done ahead; of an update, of whether that is stale.
    Ahead(Value),
    /// A number of the block's threads.
    Thread(Number),
    /// Where in the block this thread works, along x or y, see [`super::super::jam`].
    Place(usize),
}

/// Numbers of the block's threads in linear order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    Linear,
    Count,
    Row,
    Rows,
    Column,
}
