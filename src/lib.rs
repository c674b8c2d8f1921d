//! `libmesi.so`: an LLVM 22 pass plug-in that stages global arrays of naive CUDA kernels in shared
//! memory. The modules below stand in the order in which data flows through them.

#[doc = include_str!("ARCHITECTURE.md")]
pub mod architecture {}

pub use mesi_llvm as llvm;

pub mod boundary;
pub mod machine;
pub use mesi_names as names;
pub mod map;
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
pub mod linkage;
pub mod logarithm;
pub mod own;
pub mod report;
pub mod size;
pub mod transform;

pub mod pass;
pub mod plugin;
