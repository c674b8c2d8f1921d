//! Whose ids count, and where values are made again.

use crate::llvm::ir::{Block, Value};
use crate::map::HashMap;
use crate::plan::Along;

/// Whose ids count.
#[derive(Clone, Copy)]
pub enum Led {
    /// The whole grid's: while facts are tested, and where no block leads others.
    Grid,
    /// The whole grid's, in a fact that is being tested for all of it: ids run over it like this.
    Over([Along; 3]),
    /// A group's, which begins with this block. Where the grid is done in steps, a step's, which begins with this block
    /// or, if steps are of elements, with this element.
    Group([Option<Value>; 3]),
}

/// Where values are made again: behind passes, or in those of them that are not fast.
pub struct RematPoint {
    /// Begins the code that may need them.
    pub at: Block,
    /// A number made there that nobody knows.
    pub number: Value,
    /// The passes; `None` until all of them are emitted.
    pub passes: Option<Vec<Block>>,
    /// Where control comes from to the first pass; `None` until all of them are emitted.
    pub before: Option<Block>,
    /// Whether ids come here in one register.
    pub packs: bool,
    /// Whether what the block's number alone decides is made again too.
    pub blocks: bool,
    /// Values alive at once in the body up to which nothing is.
    pub alive: u32,
}

/// Values made again, by what they were.
pub struct Made {
    /// A zero that nobody knows.
    pub zero: Value,
    pub values: HashMap<Value, Value>,
}
