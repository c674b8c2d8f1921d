//! The shared arrays of merged blocks: one for all replicas, or parts for those that differ.
//!
//! ```text
//! A[ty][tx] = a[row*n + k0 + tx]        row differs along y: a part for each replica along y, of 1024 bytes
//! B[ty][tx] = b[(k0 + ty)*n + col]      col differs along x: one part where blocks along y are merged, stored to once
//! ```
//! Dynamic shared memory is one piece under each name that the kernel has for it: if one of them differs, all have
//! parts. The version is launched with as many times what its kernel's launch has, rounded up to 16 bytes
//! (`mesi_version.parts` of `rt/mesi_rt.h`), so a part has what the device says that there is, divided by their number.

use crate::access::AccessKind;
use crate::kernel::callees::{self, shared_global};
use crate::llvm::ir::{Block, Builder, Function, Op, Type, Value};
use crate::lower::state::Source;
use crate::map::{HashMap, HashSet};
use crate::plan::SharedParts;
use crate::transform::parts::{self, Layout};
use crate::tree::{LoopId, Node, NodeId};

/// How replicas differ, as far as is known.
pub(crate) struct Differences<'a> {
    /// The dimensions along which a value differs, as bits.
    pub mask: &'a dyn Fn(Value) -> u8,
    /// Whether all replicas run a loop together.
    pub joint: &'a dyn Fn(LoopId) -> bool,
    /// All merged dimensions.
    pub all: u8,
}

/// Bytes from one part of an array to the next.
#[derive(Clone, Copy)]
pub(crate) enum Stride {
    Bytes(u64),
    /// What the version's launch has of dynamic shared memory, in so many parts.
    OfDynamic(u32),
}

impl Stride {
    /// So many of them, as bytes of 64 bits.
    pub(crate) fn emit(self, b: &Builder, count: usize) -> Value {
        let i64t = Type::int(b.module(), 64);
        match self {
            Stride::Bytes(bytes) => i64t.constant(bytes as i64 * count as i64),
            Stride::OfDynamic(number) => {
                b.mul(parts::stride(b, number), i64t.constant(count as i64))
            }
        }
    }
}

/// Where replicas find a shared array of the kernel.
#[derive(Default)]
pub(crate) struct OwnArrays {
    /// The dimensions, as bits, along which replicas have parts of their own of an array; no entry: one for all.
    replicated: HashMap<Value, u8>,
    /// Bytes from one part to the next, once there are parts.
    strides: HashMap<Value, Stride>,
    /// Whether a part has all static arrays as they lie in the kernel.
    in_layout: bool,
    /// What the parts take.
    pub room: Room,
}

/// Shared memory that parts of a kernel's own arrays take.
#[derive(Clone, Copy, Default)]
pub struct Room {
    /// Static bytes that all of them take more than the arrays did.
    pub bytes_more: u32,
    /// Parts of dynamic shared memory; 0: there is one for all.
    pub dynamic: u32,
}

impl OwnArrays {
    /// The dimensions along which replicas have parts of their own of the array that a constant names.
    pub(crate) fn mask(&self, constant: Value) -> u8 {
        shared_global(constant)
            .and_then(|g| self.replicated.get(&g))
            .map_or(0, |m| *m)
    }

    /// Bytes from one part of the array that a constant names to the next, once there are parts.
    pub(crate) fn stride(&self, constant: Value) -> Option<Stride> {
        self.strides.get(&shared_global(constant)?).copied()
    }

    /// Replicates the arrays that differ between the replicas, as far as is known of them; whether there was more to
    /// replicate.
    pub(crate) fn replicate(&mut self, from: &Source, replicas: &Differences) -> bool {
        let joint = barriers_are_joint(from, replicas);
        let function = from.kernel.function;
        let arrays = callees::shared_globals(&[function]);
        let of = |array: Value| match joint {
            true => self.mask(array) | differing(array, from, replicas),
            false => replicas.all,
        };
        let mut masks: Vec<u8> = arrays.iter().map(|a| of(*a)).collect();
        if from.plan.lockstep().and_then(|t| t.own) == Some(SharedParts::AsTheyLie) {
            self.in_layout = true;
            let all = masks.iter().fold(0, |all, m| all | m);
            masks.fill(all);
        }
        // Dynamic shared memory is the same under each of its names.
        let is_dynamic = |a: &Value| function.module().alloc_size(a.global_value_type()) == 0;
        let named = || arrays.iter().zip(&masks).filter(|(a, _)| is_dynamic(a));
        let dynamic = named().fold(0, |all, (_, m)| all | m);
        let mut more = false;
        for (array, mask) in arrays.iter().zip(&mut masks) {
            if is_dynamic(array) {
                *mask = dynamic;
            }
            let (array, mask, known) = (*array, *mask, self.mask(*array));
            if mask != known {
                self.replicated.insert(array, mask);
                more = true;
            }
        }
        more
    }

    /// Puts arrays with so many parts as `parts` says of their dimensions in the places of those that are replicated.
    pub(crate) fn make_parts(&mut self, from: &Source, parts: impl Fn(u8) -> usize) {
        let function = from.kernel.function;
        let module = function.module();
        let named = callees::shared_globals(&[function]);
        let is_dynamic = |a: &Value| module.alloc_size(a.global_value_type()) == 0;
        let (dynamic, mut fixed): (Vec<Value>, Vec<Value>) =
            named.into_iter().partition(is_dynamic);
        fixed.retain(|a| self.replicated.contains_key(a));
        let layouts: Vec<&[Value]> = match self.in_layout {
            true if !fixed.is_empty() => vec![&fixed],
            _ => fixed.chunks(1).collect(),
        };
        for (n, arrays) in layouts.into_iter().enumerate() {
            let masks = arrays.iter().filter_map(|a| self.replicated.remove(a));
            let mask = masks.fold(0, |all, m| all | m);
            let layout = Layout::of(function, arrays);
            self.add(function, &layout, (mask, parts(mask)), n);
        }
        for array in dynamic {
            if let Some(mask) = self.replicated.remove(&array) {
                self.divide(array, mask, parts(mask) as u32);
            }
        }
    }

    /// Adds so many parts of a layout.
    fn add(
        &mut self,
        function: Function,
        layout: &Layout,
        (mask, parts): (u8, usize),
        number: usize,
    ) {
        let (parts, stride) = (parts as u64, layout.stride);
        let more = &mut self.room.bytes_more;
        *more = more.saturating_add((stride * (parts - 1)) as u32);
        // Seen by the device's linker: its size is in its name, as it is for tiles.
        let name = format!("{}$parts{number}${}", function.name(), stride * parts);
        let all = layout.add(function, parts, &name);
        self.replicated.insert(all, mask);
        self.strides.insert(all, Stride::Bytes(stride));
    }

    /// Divides dynamic shared memory, by one of its names, into parts: where it begins, the first does.
    fn divide(&mut self, name: Value, mask: u8, parts: u32) {
        self.room.dynamic = parts;
        self.replicated.insert(name, mask);
        self.strides.insert(name, Stride::OfDynamic(parts));
    }
}

/// Whether all replicas come to each barrier together.
fn barriers_are_joint(from: &Source, replicas: &Differences) -> bool {
    let mut list = from.accesses.iter();
    list.all(|a| {
        a.kind != AccessKind::Barrier || is_joint(from, replicas, from.kernel.block(a.block))
    })
}

/// Whether all replicas come to a block on the same way, together.
fn is_joint(from: &Source, replicas: &Differences, block: Block) -> bool {
    let id = from.kernel.block_id(block);
    let node: Option<NodeId> = from.tree.node_of_block[id.index()];
    node.is_some_and(|node| {
        from.tree
            .ancestors(node)
            .into_iter()
            .all(|n| match from.tree.node(n) {
                Node::If { at, .. } => {
                    (replicas.mask)(from.kernel.block(*at).terminator().condition()) == 0
                }
                Node::Loop(l) => (replicas.joint)(*l),
                Node::Opaque { .. } => false,
                _ => true,
            })
    })
}

/// The dimensions along which replicas store other things to an array, at other places, or on other ways.
///
/// It may be read on any way: between two barriers nobody stores to it what another one does not.
fn differing(array: Value, from: &Source, replicas: &Differences) -> u8 {
    let (mut seen, mut work) = (HashSet::default(), vec![array]);
    let mut mask = 0;
    while let Some(pointer) = work.pop() {
        for user in pointer.users() {
            if !seen.insert((pointer, user)) || user.is_instruction() && is_elsewhere(user, from) {
                continue;
            }
            mask |= match user.opcode() {
                Some(Op::LLVMLoad) => 0,
                Some(Op::LLVMStore) if user.operand(0) != pointer => {
                    let joint = user.block().is_some_and(|b| is_joint(from, replicas, b));
                    let of = |m: u8, o: Value| m | (replicas.mask)(o);
                    let stored = user.operands().into_iter().fold(0, of);
                    if joint { stored } else { replicas.all }
                }
                Some(
                    Op::LLVMGetElementPtr
                    | Op::LLVMAddrSpaceCast
                    | Op::LLVMBitCast
                    | Op::LLVMPHI
                    | Op::LLVMSelect,
                ) => {
                    work.push(user);
                    0
                }
                _ => replicas.all,
            };
        }
    }
    mask
}

/// Whether an instruction is none of the original body.
fn is_elsewhere(i: Value, from: &Source) -> bool {
    i.block().is_none_or(|b| !from.kernel.blocks.contains(&b))
}
