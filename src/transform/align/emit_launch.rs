//! The launch of a version with aligned pointers: the program's own, if they are.

use super::plan::Align;
use crate::choice::{Host, Relaunch};
use crate::llvm::ir::{Pred, Value};
use crate::machine::target::WIDEST_ACCESS;

impl Relaunch for Align {
    fn write(&self, host: &mut Host, _: &[Value]) -> Option<Value> {
        let b = host.b;
        let rest = host.constant(WIDEST_ACCESS - 1);
        let zero = rest.ty().constant(0);
        for pointer in &self.pointers {
            let pointer = host.known(host.kernel.value(*pointer))?;
            let rest = b.and(b.ptrtoint(pointer, rest.ty()), rest);
            host.tests.push(b.icmp(Pred::LLVMIntEQ, rest, zero));
        }
        host.answer()
    }
}
