//! What a way of writing a kernel's clone says of itself, for those who make, launch and report it.

use crate::choice::Relaunch;
use crate::kernel::{BlockId, Kernel};
use crate::machine::target::Target;
use crate::options::Options;
use crate::plan::{Analyses, Fact, NoMerge, Plan};

/// A clone that is written in another way and not planned: a version of its own, which the host launches in another way
/// than the kernel, or as that, if at all.
pub trait Rewrite: Relaunch {
    /// What becomes of the kernel, as a remark.
    fn title(&self) -> &'static str;

    /// In what way, with the names that the kernel's values have.
    fn describe(&self, kernel: &Kernel) -> String;

    /// Bytes of shared memory that a block of it has.
    fn shared(&self, kernel: &Kernel) -> u32 {
        kernel.own_shared
    }

    /// Bytes of dynamic shared memory that a block of it has for each thread, in whole warps; 0: the launch's.
    fn per_thread(&self) -> u32 {
        0
    }

    /// How many times the launch's dynamic shared memory a block of it has; 0: once.
    fn parts(&self) -> u32 {
        0
    }

    /// The only chip that it is right on, as 90 for `sm_90`; `None`: all that can run it.
    fn chip(&self) -> Option<u32> {
        None
    }

    /// What the host tests of the program's launch, for the whole grid.
    fn facts(&self) -> &[Fact] {
        &[]
    }

    /// What launches of its own meet of which the model is sure that they gain, in numbers of that launch; none: it is
    /// sure of none. `f`: of what it is written from. Nothing rests on it.
    fn pays(&self, _: &Analyses) -> Vec<Fact> {
        Vec::new()
    }

    /// Whether it takes the phis behind its loop away, too ([`crate::access::scales_join`]).
    fn takes_joins(&self) -> bool {
        false
    }

    /// Which versions of the plan gain where it is made: what it runs on may do so many times more than a thread that
    /// no other version is faster where it serves a launch.
    fn leaves(&self) -> Leaves {
        Leaves::All
    }

    /// Whether it is made only where versions of the plan leave a place: it gains in small launches alone, or less.
    fn takes_spare_place(&self) -> bool {
        false
    }

    /// Whether it is for launches that few programs make of such kernels, so that all others come before it.
    fn is_for_few(&self) -> bool {
        false
    }

    /// Where loops of the kernel begin that it leaves as they are, and that are unrolled in it.
    fn others(&self) -> &[BlockId] {
        &[]
    }

    /// Whether it is launched as the program launches its kernel, in any blocks that the kernel may have, with whatever
    /// dynamic shared memory: what it writes of its launch is whether that may be. [`Self::facts`] are not asked then.
    fn keeps_launch(&self) -> bool {
        false
    }

    /// Words of the list that the host hands the version as one more parameter ([`crate::choice::Host::hand`]); `None`:
    /// it has none.
    fn words(&self) -> Option<usize> {
        None
    }

    /// Writes it into `own`, a clone of the kernel, whose blocks and values have the kernel's numbers, but for values
    /// where it has a list.
    fn emit(&self, own: &Kernel) -> Result<(), String>;
}

/// Gives the version without tiles of as many merged blocks, whose updates may come in any order. The flag: replicas
/// along x own consecutive ids, so a thread loads all of theirs at once.
pub type Merged<'a> = dyn Fn([u32; 3], bool) -> Option<Plan> + 'a;

/// How a version is chosen in which a few blocks do the work of the whole grid.
pub type ChooseSteps = fn(&Analyses, &Options, &Merged) -> Vec<Plan>;

/// Gives a version with so many blocks merged, in tiles of so many bytes at most.
pub type MergedWithin<'a> = dyn Fn([u32; 3], u32) -> Result<Plan, NoMerge> + 'a;

/// Versions of merged blocks in whole tiles that one transformation asks for, as they gain by it.
pub struct MergedVersions {
    /// Those that the model expects to gain, the best for large grids first. The flags: along which dimensions threads
    /// read different elements.
    pub choose: fn(&Analyses, &Target, [bool; 3], &MergedWithin) -> Vec<Plan>,
    /// Whether a version is one of them.
    pub is_one: fn(&Analyses, &Plan) -> bool,
}

/// What is found of one way in a kernel that it could be for.
pub enum Found {
    /// It is written so.
    Way(Box<dyn Rewrite>),
    /// It is not.
    Refused {
        /// What does not become of it, as a remark; `None`: no remark says so.
        title: Option<&'static str>,
        /// Why.
        why: String,
    },
}

impl Found {
    /// What a search gave; `title` is of a refusal.
    pub fn of<W: Rewrite + 'static>(
        found: Result<W, impl ToString>,
        title: Option<&'static str>,
    ) -> Found {
        match found {
            Ok(way) => Found::Way(Box::new(way)),
            Err(why) => Found::Refused {
                title,
                why: why.to_string(),
            },
        }
    }

    /// Whether what is found of the same way in the kernel's copy says more: the kernel is not written so, and the copy
    /// is, or for another reason not.
    pub fn is_replaced_by(&self, of_copy: &Found) -> bool {
        match (self, of_copy) {
            (Found::Way(_), _) => false,
            (Found::Refused { why, .. }, Found::Refused { why: other, .. }) => why != other,
            (Found::Refused { .. }, Found::Way(_)) => true,
        }
    }
}

/// Which versions of a plan still gain beside a rewrite.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Leaves {
    /// The one for the smallest launches: all others it serves.
    Small,
    /// Those for the largest and the smallest: large launches may be none of its.
    LargeAndSmall,
    /// All but those about the kernel as a whole: its loops wait for the same loads when they are unrolled.
    Staging,
    /// Any.
    All,
}

/// A copy that is written in another way before it is planned.
pub trait Recasting {
    /// The name of its remark.
    fn name(&self) -> &'static str;

    /// As a dump has it.
    fn word(&self) -> &'static str;

    /// What becomes of the kernel, as a remark; `None`: [`Self::describe`] says it.
    fn title(&self) -> Option<&'static str> {
        None
    }

    /// In what way, with the names that the kernel's values have.
    fn describe(&self, kernel: &Kernel) -> String;

    /// What the copy's versions rest on, which none of them can test by itself; `None`: on what cannot be told.
    fn facts(&self, _: &Analyses) -> Option<Vec<Fact>> {
        Some(Vec::new())
    }

    /// What holds for all threads of the program's launch, whichever blocks of it a version merges: the host tests it;
    /// `None`: that cannot be told.
    fn facts_of_launch(&self, _: &Analyses) -> Option<Vec<Fact>> {
        Some(Vec::new())
    }

    /// Whether there is no copy at all where it is not known what it rests on.
    fn must_know_facts(&self) -> bool {
        false
    }

    /// Whether fewer ways lead to a phi than in the kernel.
    fn joins_fewer_ways(&self) -> bool {
        false
    }

    /// Whether the copy's body is one to fall back to where a version's tests fail.
    fn is_fallback(&self) -> bool {
        true
    }

    /// Whether the copy as it is is worth asking what it rests on.
    fn may_ask(&self) -> bool {
        false
    }

    /// How the copy is launched, where not as the kernel.
    fn relaunch(&self) -> Option<&dyn Relaunch> {
        None
    }

    /// Threads of every block of that launch, if they are always the same.
    fn block(&self) -> Option<[u32; 3]> {
        None
    }

    /// Along which axes that launch may have more blocks than threads of use need, as those beyond end at once: it has
    /// whole groups there (`Host::merged`).
    fn may_round_up(&self) -> [bool; 3] {
        [false; 3]
    }

    /// Whether that launch is made of the one by the ways before it, not of the program's.
    fn follows(&self) -> bool {
        false
    }

    /// Whether what the kernel cannot be written as, without a plan, the copy may be.
    fn may_be_rewritten(&self) -> bool {
        true
    }

    /// Whether all that can be done to the kernel can be done to the copy.
    fn supersedes(&self) -> bool {
        false
    }

    /// Whether the copy's tiles may lose to what is done to the kernel without tiles, which then has the places that
    /// they leave.
    fn leaves_places(&self) -> bool {
        false
    }
}
