//! What a plan to replace divisions is, and what host and version agree on.
//!
//! ```text
//! list, for each divisor:  multiplier, its low and its high word;  the shift behind the sum;  that before it
//! ```
//! Of 32 bits the multiplier has no high word, and signed divisions have no shift before the sum: both are 0 there.

use crate::kernel::BlockId;
use std::fmt;

/// A word of a divisor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// The multiplier's lower 32 bits.
    Low,
    /// Those above.
    High,
    /// How far the sum is shifted.
    Shift,
    /// How far what the product leaves is shifted before.
    First,
}

impl Word {
    /// All, in their order.
    pub const ALL: [Word; 4] = [Word::Low, Word::High, Word::Shift, Word::First];

    /// Where it stands in the list for a divisor.
    pub fn place(self, divisor: usize) -> usize {
        let at = Word::ALL.iter().position(|w| *w == self);
        divisor * Word::ALL.len() + at.expect("one of all")
    }
}

/// Which divisions of a kernel are replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divide {
    /// By what, in the order of the list.
    pub divisors: Vec<Divisor>,
}

/// A number of the launch, and what is divided by it in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Divisor {
    /// Bits, 32 or 64.
    pub bits: u32,
    /// Whether numbers have signs.
    pub signed: bool,
    /// Where, in the kernel's order.
    pub divisions: Vec<Division>,
}

/// A division.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// Its block.
    pub block: BlockId,
    /// Which of the block's instructions it is.
    pub at: usize,
    /// Whether what is left is asked for.
    pub is_rest: bool,
}

impl Divide {
    /// Words of the list.
    pub fn words(&self) -> usize {
        self.divisors.len() * Word::ALL.len()
    }

    /// All divisions.
    pub fn divisions(&self) -> impl Iterator<Item = &Division> {
        self.divisors.iter().flat_map(|d| &d.divisions)
    }
}

/// Why a kernel that divides by what is not constant keeps its divisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoDivide {
    /// It is left alone whatever could be gained.
    Rejected,
    /// Several files may have it.
    Mergeable,
    /// It has more parameters than there is room for.
    Parameters,
    /// The host knows none of the divisors.
    Unknown,
    /// Loops take its time, and none divides.
    OutsideLoops,
}

impl fmt::Display for NoDivide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoDivide::Rejected => "its threads may wait for others, or it cannot be cloned",
            NoDivide::Mergeable => "several files may have it",
            NoDivide::Parameters => "it has too many parameters",
            NoDivide::Unknown => "the host knows none of the numbers that it divides by",
            NoDivide::OutsideLoops => "its loops divide nothing",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BITS: u32 = 8;

    /// `ceil(log2 d)`.
    fn length(d: i32) -> u32 {
        (d - 1).checked_ilog2().map_or(0, |l| l + 1)
    }

    #[test]
    fn words_of_divisors_follow_each_other() {
        assert_eq!(Word::High.place(2), 9);
        assert_eq!(Word::First.place(0) + 1, Word::Low.place(1));
    }

    #[test]
    fn all_unsigned_quotients_of_eight_bits_are_right() {
        for d in 1..256 {
            let l = length(d);
            let m = (((1 << l) - d) << BITS) / d + 1;
            for n in 0..256 {
                let t = (m * n) >> BITS;
                let q = (t + ((n - t) >> l.min(1))) >> l.saturating_sub(1);
                assert_eq!(q, n / d, "{n} / {d}");
            }
        }
    }

    #[test]
    fn all_signed_quotients_of_eight_bits_are_right() {
        for d in 1..128 {
            let l = length(d).max(1);
            let m = ((1 << (l - 1 + BITS)) / d + 1) as u8 as i8;
            for n in -128..128 {
                let high = (i32::from(m) * n) >> BITS;
                let sum = (n + high) as i8;
                let q = (i32::from(sum >> (l - 1)) - (n >> 31)) as i8;
                assert_eq!(i32::from(q), n / d, "{n} / {d}");
            }
        }
    }
}
