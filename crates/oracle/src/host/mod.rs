//! Device arithmetic that has no LLVM instruction: libdevice's leftovers, rounding modes, integer oddities.

pub mod arith;
pub mod convert;
pub mod integer;
