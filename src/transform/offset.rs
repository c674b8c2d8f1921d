//! Where in an array an access is: bytes from its beginning on.

use crate::kernel::{Kernel, ValueId};
use crate::llvm::ir::{Builder, Value};

/// A constant, and values with what each counts.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Offset {
    /// Bytes, whatever the values are.
    pub constant: i64,
    /// Values, each with the bytes that it counts.
    pub terms: Vec<(ValueId, i64)>,
}

impl Offset {
    /// Whether it is a multiple of `bytes`, whatever its values are.
    pub fn is_multiple_of(&self, bytes: u32) -> bool {
        let all = self.terms.iter().map(|(_, scale)| *scale);
        all.chain([self.constant])
            .all(|n| n % i64::from(bytes) == 0)
    }

    /// Where a pointer points that is moved on from here; `None`: to several places, or somewhere unknown.
    pub fn moved(&self, kernel: &Kernel, gep: Value) -> Option<Offset> {
        let (fields, steps) = gep.gep_steps(kernel.function.module())?;
        let is_one =
            gep.ty().is_pointer() && gep.operands()[1..].iter().all(|i| !i.ty().is_pointer());
        if !is_one {
            return None;
        }
        let mut offset = self.clone();
        offset.constant = offset.constant.checked_add(fields)?;
        for (place, scale) in steps {
            let index = gep.operand(place);
            match index.const_int() {
                Some(n) => {
                    let bytes = n.checked_mul(scale)?;
                    offset.constant = offset.constant.checked_add(bytes)?;
                }
                None => {
                    index.ty().int_width()?;
                    offset.terms.push((kernel.known_id(index)?, scale));
                }
            }
        }
        Some(offset)
    }

    /// Emits it in units of so many bytes, of which it is a multiple, in 32 bits.
    pub(super) fn emit(&self, b: &Builder, kernel: &Kernel, unit: i64) -> Value {
        let constant = b.int(self.constant.div_euclid(unit));
        self.terms.iter().fold(constant, |sum, (v, scale)| {
            let index = index_of(b, kernel.value(*v));
            b.add(sum, b.mul(index, b.int(scale / unit)))
        })
    }
}

/// An index in 32 bits: what is beyond those is beyond the array's end in any case.
fn index_of(b: &Builder, index: Value) -> Value {
    match index.ty().int_width() {
        Some(bits) if bits > 32 => b.trunc(index, b.i32()),
        _ => b.sext(index, b.i32()),
    }
}
