//! `libmesi.so`: an LLVM 22 pass plug-in that stages global arrays of naive CUDA kernels in shared
//! memory. The modules below stand in the order in which data flows through them.

#[doc = include_str!("ARCHITECTURE.md")]
pub mod architecture {}

pub use mesi_llvm as llvm;

pub mod boundary;
pub mod machine;
pub mod names;
pub mod number;
pub mod options;
pub mod order;
pub mod remark;
pub mod stage;

pub mod access;
pub mod affine;
pub mod check;
pub mod kernel;
pub mod lower;
pub mod missed;
pub mod plan;
pub mod tree;

pub mod choice;
pub mod fold;
pub mod mma;
pub mod own;
pub mod recast;
pub mod report;
pub mod reroll;
pub mod rewrite;
pub mod size;
pub mod split;
pub mod spread;
pub mod transform;

pub mod pass;
pub mod plugin;
