//! One kernel per defect, as text, and what the oracle must say about it. Beside most of them stands the
//! repaired kernel, which must be clean: a checker that cries always is as useless as one that never does.

mod common;

use common::{case, check, defects, ints, program};
use mesi_oracle::{Checks, Defect, Schedule};

/// `out[i + shift] = in[i]` for every thread of the grid.
fn shifted_copy(shift: i64) -> String {
    format!(
        r#"define ptx_kernel void @k(ptr %in, ptr %out) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %m = mul i32 %b, %n
  %i = add i32 %m, %t
  %x = sext i32 %i to i64
  %y = add i64 %x, {shift}
  %p = getelementptr i32, ptr %in, i64 %x
  %q = getelementptr i32, ptr %out, i64 %y
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %q, align 4
  ret void
}}"#
    )
}

const TWO: [&str; 2] = ["buf:i32:64:iota", "buf:i32:64"];

#[test]
fn store_past_the_end_names_thread_block_and_offset() {
    let outcome = check(&shifted_copy(3), &case("2", "32", 0, &TWO));
    assert_eq!(defects(&outcome), [Defect::OutOfBounds]);
    let report = &outcome.reports[0];
    assert_eq!(
        (report.who.thread, report.who.block),
        ([29, 0, 0], [1, 0, 0])
    );
    assert_eq!(
        (
            report.array.as_str(),
            report.offset,
            report.size,
            report.count
        ),
        ("arg1", 256, 4, 3)
    );
    assert!(
        report
            .to_string()
            .contains("k instruction 10: out-of-bounds: k, thread (29,0,0) of block (1,0,0)"),
        "{report}"
    );
}

#[test]
fn store_before_the_start() {
    let outcome = check(&shifted_copy(-1), &case("2", "32", 0, &TWO));
    assert_eq!(defects(&outcome), [Defect::OutOfBounds]);
    assert_eq!(outcome.reports[0].offset, -4);
}

#[test]
fn exact_copy_is_clean_and_right() {
    let outcome = check(&shifted_copy(0), &case("2", "32", 0, &TWO));
    assert_eq!(defects(&outcome), []);
    assert_eq!(ints(&outcome, 1), (0..64).collect::<Vec<_>>());
}

#[test]
fn a_jump_into_the_neighbouring_buffer_is_out_of_bounds() {
    // 64 elements and the gap behind them: element 1088 of arg0 is element 0 of arg1 in this oracle.
    let text = shifted_copy(0).replace("i64 %x\n  %q", "i64 1088\n  %q");
    let outcome = check(&text, &case("1", "32", 0, &TWO));
    assert_eq!(defects(&outcome), [Defect::OutOfBounds]);
    assert_eq!(
        (outcome.reports[0].array.as_str(), outcome.reports[0].offset),
        ("arg0", 4352)
    );
}

/// Writes a tile, perhaps synchronises, and reads another thread's element.
fn exchange(middle: &str) -> String {
    format!(
        r#"@tile = internal addrspace(3) global [64 x i32] undef, align 16
@next = internal addrspace(3) global [64 x i32] undef, align 16
define ptx_kernel void @k(ptr %out) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = zext i32 %t to i64
  %mine = getelementptr i32, ptr addrspace(3) @tile, i64 %x
  store i32 %t, ptr addrspace(3) %mine, align 4
  {middle}
  %r = sub i64 63, %x
  %theirs = getelementptr i32, ptr addrspace(3) @tile, i64 %r
  %v = load i32, ptr addrspace(3) %theirs, align 4
  %q = getelementptr i32, ptr %out, i64 %x
  store i32 %v, ptr %q, align 4
  ret void
}}"#
    )
}

const OUT: [&str; 1] = ["buf:i32:64"];

#[test]
fn missing_barrier_is_a_read_write_race() {
    let outcome = check(&exchange(""), &case("1", "64", 0, &OUT));
    assert!(
        defects(&outcome).contains(&Defect::ReadWriteRace),
        "{:?}",
        outcome.reports
    );
    let race = outcome
        .reports
        .iter()
        .find(|r| r.defect == Defect::ReadWriteRace)
        .unwrap();
    assert_eq!(race.array, "tile");
    let (other, place) = race.other.as_ref().unwrap();
    assert_ne!(other.thread, race.who.thread);
    assert_ne!(*place, race.place);
}

#[test]
fn a_barrier_repairs_it_under_every_schedule() {
    let mut program = program(&exchange(
        "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
    ));
    for schedule in Schedule::ALL {
        let outcome = program
            .run(&case("2", "64", 0, &OUT), schedule, Checks::Full)
            .unwrap();
        // Both blocks write the same output: that, and only that, is wrong.
        assert!(
            defects(&outcome).iter().all(|d| *d == Defect::BlockRace),
            "{schedule:?} {:?}",
            outcome.reports
        );
        assert_eq!(ints(&outcome, 0), (0..64).rev().collect::<Vec<_>>());
    }
}

#[test]
fn a_warp_barrier_is_not_enough_for_two_warps_but_is_for_one() {
    let text = exchange("call void @llvm.nvvm.bar.warp.sync(i32 -1)");
    assert!(defects(&check(&text, &case("1", "64", 0, &OUT))).contains(&Defect::ReadWriteRace));
    let one_warp = text.replace("sub i64 63", "sub i64 31");
    assert_eq!(defects(&check(&one_warp, &case("1", "32", 0, &OUT))), []);
}

#[test]
fn missing_barrier_without_checks_gives_wrong_results() {
    let outcome = program(&exchange(""))
        .run(&case("1", "64", 0, &OUT), Schedule::Forward, Checks::None)
        .unwrap();
    assert_ne!(ints(&outcome, 0), (0..64).rev().collect::<Vec<_>>());
}

#[test]
fn tile_overflow_into_the_next_tile() {
    let text = exchange("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)")
        .replace("sub i64 63", "sub i64 64");
    let outcome = check(&text, &case("1", "64", 0, &OUT));
    assert_eq!(defects(&outcome), [Defect::OutOfBounds]);
    assert_eq!(
        (outcome.reports[0].array.as_str(), outcome.reports[0].offset),
        ("tile", 256)
    );
}

#[test]
fn all_threads_write_one_shared_word() {
    let text = exchange(
        "store i32 %t, ptr addrspace(3) @next, align 4\n  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
    );
    let outcome = check(&text, &case("1", "64", 0, &OUT));
    assert_eq!(defects(&outcome), [Defect::WriteWriteRace]);
    assert_eq!(
        (outcome.reports[0].array.as_str(), outcome.reports[0].offset),
        ("next", 0)
    );
}

#[test]
fn dynamic_shared_memory_ends_where_the_launch_says() {
    let text = exchange("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)").replace(
        "@tile = internal addrspace(3) global [64 x i32] undef",
        "@tile = external addrspace(3) global [0 x i32]",
    );
    assert_eq!(defects(&check(&text, &case("1", "64", 256, &OUT))), []);
    let outcome = check(&text, &case("1", "64", 252, &OUT));
    assert!(defects(&outcome).iter().all(|d| *d == Defect::OutOfBounds));
    assert_eq!(
        (outcome.reports[0].who.thread, outcome.reports[0].offset),
        ([63, 0, 0], 252)
    );
}

#[test]
fn unwritten_shared_memory_counts_only_if_it_reaches_a_result() {
    let read = |use_it: &str| {
        exchange("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n  %n = getelementptr i32, ptr addrspace(3) @next, i64 %x\n  %u = load i32, ptr addrspace(3) %n, align 4")
            .replace("store i32 %v, ptr %q", use_it)
    };
    let outcome = check(&read("store i32 %u, ptr %q"), &case("1", "64", 0, &OUT));
    assert_eq!(defects(&outcome), [Defect::Uninitialised]);
    assert_eq!(outcome.reports[0].array, "next");
    let unused = check(&read("store i32 %v, ptr %q"), &case("1", "64", 0, &OUT));
    assert_eq!((defects(&unused), unused.notes.len()), (vec![], 1));
}

/// A thread that spins until another one has stored, longer than a thread runs at a time; it reads a shared word that nobody
/// wrote, to no effect.
const SPINS: &str = r#"@word = internal addrspace(3) global i32 undef
define ptx_kernel void @k(ptr %out) {
entry:
  %u = load volatile i32, ptr addrspace(3) @word, align 4
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %spins = icmp eq i32 %t, 0
  %count = getelementptr i32, ptr %out, i64 1
  br i1 %spins, label %loop, label %tell
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %told = load volatile i32, ptr %out, align 4
  %set = icmp ne i32 %told, 0
  br i1 %set, label %done, label %loop
done:
  store i32 %next, ptr %count, align 4
  ret void
tell:
  store volatile i32 1, ptr %out, align 4
  ret void
}"#;

/// What the second filling of shared memory is held against must be the same launch: threads change at the same places.
#[test]
fn launches_are_the_same_whatever_ran_before() {
    let (mut program, case) = (program(SPINS), case("1", "2", 0, &["buf:i32:2"]));
    let mut run = || {
        let outcome = program.run(&case, Schedule::Forward, Checks::Full);
        outcome.expect("the kernel runs")
    };
    let (first, again) = (run(), run());
    assert_eq!((defects(&first), first.notes.len()), (vec![], 1));
    assert_eq!(first.buffers, again.buffers);
}

#[test]
fn threads_of_a_block_race_in_global_memory() {
    let text = shifted_copy(0).replace("%in, i64 %x", "%out, i64 0");
    let outcome = check(&text, &case("1", "32", 0, &TWO));
    assert_eq!(defects(&outcome), [Defect::ReadWriteRace]);
    assert_eq!(outcome.reports[0].array, "arg1");
}

#[test]
fn blocks_race_in_global_memory_even_across_a_barrier() {
    let text = shifted_copy(0)
        .replace(
            "%q = getelementptr i32, ptr %out, i64 %y",
            "%z = zext i32 %t to i64\n  %q = getelementptr i32, ptr %out, i64 %z",
        )
        .replace(
            "  ret void",
            "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n  ret void",
        );
    let outcome = check(&text, &case("2", "32", 0, &TWO));
    assert_eq!(defects(&outcome), [Defect::BlockRace]);
    let (other, _) = outcome.reports[0].other.as_ref().unwrap();
    assert_eq!(
        (outcome.reports[0].who.block, other.block),
        ([1, 0, 0], [0, 0, 0])
    );
    let mut program = program(&text);
    let outcomes = program
        .run_all(
            &case("2", "32", 0, &TWO),
            &[Schedule::Forward, Schedule::Reverse],
            Checks::Full,
        )
        .unwrap();
    assert!(defects(&outcomes[1]).contains(&Defect::OrderDependent));
}

#[test]
fn atomics_do_not_race_with_each_other() {
    let text = shifted_copy(0).replace(
        "store i32 %v, ptr %q, align 4",
        "%old = atomicrmw add ptr %out, i32 %v monotonic",
    );
    let outcome = check(&text, &case("2", "32", 0, &TWO));
    assert_eq!(defects(&outcome), []);
    assert_eq!(ints(&outcome, 1)[0], 63 * 64 / 2);
}

#[test]
fn vector_load_from_an_odd_address() {
    let text = r#"define ptx_kernel void @k(ptr %in, ptr %out) {
  %p = getelementptr float, ptr %in, i64 1
  %v = load <4 x float>, ptr %p, align 16
  store <4 x float> %v, ptr %out, align 16
  ret void
}"#;
    let outcome = check(text, &case("1", "1", 0, &["buf:f32:8:iota", "buf:f32:8"]));
    assert_eq!(defects(&outcome), [Defect::Misaligned]);
    assert_eq!(
        (outcome.reports[0].offset, outcome.reports[0].size),
        (4, 16)
    );
    let small = text.replace("%p, align 16", "%p, align 4");
    let outcome = check(&small, &case("1", "1", 0, &["buf:f32:8:iota", "buf:f32:8"]));
    assert_eq!(defects(&outcome), []);
    assert_eq!(common::floats(&outcome, 1)[..4], [1.0, 2.0, 3.0, 4.0]);
}

/// As LLVM aligns an array of four numbers of 64 bits that it stores to at once.
#[test]
fn local_array_aligned_for_vectors() {
    let text = r#"define ptx_kernel void @k(ptr %out) {
  %a = alloca [4 x i64], align 32
  %b = alloca [3 x i32], align 4
  store <4 x i64> splat (i64 3), ptr %a, align 32
  store i32 4, ptr %b, align 4
  %p = getelementptr i64, ptr %a, i64 3
  %v = load i64, ptr %p, align 8
  %n = trunc i64 %v to i32
  store i32 %n, ptr %out, align 4
  ret void
}"#;
    let run = |text: &str| check(text, &case("1", "1", 0, &["buf:i32:1"]));
    assert_eq!(ints(&run(text), 0), [3]);
    assert_eq!(defects(&run(text)), []);
    let beyond = text.replace("ptr %a, i64 3", "ptr %a, i64 4");
    assert_eq!(defects(&run(&beyond)), [Defect::OutOfBounds]);
}

#[test]
fn local_array_overrun() {
    let text = r#"define ptx_kernel void @k(ptr %out, i32 %n) {
  %a = alloca [4 x i32], align 4
  %x = sext i32 %n to i64
  %p = getelementptr i32, ptr %a, i64 %x
  store i32 7, ptr %p, align 4
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %out, align 4
  ret void
}"#;
    let run = |n: &str| check(text, &case("1", "1", 0, &["buf:i32:1", n]));
    assert_eq!(ints(&run("i32:3"), 0), [7]);
    assert_eq!(defects(&run("i32:3")), []);
    let outcome = run("i32:4");
    assert_eq!(
        defects(&outcome),
        [Defect::OutOfBounds, Defect::OutOfBounds]
    );
    assert!(
        outcome.reports[0]
            .detail
            .contains("has 16 bytes, this is byte offset 16"),
        "{}",
        outcome.reports[0]
    );
}

#[test]
fn store_to_constant_memory_and_bulk_copy_out_of_bounds() {
    let text = r#"@table = addrspace(4) externally_initialized constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4
define ptx_kernel void @k(ptr %out) {
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr addrspacecast (ptr addrspace(4) @table to ptr), i64 16, i1 false)
  ret void
}"#;
    let good = check(text, &case("1", "1", 0, &["buf:i32:4"]));
    assert_eq!((defects(&good), ints(&good, 0)), (vec![], vec![1, 2, 3, 4]));
    let outcome = check(text, &case("1", "1", 0, &["buf:i32:3"]));
    assert_eq!(
        (defects(&outcome), outcome.reports[0].size),
        (vec![Defect::OutOfBounds], 16)
    );
    let store = text.replace(
        "  ret",
        "  store i32 9, ptr addrspacecast (ptr addrspace(4) @table to ptr), align 4\n  ret",
    );
    assert_eq!(
        defects(&check(&store, &case("1", "1", 0, &["buf:i32:4"]))),
        [Defect::WriteToConstant]
    );
}

#[test]
fn too_much_static_shared_memory() {
    let text = exchange("call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)").replace(
        "@next = internal addrspace(3) global [64 x i32]",
        "@next = internal addrspace(3) global [12288 x i32]",
    );
    let text = text.replace(
        "  ret",
        "  store volatile i32 1, ptr addrspace(3) @next, align 4\n  ret",
    );
    let outcome = check(&text, &case("1", "64", 0, &OUT));
    assert_eq!(defects(&outcome), [Defect::StaticShared]);
    assert_eq!(outcome.reports[0].size, 48 * 1024 + 256);
}

#[test]
fn false_assumption_trap_and_endless_loop() {
    let text = |body: &str| {
        format!(
            "define ptx_kernel void @k() {{\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  {body}\n}}"
        )
    };
    let assume = text("%c = icmp eq i32 %t, 0\n  call void @llvm.assume(i1 %c)\n  ret void");
    let outcome = check(&assume, &case("1", "2", 0, &[]));
    assert_eq!(
        (defects(&outcome), outcome.reports[0].who.thread),
        (vec![Defect::FalseAssumption], [1, 0, 0])
    );
    let trap = text("call void @llvm.trap()\n  unreachable");
    assert_eq!(
        defects(&check(&trap, &case("1", "1", 0, &[]))),
        [Defect::Trap]
    );
    let mut endless = program(&text("br label %l\nl:\n  br label %l"));
    endless.fuel = 1_000_000;
    let outcome = endless
        .run(&case("1", "2", 0, &[]), Schedule::Forward, Checks::Full)
        .unwrap();
    assert_eq!(defects(&outcome), [Defect::Endless]);
}
