//! A loop that becomes a dimension of the grid, as plain data.

use crate::access::AccessId;
use crate::affine::{Atom, Poly, Range};
use crate::kernel::{BlockId, Kernel, ValueId};
use std::fmt;

/// How a kernel's loop becomes a dimension of the grid.
#[derive(Clone, Debug)]
pub struct Collapse {
    /// The block that enters the loop, its first, the one that branches back, and where it goes at its end.
    pub(super) blocks: [BlockId; 4],
    /// A thread has iterations 0 to those of which this many times the number is below `span`, in ids and symbols.
    pub(super) step: i64,
    pub(super) span: Poly,
    /// The symbols in that and in what is asked, by number.
    pub(super) symbols: Vec<(Atom, ValueId)>,
    /// How large that is at most.
    pub(super) most: Bound,
    /// Arguments of 64 bits that must have 32.
    pub(super) of_32_bits: Vec<ValueId>,
    /// Pairs of numbers of which the first may not be less: how far rows lie apart, and how long they are.
    pub(super) pitches: Vec<(ValueId, ValueId)>,
    /// Sums of symbols that must be in range.
    pub(super) tested: Vec<Range>,
    /// Whether an index may be beyond what the machine adds up exactly.
    pub(super) may_wrap: bool,
}

/// `constant + sum of multiples of what the host knows + more for each of the launch's threads but one`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bound {
    pub(super) constant: i64,
    pub(super) numbers: Vec<(ValueId, i64)>,
    pub(super) threads: i64,
}

impl Collapse {
    /// The value of a symbol that is named.
    pub(super) fn symbol(&self, a: Atom) -> Option<ValueId> {
        self.symbols.iter().find(|(s, _)| *s == a).map(|(_, v)| *v)
    }
}

impl Bound {
    /// In words, with the names that the kernel's values have.
    pub(super) fn describe(&self, kernel: &Kernel) -> String {
        let name = |v: ValueId| match kernel.value(v).argument_index() {
            Some(i) if kernel.value(v).name().is_empty() => format!("arg{i}"),
            _ => kernel.value_name(v),
        };
        let mut all: Vec<(i64, String)> =
            self.numbers.iter().map(|(v, c)| (*c, name(*v))).collect();
        all.extend((self.threads != 0).then(|| (self.threads, "ids".into())));
        let constant = self.constant - self.threads;
        let mut text = String::new();
        for (c, name) in all {
            let sign = match (text.is_empty(), c < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            let times = if c.abs() == 1 {
                String::new()
            } else {
                format!("{}*", c.abs())
            };
            text += &format!("{sign}{times}{name}");
        }
        match (text.is_empty(), constant) {
            (true, c) => c.to_string(),
            (false, 0) => text,
            (false, c) if c < 0 => format!("{text} - {}", -c),
            (false, c) => format!("{text} + {c}"),
        }
    }
}

/// Why a kernel's loop does not become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// Something is stored or updated outside it, or loaded there of what it stores.
    Outside,
    /// There are loops before it, which each iteration would have to run again.
    Loops,
    /// It updates cells.
    Updates,
    /// It carries something besides counters.
    Carries,
    /// How often it runs is not linear in the thread's number and what the host knows.
    Trip,
    /// Two pairs may touch one cell.
    Cells(AccessId, AccessId),
    /// Neighbours among threads are neighbours in memory already.
    Neighbours,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Outside => write!(
                f,
                "something is stored, or what it stores is loaded, outside"
            ),
            Refused::Loops => write!(f, "there are loops before it"),
            Refused::Updates => write!(f, "it updates cells"),
            Refused::Carries => write!(f, "it carries something besides counters"),
            Refused::Trip => write!(f, "how often it runs at most is not known"),
            Refused::Cells(s, a) => write!(f, "iterations may touch the same cell: {s}, {a}"),
            Refused::Neighbours => write!(f, "neighbours among threads are neighbours in memory"),
        }
    }
}
