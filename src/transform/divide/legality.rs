//! Which kernels divide by numbers that the host knows before it launches them.

use super::plan::{Divide, Division, Divisor, NoDivide};
use crate::choice;
use crate::kernel::Kernel;
use crate::llvm::ir::{Op, Value};
use crate::machine::tuning::divide::{MOST_DIVISORS, MOST_PARAMETERS};
use crate::plan::Analyses;

/// Which divisions of the kernel are replaced; `None`: all that it divides by are constants, and LLVM replaces them.
pub fn find(f: &Analyses) -> Option<Result<Divide, NoDivide>> {
    let kernel = f.kernel;
    let found = divisors(kernel)?;
    let refusals = [
        (kernel.rejected.is_some(), NoDivide::Rejected),
        (kernel.function.value().is_mergeable(), NoDivide::Mergeable),
        (
            kernel.function.params().len() > MOST_PARAMETERS,
            NoDivide::Parameters,
        ),
        (found.divisors.is_empty(), NoDivide::Unknown),
        (is_outside_loops(f, &found), NoDivide::OutsideLoops),
    ];
    let why = refusals.into_iter().find(|r| r.0);
    Some(why.map_or(Ok(found), |(_, why)| Err(why)))
}

/// The divisors that the host knows, the first of them if there are too many; `None`: no divisor is a variable.
fn divisors(kernel: &Kernel) -> Option<Divide> {
    let mut any = false;
    // Each with the value, by which several divisions share it.
    let mut all: Vec<(Value, Divisor)> = Vec::new();
    for block in kernel.blocks.iter() {
        for (at, v) in block.instructions().into_iter().enumerate() {
            let Some((bits, signed, is_rest)) = form(v) else {
                continue;
            };
            any = true;
            let by = v.operand(1);
            let division = Division {
                block: kernel.block_id(*block),
                at,
                is_rest,
            };
            let is_this = |(value, d): &&mut (Value, Divisor)| *value == by && d.signed == signed;
            if let Some((_, divisor)) = all.iter_mut().find(is_this) {
                divisor.divisions.push(division);
            } else if all.len() < MOST_DIVISORS && choice::host_knows(kernel.function, by) {
                let divisor = Divisor {
                    bits,
                    signed,
                    divisions: vec![division],
                };
                all.push((by, divisor));
            }
        }
    }
    let divisors = all.into_iter().map(|(_, divisor)| divisor).collect();
    any.then_some(Divide { divisors })
}

/// Bits of a division by a variable, whether it is signed, and whether what is left is asked for.
fn form(v: Value) -> Option<(u32, bool, bool)> {
    let (signed, is_rest) = match v.opcode()? {
        Op::LLVMUDiv => (false, false),
        Op::LLVMURem => (false, true),
        Op::LLVMSDiv => (true, false),
        Op::LLVMSRem => (true, true),
        _ => return None,
    };
    let bits = v.ty().int_width().filter(|bits| matches!(bits, 32 | 64))?;
    let is_variable = v.operand(1).const_int().is_none();
    is_variable.then_some((bits, signed, is_rest))
}

/// Whether the kernel has loops, and all divisions stand outside.
fn is_outside_loops(f: &Analyses, found: &Divide) -> bool {
    let mut loops = f.tree.loop_ids().map(|l| f.tree.loop_(l)).peekable();
    loops.peek().is_some() && !loops.any(|l| found.divisions().any(|d| l.blocks.contains(&d.block)))
}
