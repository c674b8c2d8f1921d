//! `cp.async`: what must be waited for, and what happens if it is not.

mod common;

use common::{case, check, defects, ints, program};
use mesi_oracle::{Checks, Defect, Schedule};

/// Copies two tiles in two groups, then runs `middle`, and reads the first tile's mirrored element.
fn pipeline(middle: &str) -> String {
    format!(
        r#"@a = internal addrspace(3) global [64 x i32] undef, align 16
@b = internal addrspace(3) global [64 x i32] undef, align 16
define ptx_kernel void @k(ptr %in, ptr %out) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = zext i32 %t to i64
  %g = addrspacecast ptr %in to ptr addrspace(1)
  %from = getelementptr i32, ptr addrspace(1) %g, i64 %x
  %ta = getelementptr i32, ptr addrspace(3) @a, i64 %x
  %tb = getelementptr i32, ptr addrspace(3) @b, i64 %x
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %ta, ptr addrspace(1) %from)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %tb, ptr addrspace(1) %from)
  call void @llvm.nvvm.cp.async.commit.group()
  {middle}
  %r = sub i64 63, %x
  %theirs = getelementptr i32, ptr addrspace(3) @a, i64 %r
  %v = load i32, ptr addrspace(3) %theirs, align 4
  %q = getelementptr i32, ptr %out, i64 %x
  store i32 %v, ptr %q, align 4
  call void @llvm.nvvm.cp.async.wait.all()
  ret void
}}"#
    )
}

const ARGS: [&str; 2] = ["buf:i32:64:iota", "buf:i32:64"];
const BARRIER: &str = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)";

fn wait(keep: u32) -> String {
    format!("call void @llvm.nvvm.cp.async.wait.group(i32 {keep})")
}

fn mirrored() -> Vec<i32> {
    (0..64).rev().collect()
}

#[test]
fn waiting_for_the_first_group_and_a_barrier_is_right() {
    let mut program = program(&pipeline(&format!("{}\n  {BARRIER}", wait(1))));
    for schedule in Schedule::ALL {
        let outcome = program
            .run(&case("1", "64", 0, &ARGS), schedule, Checks::Full)
            .unwrap();
        assert_eq!(
            (defects(&outcome), ints(&outcome, 1)),
            (vec![], mirrored()),
            "{schedule:?}"
        );
    }
}

#[test]
fn one_group_too_few_is_a_copy_race_and_a_wrong_result() {
    let text = pipeline(&format!("{}\n  {BARRIER}", wait(2)));
    let outcome = check(&text, &case("1", "64", 0, &ARGS));
    assert!(
        defects(&outcome).contains(&Defect::CopyRace),
        "{:?}",
        outcome.reports
    );
    assert_eq!(outcome.reports[0].array, "a");
    assert_ne!(ints(&outcome, 1), mirrored());
    let fast = program(&text)
        .run(&case("1", "64", 0, &ARGS), Schedule::Forward, Checks::None)
        .unwrap();
    assert_ne!(ints(&fast, 1), mirrored(), "wrong without the checker too");
}

#[test]
fn no_wait_at_all() {
    let outcome = check(&pipeline(BARRIER), &case("1", "64", 0, &ARGS));
    assert!(defects(&outcome).contains(&Defect::CopyRace));
    assert_ne!(ints(&outcome, 1), mirrored());
}

#[test]
fn no_barrier_after_the_wait() {
    let outcome = check(&pipeline(&wait(0)), &case("1", "64", 0, &ARGS));
    assert!(
        defects(&outcome)
            .iter()
            .any(|d| matches!(d, Defect::ReadWriteRace | Defect::CopyRace)),
        "{:?}",
        outcome.reports
    );
    assert_ne!(ints(&outcome, 1), mirrored());
}

#[test]
fn leaving_a_copy_unwaited() {
    let text = pipeline(&format!("{}\n  {BARRIER}", wait(1)))
        .replace("  call void @llvm.nvvm.cp.async.wait.all()\n", "");
    let outcome = check(&text, &case("1", "64", 0, &ARGS));
    assert_eq!(defects(&outcome), [Defect::UnwaitedCopy]);
    assert_eq!(
        (outcome.reports[0].array.as_str(), outcome.reports[0].count),
        ("b", 64)
    );
}

#[test]
fn copying_over_a_tile_still_being_read() {
    let again = "call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %ta, ptr addrspace(1) %from)\n  call void @llvm.nvvm.cp.async.wait.all()";
    let text = pipeline(&format!("{}\n  {BARRIER}", wait(0)))
        .replace("call void @llvm.nvvm.cp.async.wait.all()", again);
    let outcome = check(&text, &case("1", "64", 0, &ARGS));
    assert!(
        defects(&outcome).contains(&Defect::ReadWriteRace),
        "{:?}",
        outcome.reports
    );
    let apart = text.replace(again, &format!("{BARRIER}\n  {again}"));
    assert_eq!(defects(&check(&apart, &case("1", "64", 0, &ARGS))), []);
}

#[test]
fn zero_fill_reads_only_what_it_says() {
    let text = pipeline(&format!("{}\n  {BARRIER}", wait(0)))
        .replacen(
            "call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %ta, ptr addrspace(1) %from)",
            "%in32 = icmp ult i32 %t, 32\n  %used = select i1 %in32, i32 4, i32 0\n  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) %ta, ptr addrspace(1) %from, i32 %used)",
            1,
        )
        .replacen(
            "call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %tb, ptr addrspace(1) %from)",
            "",
            1,
        );
    let outcome = check(
        &text,
        &case("1", "64", 0, &["buf:i32:32:iota", "buf:i32:64"]),
    );
    assert_eq!(defects(&outcome), []);
    let expected: Vec<i32> = (0..64).map(|x| if x < 32 { 0 } else { 63 - x }).collect();
    assert_eq!(ints(&outcome, 1), expected);
    let unguarded = text.replace("i32 4, i32 0", "i32 4, i32 4");
    let outcome = check(
        &unguarded,
        &case("1", "64", 0, &["buf:i32:32:iota", "buf:i32:64"]),
    );
    assert_eq!(
        (defects(&outcome)[0], outcome.reports[0].array.as_str()),
        (Defect::OutOfBounds, "arg0")
    );
}

#[test]
fn wide_copies_need_alignment() {
    let text = r#"@a = internal addrspace(3) global [64 x i32] undef, align 16
define ptx_kernel void @k(ptr %in, ptr %out, i64 %shift) {
  %g = addrspacecast ptr %in to ptr addrspace(1)
  %from = getelementptr i32, ptr addrspace(1) %g, i64 %shift
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) @a, ptr addrspace(1) %from)
  call void @llvm.nvvm.cp.async.wait.all()
  %v = load <4 x i32>, ptr addrspace(3) @a, align 16
  store <4 x i32> %v, ptr %out, align 16
  ret void
}"#;
    let run = |shift: &str| {
        check(
            text,
            &case("1", "1", 0, &["buf:i32:16:iota", "buf:i32:4", shift]),
        )
    };
    let good = run("i64:4");
    assert_eq!((defects(&good), ints(&good, 1)), (vec![], vec![4, 5, 6, 7]));
    assert_eq!(defects(&run("i64:1"))[0], Defect::Misaligned);
}
