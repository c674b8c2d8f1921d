//! A kernel's clone whose loops over arrays of a thread's own are unrolled.

use super::plan::Registers;
use crate::kernel::Kernel;
use crate::llvm::ir::Builder;

/// Unrolls them, and gives each element a name.
pub fn emit(copy: &Kernel, registers: &Registers) -> Result<(), String> {
    let function = copy.function;
    let b = Builder::new(function.module());
    for latch in &registers.latches {
        b.loop_properties(copy.block(*latch).terminator(), &["llvm.loop.unroll.full"]);
    }
    if let Some(most) = registers.most {
        function.add_string_attribute("nvvm.maxntid", &most.to_string());
    }
    function.run_passes("loop(loop-unroll-full),sroa<modify-cfg>,early-cse,simplifycfg,dce")
}
