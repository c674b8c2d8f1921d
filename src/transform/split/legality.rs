//! Which kernels' reductions can be dealt out, and what else that takes.

use super::accumulators::{Accumulator, is_in};
use super::cells::{Cells, Iterations};
use super::gains;
use super::serial::{self, Serial};
use super::trip::{Counter, Trip};
use super::{Carries, Effect, Reduction, Split};
use crate::access::{self, Access, AccessKind};
use crate::kernel::ids::{self, Register};
use crate::kernel::{BlockId, Dim, Kernel, ValueId, callees};
use crate::llvm::ir::{Block, Op, Value};
use crate::plan::analyses::check_fusing;
use crate::plan::{self, Analyses};
use crate::tree::{ExitAt, Loop, Node, OpaqueReason};

/// How the kernel's reductions can be dealt out; `None`: it has none, or a warp may not do what a thread does.
pub fn find(f: &Analyses) -> Option<Split> {
    let kernel = f.kernel;
    let allowed = plan::may_be_redistributed(f)
        // A loop's blocks and those around stores become others: the back end must fuse what it does, and LLVM
        // rearrange nothing.
        && !access::crosses_blocks(kernel)
        && !kernel.rearranges
        && kernel.pairs.is_none()
        // How far LLVM unrolls a loop must not matter: it does so with others.
        && f.tree.loop_ids().all(|l| check_fusing(f, l).is_ok())
        && is_known(kernel)
        && uses_global_ids_only(kernel);
    let loops = allowed.then(|| loops(f)).filter(|l| !l.is_empty())?;
    let inner: Vec<BlockId> = loops.iter().flat_map(|l| l.loop_.blocks.clone()).collect();
    let effects = effects(f, &inner)?;
    let loads = loads(f, &inner)?;
    let cuts = effects.iter().map(|e| e.value).chain(loads.clone());
    let cuts: Vec<Value> = cuts.map(|v| kernel.value(v)).collect();
    // A product goes on to the only sum that takes it, with which it can be fused.
    let sinks = access::crossing(kernel, &cuts).into_iter();
    let sinks = sinks.map(|p| Some((kernel.value_id(p), kernel.value_id(sum_of(p)?))));
    let sinks: Option<Vec<_>> = sinks.collect();
    let all = || kernel.blocks.iter().flat_map(|b| b.instructions());
    let those = |is: &dyn Fn(Value) -> bool| -> Vec<ValueId> {
        let found = all().filter(|v| is(*v));
        found.map(|v| kernel.value_id(v)).collect()
    };
    Some(Split {
        ids: those(&|v| v.is(Op::LLVMAdd) && ids::is_widened_global_id(v, Dim::X)),
        strides: those(&|v| v.is(Op::LLVMMul) && ids::is_grid_stride(v)),
        facts: gains::serves(f, &loops),
        loads,
        loops,
        effects,
        sinks: sinks?,
    })
}

/// The sum of the same block that takes a product, if nothing else does.
fn sum_of(product: Value) -> Option<Value> {
    let [sum] = product.users()[..] else {
        return None;
    };
    let is_sum = matches!(sum.opcode(), Some(Op::LLVMFAdd | Op::LLVMFSub));
    (is_sum && sum.block() == product.block()).then_some(sum)
}

/// Whether nothing is done but to compute, load, store, and update. What memory does not hold either (assumptions) is
/// no effect.
fn is_known(kernel: &Kernel) -> bool {
    let mut all = kernel.blocks.iter().flat_map(|b| b.instructions());
    all.all(|i| match i.opcode() {
        Some(Op::LLVMCall) => {
            let computes = ids::register(i).is_some() || i.accesses_no_memory();
            !i.is_inline_asm_call() && (computes || callees::is_assumption(i))
        }
        Some(
            Op::LLVMAtomicCmpXchg | Op::LLVMFence | Op::LLVMInvoke | Op::LLVMVAArg | Op::LLVMCallBr,
        ) => false,
        _ => true,
    })
}

/// Whether threads ask along x alone where they are, for their id and nothing else, and how many there are for a step
/// of all. Along y and z the launch stays as it is, with blocks of one thread.
fn uses_global_ids_only(kernel: &Kernel) -> bool {
    let is_id = |v: Value| ids::is_widened_global_id(v, Dim::X);
    let is_base = |v: Value| v.is(Op::LLVMMul) && ids::wide_users(v).into_iter().all(is_id);
    let mut all = kernel.blocks.iter().flat_map(|b| b.instructions());
    all.all(|v| {
        let users = || ids::wide_users(v).into_iter();
        match ids::register(v) {
            None | Some((Register::Ctaid | Register::Nctaid, Dim::Y | Dim::Z)) => true,
            Some((Register::Tid, Dim::X)) => users().all(is_id),
            Some((Register::Ctaid, Dim::X)) => users().all(is_base),
            Some((Register::Ntid, Dim::X)) => users().all(|u| is_base(u) || ids::is_grid_stride(u)),
            Some((Register::Nctaid, Dim::X)) => users().all(ids::is_grid_stride),
            Some((Register::Tid | Register::Ntid, _)) => false,
        }
    })
}

/// The loops that are dealt out, in tree order; none where another loop would be run by all lanes.
fn loops(f: &Analyses) -> Vec<Reduction> {
    let mut found: Vec<Reduction> = Vec::new();
    let holds = |l: &Loop, r: &Reduction| l.blocks.contains(&r.loop_.header);
    // Inner ones first.
    for l in f.tree.loops.iter().rev() {
        if !found.iter().any(|r| holds(l, r)) {
            found.extend(Reduction::of(f, l));
        }
    }
    found.reverse();
    let is_covered = |l: &Loop| {
        let mut all = found.iter();
        all.any(|r| holds(l, r) || r.loop_.blocks.contains(&l.header))
    };
    let is_loop = |n: &Node| match n {
        Node::Opaque { why, .. } => {
            matches!(why, OpaqueReason::SeveralExits | OpaqueReason::LoopShape)
        }
        _ => false,
    };
    let all_covered = f.tree.loops.iter().all(is_covered) && !f.tree.nodes.iter().any(is_loop);
    if all_covered { found } else { Vec::new() }
}

impl Reduction {
    /// How a loop is dealt out that carries nothing but counters, accumulators, and what steps make, and is left at its
    /// end alone.
    fn of(f: &Analyses, l: &Loop) -> Option<Reduction> {
        let kernel = f.kernel;
        let blocks: Vec<Block> = l.blocks.iter().map(|b| kernel.block(*b)).collect();
        let [header, latch] = [l.header, l.latch].map(|b| kernel.block(b));
        let stays = |b: &Block| {
            let next = b.successors();
            !next.is_empty() && next.iter().all(|s| blocks.contains(s))
        };
        let left_at_end =
            l.exit_at == ExitAt::Latch && blocks.iter().all(|b| *b == latch || stays(b));
        let branch = latch.terminator();
        let [on, off] = latch.successors()[..] else {
            return None;
        };
        if !left_at_end || !branch.is_conditional() || on == off {
            return None;
        }
        let (mut counters, mut carried) = (Vec::new(), Vec::new());
        for phi in header.phis() {
            let next = phi
                .incoming_from(latch)
                .filter(|_| phi.incoming().len() == 2)?;
            match Counter::of(kernel, &blocks, phi, next) {
                Some(c) => counters.push(c),
                None => carried.push((phi, next)),
            }
        }
        let accumulators = carried.iter();
        let accumulators: Option<Vec<Accumulator>> = accumulators
            .map(|(phi, next)| Accumulator::of(kernel, &blocks, *phi, *next))
            .collect();
        // What has an order keeps it.
        let carries = match accumulators {
            Some(all) => Carries::Parts(all),
            None => Carries::Steps(steps(f, l, &blocks, &carried)?),
        };
        let trip = Trip::of(kernel, &blocks, &counters, branch.condition(), on == header)?;
        let iterations = Iterations {
            blocks: &blocks,
            counters: &counters,
            trip: &trip,
        };
        let cells = Cells::of(f, &iterations)?;
        let is_result = |v: Value| carried.iter().any(|(_, next)| *next == v);
        let mut all = blocks.iter().flat_map(|b| b.instructions());
        let is_allowed = all.all(|i| {
            let is_left = || i.users().into_iter().any(|u| !is_in(&blocks, u));
            !i.is(Op::LLVMAtomicRMW) && (is_result(i) || !is_left())
        });
        (is_allowed && (cells.stores || !carried.is_empty())).then(|| Reduction {
            loop_: l.clone(),
            counters,
            trip,
            carries,
            cells,
        })
    }
}

/// The steps of a loop that keep their order.
fn steps(f: &Analyses, l: &Loop, blocks: &[Block], carried: &[(Value, Value)]) -> Option<Serial> {
    let mut loops: Vec<&Loop> = f.tree.loops.iter().collect();
    loops.retain(|x| x.header != l.header && l.blocks.contains(&x.header));
    let inner = loops.iter().flat_map(|x| x.blocks.iter());
    let inner: Vec<Block> = inner.map(|b| f.kernel.block(*b)).collect();
    Serial::of(f.kernel, (blocks, &inner), carried)
}

/// What lane 0 does alone, in program order; `None`: some of it is not listed as an access.
fn effects(f: &Analyses, inner: &[BlockId]) -> Option<Vec<Effect>> {
    let kernel = f.kernel;
    let outside = kernel.blocks.iter();
    let outside = outside.filter(|b| !inner.contains(&kernel.block_id(**b)));
    let mut all: Vec<Value> = outside.flat_map(|b| b.instructions()).collect();
    all.retain(|i| matches!(i.opcode(), Some(Op::LLVMStore | Op::LLVMAtomicRMW)));
    let accesses = f.accesses.iter();
    let there: Vec<&Access> = accesses.filter(|a| inner.contains(&a.block)).collect();
    let effect = |i: &Value| {
        let value = kernel.value_id(*i);
        let access = f.accesses.iter().find(|a| a.value == value)?;
        Some(Effect {
            value,
            is_shared: there.iter().any(|a| f.accesses.may_meet(access, a)),
        })
    };
    all.iter().map(effect).collect()
}

/// Loads outside the loops of memory that the kernel may write: all lanes must get the same; `None`: one cannot be
/// handed on.
fn loads(f: &Analyses, inner: &[BlockId]) -> Option<Vec<ValueId>> {
    let all = f.accesses.iter();
    let written: Vec<&Access> = all.filter(|a| a.writes()).collect();
    let differs = |a: &&Access| {
        let is_outside = a.kind == AccessKind::Load && !inner.contains(&a.block);
        is_outside && written.iter().any(|w| f.accesses.may_meet(w, a))
    };
    let loads = f.accesses.iter().filter(differs);
    loads
        .map(|a| is_handed_on(f.kernel.value(a.value)).then_some(a.value))
        .collect()
}

/// Whether a load's value can be taken through a shuffle.
fn is_handed_on(v: Value) -> bool {
    v.is(Op::LLVMLoad) && serial::is_handed_on(v.ty())
}
