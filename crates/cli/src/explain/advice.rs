//! What would lift a refusal: what to change in a program, or that nothing can be done.
//!
//! The plug-in's tables say why; this is the only text of what to do.

/// One sentence or two for a reason's name.
pub fn advice(name: &str) -> Option<&'static str> {
    ADVICE
        .iter()
        .find(|(n, _)| *n == name)
        .map(|(_, text)| *text)
}

const ADVICE: &[(&str, &str)] = &[
    (
        "Disabled",
        "Take `mesi.off` off the kernel, or the options `disable` and `only` away.",
    ),
    (
        "OutOfFuel",
        "Give `fuel` a larger number, or leave it away once the fault is found.",
    ),
    ("Irreducible", "Replace gotos into loops by loops and ifs."),
    (
        "DynamicShared",
        "Declare the kernel's shared memory with a size, if that is known when it is compiled.",
    ),
    (
        "UnknownCallee",
        "Put the function into the same file, or into a header, and call it by its name.",
    ),
    (
        "Waits",
        "Nothing, if threads do wait for each other. If they do not, read what decides the loop before it starts.",
    ),
    (
        "PartialBarrier",
        "Let all threads of a block reach the barrier: `__syncthreads()` outside of ifs that differ between threads.",
    ),
    (
        "EndsThreads",
        "Leave the kernel by `return` in its own body, and not by `exit` in assembly.",
    ),
    (
        "AssemblyOnce",
        "Put braces around the assembly: `asm(\"{ ... }\")` keeps its labels and registers to itself.",
    ),
    (
        "ChangedParameter",
        "Copy the parameter into a variable of the kernel, and write to that.",
    ),
    (
        "RearrangedMath",
        "Compile without `-ffast-math`, or with `-fno-associative-math -fno-reciprocal-math -fsigned-zeros` behind it. nvcc's `-use_fast_math` rearranges nothing: `mesi nvcc -use_fast_math` is fine.",
    ),
    (
        "PackedMath",
        "Nothing in the program: the bits would differ.",
    ),
    (
        "ConstantMemory",
        "Nothing: constant memory has a cache of its own, which is as fast as a tile.",
    ),
    (
        "UnknownBase",
        "Index one pointer, and do not choose between two of them or load one from memory inside the kernel.",
    ),
    (
        "Volatile",
        "Take `volatile` away where no other thread writes the array meanwhile.",
    ),
    (
        "Atomic",
        "Nothing, but for integers whose old value nobody looks at, in up to 8 KiB that the index's type or arithmetic bounds.",
    ),
    (
        "OnlyStored",
        "Nothing: the stores are coalesced, or no tile would make them so.",
    ),
    (
        "NotAffine",
        "Write the index as a sum of thread, block and loop variables times factors that are the same in a block. Two-dimensional blocks do without `/` and `%`.",
    ),
    (
        "NotAtEntry",
        "Read strides and bounds from parameters of the kernel, not from memory inside it.",
    ),
    (
        "DataDependentExit",
        "Let the loop run to its end, and keep what it found in a variable.",
    ),
    (
        "Unstructured",
        "Replace gotos and jumps out of several loops by ifs and loops inside each other.",
    ),
    (
        "DivergentLoop",
        "Let all threads run the loop the same number of times, with an if inside it.",
    ),
    (
        "UnboundedGuard",
        "Test indices and not data around the read, or read first and test afterwards. Versions that copy it all the same, where the driver says that it is memory, are made where nothing in the kernel may write the array, the array is a parameter, and its range hangs on parameters alone.",
    ),
    (
        "OwnBarrier",
        "Nothing: the kernel already orders its threads there, perhaps with a tile of its own.",
    ),
    (
        "UnknownEffect",
        "Move calls, fences and assembly out of the loops that read the array.",
    ),
    (
        "FusesAcrossIterations",
        "Compile with `-ffp-contract=off` (nvcc: `-fmad=false`), if slower arithmetic is worth it.",
    ),
    (
        "SharesProducts",
        "Compile with `-ffp-contract=off` (nvcc: `-fmad=false`), if slower arithmetic is worth it.",
    ),
    (
        "InexactStore",
        "Store once for each thread, without a condition on data.",
    ),
    (
        "WrittenInRegion",
        "Write results to another array than the one that is read.",
    ),
    (
        "MayAlias",
        "Mark the pointers `__restrict__`, if the arrays do not overlap, or store where thread indices alone say.",
    ),
    (
        "UnboundedTile",
        "Give the loop or the window a bound that is known when the kernel is compiled: a constant, a template parameter.",
    ),
    (
        "Nested",
        "Nothing: the array outside is staged, which gains more.",
    ),
    (
        "OverBudget",
        "Use smaller blocks or windows, or let the kernel itself use less shared memory.",
    ),
    (
        "RegisterPressure",
        "Say how large blocks are: `__launch_bounds__(256)` tells how many registers there are. Without it versions are \
         made of what blocks of 512 threads leave.",
    ),
    ("LongCode", "Give the option `code` a larger number."),
    (
        "NotProfitable",
        "Nothing, if the model is right. `MESI_FORCE=1` stages it all the same: measure it with `mesi ab`.",
    ),
    (
        "CheckFailed",
        "Report it: the plug-in noticed a fault of its own, and left the kernel as it was.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_advice() {
        for name in mesi::missed::ALL_NAMES {
            let text = advice(name).unwrap_or_else(|| panic!("{name} has no advice"));
            assert!(
                text.ends_with(['.', ')']) && text.len() > 15,
                "{name}: {text}"
            );
        }
    }
}
