//! Which arrays of a thread's own data index, and no one else can meet.

use super::plan::{Column, LocalColumns, NoColumns, Use, What};
use super::uses;
use crate::access;
use crate::kernel::{Kernel, ids};
use crate::llvm::ir::{Op, Value};
use crate::machine::target::BANK_BYTES;
use crate::machine::tuning::local_columns::MOST_BYTES;
use crate::map::HashSet;
use crate::plan::Analyses;
use crate::tree::LoopId;

/// The arrays that become columns; `None`: the kernel has none in memory.
pub fn find(f: &Analyses) -> Option<Result<LocalColumns, NoColumns>> {
    let kernel = f.kernel;
    let arrays = arrays(kernel);
    if arrays.is_empty() {
        return None;
    }
    let refusals = [
        (kernel.rejected.is_some(), NoColumns::Rejected),
        (kernel.function.value().is_mergeable(), NoColumns::Mergeable),
        (kernel.dynamic_shared, NoColumns::Dynamic),
    ];
    if let Some((_, why)) = refusals.into_iter().find(|r| r.0) {
        return Some(Err(why));
    }
    let all = arrays.into_iter().map(|a| column(f, a));
    let (columns, refused): (Vec<_>, Vec<_>) = all.partition(Result::is_ok);
    let (mut arrays, mut bytes) = (Vec::new(), 0);
    for mut column in columns.into_iter().flatten() {
        // Whatever it is: a warp's rows have 128 bytes and more, so each array begins at a multiple of 16.
        column.start = bytes;
        if bytes + column.bytes() <= MOST_BYTES {
            bytes += column.bytes();
            arrays.push(column);
        }
    }
    let first = refused.into_iter().find_map(Result::err);
    Some(match arrays.is_empty() {
        true => Err(first.unwrap_or(NoColumns::TooLarge)),
        false if may_fuse(f, arrays.iter().flat_map(|a| &a.uses)) => Err(NoColumns::MayFuse),
        false => Ok(LocalColumns { arrays }),
    })
}

/// Arrays of a thread's own.
pub(super) fn arrays(kernel: &Kernel) -> Vec<Value> {
    let all = kernel.function.entry().instructions().into_iter();
    all.filter(|v| v.is(Op::LLVMAlloca)).collect()
}

/// The column that an array becomes, as the first of all.
fn column(f: &Analyses, array: Value) -> Result<Column, NoColumns> {
    let kernel = f.kernel;
    let bytes = bytes_of(kernel, array).ok_or(NoColumns::TooLarge)?;
    let uses = uses::of(kernel, array)?;
    let accesses = uses.iter().filter_map(|u| match &u.what {
        What::Access { bytes, offset, .. } => Some((*bytes, offset)),
        _ => None,
    });
    let word = accesses.clone().map(|(bytes, _)| bytes).max();
    let word = word.unwrap_or(0).max(BANK_BYTES);
    let mut indices = accesses.flat_map(|(_, offset)| &offset.terms);
    if !indices.any(|(v, _)| hangs_on_data(f, kernel.value(*v), &mut HashSet::default())) {
        return Err(NoColumns::Counters);
    }
    let is_within = |w: &What| !matches!(w, What::Fill { from, bytes: n } if from + n > bytes);
    if !uses.iter().all(|u| is_within(&u.what)) {
        return Err(NoColumns::Copied);
    }
    Ok(Column {
        array: kernel.value_id(array),
        start: 0,
        word,
        rows: bytes.div_ceil(word),
        uses,
    })
}

/// Bytes of an array; `None`: none, more than could ever have room, or not known.
pub(super) fn bytes_of(kernel: &Kernel, array: Value) -> Option<u32> {
    let count = array.operand(0).const_int()?;
    let each = kernel.function.module().alloc_size(array.allocated_type());
    let bytes = u32::try_from(count)
        .ok()?
        .checked_mul(u32::try_from(each).ok()?)?;
    (1..=MOST_BYTES).contains(&bytes).then_some(bytes)
}

/// Whether an index hangs on more than constants and counters of loops that run a fixed number of times. Where blocks
/// meet, what it is hangs on the way.
pub(super) fn hangs_on_data(f: &Analyses, v: Value, seen: &mut HashSet<Value>) -> bool {
    if v.is_constant() || !seen.insert(v) {
        return false;
    }
    let mut of_operands = || {
        let all = v.operands().into_iter();
        all.filter(|o| !o.is_function())
            .any(|o| hangs_on_data(f, o, seen))
    };
    match v.opcode() {
        None | Some(Op::LLVMLoad) => true,
        Some(Op::LLVMPHI) => fixed_loop_of(f, v).is_none() || of_operands(),
        Some(Op::LLVMCall) => {
            !ids::is_speculatable(v) || ids::register(v).is_some() || of_operands()
        }
        Some(_) => of_operands(),
    }
}

/// The loop that a phi begins, if that runs a fixed number of times.
pub(super) fn fixed_loop_of(f: &Analyses, phi: Value) -> Option<LoopId> {
    let block = f.kernel.block_id(phi.block()?);
    let mut loops = f
        .tree
        .loop_ids()
        .filter(|l| f.tree.loop_(*l).header == block);
    loops.find(|l| f.affine.constant_trip(*l).is_some())
}

/// Whether LLVM may bring a product to a sum in one of kernel and version alone: by putting what is stored in a load's
/// place, by making one of blocks that are apart, or by unrolling loops further.
pub(super) fn may_fuse<'a>(f: &Analyses, mut uses: impl Iterator<Item = &'a Use>) -> bool {
    let kernel = f.kernel;
    let unsure = kernel.rearranges || kernel.pairs.is_some() || access::crosses_blocks(kernel);
    if unsure || !f.accesses.fusing_loops.is_empty() {
        return true;
    }
    uses.any(|u| {
        let store = kernel.value(u.at);
        store.is(Op::LLVMStore) && access::holds_product(store.operand(0))
    })
}
