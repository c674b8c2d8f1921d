//! Launch headers of corpus kernels: what to launch, with which arguments, at which sizes.
//!
//! A corpus file is CUDA C++ that opens with `//` lines holding a TOML block. This crate reads that
//! block once, checks every expression in it, and lists the concrete launches (`Case`) it stands for.
//! The oracle, the bench, the demo and the tests all take their launches from here, so they run the same ones.
//!
//! Beside them it reads the gates that say which of two kernels a launch takes (`gate`).
//!
//! It does not compile anything and knows nothing about LLVM or a GPU.

mod bench;
mod case;
mod corpus;
mod draw;
mod enumerate;
mod error;
mod expr;
mod fill;
mod gate;
mod header;
pub mod room;

pub use bench::{BenchRow, Blas, Class};
pub use case::{Alias, Arg, Buffer, Case, ElemType, Fill, Global, Size};
pub use corpus::Corpus;
pub use error::{Error, Result};
pub use expr::{Expr, Scope};
pub use fill::{parse_fill, seed};
pub use gate::{
    ABOUT, BLOCKS, FOLD, GATE, Gate, MAPPED, PAYS, RANGES, VERSION, blocks_of, kept_beside,
    version_of,
};
