//! What kernels compute: one function a family, each with its own choices.

mod grids;
mod lists;
mod matrices;

use mesi_launch::ElemType::{self, *};

use crate::draft::Draft;
use crate::random::Random;
use crate::style::Style;

/// Makes a kernel of its family.
pub type Family = fn(&mut Random, &mut Draft, Style);

/// All families by weight, with their names.
pub const ALL: &[(u32, (&str, Family))] = &[
    (8, ("product", matrices::product)),
    (5, ("row", matrices::row)),
    (4, ("column", matrices::column)),
    (3, ("scan", matrices::scan)),
    (4, ("pairs", matrices::pairs)),
    (2, ("transpose", matrices::transpose)),
    (4, ("window1", grids::window1)),
    (6, ("window2", grids::window2)),
    (3, ("window3", grids::window3)),
    (4, ("stencil2", grids::stencil2)),
    (4, ("stencil3", grids::stencil3)),
    (2, ("pool", grids::pool)),
    (4, ("records", lists::records)),
    (4, ("table", lists::table)),
    (3, ("cells", lists::cells)),
    (3, ("gather", lists::gather)),
    (4, ("stream", lists::stream)),
    (2, ("shared", lists::shared)),
];

/// Types of stored and of summed values.
fn element(random: &mut Random) -> (ElemType, ElemType) {
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
fn rate(ty: ElemType, coalesced: bool) -> f64 {
    let slow = if matches!(ty, F64 | I64 | U64) {
        2.0
    } else {
        1.0
    };
    (if coalesced { 1.4e12 } else { 2.2e11 }) / slow
}
