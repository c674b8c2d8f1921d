//! What is done with one kernel: its versions, other launches, and why the rest is not done.

use super::{NoMerge, NoUnroll, NoUnrollJam, Plan};
use crate::access::{AccessId, ArrayId};
use crate::missed::Missed;
use crate::plan::Reshape;

/// What is to be done with one kernel.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KernelPlan {
    /// The version that the model prefers. Where it is idle, the kernel stays as it is.
    pub first: Plan,
    /// Other versions, for kernels of their own, in the order in which the model prefers them.
    pub alternatives: Vec<Plan>,
    /// Versions of which nothing is staged, or only a measurement tells whether they gain, for kernels of their own.
    /// They are about the kernel as a whole, also where the others are about interior blocks.
    pub whole: Vec<Plan>,
    /// Blocks of other sizes that the host launches it in; `None`: every launch keeps its blocks.
    pub reshape: Option<Reshape>,
    /// Why what was tried is not done.
    pub refusals: Vec<Refusal>,
}

/// Something that is not done, with the reason.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Refusal {
    /// Nothing is staged in the kernel.
    Kernel(Missed),
    /// An array is left alone. It has at most one of these, and none if any of its groups is staged.
    Array(ArrayId, Missed),
    /// An access that belongs to no array.
    Access(AccessId, Missed),
    /// No blocks are merged though that was tried.
    Merge(NoMerge),
    /// No loop is unrolled and jammed though that was tried.
    UnrollJam(NoUnrollJam),
    /// No loop is unrolled though that was tried.
    Unroll(NoUnroll),
}

impl From<Plan> for KernelPlan {
    /// One version, and nothing refused.
    fn from(first: Plan) -> Self {
        KernelPlan {
            first,
            ..KernelPlan::default()
        }
    }
}

/// What a way proposes for a kernel, or the reason against it, if it has one to tell.
pub type Proposal = Result<KernelPlan, Option<Refusal>>;

impl KernelPlan {
    /// What is proposed in place of this, or this with the reason against it.
    pub fn or(self, proposal: Proposal) -> Self {
        proposal.unwrap_or_else(|why| self.refused(why))
    }

    /// This with more versions behind it, of which only a measurement tells what they gain, or with the reason against
    /// them.
    pub fn with_more(mut self, versions: Result<Vec<Plan>, Option<Refusal>>) -> Self {
        match versions {
            Err(why) => self.refused(why),
            Ok(versions) => {
                let mut all = versions.into_iter();
                if self.is_idle() {
                    self.first = all.next().unwrap_or_default();
                }
                self.whole.extend(all);
                self
            }
        }
    }

    /// The versions that are about the same blocks, in the order in which the model prefers them.
    pub fn versions(&self) -> impl Iterator<Item = &Plan> {
        std::iter::once(&self.first).chain(&self.alternatives)
    }

    /// The same with a reason against one transformation of the kernel. If it was refused before, that reason stays.
    pub fn refused(mut self, why: Option<Refusal>) -> Self {
        let kind = std::mem::discriminant::<Refusal>;
        let is_new = |w: &Refusal| self.refusals.iter().all(|r| kind(r) != kind(w));
        let new = why.filter(is_new);
        self.refusals.extend(new);
        self
    }

    /// Why nothing is staged in the kernel, if one reason holds for all of it.
    pub fn kernel_missed(&self) -> Option<Missed> {
        self.refusals.iter().find_map(|r| match r {
            Refusal::Kernel(why) => Some(*why),
            _ => None,
        })
    }

    /// Whether the kernel is to stay as it is.
    pub fn is_idle(&self) -> bool {
        self.first.is_idle()
    }
}
