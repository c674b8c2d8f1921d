//! Ways to break the code of products' versions.

use mesi_mutate::blocks::{Edit, instead};

/// Ways to break the kernel, in its version.
pub const CODE: &[(&str, Edit)] = &[
    ("mma-other-sign", |l| {
        instead(l, ".row.col.u8(", ".row.col.s8(")
    }),
    ("mma-strip-lost", |l| {
        let sum = l.contains(" = add i64 ").then_some(l)?;
        instead(sum, ", 63", ", 0")
    }),
    ("mma-strip-before", |l| {
        let next = l.contains(" = select i1 ").then_some(l)?;
        instead(next, ", i32 0, i32 %", ", i32 16384, i32 %")
    }),
    ("mma-begins-with-one", |l| {
        let sum = l.contains(" = phi i32 ").then_some(l)?;
        instead(sum, "[ 0, %mma ]", "[ 1, %mma ]")
    }),
    ("mma-bytes-not-turned", |l| {
        let pick = l.contains("llvm.nvvm.prmt(").then_some(l)?;
        instead(pick, "i32 20800)", "i32 29538)")
    }),
    ("mma-halves-not-turned", |l| {
        let pick = l.contains("llvm.nvvm.prmt(").then_some(l)?;
        instead(pick, "i32 21520)", "i32 30258)")
    }),
    ("mma-byte-beyond", |l| {
        instead(l, " = icmp ult i32 ", " = icmp ule i32 ")
    }),
    ("mma-word-beyond", |l| {
        instead(l, " = icmp ule i64 ", " = icmp ne i64 ")
    }),
    ("mma-words-shifted-back", |l| {
        let join = l.contains("llvm.fshr.i32(").then_some(l)?;
        instead(join, "i32 %", "i32 0, i32 %").map(|_| {
            let (head, _) = join.rsplit_once(", i32 ").expect("three operands");
            format!("{head}, i32 0)")
        })
    }),
    ("mma-copy-not-waited", |l| {
        instead(l, "wait.group(i32 1)", "wait.group(i32 2)")
    }),
    ("mma-sum-elsewhere", |l| {
        instead(l, " = mul i32 ", " = add i32 ")
    }),
];

/// Ways to break the kernel's version for doubles.
pub const CODE_OF_DOUBLES: &[(&str, Edit)] = &[
    ("mma-strip-lost", |l| {
        let sum = l.contains(" = add i64 ").then_some(l)?;
        instead(sum, ", 15", ", 0")
    }),
    ("mma-strip-before", |l| {
        let next = l.contains(" = select i1 ").then_some(l)?;
        instead(next, ", i32 0, i32 %", ", i32 24576, i32 %")
    }),
    ("mma-begins-with-one", |l| {
        let sum = l.contains(" = phi double ").then_some(l)?;
        instead(sum, "[ 0.000000e+00, %mma ]", "[ 1.000000e+00, %mma ]")
    }),
    // Zeros behind the last product are -0, as 0 would be added to a sum of -0.
    ("mma-zero-with-no-sign", |l| {
        instead(l, ", i64 0, i64 -9223372036854775808", ", i64 0, i64 0")
    }),
    ("mma-sign-everywhere", |l| {
        instead(
            l,
            ", i64 0, i64 -9223372036854775808",
            ", i64 -9223372036854775808, i64 -9223372036854775808",
        )
    }),
    ("mma-numbers-in-another-order", |l| {
        let call = l.contains("m16n8k16.row.col.f64(").then_some(l)?;
        let (head, operands) = call.split_once("f64(")?;
        let mut all: Vec<&str> = operands.split(", ").collect();
        all.swap(0, 2);
        all.swap(8, 9);
        Some(format!("{head}f64({}", all.join(", ")))
    }),
    ("mma-half-beyond", |l| {
        let half = l.contains("cp.async.ca.shared.global.8.s(").then_some(l)?;
        let (head, _) = half.rsplit_once(", i32 ")?;
        Some(format!("{head}, i32 8)"))
    }),
    ("mma-always-aligned", |l| {
        let test = l.contains(" = icmp eq i64 ").then_some(l)?;
        let (to, _) = test.split_once(" = ")?;
        Some(format!("{to} = icmp eq i64 0, 0"))
    }),
    ("mma-copy-not-waited", |l| {
        instead(l, "wait.group(i32 0)", "wait.group(i32 1)")
    }),
    ("mma-strip-not-next", |l| {
        instead(
            l,
            "getelementptr i8, ptr addrspace(1) %",
            "getelementptr i16, ptr addrspace(1) %",
        )
    }),
];

/// Ways to break the kernel's version for floats.
pub const CODE_OF_FLOATS: &[(&str, Edit)] = &[
    ("mma-strip-lost", |l| {
        let sum = l.contains(" = add i64 ").then_some(l)?;
        instead(sum, ", 15", ", 0")
    }),
    ("mma-strip-before", |l| {
        let next = l.contains(" = select i1 ").then_some(l)?;
        instead(next, ", i32 0, i32 %", ", i32 16896, i32 %")
    }),
    ("mma-begins-with-one", |l| {
        let sum = l.contains(" = phi float ").then_some(l)?;
        instead(sum, "[ 0.000000e+00, %mma ]", "[ 1.000000e+00, %mma ]")
    }),
    // A strip in part, or behind the operand's end, is taken for a whole one.
    ("mma-always-whole", |l| {
        let test = l.contains(" = icmp sge i").then_some(l)?;
        let (to, _) = test.split_once(" = ")?;
        Some(format!("{to} = icmp sge i32 0, 0"))
    }),
    ("mma-always-aligned", |l| {
        let test = l.contains(" = icmp eq i64 ").then_some(l)?;
        let (to, _) = test.split_once(" = ")?;
        Some(format!("{to} = icmp eq i64 0, 0"))
    }),
    ("mma-product-beyond", |l| {
        instead(l, " = icmp slt i32 ", " = icmp sle i32 ")
    }),
    ("mma-element-copied", |l| {
        let copy = l.contains("cp.async.ca.shared.global.4.s(").then_some(l)?;
        let (head, _) = copy.rsplit_once(", i32 ")?;
        Some(format!("{head}, i32 4)"))
    }),
    ("mma-copy-not-waited", |l| {
        let wait = l.contains("wait.group(").then_some(l)?;
        instead(wait, "(i32 0)", "(i32 1)").or_else(|| instead(wait, "(i32 1)", "(i32 2)"))
    }),
    ("mma-strip-not-next", |l| {
        instead(
            l,
            "getelementptr i8, ptr addrspace(1) %",
            "getelementptr i16, ptr addrspace(1) %",
        )
    }),
    ("mma-row-not-next", |l| {
        instead(
            l,
            "getelementptr i8, ptr addrspace(3) %",
            "getelementptr i16, ptr addrspace(3) %",
        )
    }),
    ("mma-turned-not-stored", |l| {
        let store = l.trim_start().starts_with("store float ");
        store.then(String::new)
    }),
];

/// Ways to break what sums begin with, where that is loaded.
pub const CODE_OF_BEGINS: &[(&str, Edit)] = &[
    ("mma-begin-not-kept", |l| {
        let line = l.trim_start();
        let store = line.starts_with("store float ") || line.starts_with("store double ");
        (store && line.contains("addrspace(3)")).then(String::new)
    }),
    ("mma-begin-of-another-band", |l| {
        instead(l, " = icmp eq i32 ", " = icmp ule i32 ")
    }),
    ("mma-begins-with-none", |l| {
        let begin = (l.contains(" = phi ") && l.contains("%mma.front")).then_some(l)?;
        let (to, rest) = begin.split_once("[ %")?;
        let (_, from) = rest.split_once(", ")?;
        Some(format!("{to}[ 0.000000e+00, {from}"))
    }),
];

/// Ways to break those with a product in each layer of the grid.
pub const CODE_OF_LAYERS: &[(&str, Edit)] = &[
    ("mma-layer-forgotten", |l| {
        instead(l, "sreg.ctaid.z()", "sreg.tid.z()")
    }),
    ("mma-part-of-another-layer", |l| {
        instead(l, " = urem i32 ", " = udiv i32 ")
    }),
];

/// Ways to break those of tensor cores.
pub const CODE_OF_BOTH: &[(&str, Edit)] = &[
    ("mma-banks-not-exchanged", |l| {
        let chunk = l.contains(" = xor i32 ").then_some(l)?;
        instead(chunk, " = xor i32 ", " = or i32 ")
    }),
    ("mma-line-beyond", |l| {
        let used = l.contains(" = select i1 ").then_some(l)?;
        instead(used, ", i32 16, i32 0", ", i32 16, i32 16")
    }),
    ("mma-element-beyond", |l| {
        instead(l, " = icmp ult i64 ", " = icmp ule i64 ")
    }),
];

/// Ways to break any.
pub const CODE_OF_ANY: &[(&str, Edit)] = &[
    ("mma-block-forgotten", |l| {
        instead(l, "sreg.ctaid.y()", "sreg.tid.z()")
    }),
    ("mma-not-waited", |l| {
        l.contains("barrier.cta.sync").then(String::new)
    }),
];
