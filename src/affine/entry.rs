//! Which values the kernel's entry can compute before anything else has run.

use super::value::{Values, special_register};
use crate::kernel::{Kernel, ids};
use crate::llvm::ir::{Op, Value};
use crate::map::HashSet;

impl Values<'_> {
    /// Whether the kernel's entry can compute `v`: arguments, constants, launch and block
    /// registers, loads of by-value parameters and constants, and arithmetic.
    /// Poison-generating flags do not matter, the entry's copy drops them; it divides by 1 in place of 0.
    pub fn is_entry_value(&mut self, v: Value) -> bool {
        if let Some(r) = self.entry_memo.get(&v) {
            return *r;
        }
        self.entry_memo.insert(v, false);
        let r = self.compute_entry_value(v);
        self.entry_memo.insert(v, r);
        r
    }

    fn compute_entry_value(&mut self, v: Value) -> bool {
        if v.is_argument() || v.is_constant() {
            return !v.is_undef();
        }
        let Some(op) = v.opcode() else { return false };
        match op {
            Op::LLVMAdd
            | Op::LLVMSub
            | Op::LLVMMul
            | Op::LLVMAnd
            | Op::LLVMOr
            | Op::LLVMXor
            | Op::LLVMShl
            | Op::LLVMLShr
            | Op::LLVMAShr
            | Op::LLVMICmp
            | Op::LLVMSelect
            | Op::LLVMSExt
            | Op::LLVMZExt
            | Op::LLVMTrunc
            | Op::LLVMFreeze => {
                let is_int = v.ty().int_width().is_some();
                is_int && v.operands().into_iter().all(|o| self.is_entry_value(o))
            }
            // Of what may be no divisor there is a fact ([`Self::divisors`]).
            Op::LLVMUDiv | Op::LLVMURem | Op::LLVMSDiv | Op::LLVMSRem => {
                v.operands().into_iter().all(|o| self.is_entry_value(o))
            }
            Op::LLVMCall => self.is_entry_call(v),
            Op::LLVMLoad => is_entry_load(self.kernel, v),
            _ => false,
        }
    }

    /// What the entry value `v` is divided by that may be 0 or less.
    pub(super) fn divisors(v: Value) -> Vec<Value> {
        let (mut out, mut open, mut seen) = (Vec::new(), vec![v], HashSet::default());
        while let Some(v) = open.pop() {
            if !v.is_instruction() || v.is(Op::LLVMLoad) || !seen.insert(v) {
                continue;
            }
            if ids::divides(v) && !is_divisor(v) {
                out.push(v.operand(1));
            }
            open.extend(v.operands());
        }
        out
    }

    fn is_entry_call(&mut self, v: Value) -> bool {
        let name = v.callee_name();
        if let Some(a) = special_register(&name) {
            return !a.varies();
        }
        let pure = [
            "llvm.smin.",
            "llvm.smax.",
            "llvm.umin.",
            "llvm.umax.",
            "llvm.abs.",
        ];
        let args = v.operands();
        pure.iter().any(|p| name.starts_with(p))
            && args[..args.len() - 1]
                .iter()
                .all(|o| self.is_entry_value(*o))
    }
}

/// Whether what `v` divides by surely is neither 0 nor -1: such a constant, or the larger of some number and 1.
fn is_divisor(v: Value) -> bool {
    let by = v.operand(1);
    let is_unsigned = v.is(Op::LLVMUDiv) || v.is(Op::LLVMURem);
    is_at_least(by, "llvm.smax.", &|c| c > 0)
        || is_unsigned && is_at_least(by, "llvm.umax.", &|c| c != 0)
        || by
            .const_int()
            .is_some_and(|c| c != 0 && (is_unsigned || c != -1))
}

/// Whether `v` is the larger, as `name` has it, of some number and a constant that `is_some`.
fn is_at_least(v: Value, name: &str, is_some: &dyn Fn(i64) -> bool) -> bool {
    if !v.is(Op::LLVMCall) || !v.callee_name().starts_with(name) {
        return false;
    }
    let mut constants = v.arguments().into_iter().filter_map(Value::const_int);
    constants.any(is_some)
}

/// Whether a load reads a by-value parameter or a constant-memory object, within its bounds: they are
/// always there to be read, and do not change while the kernel runs.
pub fn is_entry_load(kernel: &Kernel, v: Value) -> bool {
    if !v.is(Op::LLVMLoad) || v.is_volatile_or_atomic() {
        return false;
    }
    let module = kernel.function.module();
    let Some((root, offset)) = v.operand(0).parameter_offset(module) else {
        return false;
    };
    let size = module.alloc_size(v.ty()) as i64;
    let limit = match root.argument_index() {
        Some(i) => kernel.function.param_type_attribute(i, "byval"),
        None => (root.address_space() == 4).then(|| root.global_value_type()),
    };
    limit.is_some_and(|t| offset >= 0 && offset + size <= module.alloc_size(t) as i64)
}
