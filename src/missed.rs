//! Why an array was left alone: one enum, one reason each, the only texts of refusal.
//!
//! Guards run in the order of the variants. A reason names the first guard that failed.

use crate::access::AccessId;
use crate::kernel::rejected::Rejected;
use crate::tree::LoopId;
use std::fmt;

/// The reason an array, or a whole kernel, keeps its original accesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missed {
    /// `annotate("mesi.off")`, or another kernel was asked for with `only`.
    Disabled,
    /// The bisecting limit `fuel` was used up by earlier arrays.
    OutOfFuel,
    /// The kernel's control flow has a cycle without a single entry.
    Irreducible,
    /// The kernel uses dynamic shared memory, whose size only the launch knows.
    DynamicShared,
    /// The kernel calls a function that is not known here: by pointer, or in another file.
    UnknownCallee,
    /// Whether a loop of the kernel goes on may hang on what other threads write: barriers and merged blocks might wait
    /// for each other.
    Waits,
    /// The kernel has barriers for a part of a block.
    PartialBarrier,
    /// Threads may end in inline assembly or in a function that was not inlined.
    EndsThreads,
    /// Inline assembly declares labels or registers for the whole kernel, and so may stand in it once only.
    AssemblyOnce,
    /// The kernel writes to a parameter passed by value.
    ChangedParameter,
    /// The kernel was compiled with `-ffast-math` or a part of it: LLVM may rearrange its arithmetic, and what it makes
    /// of other code around it has other bits (a product of complex numbers, a softmax).
    RearrangedMath,
    /// The kernel adds up products of numbers that LLVM may pack into pairs, in another way around other code: of 16
    /// bits, and of floats from sm_100, there where no tile is or where it has done so.
    PackedMath,
    /// The array lies in constant memory, which has its own cache.
    ConstantMemory,
    /// The address cannot be traced to one base pointer.
    UnknownBase {
        /// The access.
        access: AccessId,
    },
    /// An access is volatile or atomic-ordered.
    Volatile {
        /// The access.
        access: AccessId,
    },
    /// The array is updated by atomics.
    Atomic {
        /// The access.
        access: AccessId,
    },
    /// The array is only written, and no tile would make its stores coalesced that are not.
    OnlyStored,
    /// An index is not affine in thread, block and loop indices (data-dependent, or divided).
    NotAffine {
        /// The access.
        access: AccessId,
    },
    /// A stride or bound is read from memory or computed where the kernel's entry cannot.
    NotAtEntry {
        /// The access.
        access: AccessId,
    },
    /// The access lies in a loop that data can leave early.
    DataDependentExit {
        /// The access.
        access: AccessId,
    },
    /// The access lies in a region that is not nested ifs and loops.
    Unstructured {
        /// The access.
        access: AccessId,
    },
    /// A loop around the access runs a different number of times for different threads.
    DivergentLoop {
        /// The loop.
        at: LoopId,
    },
    /// No element is surely read: the access stands under a condition on data, or on several
    /// variables, that the copy cannot follow. Nor can the host ask whether all that a copy would read is memory.
    UnboundedGuard {
        /// The access.
        access: AccessId,
    },
    /// The region already holds a barrier or a warp operation.
    OwnBarrier {
        /// The access.
        access: AccessId,
    },
    /// The region holds a call, fence or assembly whose effects are unknown.
    UnknownEffect {
        /// The access.
        access: AccessId,
    },
    /// A loop of the region carries a product into the next iteration's sum: unrolling decides
    /// whether the two are fused, and so the last bit.
    FusesAcrossIterations {
        /// The loop.
        at: LoopId,
    },
    /// In a loop of the region iterations may share products that sums take two of: unrolling decides
    /// which of them is fused.
    SharesProducts {
        /// The loop.
        at: LoopId,
    },
    /// The array is only written, uncoalesced, but which elements is not exactly known: under a
    /// condition on data, or several times, or with gaps.
    InexactStore {
        /// The store.
        access: AccessId,
    },
    /// The array is also written in the region, in a way that cannot be written back.
    WrittenInRegion {
        /// The store.
        access: AccessId,
    },
    /// A store in the region may hit the array, and its range is not known at entry.
    MayAlias {
        /// The store.
        access: AccessId,
    },
    /// The tile's size grows with a run-time value that nothing bounds.
    UnboundedTile,
    /// Its region would lie inside another array's strips.
    Nested,
    /// The tile needs more shared memory than is left.
    OverBudget {
        /// Bytes needed; `u32::MAX`: so many or more.
        need: u32,
        /// Bytes left.
        left: u32,
    },
    /// The kernel needs so many registers that a second body might stop a launch from fitting, or a version spill.
    RegisterPressure {
        /// Registers its values need at once.
        need: u32,
        /// Registers that it would have.
        leave: u32,
    },
    /// Every version makes the kernel's code longer than the option `code` allows.
    LongCode,
    /// Legal, but the provisional rule of `plan/profit` is not sure of a gain.
    NotProfitable,
    /// The check after lowering did not hold; the kernel was left as it was.
    CheckFailed,
}

macro_rules! names {
    ($($variant:ident),* $(,)?) => {
        /// Every variant's name, in guard order.
        pub const ALL_NAMES: &[&str] = &[$(stringify!($variant)),*];
        impl Missed {
            /// The variant's name, as remarks and tests write it.
            pub fn name(&self) -> &'static str {
                match self { $(Missed::$variant { .. } => stringify!($variant)),* }
            }
        }
    };
}
names! {
    Disabled, OutOfFuel, Irreducible, DynamicShared, UnknownCallee, Waits, PartialBarrier,
    EndsThreads, AssemblyOnce, ChangedParameter, RearrangedMath, PackedMath, ConstantMemory,
    UnknownBase, Volatile, Atomic,
    OnlyStored, NotAffine, NotAtEntry, DataDependentExit, Unstructured, DivergentLoop,
    UnboundedGuard, OwnBarrier, UnknownEffect, FusesAcrossIterations, SharesProducts, InexactStore,
    WrittenInRegion, MayAlias,
    UnboundedTile, Nested,
    OverBudget, RegisterPressure, LongCode, NotProfitable, CheckFailed,
}

impl From<Rejected> for Missed {
    fn from(why: Rejected) -> Missed {
        match why {
            Rejected::UnknownCallee => Missed::UnknownCallee,
            Rejected::Waits => Missed::Waits,
            Rejected::PartialBarrier => Missed::PartialBarrier,
            Rejected::EndsThreads => Missed::EndsThreads,
            Rejected::AssemblyOnce => Missed::AssemblyOnce,
            Rejected::ChangedParameter => Missed::ChangedParameter,
        }
    }
}

impl Missed {
    /// The position in guard order.
    pub fn rank(&self) -> usize {
        ALL_NAMES
            .iter()
            .position(|n| *n == self.name())
            .unwrap_or(ALL_NAMES.len())
    }
    /// The access that gave the reason, where one did: remarks point at its source line.
    pub fn access(&self) -> Option<AccessId> {
        match *self {
            Missed::UnknownBase { access }
            | Missed::Volatile { access }
            | Missed::Atomic { access }
            | Missed::NotAffine { access }
            | Missed::NotAtEntry { access }
            | Missed::DataDependentExit { access }
            | Missed::Unstructured { access }
            | Missed::UnboundedGuard { access }
            | Missed::OwnBarrier { access }
            | Missed::UnknownEffect { access }
            | Missed::InexactStore { access }
            | Missed::WrittenInRegion { access }
            | Missed::MayAlias { access } => Some(access),
            _ => None,
        }
    }
}

impl fmt::Display for Missed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = match self {
            Missed::Disabled => "switched off for this kernel".into(),
            Missed::OutOfFuel => "the fuel option stops before it".into(),
            Missed::Irreducible => "the control flow has a cycle with several entries".into(),
            Missed::DynamicShared => {
                "the kernel uses dynamic shared memory, whose size is not known here".into()
            }
            Missed::UnknownCallee => {
                "the kernel calls a function by pointer, or of another file".into()
            }
            Missed::Waits => {
                "whether a loop of the kernel goes on may hang on what other threads write, \
                 and they might wait for each other"
                    .into()
            }
            Missed::PartialBarrier => "the kernel has barriers for a part of a block".into(),
            Missed::EndsThreads => {
                "threads may end in inline assembly or in a function that was not inlined".into()
            }
            Missed::AssemblyOnce => {
                "inline assembly declares labels or registers outside braces, and may stand in \
                 the kernel once only"
                    .into()
            }
            Missed::ChangedParameter => "the kernel writes to a parameter passed by value".into(),
            Missed::RearrangedMath => {
                "LLVM may rearrange its arithmetic (-ffast-math), by which bits would differ; \
                 with -fno-associative-math -fno-reciprocal-math -fsigned-zeros besides it may \
                 not"
                .into()
            }
            Missed::PackedMath => {
                "LLVM may pack pairs of its products, and what is packed is not fused with a \
                 sum, by which bits would differ"
                    .into()
            }
            Missed::RegisterPressure { need, leave } => format!(
                "the kernel needs about {need} registers, and without launch bounds {leave} \
                 are left"
            ),
            Missed::LongCode => {
                "every version makes its code longer than the code option allows".into()
            }
            Missed::ConstantMemory => "it lies in constant memory".into(),
            Missed::UnknownBase { access } => {
                format!("the address of {access} does not come from one base pointer")
            }
            Missed::Volatile { access } => format!("{access} is volatile or atomic"),
            Missed::Atomic { access } => format!("{access} updates it atomically"),
            Missed::OnlyStored => "it is only written, and staging would not help".into(),
            Missed::NotAffine { access } => {
                format!("the index of {access} is not affine in thread, block and loop indices")
            }
            Missed::NotAtEntry { access } => {
                format!("a stride or bound of {access} cannot be computed at the kernel's entry")
            }
            Missed::DataDependentExit { access } => {
                format!("{access} is in a loop that is left from more than one place")
            }
            Missed::Unstructured { access } => {
                format!("{access} is in control flow that is not nested ifs and loops")
            }
            Missed::DivergentLoop { at } => {
                format!("{at} runs a different number of times for different threads")
            }
            Missed::UnboundedGuard { access } => {
                format!("{access} is read under a condition that the copy cannot follow")
            }
            Missed::OwnBarrier { access } => {
                format!("{access} is a barrier or warp operation in the region")
            }
            Missed::UnknownEffect { access } => {
                format!("{access} has effects in the region that are not known")
            }
            Missed::FusesAcrossIterations { at } => {
                format!("{at} carries a product into a sum, which unrolling may fuse or not")
            }
            Missed::SharesProducts { at } => format!(
                "iterations of {at} may share products, and unrolling would decide which of \
                 two is fused with a sum"
            ),
            Missed::InexactStore { access } => {
                format!("which elements {access} stores is not exactly known")
            }
            Missed::WrittenInRegion { access } => {
                format!("{access} writes it while it would be staged")
            }
            Missed::MayAlias { access } => {
                format!("{access} may write it, and its range is not known at entry")
            }
            Missed::Nested => "its region lies inside the strips of another array".into(),
            Missed::UnboundedTile => "nothing bounds the tile's size".into(),
            Missed::OverBudget { need, left } => match *need {
                u32::MAX => format!(
                    "the tile needs 4 GiB of shared memory or more, and {left} bytes are left"
                ),
                _ => format!("the tile needs {need} bytes of shared memory and {left} are left"),
            },
            Missed::NotProfitable => "no sure gain".into(),
            Missed::CheckFailed => "the check after lowering did not hold".into(),
        };
        f.write_str(&text)
    }
}
