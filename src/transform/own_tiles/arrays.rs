//! The shared arrays of merged blocks: one for all replicas, or a part for each.
//!
//! ```text
//! A[ty][tx] = a[row*n + k0 + tx]        row differs between the replicas: A, of 1024 bytes, becomes 4 parts
//! B[ty][tx] = b[(k0 + ty)*n + col]      nothing does along y: one part, stored to once
//! ```

use crate::access::AccessKind;
use crate::kernel::callees;
use crate::llvm::ir::{Block, Op, Type, Value};
use crate::lower::state::Source;
use crate::tree::{LoopId, Node, NodeId};
use std::collections::{HashMap, HashSet};

/// How replicas differ, as far as is known.
pub(crate) struct Differences<'a> {
    /// The dimensions along which a value differs, as bits.
    pub mask: &'a dyn Fn(Value) -> u8,
    /// Whether all replicas run a loop together.
    pub joint: &'a dyn Fn(LoopId) -> bool,
}

/// Where replicas find a shared array of the kernel.
#[derive(Default)]
pub(crate) struct OwnArrays {
    /// The arrays that have a part for each replica.
    apart: HashSet<Value>,
    /// Bytes from one part to the next, once there are parts.
    strides: HashMap<Value, u64>,
}

impl OwnArrays {
    /// Whether a constant names an array that has a part for each replica.
    pub(crate) fn is_apart(&self, constant: Value) -> bool {
        self.apart_in(constant).is_some()
    }

    fn apart_in(&self, constant: Value) -> Option<Value> {
        named(constant).filter(|g| self.apart.contains(g))
    }

    /// Bytes from what a constant pointer means in the first part to what it means in that of `replica`.
    pub(crate) fn bytes_ahead(&self, constant: Value, replica: usize) -> Option<u64> {
        let array = named(constant)?;
        Some(self.strides.get(&array)? * replica as u64)
    }

    /// Takes the arrays apart that differ between the replicas, as far as is known of them; whether there were more.
    pub(crate) fn take_apart(&mut self, from: &Source, replicas: &Differences) -> bool {
        let mut more = callees::shared_globals(&[from.kernel.function]);
        let together = barriers_are_joint(from, replicas);
        more.retain(|g| !self.apart.contains(g) && (!together || !is_one(*g, from, replicas)));
        self.apart.extend(&more);
        !more.is_empty()
    }

    /// Puts arrays of `replicas` parts in the places of those that are apart.
    pub(crate) fn make_parts(&mut self, from: &Source, replicas: usize) {
        let function = from.kernel.function;
        let module = function.module();
        let all = callees::shared_globals(&[function]);
        for (n, array) in all.into_iter().enumerate() {
            if !self.apart.remove(&array) {
                continue;
            }
            let align = array.alignment().max(16);
            let bytes = module.alloc_size(array.global_value_type());
            let stride = bytes.next_multiple_of(u64::from(align));
            let ty = Type::int(module, 8).array(stride * replicas as u64);
            let merged = function.value().is_mergeable();
            // Seen by the device's linker: its size is in its name, as it is for tiles.
            let name = format!("{}$parts{n}${}", function.name(), stride * replicas as u64);
            let parts = module.add_shared_global(&name, ty, align, merged);
            array.replace_uses(parts);
            self.apart.insert(parts);
            self.strides.insert(parts, stride);
        }
    }
}

/// The shared array that a constant names.
fn named(constant: Value) -> Option<Value> {
    if constant.is_global_variable() {
        return (constant.address_space() == 3).then_some(constant);
    }
    if constant.is_instruction() || constant.opcode().is_none() {
        return None;
    }
    constant.operands().into_iter().find_map(named)
}

/// Whether all replicas come to each barrier together.
fn barriers_are_joint(from: &Source, replicas: &Differences) -> bool {
    let mut list = from.accesses.list.iter();
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

/// Whether all replicas store the same to an array, at the same places, on the same way.
///
/// It may be read on any way: between two barriers nobody stores to it what another one does not.
fn is_one(array: Value, from: &Source, replicas: &Differences) -> bool {
    let (mut seen, mut work) = (HashSet::new(), vec![array]);
    while let Some(pointer) = work.pop() {
        for user in pointer.users() {
            if !seen.insert((pointer, user)) || user.is_instruction() && is_elsewhere(user, from) {
                continue;
            }
            match user.opcode() {
                Some(Op::LLVMLoad) => {}
                Some(Op::LLVMStore) if user.operand(0) != pointer => {
                    let same = user.operands().iter().all(|o| (replicas.mask)(*o) == 0);
                    let block = user.block();
                    if !same || !block.is_some_and(|b| is_joint(from, replicas, b)) {
                        return false;
                    }
                }
                Some(
                    Op::LLVMGetElementPtr
                    | Op::LLVMAddrSpaceCast
                    | Op::LLVMBitCast
                    | Op::LLVMPHI
                    | Op::LLVMSelect,
                ) => work.push(user),
                _ => return false,
            }
        }
    }
    true
}

/// Whether an instruction is none of the original body.
fn is_elsewhere(i: Value, from: &Source) -> bool {
    i.block().is_none_or(|b| !from.kernel.blocks.contains(&b))
}
