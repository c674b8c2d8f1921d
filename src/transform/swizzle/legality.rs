//! Which shared arrays are permuted: all accesses known, of one size, some of them in steps that meet in a bank.

use super::plan::{Array, Swizzle};
use crate::access;
use crate::kernel::ids::{Register, register};
use crate::kernel::{Dim, Kernel, callees};
use crate::llvm::ir::{Op, Type, Value};
use crate::machine::target::{BANK_BYTES, WARP};
use crate::machine::tuning::swizzle::LEAST_WAYS;
use crate::map::HashSet;
use crate::plan::Analyses;

/// Expressions deeper than this are not followed.
const DEEPEST: u32 = 12;

/// The arrays of a kernel that are permuted, if any is.
pub fn find(f: &Analyses) -> Option<Swizzle> {
    let kernel = f.kernel;
    // A function that it calls may know an array by its name.
    let calls_nothing = callees::all(kernel.function).is_some_and(|all| all.len() == 1);
    if kernel.own_shared == 0 || kernel.rejected.is_some() || !calls_nothing || may_fuse(f) {
        return None;
    }
    let all = callees::shared_globals(&[kernel.function]).into_iter();
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
    let bytes = |i: &Value| module.alloc_size(accessed(*i)) as u32;
    let word = accesses.first().map(bytes)?;
    let size = module.alloc_size(global.global_value_type());
    // Of one bank or two.
    let is_word = [BANK_BYTES, 2 * BANK_BYTES].contains(&word);
    let whole = size > 0 && size.is_multiple_of(u64::from(WARP * word));
    let may_move = |i: &Value| {
        let multiple = |scale: i64| scale % i64::from(word) == 0;
        let steps = offset(*i, global);
        let aligned =
            || steps.is_some_and(|s| multiple(s.constant) && s.terms.iter().all(|t| multiple(t.1)));
        let product = i.is(Op::LLVMStore) && access::holds_product(i.operand(0));
        let is_usual = !i.is_volatile_or_atomic() || i.is(Op::LLVMAtomicRMW);
        bytes(i) == word && is_usual && !product && aligned()
    };
    let all = accesses
        .iter()
        .filter_map(|i| ways(&offset(*i, global)?, word));
    let ways = all.max()?;
    let fine = is_word && whole && ways >= LEAST_WAYS && accesses.iter().all(may_move);
    fine.then(|| Array {
        name: source_name(&global.name()).into(),
        word,
        ways,
        accesses: accesses.iter().map(|i| kernel.value_id(*i)).collect(),
    })
}

/// How many threads of a warp, side by side along x, meet in a bank by an access; `None`: that is not known.
fn ways(at: &Offset, word: u32) -> Option<u32> {
    let step = at.terms.iter().try_fold(0i64, |sum, (index, scale)| {
        Some(sum + step(*index, DEEPEST)? * scale)
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
        Op::LLVMMul => of(0)?.checked_mul(constant(1).or((of(0)? == 0).then_some(0))?),
        Op::LLVMShl => of(0)?.checked_mul(1 << constant(1).filter(|k| (0..31).contains(k))?),
        _ => (0..v.operands().len() as u32)
            .all(|n| of(n) == Some(0))
            .then_some(0),
    }
}

/// All instructions that access a shared array; `None`: something else is done with its address.
fn accesses_of(kernel: &Kernel, global: Value) -> Option<Vec<Value>> {
    let mut derived: HashSet<Value> = HashSet::default();
    let mut accesses = Vec::new();
    let all = kernel.blocks.iter().flat_map(|b| b.instructions());
    let of = |v: Value| callees::shared_global(v) == Some(global);
    let first = all.filter(|i| i.operands().into_iter().any(of));
    let mut work: Vec<Value> = first.collect();
    while let Some(i) = work.pop() {
        if derived.contains(&i) || accesses.contains(&i) {
            continue;
        }
        let is_address = |o: &Value| of(*o) || derived.contains(o);
        let mut addresses = i
            .operands()
            .into_iter()
            .enumerate()
            .filter(|(_, o)| is_address(o));
        let (place, _) = addresses.next()?;
        if addresses.next().is_some() {
            return None;
        }
        match (i.opcode()?, place) {
            (Op::LLVMGetElementPtr | Op::LLVMAddrSpaceCast, 0) => {
                derived.insert(i);
                work.extend(i.users());
            }
            (Op::LLVMLoad | Op::LLVMAtomicRMW, 0) | (Op::LLVMStore, 1) => accesses.push(i),
            _ => return None,
        }
    }
    Some(accesses)
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

/// Which operand of an access is the address.
pub(super) fn place(i: Value) -> u32 {
    u32::from(i.is(Op::LLVMStore))
}

/// Where an access is, from its array on.
pub(super) struct Offset {
    /// The array's address, as the access has it.
    pub(super) base: Value,
    /// Bytes.
    pub(super) constant: i64,
    /// Indices, and the bytes that each counts.
    pub(super) terms: Vec<(Value, i64)>,
}

/// The offset of an access of a shared array.
pub(super) fn offset(i: Value, global: Value) -> Option<Offset> {
    let module = i.block()?.function().module();
    let (mut at, mut constant, mut terms) = (i.operand(place(i)), 0i64, Vec::new());
    loop {
        match at.opcode() {
            Some(Op::LLVMGetElementPtr) => {
                let (fields, steps) = at.gep_steps(module)?;
                constant = constant.checked_add(fields)?;
                for (place, scale) in steps {
                    let index = at.operand(place);
                    match index.const_int() {
                        Some(n) => constant = constant.checked_add(n.checked_mul(scale)?)?,
                        None => {
                            index.ty().int_width()?;
                            terms.push((index, scale));
                        }
                    }
                }
                at = at.operand(0);
            }
            // The array as it is, or seen as a part of all memory, is where it ends.
            Some(Op::LLVMAddrSpaceCast) if at.operand(0) != global => at = at.operand(0),
            _ => break,
        }
    }
    let base = at;
    (callees::shared_global(base) == Some(global)).then_some(Offset {
        base,
        constant,
        terms,
    })
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
