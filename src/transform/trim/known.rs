//! Which values the host has an interval for (`emit_intervals.rs`), and along which dimensions that changes from block
//! to block.

use crate::choice;
use crate::kernel::ids::{self, Register};
use crate::kernel::{Dim, Kernel};
use crate::llvm::ir::{Op, Value};
use crate::map::{HashMap, HashSet};

/// Along which dimensions the interval of a value changes from block to block; `None`: it has none.
#[derive(Default)]
pub struct Known(HashMap<Value, Option<[bool; 3]>>);

impl Known {
    /// Along which dimensions some comparison in a condition can be told by the block's number, or the number that a
    /// switch asks.
    pub fn decides(&mut self, kernel: &Kernel, condition: Value) -> [bool; 3] {
        if condition.ty().int_width() != Some(1) {
            return self.of(kernel, condition).unwrap_or_default();
        }
        let (mut all, mut seen, mut work) = ([false; 3], HashSet::default(), vec![condition]);
        while let Some(v) = work.pop() {
            if !v.is_instruction() || v.ty().int_width() != Some(1) || !seen.insert(v) {
                continue;
            }
            if !v.is(Op::LLVMICmp) {
                work.extend(v.operands());
            } else if let Some(dims) = self.both(kernel, v) {
                all = either(all, dims);
            }
        }
        all
    }

    fn both(&mut self, kernel: &Kernel, v: Value) -> Option<[bool; 3]> {
        let [x, y] = [0, 1].map(|k| self.of(kernel, v.operand(k)));
        Some(either(x?, y?))
    }

    /// Along which dimensions the interval of `v` changes.
    pub fn of(&mut self, kernel: &Kernel, v: Value) -> Option<[bool; 3]> {
        if let Some(found) = self.0.get(&v) {
            return *found;
        }
        self.0.insert(v, None);
        let found = self.find(kernel, v);
        self.0.insert(v, found);
        found
    }

    /// What `emit_intervals.rs` has an interval for.
    fn find(&mut self, kernel: &Kernel, v: Value) -> Option<[bool; 3]> {
        use Op::*;
        v.ty().int_width().filter(|w| (2..=64).contains(w))?;
        if v.const_int().is_some() || choice::host_knows(kernel.function, v) {
            return Some([false; 3]);
        }
        match ids::register(v) {
            Some((Register::Ctaid, d)) => return Some(Dim::ALL.map(|x| x == d)),
            Some((Register::Tid, _)) => return Some([false; 3]),
            _ => {}
        }
        match v.opcode()? {
            LLVMOr if !v.has_disjoint() => None,
            LLVMAdd | LLVMSub | LLVMMul | LLVMOr => self.both(kernel, v),
            LLVMShl | LLVMLShr | LLVMUDiv | LLVMSDiv => {
                v.operand(1).const_int().filter(|c| *c > 0)?;
                self.of(kernel, v.operand(0))
            }
            LLVMSExt | LLVMZExt | LLVMTrunc | LLVMFreeze => self.of(kernel, v.operand(0)),
            LLVMSelect => {
                let [x, y] = [1, 2].map(|k| self.of(kernel, v.operand(k)));
                Some(either(x?, y?))
            }
            LLVMCall if ids::is_speculatable(v) && v.operands().len() == 3 => self.both(kernel, v),
            _ => None,
        }
    }
}

fn either(x: [bool; 3], y: [bool; 3]) -> [bool; 3] {
    [0, 1, 2].map(|k| x[k] || y[k])
}
