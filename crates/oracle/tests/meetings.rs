//! Threads that wait for each other in vain, as text, and what the oracle must say about it; beside them meetings
//! that come about.

mod common;

use common::{case, check, defects};
use mesi_oracle::Defect;

/// Half of the threads take the first path.
fn split(then: &str, otherwise: &str) -> String {
    format!(
        r#"define ptx_kernel void @k() {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 32
  br i1 %c, label %a, label %b
a:
  {then}
  br label %end
b:
  {otherwise}
  br label %end
end:
  ret void
}}"#
    )
}

const BARRIER: &str = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)";

#[test]
fn barrier_at_two_places() {
    let outcome = check(&split(BARRIER, BARRIER), &case("1", "64", 0, &[]));
    assert_eq!(defects(&outcome), [Defect::BarrierDivergence]);
    assert!(
        outcome.reports[0].to_string().contains("different places"),
        "{}",
        outcome.reports[0]
    );
}

#[test]
fn barrier_that_some_never_reach() {
    let warp = "%w = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 1, i32 0, i32 31)\n  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)";
    let outcome = check(&split(BARRIER, warp), &case("1", "64", 0, &[]));
    assert_eq!(defects(&outcome), [Defect::BarrierDivergence]);
    assert!(
        outcome.reports[0]
            .detail
            .contains("32 of 64 threads wait here"),
        "{}",
        outcome.reports[0]
    );
    let short = check(
        &split(
            "call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)",
            "",
        ),
        &case("1", "64", 0, &[]),
    );
    assert_eq!(defects(&short), [Defect::BarrierDivergence]);
}

#[test]
fn exited_threads_are_not_waited_for_and_named_barriers_pair_up() {
    assert_eq!(
        defects(&check(&split(BARRIER, ""), &case("1", "64", 0, &[]))),
        []
    );
    let pair = split(
        "call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 2, i32 64)",
        "call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 2, i32 64)",
    );
    assert_eq!(defects(&check(&pair, &case("1", "64", 0, &[]))), []);
}

#[test]
fn shuffle_with_a_wrong_mask() {
    let lacks = split(
        "%w = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -2, i32 1, i32 0, i32 31)",
        "",
    );
    let outcome = check(&lacks, &case("1", "64", 0, &[]));
    assert_eq!(defects(&outcome), [Defect::WarpDivergence]);
    assert!(
        outcome.reports[0]
            .detail
            .contains("lacks the calling lane 0"),
        "{}",
        outcome.reports[0]
    );
    let waits = split(
        "%w = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 1, i32 0, i32 31)",
        BARRIER,
    )
    .replace("%t, 32", "%t, 8");
    let outcome = check(&waits, &case("1", "32", 0, &[]));
    assert!(
        defects(&outcome)
            .iter()
            .all(|d| matches!(d, Defect::WarpDivergence | Defect::BarrierDivergence))
    );
    assert!(!outcome.reports.is_empty());
}
