//! Types of elements.

use mesi_launch::ElemType::{self, *};

use crate::random::Random;

/// Types of stored and of summed values.
pub fn element(random: &mut Random) -> (ElemType, ElemType) {
    random.weighted(&[
        (9, (F32, F32)),
        (3, (F64, F64)),
        (2, (I32, I32)),
        (1, (U32, U32)),
        (1, (F16, F32)),
        (1, (I8, I32)),
        (1, (U8, I32)),
        (1, (I16, I32)),
        (1, (U16, U32)),
    ])
}

/// How fast naive code gets through iterations of a type.
pub fn rate(ty: ElemType, coalesced: bool) -> f64 {
    let slow = if matches!(ty, F64 | I64 | U64) {
        2.0
    } else {
        1.0
    };
    (if coalesced { 1.4e12 } else { 2.2e11 }) / slow
}
