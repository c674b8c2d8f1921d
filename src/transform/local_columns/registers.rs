//! Arrays of a thread's own that counters of fixed loops index: these loops, unrolled, leave each element a name of its
//! own, and that is a register's.

use super::legality::{arrays, bytes_of, fixed_loop_of, hangs_on_data, may_fuse};
use super::plan::{NoColumns, Registers, What};
use super::{emit_registers, uses};
use crate::choice::{Host, Relaunch};
use crate::kernel::{BlockId, Kernel};
use crate::llvm::ir::{Op, Pred, Value};
use crate::machine::tuning::local_columns::{MOST_BYTES, MOST_UNROLLED, UNROLLED_THREADS};
use crate::map::HashSet;
use crate::plan::Analyses;
use crate::transform::way::{Found, Rewrite};
use crate::tree::LoopId;

/// Which loops are unrolled, or why none is; `None`: the kernel has no such array in memory.
pub fn find_registers(f: &Analyses) -> Option<Found> {
    let found = of_arrays(f)?;
    Some(Found::of(found, None))
}

fn of_arrays(f: &Analyses) -> Option<Result<Registers, NoColumns>> {
    let kernel = f.kernel;
    let (mut all, mut bytes, mut loops, mut count) = (Vec::new(), 0, HashSet::default(), 0);
    for array in arrays(kernel) {
        let (Some(size), Ok(uses)) = (bytes_of(kernel, array), uses::of(kernel, array)) else {
            continue;
        };
        let offsets = uses.iter().filter_map(|u| match &u.what {
            What::Access { offset, .. } => Some(offset),
            _ => None,
        });
        let indices = offsets
            .flat_map(|o| &o.terms)
            .map(|(v, _)| kernel.value(*v));
        let indices: Vec<Value> = indices.collect();
        let on_data = |v: &Value| hangs_on_data(f, *v, &mut HashSet::default());
        if indices.is_empty() || indices.iter().any(on_data) {
            continue;
        }
        let mut seen = HashSet::default();
        indices
            .into_iter()
            .for_each(|v| counters(f, v, &mut seen, &mut loops));
        (bytes, count) = (bytes + size, count + 1);
        all.extend(uses);
    }
    if all.is_empty() {
        return None;
    }
    let mut loops: Vec<LoopId> = loops.into_iter().collect();
    loops.sort_by_key(|l| l.index());
    let ends = |l: &LoopId| f.tree.loop_(*l).latch;
    let bounded = kernel.function.string_attribute("nvvm.maxntid").is_some();
    Some(match kernel.rejected.is_some() {
        true => Err(NoColumns::Rejected),
        _ if may_fuse(f, all.iter()) => Err(NoColumns::MayFuse),
        _ if bytes > MOST_BYTES || length(f, &loops) > MOST_UNROLLED => Err(NoColumns::TooLong),
        _ => Ok(Registers {
            arrays: count,
            bytes,
            latches: loops.iter().map(ends).collect(),
            most: (!bounded).then_some(UNROLLED_THREADS),
        }),
    })
}

/// The loops whose counters an index hangs on.
fn counters(f: &Analyses, v: Value, seen: &mut HashSet<Value>, loops: &mut HashSet<LoopId>) {
    if v.is_constant() || !seen.insert(v) {
        return;
    }
    if v.is(Op::LLVMPHI) {
        loops.extend(fixed_loop_of(f, v));
    }
    let operands = v.operands().into_iter().filter(|o| !o.is_function());
    operands.for_each(|o| counters(f, o, seen, loops));
}

/// Instructions that the loops have, unrolled.
fn length(f: &Analyses, loops: &[LoopId]) -> u64 {
    let times = |l: &LoopId| f.affine.constant_trip(*l).unwrap_or(1);
    let of_block = |b: BlockId| {
        let outer = loops
            .iter()
            .filter(|l| f.tree.loop_(**l).blocks.contains(&b));
        let times = outer.map(times).fold(1, u64::saturating_mul);
        times.saturating_mul(f.kernel.block(b).instructions().len() as u64)
    };
    let mut blocks: Vec<BlockId> = loops
        .iter()
        .flat_map(|l| f.tree.loop_(*l).blocks.clone())
        .collect();
    blocks.sort_by_key(|b| b.index());
    blocks.dedup();
    blocks
        .into_iter()
        .map(of_block)
        .fold(0, u64::saturating_add)
}

impl Relaunch for Registers {
    /// The program's own launch, in blocks whose threads have so many registers.
    fn write(&self, host: &mut Host, _: &[Value]) -> Option<Value> {
        let (b, own) = (host.b, host.own());
        let threads = b.mul(b.mul(own[0], own[1]), own[2]);
        let most = host.constant(self.most.unwrap_or(u32::MAX));
        host.tests.push(b.icmp(Pred::LLVMIntULE, threads, most));
        host.answer()
    }
}

impl Rewrite for Registers {
    fn title(&self) -> &'static str {
        "arrays of each thread's own can be registers"
    }

    fn keeps_launch(&self) -> bool {
        true
    }

    fn emit(&self, own: &Kernel) -> Result<(), String> {
        emit_registers::emit(own, self)
    }

    fn describe(&self, _: &Kernel) -> String {
        let (arrays, loops) = (self.arrays, self.latches.len());
        let most = self.most.map_or(String::new(), |most| {
            format!(", in blocks of at most {most} threads")
        });
        format!(
            "{arrays} of {} bytes, by {loops} loops unrolled{most}",
            self.bytes
        )
    }
}
