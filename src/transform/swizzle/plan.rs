//! What is permuted, as plain data. Idea and soundness: [`super`].

use crate::kernel::{Kernel, ValueId};
use crate::transform::offset::Offset;
use crate::transform::way::Recasting;

/// Arrays whose words are permuted.
#[derive(Clone, Debug)]
pub struct Swizzle {
    pub(super) arrays: Vec<Array>,
}

/// A shared array of the kernel.
#[derive(Clone, Debug)]
pub(super) struct Array {
    /// As a remark has it.
    pub(super) name: String,
    /// Bytes of each access; a power of two.
    pub(super) word: u32,
    /// How many threads of a warp meet in one bank, in the worst of its accesses.
    pub(super) ways: u32,
    /// All that access it.
    pub(super) accesses: Vec<Access>,
}

/// An instruction that loads, stores or updates a word.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) at: ValueId,
    /// Which operand is the address.
    pub(super) place: u32,
    /// Where that is in the array.
    pub(super) offset: Offset,
}

impl Recasting for Swizzle {
    fn name(&self) -> &'static str {
        "Swizzle"
    }

    fn word(&self) -> &'static str {
        "swizzled"
    }

    fn title(&self) -> Option<&'static str> {
        Some("words of its shared arrays can be permuted")
    }

    fn describe(&self, _: &Kernel) -> String {
        let each = |a: &Array| {
            let (name, word, ways) = (&a.name, a.word, a.ways);
            format!("{name}, words of {word} bytes, where {ways} threads met in a bank")
        };
        let all: Vec<String> = self.arrays.iter().map(each).collect();
        all.join("; ")
    }

    fn supersedes(&self) -> bool {
        true
    }
}
