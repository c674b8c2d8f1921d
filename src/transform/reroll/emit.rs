//! A copy without the loops that were unrolled by hand: what is left of each rolls on to its end.

use super::body;
use super::compare::Unrolled;
use super::plan::{Limit, Rerolled};
use crate::kernel::{Kernel, ValueId};
use crate::llvm::ir::{Builder, Function, Op, Value};

/// The loops that are left, before their values are numbered.
#[derive(Default)]
pub struct Left {
    loads: Vec<Value>,
    limits: Vec<(Value, u32)>,
}

impl Left {
    /// With the numbers that the values have in `copy`; `None`: one is not there any more.
    pub fn numbered(&self, copy: &Kernel) -> Option<Rerolled> {
        let id = |v: Value| copy.known_id(v);
        let limit = |v: Value| match v.const_int() {
            Some(c) => Some(Limit::Known(c)),
            None => id(v).map(Limit::Value),
        };
        let loads: Option<Vec<ValueId>> = self.loads.iter().map(|l| id(*l)).collect();
        let limits = self.limits.iter().map(|(v, n)| Some((limit(*v)?, *n)));
        Some(Rerolled {
            loads: loads?,
            limits: limits.collect::<Option<_>>()?,
        })
    }
}

/// Leaves the unrolled loops of `function` out.
pub fn emit(function: Function, all: &[Unrolled]) -> Result<Left, String> {
    let b = Builder::new(function.module());
    let mut made = Left::default();
    for u in all {
        let branch = u.guard.terminator();
        b.before(branch);
        b.br(u.rest);
        branch.erase();
        for i in u.rolled.iter().flat_map(|b| b.instructions()) {
            if u.exact && i.is(Op::LLVMLoad) {
                made.loads.push(i);
            }
            // They were promised for the rest's own iterations only. The loop's number stays below its limit.
            let computes = matches!(
                i.opcode(),
                Some(Op::LLVMAdd | Op::LLVMSub | Op::LLVMMul | Op::LLVMShl | Op::LLVMZExt)
            );
            if computes && !body::is_counter(i) {
                i.drop_poison_flags();
            }
        }
        made.limits.push((u.limit, u.times));
    }
    function.run_passes("simplifycfg")?;
    Ok(made)
}
