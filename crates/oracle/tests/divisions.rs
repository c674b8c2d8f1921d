//! Integer divisions that have no result: a GPU gives some number, and a CPU must not end the process.

mod common;

use common::{case, check, defects, ints, program};
use mesi_oracle::{Checks, Defect, Difference, Kernel, Program, Schedule, diff};

/// `out[tid] = number / (tid - 3)`, or another operation.
fn by_thread(operation: &str) -> String {
    format!(
        r#"define ptx_kernel void @k(ptr %out, i32 %number) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %by = sub i32 %t, 3
  %v = {operation} i32 %number, %by
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %p, align 4
  ret void
}}"#
    )
}

const OPERATIONS: [&str; 4] = ["sdiv", "udiv", "srem", "urem"];

#[test]
fn division_by_zero_names_the_thread_and_the_instruction() {
    for operation in OPERATIONS {
        let launch = case("1", "8", 0, &["buf:i32:8", "i32:100"]);
        let outcome = check(&by_thread(operation), &launch);
        assert_eq!(
            defects(&outcome),
            [Defect::UndefinedDivision],
            "{operation}"
        );
        let text = outcome.reports[0].to_string();
        assert!(
            text.contains(
                "k instruction 2: undefined-division: k, thread (3,0,0) of block (0,0,0)"
            ) && text.contains("divided by 0"),
            "{text}"
        );
        if operation == "sdiv" {
            let all = ints(&outcome, 0);
            assert_eq!((all[0], all[4], all[7]), (-33, 100, 25));
        }
    }
}

#[test]
fn the_smallest_number_by_minus_one() {
    let launch = case("1", "8", 0, &["buf:i32:8", "i32:-2147483648"]);
    for operation in ["sdiv", "srem"] {
        let outcome = check(&by_thread(operation), &launch);
        let found: Vec<_> = outcome.reports.iter().map(|r| r.who.thread[0]).collect();
        // Thread 2 divides by -1, thread 3 by 0; one report a place, with the first thread.
        assert_eq!(found, [2], "{operation}");
        assert_eq!(outcome.reports[0].count, 2);
        assert!(outcome.reports[0].detail.contains("by -1"));
    }
    for operation in ["udiv", "urem"] {
        let outcome = check(&by_thread(operation), &launch);
        let found: Vec<_> = outcome.reports.iter().map(|r| r.who.thread[0]).collect();
        assert_eq!(found, [3], "{operation}");
    }
}

#[test]
fn every_width_and_vectors() {
    for ty in ["i8", "i16", "i64", "i128", "<2 x i32>", "<4 x i16>"] {
        let zero = match ty.starts_with('<') {
            true => "zeroinitializer",
            false => "0",
        };
        let text = format!(
            r#"define ptx_kernel void @k(ptr %p) {{
  %a = load {ty}, ptr %p, align 1
  %q = sdiv {ty} %a, {zero}
  %r = load {ty}, ptr %p, align 1
  %u = urem {ty} %q, %r
  store {ty} %u, ptr %p, align 1
  ret void
}}"#
        );
        let outcome = check(&text, &case("1", "1", 0, &["buf:u8:16"]));
        assert_eq!(
            defects(&outcome),
            [Defect::UndefinedDivision; 2],
            "{ty}: {:?}",
            outcome.reports
        );
    }
}

#[test]
fn good_divisions_are_silent_and_no_check_does_not_crash() {
    let launch = case("1", "3", 0, &["buf:i32:8", "i32:100"]);
    assert!(check(&by_thread("sdiv"), &launch).reports.is_empty());
    let launch = case("1", "8", 0, &["buf:i32:8", "i32:-2147483648"]);
    for operation in OPERATIONS {
        let outcome = program(&by_thread(operation))
            .run(&launch, Schedule::Forward, Checks::None)
            .expect("the kernel runs");
        assert!(outcome.reports.is_empty());
    }
}

#[test]
fn what_the_original_does_too_is_not_held_against_the_other() {
    let launch = [case("1", "8", 0, &["buf:i32:8", "i32:100"])];
    let parse = |text: &str| {
        let text = common::module(text);
        Program::parse("k.ll", text.as_bytes(), Kernel::Only).expect("a good kernel")
    };
    let (mut divides, mut same) = (parse(&by_thread("udiv")), parse(&by_thread("udiv")));
    let found = diff(&mut divides, &mut same, &launch, &[Schedule::Forward]).expect("both run");
    assert!(found.is_empty(), "{found:?}");
    let mut not = parse(&by_thread("mul"));
    let found = diff(&mut not, &mut divides, &launch, &[Schedule::Forward]).expect("both run");
    assert!(
        found.iter().any(|d| matches!(d, Difference::NewReport { report, .. } if report.defect == Defect::UndefinedDivision)),
        "{found:?}"
    );
}
