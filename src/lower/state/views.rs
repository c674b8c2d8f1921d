//! Ranges of what varies, and from where they are looked at.

use crate::affine::Atom;
use crate::llvm::ir::Value;
use crate::tree::{LoopId, NodeId};
use std::collections::BTreeMap;

/// From where a range is looked at.
#[derive(Clone, Copy)]
pub enum View {
    /// The kernel's entry: every loop takes all its iterations.
    Entry,
    /// A region: loops around it stand at one iteration.
    Region {
        /// The region's node.
        node: NodeId,
        /// The strip looked at.
        strip: Option<StripView>,
    },
}

/// A strip: a run of iterations of one loop.
#[derive(Clone, Copy)]
pub struct StripView {
    /// The loop.
    pub loop_: LoopId,
    /// Its first iteration, in 64 bits.
    pub first: Value,
    /// Iterations less one, in 64 bits; a constant for a full strip.
    pub span: Value,
}

/// Least and greatest value, and their difference, in 64 bits.
#[derive(Clone, Copy)]
pub struct Extent {
    pub lo: Value,
    pub hi: Value,
    /// `hi - lo`, kept apart because it is often a constant when they are not.
    pub span: Value,
}

/// A view with some variables cut.
pub struct Ranges {
    pub view: View,
    pub cut: BTreeMap<Atom, Extent>,
}

impl Ranges {
    /// Nothing cut.
    pub fn of(view: View) -> Ranges {
        Ranges {
            view,
            cut: BTreeMap::new(),
        }
    }
}

/// The terms of one dimension.
pub type Terms = [(Atom, i64)];

/// What an active set spans in each dimension, in steps from the first coordinate, its accesses'
/// constant offsets left out.
pub struct SetBox {
    /// `None`: surely not empty.
    pub nonempty: Option<Value>,
    /// Per dimension.
    pub lo: Vec<Value>,
    /// Per dimension.
    pub hi: Vec<Value>,
}
