//! What is not proven: tested before a version runs.

use super::Footprint;
use crate::affine::Poly;

/// Something the kernel's entry tests, the same for all threads of a block.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// The exact value is in range for every thread and iteration of this block.
    InRange {
        /// The value.
        poly: Poly,
        /// Least.
        lo: i64,
        /// Greatest.
        hi: i64,
    },
    /// The bytes this block touches through `a` and through `b` do not overlap.
    Disjoint {
        /// What is staged.
        a: Footprint,
        /// What is written.
        b: Footprint,
    },
    /// The bytes this block touches from the lowest to the highest of `a`, and those of `b`, do not
    /// overlap.
    DisjointHulls {
        /// What is read early; of one array.
        a: Vec<Footprint>,
        /// What is written; of one array.
        b: Vec<Footprint>,
    },
    /// The bytes from the lowest to the highest that blocks touch so lie in one allocation, which the device may read.
    /// Only the host can ask that, of the whole grid.
    Mapped {
        /// What copies read, and more, where the kernel may not: without the conditions that nobody knows beforehand.
        bytes: Footprint,
    },
    /// A gate: the value is a multiple.
    Multiple {
        /// The value, the same for the whole launch.
        poly: Poly,
        /// Of what: a power of two below 2^31.
        of: i64,
    },
}

impl Fact {
    /// Whether only the host can ask it.
    pub fn is_of_host(&self) -> bool {
        matches!(self, Fact::Mapped { .. })
    }

    /// `poly` is at least `least`.
    pub fn at_least(poly: Poly, least: i64) -> Fact {
        Fact::InRange {
            poly,
            lo: least,
            hi: i64::MAX,
        }
    }
}

/// A fact, and what for it is tested.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// The version is right only where it holds.
    Sound(Fact),
    /// The model is sure that the version gains where all of these hold.
    Pays(Fact),
}

impl Test {
    /// Tests of what a version rests on.
    pub fn all_sound(facts: Vec<Fact>) -> Vec<Test> {
        facts.into_iter().map(Test::Sound).collect()
    }

    /// The fact, if the version rests on it.
    pub fn if_sound(&self) -> Option<&Fact> {
        match self {
            Test::Sound(fact) => Some(fact),
            Test::Pays(_) => None,
        }
    }
}
