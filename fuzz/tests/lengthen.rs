//! Loops lengthened at the end of LLVM's pipeline compute what they did, and the oracle sees where they do not.
//! The mutations of `mesi-mutate` break what is emitted before that pipeline; these break what comes of it.

use mesi_fuzz::llvm::Module;
use mesi_launch::{Corpus, Size};
use mesi_oracle::{Checks, Kernel, Outcome, Program, Schedule};

const HEADER: &str = r#"// ```toml
// kernel = "dot"
// arg = [
//   { name = "x", type = "f32", count = "n*n + 64*n + 64", fill = "uniform(-1,1)" },
//   { name = "y", type = "f32", count = "64", fill = "zero", output = true },
//   { name = "n", type = "i32", value = "n" },
// ]
// [sizes]
// n = { small = [0, 1, 3, 4, 15, 16, 17, 31, 32, 37], large = 64 }
// [launch]
// blocks = [[64, 1, 1]]
// grid = ["1", "1", "1"]
// [bench]
// bytes = "256*n"
// ```
"#;

/// `y[t] = Σ_k x[k*n + t] · x[t*n + k]`, its loop marked as the original's loops are.
const DOT: &str = r#"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @dot(ptr noalias %x, ptr noalias %y, i32 %n) #0 {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %end
loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %row = mul nsw i32 %k, %n
  %i = add nsw i32 %row, %t
  %i64 = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i64
  %v = load float, ptr %p
  %column = mul nsw i32 %t, %n
  %j = add nsw i32 %column, %k
  %j64 = sext i32 %j to i64
  %beside = getelementptr inbounds float, ptr %x, i64 %j64
  %w = load float, ptr %beside
  %product = fmul float %v, %w
  %sum.next = fadd float %sum, %product
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end, !llvm.loop !0
end:
  %all = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %t64 = zext nneg i32 %t to i64
  %q = getelementptr inbounds float, ptr %y, i64 %t64
  store float %all, ptr %q
  ret void
}
attributes #0 = { "target-cpu"="sm_90" }
!0 = distinct !{!0, !1}
!1 = !{!"mesi.long"}
"#;

/// What all small cases give.
fn outcomes(text: &str) -> Vec<Outcome> {
    let corpus = Corpus::parse("dot.cu", HEADER).expect("the header is right");
    let mut program = Program::parse("dot", text.as_bytes(), Kernel::Only).expect("it compiles");
    // Loops without an end are cut short.
    program.fuel = 100_000;
    let cases = corpus.cases(Size::Small);
    let run = |case| program.run(case, Schedule::Forward, Checks::Full);
    cases.iter().map(run).map(|o| o.expect("it runs")).collect()
}

/// Whether some case differs, or has findings.
fn differs(a: &[Outcome], b: &[Outcome]) -> bool {
    let finds = b.iter().any(|o| !o.reports.is_empty());
    finds || a.iter().zip(b).any(|(a, b)| a.buffers != b.buffers)
}

#[test]
fn every_way_to_break_a_lengthened_loop_is_noticed() {
    let module = Module::parse(DOT.as_bytes()).expect("the text parses");
    module.passes("default<O3>").expect("LLVM's pipeline runs");
    let kernels = module.for_plug_in().functions();
    let kernel = kernels.into_iter().find(|f| f.is_kernel());
    assert!(mesi::lower::lengthen(kernel.expect("a kernel"), false));
    module.verify().expect("what was made verifies");
    let text = module.text();
    let wanted = outcomes(DOT);
    assert!(!differs(&wanted, &outcomes(&text)), "{text}");
    let line = |of: &[&str]| -> &str {
        let mut lines = text.lines();
        lines
            .find(|l| of.iter().all(|x| l.contains(x)))
            .unwrap_or_else(|| panic!("no {of:?} in\n{text}"))
    };
    let whole = line(&[", -16"]);
    let left = text
        .split_once("mesi.left:")
        .expect("a block for what is left")
        .1;
    let left = left
        .lines()
        .find(|l| l.contains("icmp eq"))
        .expect("a test");
    let sum = line(&["phi float", "%mesi.left ]"]);
    let (before, _) = sum.rsplit_once("[ ").expect("its values");
    let broken = [
        (
            "a group more than there are",
            whole,
            whole.replace(", -16", ", -1"),
        ),
        (
            "what is left is left out",
            left,
            left.replace("icmp eq", "icmp uge"),
        ),
        (
            "what is left runs whatever is left",
            left,
            left.replace("icmp eq", "icmp ult"),
        ),
        (
            "groups count for nothing",
            sum,
            format!("{before}[ 0.0, %mesi.left ]"),
        ),
    ];
    for (what, old, new) in broken {
        let mutant = text.replacen(old, &new, 1);
        assert_ne!(mutant, text, "{what}: {old}");
        assert!(differs(&wanted, &outcomes(&mutant)), "{what}:\n{mutant}");
    }
}
