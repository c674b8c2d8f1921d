//! Loads, stores and other effects of a kernel, and the arrays they go to.
//!
//! ```text
//! array0: argument 0 "a", noalias
//! access0: load f32 of array0 in bb2
//! access3: barrier in bb4
//! ```
//! Everything that touches memory or synchronises is an access, also when it cannot be staged:
//! legality asks about all of them. Loads of kernel parameters, of the constant address space and
//! of the kernel's own stack or shared memory are not candidates and not hazards.

mod collect;
mod fusion;

use crate::kernel::{BlockId, Kernel, ValueId, id};
use crate::tree::LoopId;
use std::fmt;

pub use collect::collect;
pub use fusion::{
    ROUNDED, ROUNDING, contracted, crosses_blocks, crossing, fused_with, holds_product,
    is_contracted_elsewhere, may_be_product, may_fuse, scales_join, through_sign,
};

id!(/// An access, in tree order of blocks.
    AccessId, "access");
id!(/// An array: a global-memory object reached from one base pointer.
    ArrayId, "array");

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AccessKind {
    /// Reads `size` bytes.
    Load,
    /// Writes `size` bytes.
    Store,
    /// Reads and writes atomically.
    Atomic,
    /// A block-wide barrier of any form.
    Barrier,
    /// Shuffles, votes, warp barriers: threads of a warp communicate.
    WarpOperation,
    /// A fence, unknown call, inline assembly: may read and write anything.
    Unknown,
}

/// One access.
#[derive(Clone, Debug)]
pub struct Access {
    /// Its id.
    pub id: AccessId,
    /// The instruction.
    pub value: ValueId,
    /// Its block.
    pub block: BlockId,
    /// What it does.
    pub kind: AccessKind,
    /// The array, if its pointer leads to one base.
    pub array: Option<ArrayId>,
    /// The pointer operand of loads, stores and atomics.
    pub pointer: Option<ValueId>,
    /// The block that computes the pointer; `None`: it is a parameter or constant.
    pub pointer_block: Option<BlockId>,
    /// Bytes touched; 0 for accesses without a pointer.
    pub size: u32,
    /// Alignment the IR promises, in bytes.
    pub align: u32,
    /// Volatile, or a load or store with atomic ordering.
    pub is_volatile: bool,
    /// Source line, 0 if unknown.
    pub line: u32,
}

impl Access {
    /// Whether it stores or updates.
    pub fn writes(&self) -> bool {
        matches!(self.kind, AccessKind::Store | AccessKind::Atomic)
    }
}

/// Where an array's base pointer comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Base {
    /// A pointer argument.
    Argument {
        /// Its index.
        index: u32,
        /// Whether it is `__restrict__` (`noalias`).
        noalias: bool,
    },
    /// A pointer field of a struct passed by value.
    Field {
        /// Index of the struct argument.
        index: u32,
        /// Byte offset of the field.
        offset: u32,
    },
    /// A `__device__` array, an object of its own.
    Global,
    /// A `__constant__` array.
    Constant,
}

/// One array.
#[derive(Clone, Debug)]
pub struct Array {
    /// Its id.
    pub id: ArrayId,
    /// The base pointer: an argument, a global (through its cast), or a load of a field.
    pub base: ValueId,
    /// Where that comes from.
    pub origin: Base,
    /// What a user would call it: the argument's, field's or global's name where known.
    pub name: String,
}

/// Result of the stage.
pub struct Accesses {
    /// By [`AccessId`].
    pub list: Vec<Access>,
    /// By [`ArrayId`].
    pub arrays: Vec<Array>,
    /// Arrays that assembly is given pointers to, each with the first such access. What it does there is not known: the
    /// access itself may touch any array.
    pub in_assembly: Vec<(ArrayId, AccessId)>,
    /// Loops whose unrolling decides what fuses, see `fusion`.
    pub fusing_loops: Vec<LoopId>,
}

impl Accesses {
    /// The access behind an id.
    pub fn get(&self, a: AccessId) -> &Access {
        &self.list[a.index()]
    }
    /// All, in program order.
    pub fn iter(&self) -> std::slice::Iter<'_, Access> {
        self.list.iter()
    }
    /// Those of a kind, in program order.
    pub fn of_kind(&self, kind: AccessKind) -> impl Iterator<Item = &Access> {
        self.iter().filter(move |a| a.kind == kind)
    }
    /// The array behind an id.
    pub fn array(&self, a: ArrayId) -> &Array {
        &self.arrays[a.index()]
    }
    /// Whether two accesses may touch the same array.
    pub fn may_meet(&self, a: &Access, b: &Access) -> bool {
        match (a.array, b.array) {
            (Some(x), Some(y)) => !self.surely_distinct(x, y),
            _ => true,
        }
    }
    /// Whether two arrays are surely different objects: two globals, or one of them `noalias`.
    pub fn surely_distinct(&self, a: ArrayId, b: ArrayId) -> bool {
        if a == b {
            return false;
        }
        let restrict = |x: &Array| matches!(x.origin, Base::Argument { noalias: true, .. });
        let named = |x: &Array| matches!(x.origin, Base::Global | Base::Constant);
        let (a, b) = (self.array(a), self.array(b));
        restrict(a) || restrict(b) || (named(a) && named(b)) || a.origin == Base::Constant
    }
}

/// The dump of `print<mesi-accesses>`.
pub fn dump(accesses: &Accesses, kernel: &Kernel) -> String {
    use fmt::Write;
    let mut s = format!("accesses of {}\n", kernel.name);
    for a in &accesses.arrays {
        let _ = writeln!(s, "  {}: {} {:?}", a.id, a.name, a.origin);
    }
    for a in &accesses.list {
        let array = a.array.map_or("?".into(), |r| r.to_string());
        let what = match a.kind {
            AccessKind::Load | AccessKind::Store | AccessKind::Atomic => {
                format!(
                    "{:?} {} bytes of {array}, align {}",
                    a.kind, a.size, a.align
                )
            }
            _ => format!("{:?}", a.kind),
        };
        let volatile = if a.is_volatile { ", volatile" } else { "" };
        let _ = writeln!(s, "  {}: {what}{volatile} in {}", a.id, a.block);
    }
    for l in &accesses.fusing_loops {
        let _ = writeln!(s, "  {l} carries a product into a sum");
    }
    s
}
