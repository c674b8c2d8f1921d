//! Which shared arrays are permuted: all accesses known, of one size, some of them in steps that meet in a bank.

use super::plan::{Access, Array, Swizzle};
use crate::access;
use crate::kernel::ids::{Register, register};
use crate::kernel::{Dim, Kernel, callees};
use crate::llvm::ir::{Op, Type, Value};
use crate::machine::target::{BANK_BYTES, WARP};
use crate::machine::tuning::swizzle::LEAST_WAYS;
use crate::map::{HashMap, HashSet};
use crate::plan::Analyses;
use crate::transform::offset::Offset;

/// Expressions deeper than this are not followed.
const DEEPEST: u32 = 12;

/// The arrays of a kernel that are permuted, if any is.
pub fn find(f: &Analyses) -> Option<Swizzle> {
    let kernel = f.kernel;
    if kernel.own_shared == 0 || kernel.rejected.is_some() || may_fuse(f) {
        return None;
    }
    // A function that it calls may know an array by its name.
    let [function] = callees::all(kernel.function)?[..] else {
        return None;
    };
    let all = callees::shared_globals(&[function]).into_iter();
    let arrays: Vec<Array> = all.filter_map(|global| array(f, global)).collect();
    (!arrays.is_empty()).then_some(Swizzle { arrays })
}

/// Whether LLVM may bring a product to a sum in one of kernel and copy alone: by putting what is stored in a load's
/// place, or by unrolling loops further.
fn may_fuse(f: &Analyses) -> bool {
    !f.accesses.fusing_loops.is_empty() || access::crosses_blocks(f.kernel)
}

fn array(f: &Analyses, global: Value) -> Option<Array> {
    let kernel = f.kernel;
    let module = kernel.function.module();
    let accesses = accesses_of(kernel, global)?;
    let bytes = |a: &Access| module.alloc_size(accessed(kernel.value(a.at))) as u32;
    let word = accesses.first().map(bytes)?;
    let size = module.alloc_size(global.global_value_type());
    // Of one bank or two.
    let is_word = [BANK_BYTES, 2 * BANK_BYTES].contains(&word);
    let whole = size > 0 && size.is_multiple_of(u64::from(WARP * word));
    let may_move = |a: &Access| {
        let i = kernel.value(a.at);
        let product = i.is(Op::LLVMStore) && access::holds_product(i.operand(0));
        let is_usual = !i.is_volatile_or_atomic() || i.is(Op::LLVMAtomicRMW);
        bytes(a) == word && is_usual && !product && a.offset.is_multiple_of(word)
    };
    let all = accesses.iter();
    let ways = all.filter_map(|a| ways(kernel, &a.offset, word)).max()?;
    let fine = is_word && whole && ways >= LEAST_WAYS && accesses.iter().all(may_move);
    fine.then(|| Array {
        name: source_name(&global.name()).into(),
        word,
        ways,
        accesses,
    })
}

/// How many threads of a warp, side by side along x, meet in a bank by an access; `None`: that is not known.
fn ways(kernel: &Kernel, at: &Offset, word: u32) -> Option<u32> {
    let step = at.terms.iter().try_fold(0i64, |sum, (index, scale)| {
        let each = step(kernel.value(*index), DEEPEST)?.checked_mul(*scale)?;
        sum.checked_add(each)
    });
    // So many words apart, of as many as lie side by side in all banks: their greatest common divisor, as those are a
    // power of two.
    let words = u32::try_from(step?.unsigned_abs() / u64::from(word)).ok()?;
    (words > 0).then(|| 1 << words.trailing_zeros().min(WARP.trailing_zeros()))
}

/// By how much a number grows from one thread along x to the next, as far as is easily told.
fn step(v: Value, depth: u32) -> Option<i64> {
    if !v.is_instruction() || v.is(Op::LLVMPHI) || v.is(Op::LLVMLoad) {
        return Some(0);
    }
    if register(v).is_some() {
        return Some(i64::from(register(v) == Some((Register::Tid, Dim::X))));
    }
    let of = |n: u32| step(v.operand(n), depth.checked_sub(1)?);
    let constant = |n: u32| v.operand(n).const_int();
    match v.opcode()? {
        Op::LLVMSExt | Op::LLVMZExt | Op::LLVMTrunc | Op::LLVMFreeze => of(0),
        Op::LLVMAdd | Op::LLVMOr => of(0)?.checked_add(of(1)?),
        Op::LLVMSub => of(0)?.checked_sub(of(1)?),
        Op::LLVMMul => match (of(0)?, constant(1)) {
            (each, Some(n)) => each.checked_mul(n),
            (each, None) => (each == 0).then_some(0),
        },
        Op::LLVMShl => of(0)?.checked_mul(1 << constant(1).filter(|k| (0..31).contains(k))?),
        _ => (0..v.operands().len() as u32)
            .all(|n| of(n) == Some(0))
            .then_some(0),
    }
}

/// All that access a shared array; `None`: something else is done with its address.
fn accesses_of(kernel: &Kernel, global: Value) -> Option<Vec<Access>> {
    let mut derived: HashMap<Value, Offset> = HashMap::default();
    let (mut seen, mut accesses) = (HashSet::default(), Vec::new());
    let all = kernel.blocks.iter().flat_map(|b| b.instructions());
    let of = |v: &Value| callees::shared_global(*v) == Some(global);
    let first = all.filter(|i| i.operands().iter().any(of));
    let mut work: Vec<Value> = first.collect();
    while let Some(i) = work.pop() {
        if !seen.insert(i) {
            continue;
        }
        let operands = i.operands().into_iter().enumerate();
        let mut addresses = operands.filter(|(_, o)| of(o) || derived.contains_key(o));
        let (place, address) = addresses.next()?;
        if addresses.next().is_some() {
            return None;
        }
        let offset = match derived.get(&address) {
            Some(offset) => offset.clone(),
            None => of_constant(kernel, address)?,
        };
        match (i.opcode()?, place) {
            (Op::LLVMGetElementPtr, 0) => {
                derived.insert(i, offset.moved(kernel, i)?);
                work.extend(i.users());
            }
            (Op::LLVMAddrSpaceCast, 0) => {
                derived.insert(i, offset);
                work.extend(i.users());
            }
            (Op::LLVMLoad | Op::LLVMAtomicRMW, 0) | (Op::LLVMStore, 1) => accesses.push(Access {
                at: kernel.value_id(i),
                place: place as u32,
                offset,
            }),
            _ => return None,
        }
    }
    Some(accesses)
}

/// Where in its array a constant address is.
fn of_constant(kernel: &Kernel, address: Value) -> Option<Offset> {
    match address.opcode() {
        Some(Op::LLVMGetElementPtr) => {
            of_constant(kernel, address.operand(0))?.moved(kernel, address)
        }
        Some(Op::LLVMAddrSpaceCast) => of_constant(kernel, address.operand(0)),
        Some(_) => None,
        None => Some(Offset::default()),
    }
}

/// The name that a variable of a function has in the source: it ends the mangled one, behind its length.
fn source_name(symbol: &str) -> &str {
    let all = symbol.char_indices().rev();
    let mut starts = all.filter(|(_, c)| c.is_ascii_digit()).map(|(i, _)| i + 1);
    let is_whole = |i: &usize| {
        let digits = symbol[..*i].trim_end_matches(|c: char| c.is_ascii_digit());
        let is_name = symbol[*i..].starts_with(|c: char| !c.is_ascii_digit());
        is_name && symbol[digits.len()..*i].parse() == Ok(symbol.len() - i)
    };
    starts.find(is_whole).map_or(symbol, |i| &symbol[i..])
}

/// What an access loads, stores or updates.
fn accessed(i: Value) -> Type {
    match i.opcode() {
        Some(Op::LLVMStore) => i.operand(0).ty(),
        _ => i.ty(),
    }
}

#[cfg(test)]
mod tests {
    use super::source_name;

    #[test]
    fn a_variable_has_its_name_in_the_source() {
        let names = [
            ("_ZZ9transposePKfPfiE4tile", "tile"),
            ("_ZZ1kPfE12tile_of_32x2", "tile_of_32x2"),
            ("transpose.tile", "transpose.tile"),
            ("_ZZ1kPfE1a_0", "_ZZ1kPfE1a_0"),
        ];
        for (symbol, name) in names {
            assert_eq!(source_name(symbol), name);
        }
    }
}
