//! Random kernels, before and after the plug-in, bit for bit.
//!
//! ```text
//! seed ─► generate ─► ir ─► llvm::simplify ─► check: original │ plug-in under several variants
//!            │                                   each under mesi-oracle, several schedules
//!            └► ranges ─► launch: buffers of exactly the size the kernel touches
//! ```
//! `campaign` runs many seeds in worker processes and makes every failure small. `docs/fuzz.md` says
//! what is generated and what was covered.

pub mod campaign;
pub mod check;
pub mod coverage;
pub mod cuda;
pub mod generate;
pub mod ir;
pub mod kernel;
pub mod kinds;
pub mod launch;
pub mod llvm;
pub mod pool;
pub mod ranges;
pub mod replay;
pub mod shrink;
pub mod single;
pub mod source;
pub mod stage;
pub mod totals;
pub mod variants;
pub mod worker;
pub mod write;
