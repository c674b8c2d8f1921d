//! What is fetched of both operands, whatever their numbers are.

use super::emit_body::Body;
use super::emit_fetch::Operand;
use super::emit_strips::{self, Loaded, Strip};
use super::plan::Numbers;
use crate::llvm::ir::Value;

/// Both, and what a thread copies of them.
pub enum Operands {
    /// Lines as they lie in memory.
    Lines([Operand; 2]),
    /// Rows across the sum.
    Rows([Strip; 2]),
}

impl Operands {
    pub fn new(body: &Body) -> Operands {
        let side = |k: usize| Operand::new(body, k, &body.mma.sides[k]);
        match body.mma.numbers {
            Numbers::Bytes { .. } | Numbers::Doubles { .. } => Operands::Lines([0, 1].map(side)),
            Numbers::Floats { .. } => Operands::Rows([0, 1].map(|k| Strip::new(body, k))),
        }
    }

    /// Where the thread's first parts of the first strips begin, and bytes from there to the next strips'.
    pub fn from(&self) -> [[Value; 2]; 2] {
        match self {
            Operands::Lines(all) => all.each_ref().map(|o| [o.from, o.advance]),
            Operands::Rows(all) => all.each_ref().map(|s| [s.from, s.advance]),
        }
    }

    /// Begins to copy strips into the stage at `to`: the thread's first parts lie at `from`, and `rest` products are
    /// left.
    pub fn fetch(&self, body: &Body, from: [Value; 2], rest: Value, to: Value) -> Option<Loaded> {
        match self {
            Operands::Lines(all) => {
                for (o, from) in all.iter().zip(from) {
                    o.fetch(body, from, rest, to);
                }
                None
            }
            Operands::Rows(all) => Some(emit_strips::fetch(body, all, from, rest, to)),
        }
    }

    /// Stores what was loaded of them and goes to the stage at `to`.
    pub fn store(&self, body: &Body, loaded: &Option<Loaded>, to: Value) {
        if let (Operands::Rows(all), Some(loaded)) = (self, loaded) {
            emit_strips::store(body, all, loaded, to);
        }
    }
}
