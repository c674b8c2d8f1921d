//! A product for tensor cores, as plain data.

use crate::affine::Poly;
use crate::kernel::{BlockId, Dim, ValueId};
use crate::machine::tuning::mma::{BYTES, DOUBLES, FLOATS, SMALL_DOUBLES, SMALL_FLOATS, Shape};
use crate::number::Number;
use crate::plan::Fact;

/// How a kernel's product is worked out.
#[derive(Clone, Debug, PartialEq)]
pub struct Mma {
    /// The loop, which is one block.
    pub(super) header: BlockId,
    /// The sum at an iteration's begin, and at its end.
    pub(super) sum: ValueId,
    pub(super) next: ValueId,
    /// How many products are summed up: 1 at least.
    pub(super) count: Poly,
    /// What must be so for the loop to be run.
    pub(super) when: Vec<(ValueId, bool)>,
    /// The operands: that of the tile's rows, and that of its columns.
    pub sides: [Side; 2],
    /// What their elements are.
    pub(super) numbers: Numbers,
    /// What the host tests of the program's launch.
    pub facts: Vec<Fact>,
    /// The values that polynomials name, by number.
    pub(super) symbols: Vec<ValueId>,
}

/// What is multiplied and summed up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Numbers {
    /// Bytes, each side's signed or not, in 32 bits.
    Bytes { signed: [bool; 2] },
    /// Doubles, in the loop's order; `small`: in tiles for a product with few of the usual size.
    Doubles { small: bool },
    /// Floats, as doubles, but by the vector units.
    Floats { small: bool },
}

impl Numbers {
    /// How a product is dealt out.
    pub(super) fn shape(self) -> &'static Shape {
        match self {
            Numbers::Bytes { .. } => &BYTES,
            Numbers::Doubles { small: false } => &DOUBLES,
            Numbers::Doubles { small: true } => &SMALL_DOUBLES,
            Numbers::Floats { small: false } => &FLOATS,
            Numbers::Floats { small: true } => &SMALL_FLOATS,
        }
    }

    /// The same in tiles for a small product; `None`: there is no such way.
    pub(super) fn small(self) -> Option<Numbers> {
        match self {
            Numbers::Bytes { .. } => None,
            Numbers::Doubles { .. } => Some(Numbers::Doubles { small: true }),
            Numbers::Floats { .. } => Some(Numbers::Floats { small: true }),
        }
    }

    /// Whether they are summed up in the loop's order.
    pub(super) fn are_real(self) -> bool {
        !matches!(self, Numbers::Bytes { .. })
    }

    /// Whether tensor cores work their products out.
    pub(super) fn are_for_tensor_cores(self) -> bool {
        !matches!(self, Numbers::Floats { .. })
    }

    /// Whether all rests on the order in which tensor cores sum them up.
    pub(super) fn are_doubles(self) -> bool {
        matches!(self, Numbers::Doubles { .. })
    }

    /// Of the sides in the other order.
    pub(super) fn swapped(self) -> Numbers {
        match self {
            Numbers::Bytes { signed: [a, b] } => Numbers::Bytes { signed: [b, a] },
            Numbers::Doubles { .. } | Numbers::Floats { .. } => self,
        }
    }

    /// The type of a side's elements, as a dump has it.
    pub(super) fn of_side(self, side: usize) -> &'static str {
        match self {
            Numbers::Bytes { signed } if signed[side] => "s8",
            Numbers::Bytes { .. } => "u8",
            Numbers::Doubles { .. } => "f64",
            Numbers::Floats { .. } => "f32",
        }
    }
}

/// An operand, and the ids that choose its lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Along which the ids of threads run that take one line each.
    pub dim: Dim,
    /// How many lines there are; `None`: one for each thread that is launched.
    pub bound: Option<Bound>,
    /// Where it lies: the array, and bytes from its base to the first element.
    pub(super) base: ValueId,
    pub(super) first: Poly,
    /// Bytes from a line to the next, in memory.
    pub(super) pitch: Poly,
    /// Whether lines in memory run along the sum; else across.
    pub(super) lengthwise: bool,
}

/// The limit of an id.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    pub(super) poly: Poly,
    /// The same for the host.
    pub number: Number,
}
