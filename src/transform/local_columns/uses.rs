//! All that is done to an array of a thread's own, if that is known.

use super::plan::{NoColumns, Use, What};
use crate::kernel::Kernel;
use crate::llvm::ir::{Op, Value};
use crate::map::HashSet;
use crate::transform::offset::Offset;

/// Bytes that one instruction loads or stores at most.
const WIDEST: u64 = 16;

/// What is done to `array`.
pub fn of(kernel: &Kernel, array: Value) -> Result<Vec<Use>, NoColumns> {
    let mut all = Vec::new();
    let mut work = vec![(array, Offset::default())];
    while let Some((pointer, offset)) = work.pop() {
        let mut seen = HashSet::default();
        for user in pointer.users() {
            if !seen.insert(user) {
                continue;
            }
            if user.is(Op::LLVMGetElementPtr) {
                let further = offset.moved(kernel, user).ok_or(NoColumns::Escapes)?;
                work.push((user, further));
                continue;
            }
            all.push(Use {
                at: kernel.value_id(user),
                what: what(kernel, user, pointer, &offset)?,
            });
        }
    }
    Ok(all)
}

/// What `user` does at `pointer`.
fn what(kernel: &Kernel, user: Value, pointer: Value, offset: &Offset) -> Result<What, NoColumns> {
    let (place, ty) = match user.opcode() {
        Some(Op::LLVMLoad) => (0, user.ty()),
        Some(Op::LLVMStore) if user.operand(0) != pointer => (1, user.operand(0).ty()),
        Some(Op::LLVMCall) => return of_call(user, pointer, offset),
        _ => return Err(NoColumns::Escapes),
    };
    if user.is_volatile_or_atomic() {
        return Err(NoColumns::Escapes);
    }
    let bytes = kernel.function.module().alloc_size(ty);
    let bytes = bytes.is_power_of_two().then_some(bytes);
    let bytes = bytes.filter(|b| *b <= WIDEST);
    let bytes = bytes.ok_or(NoColumns::Straddles)? as u32;
    if !offset.is_multiple_of(bytes) {
        return Err(NoColumns::Straddles);
    }
    Ok(What::Access {
        place,
        bytes,
        offset: offset.clone(),
    })
}

fn of_call(call: Value, pointer: Value, offset: &Offset) -> Result<What, NoColumns> {
    let name = call.callee_name();
    if name.starts_with("llvm.lifetime.") {
        return Ok(What::Marker);
    }
    let copies = ["llvm.memcpy.", "llvm.memmove."];
    if copies.iter().any(|c| name.starts_with(c)) {
        return Err(NoColumns::Copied);
    }
    if !name.starts_with("llvm.memset.") || call.operand(0) != pointer {
        return Err(NoColumns::Escapes);
    }
    let is_nonvolatile = call.operand(3).const_int() == Some(0);
    let bytes = call.operand(2).const_int().filter(|_| is_nonvolatile);
    let known = bytes.filter(|_| offset.terms.is_empty());
    let number = |n: i64| u32::try_from(n).map_err(|_| NoColumns::Copied);
    Ok(What::Fill {
        from: number(offset.constant)?,
        bytes: number(known.ok_or(NoColumns::Copied)?)?,
    })
}
