//! How large the integers of a gate may get, whatever the launch: where they surely stay within 64 bits, no look at
//! whether they do is needed.

use crate::affine::Atom;
use crate::kernel::ids::{Register, is_portable, register};
use crate::llvm::ir::{Op, Value};
use crate::map::HashMap;

/// The powers of two that integers do not exceed.
#[derive(Default)]
pub struct Magnitudes {
    known: HashMap<Value, u32>,
}

impl Magnitudes {
    /// A power of two that an integer of the tests, as a signed number, does not exceed either side of 0, whatever the
    /// launch.
    pub fn of(&mut self, v: Value) -> u32 {
        if let Some(known) = self.known.get(&v) {
            return *known;
        }
        let found = self.find(v);
        self.known.insert(v, found);
        found
    }

    fn find(&mut self, v: Value) -> u32 {
        use Op::*;
        let width_of = |v: Value| v.ty().int_width().unwrap_or(64);
        let width = width_of(v);
        if let Some(c) = v.const_int() {
            return u64::BITS - c.unsigned_abs().leading_zeros();
        }
        let Some(op) = v.opcode().filter(|_| v.is_instruction()) else {
            return width;
        };
        let bits = |v: Value| match register(v)? {
            (Register::Ntid, d) => Some(Atom::Ntid(d).bits()),
            (Register::Nctaid, d) => Some(Atom::Nctaid(d).bits()),
            _ => None,
        };
        let mut of = |k: u32| self.of(v.operand(k));
        let found = match op {
            LLVMCall if is_portable(v) => of(0).max(of(1)),
            LLVMCall => bits(v).unwrap_or(width),
            // A number below 0 is a large one there.
            LLVMZExt => bits(v.operand(0)).unwrap_or(width_of(v.operand(0))),
            LLVMSExt => of(0).min(width_of(v.operand(0)) - 1),
            LLVMSelect => of(1).max(of(2)),
            LLVMFreeze | LLVMSDiv => of(0),
            LLVMAdd | LLVMSub => of(0).max(of(1)) + 1,
            LLVMMul => of(0) + of(1),
            LLVMShl => match v.operand(1).const_int() {
                Some(k) if (0..64).contains(&k) => of(0) + k as u32,
                _ => width,
            },
            _ => width,
        };
        found.min(width)
    }
}
