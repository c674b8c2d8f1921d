//! Packed blocks as one of the ways in which a kernel is written.

use super::plan::{Pack, words};
use super::{emit, legality};
use crate::affine::{Atom, Poly};
use crate::kernel::{Dim, Kernel};
use crate::machine::target::Target;
use crate::machine::tuning::pack::FEW;
use crate::plan::{self, Analyses, Fact};
use crate::transform::way::{Found, Rewrite};

/// How the kernel's blocks can be packed, or why they cannot; `None`: there is nothing to gain.
pub fn find(f: &Analyses) -> Option<Found> {
    Some(Found::of(legality::find(f)?, None))
}

impl Rewrite for Pack {
    fn title(&self) -> &'static str {
        "its small blocks can be packed"
    }

    fn words(&self) -> Option<usize> {
        Some(words())
    }

    fn emit(&self, own: &Kernel) -> Result<(), String> {
        emit::emit(own, self)
    }

    fn shared(&self, kernel: &Kernel) -> u32 {
        let parts = self.shared.map(|s| s.bytes * s.parts);
        parts.unwrap_or(kernel.own_shared)
    }

    fn parts(&self) -> u32 {
        let dynamic = self.shared.filter(|s| s.dynamic);
        dynamic.map_or(0, |s| s.parts)
    }

    /// Where most lanes of the kernel's warps are idle. A block's layers are the program's blocks.
    fn pays(&self, f: &Analyses) -> Vec<Fact> {
        let target = Target::of_sm(f.kernel.sm).filter(|_| !self.whole_warps);
        let threads = Poly::product([Dim::X, Dim::Y].map(|d| Poly::atom(Atom::Ntid(d))));
        let few = Fact::InRange {
            poly: threads,
            lo: 1,
            hi: FEW,
        };
        target.map_or(Vec::new(), |t| vec![plan::fills(t), few])
    }

    /// What gains in larger blocks, which are far more common, comes first.
    fn takes_spare_place(&self) -> bool {
        self.shared.is_some()
    }

    /// Nothing in a kernel says that its blocks are so small.
    fn is_for_few(&self) -> bool {
        self.shared.is_some()
    }

    fn describe(&self, _: &Kernel) -> String {
        match (self.whole_warps, self.shared) {
            (true, _) => "blocks of 32 threads".into(),
            (false, None) => "blocks of up to 32 threads".into(),
            (false, Some(s)) => format!(
                "blocks of up to 32 threads that share what they have, up to {} of them",
                s.parts
            ),
        }
    }
}
