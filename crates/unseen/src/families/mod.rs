//! What kernels compute: one function a family, each with its own choices.

mod grids;
mod lists;
mod matrices;
mod neighbours;
mod types;

use crate::draft::Draft;
use crate::random::Random;
use crate::style::Style;

/// Makes a kernel of its family.
pub type Family = fn(&mut Random, &mut Draft, Style);

/// All families by weight, with their names.
pub const ALL: &[(u32, (&str, Family))] = &[
    (8, ("product", matrices::product)),
    (5, ("row", matrices::row)),
    (4, ("block_row", matrices::block_row)),
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
    (4, ("fields", neighbours::fields)),
    (2, ("groups", neighbours::groups)),
    (4, ("weights", neighbours::weights)),
];
